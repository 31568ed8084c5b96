/**
 * What the pages know and do: one Alpine store, `memoryLedger`.
 *
 * Everything that comes from a memory is text of somebody's: it is only ever bound with `x-text`, a property or `x-model`.
 */
import { createStore } from "/js/AlpineStore.js";
import { callJsonApi } from "/js/api.js";
import { closeModal, openModal } from "/js/modals.js";
import { getContext } from "/index.js";
import { counted, inWords, segments } from "./ledger-words.js";

const PLUGIN = "/plugins/memory_ledger";
/** The pages in the order in which they are offered. */
const PAGES = ["overview", "memories", "conflicts", "recall", "vault", "notes"];
const NO_FILTERS = {
  validity: "in_use", source: "", utility: "", relevance: "", area: "", domain: "", role: "", tag: "", since: "", until: "",
};
const DONE = { retire: "retired", restore: "brought back", confirm: "confirmed", archive: "archived", erase: "erased",
  undo: "put back as before" };
const CONFLICTS_AT_ONCE = 20;
const MOST_SHOWN = 20000;

const nothing = () => ({
  page: "overview",
  problem: "",
  notice: "",
  undoable: [],
  overview: null,
  query: "",
  byMeaning: false,
  filters: { ...NO_FILTERS },
  sort: "newest",
  list: { rows: [], total: 0, page: 1, pages: 1 },
  selected: [],
  memory: null,
  isWhole: false,
  trail: [],
  conflicts: { rows: [], total: 0, page: 1 },
  at: 0,
});

/** What loads a page that has a store of its own, by its name. */
const loaders = {};

/** Have `load` called when the folder changes while a person looks at `page`. */
export const onFolderChange = (page, load) => {
  loaders[page] = load;
};

const model = {
  ...nothing(),
  pages: PAGES,
  folder: "default",
  folders: ["default"],
  waiting: 0,
  asked: { overview: 0, memories: 0, memory: 0, conflicts: 0 },
  returnTo: null,
  choices: {
    validity: ["in_use", "confirmed", "inferred", "deprecated"],
    source: ["user_asserted", "agent_inferred", "bookshelf_document", "external_retrieved"],
    utility: ["load_bearing", "tactical", "archived"],
    relevance: ["active", "dormant"],
    sort: ["newest", "oldest", "utility", "shown", "quality"],
  },
  inWords,
  counted,

  onOpen() {
    Object.assign(this, nothing());
  },

  onClose() {
    for (const name of Object.keys(this.asked)) this.asked[name] += 1;
    Object.assign(this, nothing());
  },

  show(page) {
    if (!PAGES.includes(page)) return;
    Object.assign(this, { page, problem: "", notice: "", undoable: [] });
  },

  /** Open the list with one filter, as a number of the overview stands for it. */
  showOnly(axis, value) {
    this.filters = { ...NO_FILTERS, validity: "", [axis]: value };
    this.query = "";
    this.show("memories");
  },

  async chooseFolder(folder) {
    this.folder = folder;
    Object.assign(this, { problem: "", notice: "", undoable: [], overview: null });
    await this.reload();
  },

  /** Load what the page at hand shows; a page that has just been opened asks for it itself. */
  async reload() {
    if (this.page === "memories") await this.loadMemories(1);
    else if (this.page === "conflicts") await this.loadConflicts();
    else if (this.page === "overview") await this.loadOverview();
    else await loaders[this.page]?.();
  },

  /** Return the answer of the plugin, or null where there is none, which is then said, or where a later one is on its way. */
  async ask(file, action, data = {}, subject = "") {
    const turn = subject ? (this.asked[subject] = (this.asked[subject] ?? 0) + 1) : 0;
    this.waiting += 1;
    this.problem = "";
    try {
      const sent = { action, folder: this.folder, context: getContext() || "", ...data };
      const answer = await callJsonApi(`${PLUGIN}/${file}`, sent);
      if (subject && turn !== this.asked[subject]) return null;
      if (answer?.ok !== true) throw new Error(answer?.error || "Memory Ledger gave no answer.");
      return answer;
    } catch (error) {
      if (!subject || turn === this.asked[subject]) this.problem = String(error?.message || error).split("\n")[0];
      return null;
    } finally {
      this.waiting -= 1;
    }
  },

  // ---- Overview

  async loadOverview() {
    const answer = await this.ask("overview", "read", {}, "overview");
    if (!answer) return;
    this.overview = answer;
    this.folders = answer.folders.includes(this.folder) ? answer.folders : [this.folder, ...answer.folders];
  },

  /** The groups of the overview as rows of (name, count, share of the whole in percent). */
  get groups() {
    return Object.entries(this.overview?.by ?? {}).map(([axis, counts]) => {
      const rows = Object.entries(counts);
      if (axis !== "age") rows.sort(([, one], [, other]) => other - one);
      const whole = Math.max(1, rows.reduce((sum, [, count]) => sum + count, 0));
      return { axis, rows: rows.map(([name, count]) => ({ name, count, share: (100 * count) / whole })) };
    });
  },

  get months() {
    const rows = this.overview?.over_time ?? [];
    const most = Math.max(1, ...rows.flatMap((one) => [one.retired, one.contested]));
    return rows.map((one) => ({
      ...one, retiredShare: (100 * one.retired) / most, contestedShare: (100 * one.contested) / most,
    }));
  },

  get quality() {
    const { average = null, stale = null } = this.overview?.quality ?? {};
    return { average: average === null ? "not known" : Number(average).toFixed(2), stale: stale ?? "not known" };
  },

  get unread() {
    return `${counted(this.overview?.unread ?? 0)} not read yet: read with the next message to the agent.`;
  },

  canShow(page) {
    return PAGES.includes(page);
  },

  // ---- Memories

  async loadMemories(page) {
    const asked = { query: this.query, by_meaning: this.byMeaning, filters: { ...this.filters }, sort: this.sort };
    const answer = await this.ask("memories", "list", { ...asked, page: Math.max(1, Number(page) || 1), size: 50 }, "memories");
    if (!answer) return;
    if (!answer.rows.length && answer.page > 1) return this.loadMemories(Math.min(answer.pages, answer.page - 1));
    this.list = answer;
    this.selected = [];
  },

  clearFilters() {
    Object.assign(this, { query: "", byMeaning: false, filters: { ...NO_FILTERS }, sort: "newest" });
    return this.loadMemories(1);
  },

  isSelected(row) {
    return this.selected.includes(row.id);
  },

  select(row, isWanted) {
    this.selected = [...this.selected.filter((id) => id !== row.id), ...(isWanted ? [row.id] : [])];
  },

  selectAll(isWanted) {
    this.selected = isWanted ? this.list.rows.map((row) => row.id) : [];
  },

  get isAllSelected() {
    return this.list.rows.length > 0 && this.selected.length === this.list.rows.length;
  },

  actOnSelected(action) {
    const rows = this.list.rows.filter((row) => this.isSelected(row));
    return this.act(action, rows);
  },

  /** Do something to memories as they were shown; what has changed meanwhile is refused, which is said. */
  async act(action, memories) {
    const isErasing = action === "erase";
    const sent = { memories: memories.map(({ id, stamp }) => ({ id, stamp })), ...(isErasing ? { sure: true } : {}) };
    const answer = await this.ask("memories", action, sent);
    if (answer) await this.tell(answer, DONE[action] ?? inWords(action), !isErasing && action !== "undo");
  },

  /** Say what was done and what was refused, over what the page shows now. */
  async tell(answer, what, isUndoable) {
    await this.refresh(answer.done);
    const refused = answer.refused ?? [];
    if (refused.length) this.problem = `${counted(refused.length)} left alone: ${[...new Set(refused.map((one) => one.why))].join("; ")}`;
    const waiting = answer.waiting?.length ? `${counted(answer.waiting.length)} will be done shortly.` : "";
    this.notice = [answer.done.length ? `${counted(answer.done.length)} ${what}.` : "", waiting].join(" ").trim();
    this.undoable = isUndoable ? (answer.now ?? []) : [];
  },

  undo() {
    return this.act("undo", this.undoable);
  },

  async refresh(done) {
    if (this.memory && (await this.look(this.memory.memory.id)) === null && done.includes(this.memory.memory.id)) closeModal();
    const problem = this.problem;
    if (this.page === "memories") await this.loadMemories(this.list.page);
    else if (this.page === "conflicts") await this.loadConflicts(this.position);
    this.problem ||= this.memory ? problem : "";
  },

  // ---- One memory

  async open(id) {
    this.returnTo = document.activeElement;
    Object.assign(this, { notice: "", undoable: [], trail: [] });
    if (await this.look(id)) void openModal(`${PLUGIN}/webui/memory.html`);
  },

  async look(id) {
    const answer = await this.ask("memories", "show", { id }, "memory");
    if (answer) Object.assign(this, { memory: answer, isWhole: false });
    return answer;
  },

  async follow(id) {
    const from = this.memory.memory.id;
    if (await this.look(id)) this.trail = [...this.trail, from];
  },

  async goBack() {
    const id = this.trail.at(-1);
    this.trail = this.trail.slice(0, -1);
    await this.look(id);
  },

  onMemoryClosed() {
    Object.assign(this, { memory: null, trail: [], problem: "" });
    this.returnTo?.focus?.();
    this.returnTo = null;
  },

  /** The text of the memory, or its beginning where it is very long. */
  get text() {
    const text = this.memory?.memory.text ?? "";
    return this.isWhole ? text : text.slice(0, MOST_SHOWN);
  },

  get isCut() {
    return !this.isWhole && (this.memory?.memory.text.length ?? 0) > MOST_SHOWN;
  },

  /** Where the memory stands: rows of (name, words). */
  get facts() {
    if (!this.memory) return [];
    const { memory, shown } = this.memory;
    const often = counted(shown?.count ?? 0, "time", "times") + (shown?.last ? `, last on ${this.day(shown.last)}` : "");
    const rows = ["source", "validity", "utility", "relevance", "area"].map((name) => [name, inWords(memory[name])]);
    rows.push(["date", this.day(memory.date)], ["shown", often]);
    rows.push(["roles", (memory.roles ?? []).join(", ")], ["tags", (memory.tags ?? []).join(", ")]);
    for (const [name, value] of Object.entries(this.memory.quality ?? {})) {
      if (typeof value === "number") rows.push([`quality: ${inWords(name)}`, String(Math.round(100 * value) / 100)]);
    }
    return [...rows, ["id", memory.id]].filter(([, words]) => words);
  },

  /** The other memories that this one has to do with: rows of (what, id, text). */
  get related() {
    if (!this.memory) return [];
    const { replaces = [], replaced_by = "", at_odds = [] } = this.memory;
    const named = (what) => (one) => ({ what, id: one.id ?? one, text: one.text || one.id || one });
    return [
      ...[replaced_by].filter(Boolean).map(named("replaced by")),
      ...replaces.map(named("replaces")),
      ...at_odds.map(named("at odds with")),
    ];
  },

  can(action) {
    return (this.memory?.can ?? []).includes(action);
  },

  actOnThis(action) {
    return this.act(action, [this.memory.memory]);
  },

  // ---- Conflicts

  /** The place of the conflict at hand among all of them, from 0. */
  get position() {
    return (this.conflicts.page - 1) * CONFLICTS_AT_ONCE + this.at;
  },

  get conflict() {
    return this.conflicts.rows[this.at] ?? null;
  },

  async loadConflicts(position = 0) {
    const page = Math.floor(position / CONFLICTS_AT_ONCE) + 1;
    const answer = await this.ask("conflicts", "list", { page, size: CONFLICTS_AT_ONCE }, "conflicts");
    if (!answer) return;
    if (!answer.rows.length && position > 0) return this.loadConflicts(Math.max(0, Math.min(position - 1, answer.total - 1)));
    this.conflicts = { rows: answer.rows, total: answer.total, page };
    this.at = Math.max(0, Math.min(position % CONFLICTS_AT_ONCE, answer.rows.length - 1));
  },

  async go(steps) {
    const position = this.position + steps;
    if (position < 0 || position >= this.conflicts.total) return;
    const at = this.at + steps;
    if (at >= 0 && at < this.conflicts.rows.length) this.at = at;
    else await this.loadConflicts(position);
  },

  /** `n` and `p` leaf through the conflicts, where nobody is typing and nothing lies on top of the page. */
  onKey(event) {
    const steps = { n: 1, p: -1 }[event.key];
    const isTyping = event.target.closest?.("input, select, textarea, [contenteditable]");
    if (!steps || isTyping || this.memory || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    void this.go(steps);
  },

  /** Both sides of the conflict at hand, each with its text in pieces that differ from the other or do not. */
  get sides() {
    const one = this.conflict;
    if (!one) return [];
    return ["older", "newer"].map((name) => ({ name, ...one[name], pieces: segments(one[name].text, one.differs?.[name]) }));
  },

  async settle(keep) {
    const { id, older, newer } = this.conflict;
    const stamps = Object.fromEntries([older, newer].map((side) => [side.id, side.stamp]));
    const answer = await this.ask("conflicts", "settle", { conflict: id, keep, stamps });
    if (!answer) return;
    await this.tell(answer, "settled", true);
    if (answer.done.length) this.notice = answer.what ? `Settled: ${answer.what}` : "Settled.";
  },

  // ---- Small things

  day(moment) {
    const date = new Date(moment);
    return Number.isNaN(date.getTime()) ? String(moment ?? "") : date.toLocaleDateString();
  },

  /** Let a person press twice for what cannot be undone, in the host's way where it has one. */
  sure(ofHost, event, act) {
    if (ofHost) return ofHost(event, act);
    const button = event.currentTarget;
    if (button.dataset.armed) {
      delete button.dataset.armed;
      return act();
    }
    button.dataset.armed = "yes";
    setTimeout(() => delete button.dataset.armed, 2000);
  },
};

export const store = createStore("memoryLedger", model);
