/**
 * The notes that a person has written for the agent: which there are, what each says, what a prompt shows of them.
 */
import { createPage, store as shell } from "./ledger-store.js";

const MOST_IN_A_CELL = 500;

const nothing = () => ({
  query: "",
  byMeaning: false,
  list: { rows: [], total: 0, page: 1, pages: 1, place: "", model: "", built: "", at_work: false },
  hits: null,
  note: null,
  last: "",
  preview: null,
});

const model = {
  async load() {
    Object.assign(this, { note: null, hits: null, preview: null });
    if (!(await this.loadList(1))) return;
    const answer = await shell.ask("notes", "preview", {}, "notes preview");
    if (answer) this.preview = answer;
  },

  /** Load one page of the notes; tell whether there was an answer. */
  async loadList(page) {
    const answer = await shell.ask("notes", "list", { query: this.query, page, size: 50 }, "notes");
    if (answer) Object.assign(this, { list: answer, hits: null });
    return answer !== null;
  },

  async search() {
    const text = this.query.trim();
    this.last = "";
    if (!this.byMeaning || !text) return this.loadList(1);
    const answer = await shell.ask("notes", "search", { text }, "notes");
    if (answer) this.hits = answer.rows;
  },

  clear() {
    Object.assign(this, { query: "", byMeaning: false });
    return this.search();
  },

  async open(id) {
    const answer = await shell.ask("notes", "show", { id }, "note");
    if (answer) this.note = answer;
  },

  /** Go back to the list, to the row that the note has there. */
  close() {
    Object.assign(this, { last: this.note.note.id, note: null });
  },

  /** What is known of the note: rows of (name, words). */
  get facts() {
    if (!this.note) return [];
    const { note, pieces } = this.note;
    return [
      ["file", note.file],
      ["size", `${note.size.toLocaleString()} bytes`],
      ["changed", shell.day(note.date)],
      ["state", this.state(note)],
      ["pieces", pieces.length ? String(pieces.length) : ""],
    ].filter(([, words]) => words);
  },

  state(row) {
    return this.short(row.why ? `${row.state}: ${row.why}` : row.state);
  },

  short(text) {
    return text.slice(0, MOST_IN_A_CELL);
  },

  piece(one) {
    return `${this.short(one.section) || "beginning"}, line ${one.line}, ${one.length.toLocaleString()} characters`;
  },

  get standing() {
    const { total, model: name, built, at_work } = this.list;
    const indexed = name ? `; indexed on ${shell.day(built)} with ${this.short(name)}` : "";
    return `${shell.counted(total, "note", "notes")}${indexed}${at_work ? "; being indexed now" : ""}`;
  },

  share(similarity) {
    return Math.max(0, Math.min(100, 100 * similarity));
  },
};

export const store = createPage("notes", nothing, model);
