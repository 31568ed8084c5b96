/** Plain words for what the pack calls its states, and the pieces of a text that differ. Pure. */

const WORDS = new Map(Object.entries({
  in_use: "in use",
  inferred: "not confirmed",
  deprecated: "retired",
  load_bearing: "protected",
  user_asserted: "told by you",
  agent_inferred: "the agent's guess",
  bookshelf_document: "from a document",
  external_retrieved: "fetched from outside",
  shown: "shown most often",
  quality: "best quality",
  utility: "most useful",
  secrets: "secrets in memories",
  empty: "without content",
  unused: "unused for 90 days",
  changed: "changed by the agent or a rule",
  conflictRisk: "conflict risk",
}));

export function inWords(name) {
  return WORDS.get(name) ?? String(name ?? "").replaceAll("_", " ");
}

export function counted(count, one = "memory", more = "memories") {
  return `${Number(count).toLocaleString()} ${count === 1 ? one : more}`;
}

/** A moment as people here write it; what is none stays as it is. */
export function moment(at, part = "toLocaleString") {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? String(at ?? "") : date[part]();
}

/** Begin words as a sentence begins. */
export function sentence(words) {
  const text = String(words ?? "");
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Cut a text at spans of [start, end) into pieces that differ and pieces that do not. */
export function segments(text, spans) {
  const pieces = [];
  let reached = 0;
  for (const [start, end] of spans ?? []) {
    pieces.push({ text: text.slice(reached, start), differs: false }, { text: text.slice(start, end), differs: true });
    reached = Math.max(reached, end);
  }
  pieces.push({ text: text.slice(reached), differs: false });
  return pieces.filter((piece) => piece.text);
}
