/** The neighbours of a memory as a picture: lines and names in the middle of an SVG element, each neighbour a button. */

const [WIDTH, ROW, RADIUS] = [460, 56, 7];
const LONGEST_NAME = 30;

const shorten = (text) => (text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME)} …` : text);

/** Add an element to another one; a text is only ever a text. */
const add = (parent, tag, attributes, text = "") => {
  const element = document.createElementNS(parent.namespaceURI, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  parent.append(element);
  return element;
};

/** Draw the neighbours of a memory, rows of (what, id, text), around it; `follow` gets the id of one that is pressed. */
export function drawNeighbours(svg, neighbours, follow) {
  svg.replaceChildren();
  const height = ROW * (Math.ceil(neighbours.length / 2) + 1);
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${height}`);
  const [x, y] = [WIDTH / 2, height / 2];
  neighbours.forEach((one, index) => {
    const isLeft = index % 2 === 1;
    const rows = Math.ceil((neighbours.length - (isLeft ? 1 : 0)) / 2) || 1;
    const [endX, endY] = [isLeft ? RADIUS : WIDTH - RADIUS, ((Math.floor(index / 2) + 0.5) * height) / rows];
    add(svg, "line", { x1: x, y1: y, x2: endX, y2: endY });
    const node = add(svg, "g", one.is_gone ? {} : { role: "button", tabindex: "0" });
    add(node, "circle", { cx: endX, cy: endY, r: RADIUS });
    const side = { x: isLeft ? endX + 14 : endX - 14, "text-anchor": isLeft ? "start" : "end" };
    add(node, "text", { ...side, y: endY - 6, class: "ledger-muted" }, `${one.what} `);
    add(node, "text", { ...side, y: endY + 12, class: "ledger-said" }, shorten(one.text));
    const press = (event) => (event.type === "click" || ["Enter", " "].includes(event.key)) && (event.preventDefault(), follow(one.id));
    if (!one.is_gone) for (const kind of ["click", "keydown"]) node.addEventListener(kind, press);
  });
  add(svg, "circle", { cx: x, cy: y, r: RADIUS + 3, class: "ledger-here" });
  add(svg, "text", { x, y: y + 28, "text-anchor": "middle" }, "this memory");
}
