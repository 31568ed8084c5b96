/** Fragments of HTML: fetched once, their module scripts imported first, then their body put into the page. */
const texts = new Map();
const modules = new Map();
const loading = new Set();

/** Put a fragment into an element, unless one is on its way there. */
export async function importComponent(path, target) {
  if (loading.has(target)) return null;
  loading.add(target);
  try {
    return await importOnce(path, target);
  } finally {
    loading.delete(target);
  }
}

async function importOnce(path, target) {
  if (!texts.has(path)) {
    const answer = await fetch(path);
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    texts.set(path, await answer.text());
  }
  const fragment = new DOMParser().parseFromString(texts.get(path), "text/html");
  const scripts = [...fragment.querySelectorAll("script[type=module]")];
  await Promise.all(scripts.map((script, index) => importInline(`${path}#${index}`, script.textContent)));
  scripts.forEach((script) => script.remove());
  target.replaceChildren(...fragment.body.childNodes);
  return fragment;
}

/** As in a host, an inline module is imported as a blob, in which only `import NAMES from "PATH"` finds its file. */
function importInline(name, source) {
  if (!modules.has(name)) {
    const absolute = source.replace(/(import\s+[^'"]+\s+from\s+)["']([^"']+)["']/g,
      (_whole, start, path) => `${start}"${new URL(path, location.origin).href}"`);
    modules.set(name, import(URL.createObjectURL(new Blob([absolute], { type: "text/javascript" }))));
  }
  return modules.get(name);
}

export async function loadIn(root) {
  const found = [...root.querySelectorAll("x-component")];
  if (root.matches("x-component")) found.push(root);
  await Promise.all(found.map((one) => importComponent(one.getAttribute("path"), one).catch((error) => console.error(error))));
}

export function watch() {
  const added = (changes) => changes.flatMap((one) => [...one.addedNodes]).filter((node) => node.nodeType === 1);
  new MutationObserver((changes) => added(changes).forEach((node) => void loadIn(node)))
    .observe(document.body, { childList: true, subtree: true });
}
