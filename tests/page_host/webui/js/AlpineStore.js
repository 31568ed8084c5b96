/** A store that components share: what is read from and written to it afterwards is what Alpine watches. */
export function createStore(name, initial) {
  const current = () => globalThis.Alpine?.store(name) ?? initial;
  if (globalThis.Alpine) globalThis.Alpine.store(name, initial);
  else document.addEventListener("alpine:init", () => Alpine.store(name, initial));
  return new Proxy(initial, {
    get: (_target, key) => current()[key],
    set: (_target, key, value) => { current()[key] = value; return true; },
  });
}
