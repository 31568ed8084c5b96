/**
 * The vault: what always holds, its records with their versions, and what a prompt shows of them.
 */
import { createPage, store as shell } from "./ledger-store.js";
import { moment } from "./ledger-words.js";

const SOURCES = { chat: "you, in a chat", manual: "you, by hand", tool: "the agent", operator: "you, as operator",
  promotion: "you, as canon", agent: "the agent" };
const KINDS = { canon: "canon: permanent", register: "register: the current state of a topic" };

const MOST_IN_A_CELL = 1300;

const nothing = () => ({
  draftIn: "",
  query: "",
  scope: "",
  tier: "",
  retired: false,
  list: { rows: [], total: 0, page: 1, pages: 1, active: 0, most: 0, enabled: true, longest: 0,
    choices: { scope: [], tier: [], category: [] } },
  record: null,
  last: "",
  draft: null,
  preview: null,
});

const model = {
  /** Open the vault; what somebody was writing in this folder is still there. */
  async onOpen() {
    const draft = this.draftIn === shell.folder ? this.draft : null;
    Object.assign(this, nothing());
    await this.load();
    Object.assign(this, { draft, draftIn: shell.folder });
  },

  /** Load the list, and what a prompt shows, as for a folder that was just chosen. */
  async load() {
    Object.assign(this, { record: null, draft: null, preview: null });
    await this.loadList(1);
    await this.look(null);
  },

  async loadList(page) {
    const { query, scope, tier, retired } = this;
    const asked = { query, scope, tier, retired, page, size: 50 };
    const answer = await shell.ask("vault", "list", asked, "vault");
    if (!answer) return;
    this.list = answer;
  },

  /** Load anew what is shown, after something was done. */
  async refresh() {
    if (this.record) await this.show(this.record.record.id);
    await this.loadList(this.list.page);
    await this.look(this.preview?.agent ?? null);
  },

  search() {
    this.last = "";
    return this.loadList(1);
  },

  clear() {
    Object.assign(this, { query: "", scope: "", tier: "", retired: false });
    return this.search();
  },

  /** Load what the next prompt of an agent shows; null stands for the agent of the open chat. */
  async look(agent) {
    const answer = await shell.ask("vault", "preview", { agent }, "vault preview");
    if (answer) this.preview = answer;
  },

  // ---- One record

  async open(id) {
    Object.assign(shell, { notice: "", undoable: [] });
    this.draft = null;
    await this.show(id);
  },

  async show(id) {
    const answer = await shell.ask("vault", "show", { id }, "vault record");
    if (answer) this.record = answer;
  },

  /** Go back to the list, to the row that the record has there. */
  close() {
    Object.assign(this, { last: this.record.record.id, record: null, draft: null });
  },

  can(action) {
    return (this.record?.can ?? []).includes(action);
  },

  /** What is known of the record: rows of (name, words). */
  get facts() {
    if (!this.record) return [];
    const { record } = this.record;
    return [
      ["kind", KINDS[record.tier] ?? record.tier],
      ["topic", record.topic],
      ["category", record.category],
      ["scope", record.scope === "shared" ? "shared: seen by every agent" : `only ${record.scope}`],
      ["source", this.source(record)],
      ["tags", record.tags.join(", ")],
      ["first written", record.created && moment(record.created)],
      [record.is_retired ? "retired" : "last written", record.date && moment(record.date)],
      ["id", record.id],
    ].filter(([, words]) => words);
  },

  short(text) {
    return text.slice(0, MOST_IN_A_CELL);
  },

  /** What a record is filed under. */
  place(record) {
    return this.short(record.topic ? `${record.category}, ${record.topic}` : record.category);
  },

  source(record) {
    return SOURCES[record.source] ?? (this.short(record.source) || "unknown");
  },

  // ---- Writing

  /** Begin to write a new record, or the next version of the one that is shown. */
  write(record) {
    shell.notice = "";
    this.draftIn = shell.folder;
    this.draft = record
      ? { id: record.id, version: record.version, text: record.text, category: record.category, tags: record.tags.join(", ") }
      : { text: "", scope: "shared", tier: "canon", topic: "", category: "other", tags: "" };
  },

  async save() {
    const { id, version, text, category, scope, tier, topic } = this.draft;
    const tags = this.draft.tags.split(",").map((one) => one.trim()).filter(Boolean);
    const isDone = id
      ? await this.act("update", { id, version, text, category, tags }, "Changed.")
      : await this.act("add", { text, category, tags, scope, tier, topic: tier === "register" ? topic : "" }, "Stored.");
    if (isDone) this.draft = null;
  },

  actOnThis(action, words, more = {}) {
    const { id, version } = this.record.record;
    return this.act(action, { id, version, ...more }, words);
  },

  /** Change a record; what the gate refuses is said as a problem, and what was typed stays. */
  async act(action, data, words) {
    const wasRetired = this.record?.record.is_retired ?? false;
    const answer = await shell.ask("vault", action, data);
    if (!answer) return false;
    const { id, version } = answer.record;
    const back = version > 1 && !wasRetired ? { action: "revert", to: version - 1 } : { action: "retire" };
    await shell.tell({ done: [id], steps: [{ group: "vault", id, version, ...back }] }, words);
    shell.notice = action === "add" && version > 1 ? "This topic already had a register; it was updated." : words;
    return true;
  },
};

export const store = createPage("vault", nothing, model, () => store.refresh());
