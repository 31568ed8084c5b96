/**
 * What the pages know and do: one Alpine store, `memoryLedger`.
 *
 * Everything that comes from a memory is text of somebody's: it is only ever bound with `x-text`, a property or `x-model`.
 */
import { createStore } from "/js/AlpineStore.js";
import { callJsonApi } from "/js/api.js";
import { closeModal, openModal } from "/js/modals.js";
import { getContext } from "/index.js";
import { drawNeighbours } from "./ledger-graph.js";
import { counted, inWords, moment } from "./ledger-words.js";

const PLUGIN = "/plugins/memory_ledger";
/** The tabs in their order, each with its parts, of which the first is shown first. */
const TABS = Object.entries({
  overview: ["overview", "inbox"],
  memories: ["memories"],
  prompt: ["recall"],
  more: ["vault", "notes", "knowledge", "maintenance", "backup", "settings"],
}).map(([name, parts]) => ({ name, parts, title: name[0].toUpperCase() + name.slice(1) }));
const TITLES = {
  overview: "What it knows", inbox: "To decide", vault: "Vault", notes: "Notes", knowledge: "Knowledge", maintenance: "Upkeep",
  backup: "Backup", settings: "Settings",
};
const NO_FILTERS = {
  validity: "in_use", source: "", utility: "", relevance: "", about: "", area: "", domain: "", role: "", tag: "", since: "",
  until: "",
};
const DONE = { retire: "retired", restore: "brought back", confirm: "confirmed", archive: "archived", protect: "protected",
  correct: "given another source", move: "moved", erase: "erased",
  leave_out: "left out of every prompt", put_in: "put into every prompt", undo: "restored to its previous state" };
const MOST_SHOWN = 20000;
const MOST_NEIGHBOURS = 10;
/** What stands for a folder that is not there yet. */
const NEW_TARGET = " new";
/** So many memories are changed by one request. */
const AT_ONCE = 100;
const LONGEST_TAG = 60;
/** What an export begins with, and so many characters of one go with a request. */
const ARCHIVE = '"memory-ledger/1"';
const MOST_SENT = 1_000_000;
const OFFLINE = "Agent Zero does not answer. This page goes on as soon as it does.";
const RETRY_MS = 2000;
const EACH_MS = 700;

const nothing = () => ({
  page: "overview",
  kind: "",
  hasBreaks: false,
  problem: "",
  notice: "",
  undoable: [],
  isRedo: false,
  query: "",
  searched: "",
  byMeaning: false,
  filters: { ...NO_FILTERS },
  sort: "newest",
  draft: null,
  list: { rows: [], total: 0, page: 1, pages: 1 },
  selected: [],
  newSource: "",
  target: "",
  newFolder: "",
  memory: null,
  isWhole: false,
  trail: [],
});

/** What loads a part that has a store of its own, by its name; and what loads it anew after something was done there. */
const loaders = {};
const reloaders = {};

/**
 * Make the store of a part, which holds `nothing` until it is loaded, and again once it is closed. Another folder loads it
 * anew; `reload` does after something was done there.
 */
export const createPage = (part, nothing, model, reload) => {
  const onClose = () => {
    clearTimeout(page.timer);
    Object.assign(page, nothing());
  };
  const page = createStore(`memoryLedger${part[0].toUpperCase()}${part.slice(1)}`, Object.assign(model, nothing(), { onClose }));
  loaders[part] = () => {
    onClose();
    return page.load();
  };
  if (reload) reloaders[part] = reload;
  return page;
};

/** What a page does that looks for news of `group` while something `isWorking` there, for as long as the page is open. */
export const polling = (group) => ({
  timer: 0,

  poll() {
    clearTimeout(this.timer);
    if (this.isOpen && this.isWorking) this.timer = setTimeout(() => this.lookAgain(), EACH_MS);
  },

  async lookAgain() {
    const answer = await store.askAlong(group, "state", {}, `${group} state`);
    if (!this.isOpen) return;
    if (answer) this.answer = { ...this.answer, ...answer };
    if (answer && !this.isWorking) await this.load();
    else this.poll();
  },
});

/** Join the answers about parts of a whole, each with what takes it back in `steps`. */
const joined = (answers) => {
  const all = { done: [], refused: [], waiting: [], steps: [] };
  for (const answer of answers) for (const [name, rows] of Object.entries(all)) rows.push(...(answer[name] ?? []));
  return all;
};

/** The request that takes back what an answer says was done, where there is one. */
const stepsBack = ({ undo = [], done = [] }) => (undo.length ? [{ action: "take_back", acts: undo, about: done }] : []);

/** Whether whoever uses the keyboard has lost his place: what had the focus is gone, or hidden. */
const hasLostFocus = () => document.activeElement === document.body || document.activeElement?.offsetParent === null;

/** Lead who has lost his place to what was said last. */
const leadToNotice = () => setTimeout(() => hasLostFocus() && [...document.querySelectorAll(".ledger-notice")].at(-1)?.focus());

/** Whether an error says that no answer came at all; in the words of each browser. */
const isCutOff = (error) => error instanceof TypeError && /fetch|network|load failed/i.test(error.message);

/** Let a browser keep a text, given in parts, as a file. */
const save = (parts, name) => {
  const address = URL.createObjectURL(new Blob(parts, { type: "application/jsonl" }));
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};

const model = {
  ...nothing(),
  tabs: TABS,
  titles: TITLES,
  folder: "default",
  folders: ["default"],
  waiting: 0,
  isActing: false,
  isOpen: false,
  retry: 0,
  asked: {},
  returnTo: null,
  choices: {
    validity: ["in_use", "confirmed", "inferred", "deprecated"],
    source: ["user_asserted", "agent_inferred", "bookshelf_document", "external_retrieved"],
    utility: ["load_bearing", "tactical", "archived"],
    relevance: ["active", "dormant"],
    about: ["changed", "secrets", "empty", "unused"],
    newSource: ["user_asserted", "agent_inferred", "external_retrieved"],
    sort: ["newest", "oldest", "utility", "shown", "quality"],
  },
  newTarget: NEW_TARGET,
  axes: Object.entries({ validity: "status", source: "source", utility: "importance", relevance: "activity", about: "what needs you" }),
  offered: Object.entries({ undo: "Undo the last change", retire: "Retire", restore: "Bring back", confirm: "Confirm", archive: "Archive", protect: "Protect" }),
  inWords,
  counted,
  moment,

  onOpen() {
    Object.assign(this, nothing(), { isOpen: true });
    void this.openLinked();
  },

  /** The address of a memory, in the window that shows it. */
  linkTo({ id }) {
    return `#${new URLSearchParams({ memory: id, folder: this.folder })}`;
  },

  /** Open the memory that the address of the window names, unless it lies open already. */
  async openLinked() {
    const link = new URLSearchParams(location.hash.slice(1));
    const [id, folder] = [link.get("memory"), link.get("folder")];
    if (!id || id === this.memory?.id) return;
    if (folder && folder !== this.folder) await this.chooseFolder(folder);
    await (this.memory ? this.follow(id) : this.open(id));
    if (!this.memory) this.dropLink();
  },

  /** Take the memory out of the address once it is closed, or the page would open it again. */
  dropLink() {
    if (location.hash.startsWith("#memory=")) history.replaceState(null, "", location.pathname + location.search);
  },

  onClose() {
    for (const name of Object.keys(this.asked)) this.asked[name] += 1;
    clearTimeout(this.retry);
    Object.assign(this, nothing(), { isOpen: false });
  },

  /** The parts of the tab that a person looks at. */
  get parts() {
    return TABS.find((tab) => tab.parts.includes(this.page)).parts;
  },

  /** Turn to a part, by its name or that of its tab; of what is to be decided, to one `kind`. */
  show(name, kind = "") {
    if (name === "settings") return this.openSettings();
    const page = TABS.find((tab) => tab.name === name)?.parts[0] ?? name;
    if (!TABS.some((tab) => tab.parts.includes(page))) return;
    Object.assign(this, { page, kind, problem: "", notice: "", undoable: [] });
  },

  /** Open the list with one filter, as a number of the overview stands for it. */
  showOnly(axis, value, since = "") {
    this.filters = { ...NO_FILTERS, [axis]: value, since };
    this.query = "";
    this.show("memories");
  },

  async chooseFolder(folder) {
    this.folder = folder;
    Object.assign(this, { kind: "", hasBreaks: false, problem: "", notice: "", undoable: [], target: "" });
    await this.reload();
  },

  /** Load what the page at hand shows; a page that has just been opened asks for it itself. */
  async reload() {
    if (this.page === "memories") await this.loadList(1);
    else await loaders[this.page]?.();
  },

  /**
   * Return the answer of the plugin, or null where there is none, which is then said, or where a later one is on its way.
   * While a quiet question waits the page does not. What has no subject is done, not asked: one thing at a time, so that
   * a second press of a button is none; who pressed it keeps his place.
   */
  async ask(group, action, data = {}, subject = "", { isQuiet = false } = {}) {
    if (!subject && this.isActing) return null;
    const pressed = subject ? null : document.activeElement;
    if (!subject) this.isActing = true;
    const turn = subject ? (this.asked[subject] = (this.asked[subject] ?? 0) + 1) : 0;
    if (!isQuiet) Object.assign(this, { waiting: this.waiting + 1, problem: "" });
    try {
      const sent = { name: `${group}.${action}`, folder: this.folder, context: getContext() || "", ...data };
      const answer = await callJsonApi(`${PLUGIN}/ledger`, sent);
      if (subject && turn !== this.asked[subject]) return null;
      if (answer?.ok !== true) throw new Error(answer?.error || "Memory Ledger gave no answer.");
      return answer;
    } catch (error) {
      if (isCutOff(error)) this.waitForHost();
      else if (!subject || turn === this.asked[subject]) this.problem = String(error?.message || error).split("\n")[0];
      return null;
    } finally {
      if (!isQuiet) this.waiting -= 1;
      if (!subject) this.isActing = false;
      if (pressed?.isConnected) setTimeout(() => hasLostFocus() && pressed.focus());
    }
  },

  /** Say that Agent Zero cannot be reached, and load the page anew as soon as it can. */
  waitForHost() {
    this.problem = OFFLINE;
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.isOpen && this.reload(), RETRY_MS);
  },

  /** Ask without losing what is said to be wrong. */
  async askAlong(...asked) {
    const { problem } = this;
    const answer = await this.ask(...asked);
    if (answer) this.problem ||= problem;
    return answer;
  },

  /** Take over which folders there are, as an answer says. */
  useFolders(folders) {
    this.folders = folders.includes(this.folder) ? folders : [this.folder, ...folders];
  },

  // ---- Memories

  async loadList(page) {
    this.searched = this.query;
    const answer = await this.ask("memories", "list", { ...this.wanted, page, size: 50 }, "memories");
    if (!answer) return;
    this.useFolders(answer.folders);
    this.list = answer;
    this.selected = [];
  },

  /** Search while somebody types; by meaning only when asked to, for the embedding model takes its time. */
  onTyped() {
    if (!this.byMeaning && this.query.trim() !== this.searched.trim()) return this.loadList(1);
  },

  /** What is looked for, and in which order. */
  get wanted() {
    return { query: this.query, by_meaning: this.byMeaning, filters: { ...this.filters }, sort: this.sort };
  },

  clearFilters() {
    Object.assign(this, { query: "", byMeaning: false, filters: { ...NO_FILTERS }, sort: "newest" });
    return this.loadList(1);
  },

  /** Whether the list is narrowed to less than what is in use, or stands in another order. */
  get isNarrowed() {
    return this.sort !== "newest" || Object.entries(NO_FILTERS).some(([name, value]) => this.filters[name] !== value);
  },

  /** What a row of the list says of a memory beside its text: who said it, and what is out of the ordinary. */
  tagsOf(row) {
    return [
      row.source && { words: inWords(row.source) },
      row.validity && row.validity !== "confirmed" && { words: inWords(row.validity), kind: row.validity === "deprecated" && "is-over" },
      row.utility && row.utility !== "tactical" && { words: inWords(row.utility) },
      row.relevance === "dormant" && { words: "dormant" },
      row.contested && { words: "contested", kind: "is-contested" },
    ].filter(Boolean).map((tag) => ({ ...tag, words: tag.words.slice(0, LONGEST_TAG) }));
  },

  isSelected(row) {
    return this.selected.some((one) => one.id === row.id);
  },

  select({ id, stamp }, isWanted) {
    this.selected = [...this.selected.filter((one) => one.id !== id), ...(isWanted ? [{ id, stamp }] : [])];
  },

  /** Select all that was found, whatever page it is on, or nothing. */
  async selectAll(isWanted) {
    if (!isWanted || this.list.pages === 1) {
      this.selected = isWanted ? this.list.rows.map(({ id, stamp }) => ({ id, stamp })) : [];
      return;
    }
    const answer = await this.ask("memories", "stamps", this.wanted, "stamps");
    if (answer) this.selected = answer.rows;
  },

  get isAllSelected() {
    return this.list.total > 0 && this.selected.length === this.list.total;
  },

  /** Do something to the memory that lies open, or else to those that are selected. */
  actOnShown(action) {
    return this.act(action, this.memory ? [this.memory] : this.selected);
  },

  /** Do something to memories as they were shown, so many at once; what has changed meanwhile is refused, which is said. */
  async act(action, memories) {
    const more = action === "erase" ? { sure: true } : action === "correct" ? { source: this.newSource } : {};
    const isNew = this.target === NEW_TARGET;
    if (action === "move") Object.assign(more, { target: isNew ? this.newFolder.trim() : this.target, is_new: isNew });
    const answers = [];
    for (let first = 0; first < memories.length; first += AT_ONCE) {
      const some = memories.slice(first, first + AT_ONCE).map(({ id, stamp }) => ({ id, stamp }));
      const answer = await this.ask("memories", action, { memories: some, ...more });
      if (!answer) break;
      const back = { action, folder: more.target, target: this.folder, memories: answer.now };
      if (isNew) more.is_new = false;
      answers.push({ ...answer, steps: action !== "move" ? stepsBack(answer) : answer.now.length ? [back] : [] });
      if (memories.length > AT_ONCE) this.notice = `${first + some.length} of ${counted(memories.length)} …`;
    }
    const isGone = ["erase", "move"].includes(action);
    if (answers.length) await this.tell(joined(answers), DONE[action] ?? inWords(action), { isRedo: action === "undo", isGone });
  },

  /**
   * Say what was done and what was refused, over what the page shows now. The `steps` of the answer, or the acts that it
   * names, are taken back by a press of a button, or done again where it was an undo.
   */
  async tell(answer, what, { isRedo = false, isGone = false } = {}) {
    await this.refresh(isGone ? answer.done : []);
    const refused = answer.refused ?? [];
    if (refused.length) this.problem = `${counted(refused.length)} left alone: ${[...new Set(refused.map((one) => one.why))].join("; ")}`;
    const waiting = answer.waiting?.length ? `${counted(answer.waiting.length)} will be done shortly.` : "";
    this.notice = [answer.done.length ? `${counted(answer.done.length)} ${answer.done.length === 1 ? what : what.replace("its", "their")}.` : "", waiting].join(" ").trim();
    Object.assign(this, { isRedo, undoable: answer.steps ?? stepsBack(answer) });
    leadToNotice();
  },

  async undo() {
    const answers = [];
    const isOther = this.undoable.some(({ group }) => group);
    for (const { group = "memories", action, ...sent } of this.undoable) {
      const answer = await this.ask(group, action, sent);
      if (!answer) break;
      answers.push(group === "memories" ? { ...answer, steps: stepsBack(answer) } : { done: [answer.done] });
    }
    if (answers.length) await this.tell(joined(answers), this.isRedo ? "changed again" : DONE.undo, { isRedo: !this.isRedo });
    if (answers.length && isOther) this.notice = "Restored to its previous state.";
  },

  // ---- Writing

  /** Let a person write a text; `save` gets it, and says what was answered. */
  write(title, text, save) {
    Object.assign(this, { draft: { title, text, save, back: document.activeElement }, problem: "" });
    void openModal(`${PLUGIN}/webui/write.html`);
  },

  async saveDraft() {
    if (await this.draft.save(this.draft.text)) closeModal();
  },

  onDraftClosed() {
    const { back } = this.draft ?? {};
    this.draft = null;
    if (hasLostFocus()) back?.focus?.();
  },

  /** Write a memory, in the place of some as they were shown, or of none. */
  async writeMemory(title, memories = []) {
    const texts = await this.textsOf(memories);
    if (texts) this.write(title, texts.join("\n"), (text) => this.replace(memories, text));
  },

  async replace(memories, text) {
    const shown = memories.map(({ id, stamp }) => ({ id, stamp }));
    const answer = await this.ask("memories", "write", { memories: shown, text });
    if (!answer) return null;
    await this.tell({ ...answer, steps: stepsBack({ undo: answer.undo }) }, "replaced by your text");
    if (!memories.length && answer.undo.length) this.notice = "Added, as your word.";
    return answer;
  },

  /** The whole texts of memories that a list has cut; null where one is gone. */
  async textsOf(memories) {
    const texts = [];
    for (const { id } of memories) {
      const memory = await this.ask("memories", "show", { id });
      if (!memory) return null;
      texts.push(memory.text);
    }
    return texts;
  },

  /** Keep what a memory says in the vault as well. */
  async keepInVault({ text, id: memory }) {
    const answer = await this.ask("vault", "add", { text });
    if (!answer) return;
    const { id, version } = answer.record;
    await this.tell({ done: [memory], steps: [{ group: "vault", action: "retire", id, version }] }, "kept in the vault");
  },

  /** Take in the memories of a file, in pieces that one request can carry; each begins as the file does. */
  async importFile(file) {
    const [first, ...lines] = (await file.text()).split("\n");
    const pieces = [[first]];
    for (const line of lines) {
      if (first.includes(ARCHIVE) && pieces.at(-1).join("").length + line.length > MOST_SENT) pieces.push([first]);
      pieces.at(-1).push(line);
    }
    const sum = { came: 0, present: 0, refused: [], steps: [] };
    for (const piece of pieces) {
      const answer = await this.ask("memories", "import", { file: file.name, text: piece.join("\n") });
      if (!answer) break;
      for (const name of Object.keys(sum)) sum[name] = sum[name].concat?.(answer[name]) ?? sum[name] + answer[name];
    }
    const { problem } = this;
    await this.loadList(1);
    const refused = sum.refused.length ? `Not read: ${sum.refused.slice(0, 3).join("; ")}` : "";
    Object.assign(this, { problem: problem || refused, undoable: sum.steps, isRedo: false });
    if (sum.came || sum.present) this.notice = `${counted(sum.came)} taken in; ${sum.present.toLocaleString()} were there already.`;
  },

  /** The folders that memories can be moved to. */
  get targets() {
    return this.folders.filter((name) => name !== this.folder);
  },

  /** Hand over memories as a file: those called `ids`, or all that was found. */
  async exportMemories(ids = []) {
    const asked = { ...this.wanted, ids };
    const parts = [];
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const answer = await this.ask("memories", "export", { ...asked, page }, "export");
      if (!answer) return;
      pages = answer.pages;
      parts.push(answer.lines);
      this.notice = `${counted(answer.total)} exported.`;
    }
    save(parts, `memories-${this.folder.replace(/[^\w.-]+/g, "-")}.jsonl`);
  },

  async refresh(done) {
    if (this.memory && (await this.look(this.memory.id)) === null && done.includes(this.memory.id)) closeModal();
    const problem = this.problem;
    if (this.page === "memories") await this.loadList(this.list.page);
    else await reloaders[this.page]?.();
    this.problem ||= this.memory ? problem : "";
  },

  // ---- One memory

  async open(id) {
    this.returnTo = document.activeElement;
    Object.assign(this, { notice: "", undoable: [], trail: [], newSource: "", target: "" });
    if (await this.look(id)) void openModal(`${PLUGIN}/webui/memory.html`);
  },

  async look(id) {
    const answer = await this.ask("memories", "show", { id }, "memory");
    if (answer) Object.assign(this, { memory: answer, isWhole: false });
    return answer;
  },

  async follow(id) {
    const from = this.memory.id;
    if (await this.look(id)) this.trail = [...this.trail, from];
  },

  async goBack() {
    const id = this.trail.at(-1);
    this.trail = this.trail.slice(0, -1);
    await this.look(id);
  },

  onMemoryClosed() {
    Object.assign(this, { memory: null, trail: [], problem: "" });
    this.dropLink();
    this.returnTo?.focus?.();
    this.returnTo = null;
  },

  /** The text of the memory, or its beginning where it is very long. */
  get text() {
    const text = this.memory?.text ?? "";
    return this.isWhole ? text : text.slice(0, MOST_SHOWN);
  },

  get isCut() {
    return !this.isWhole && (this.memory?.text.length ?? 0) > MOST_SHOWN;
  },

  /** Where the memory stands: rows of (name, words). */
  get facts() {
    if (!this.memory) return [];
    const { memory } = this;
    const often = counted(memory.shown, "time", "times") + (memory.last_shown ? `, last on ${this.day(memory.last_shown)}` : "");
    const rows = [...this.axes.slice(0, 4), ["area", "area"]].map(([name, words]) => [words, inWords(memory[name])]);
    rows.push(["date", this.day(memory.said_at)], ["shown", often]);
    rows.push(["role", memory.role], ["tags", (memory.tags ?? []).join(", ")]);
    for (const [name, value] of Object.entries({ ...memory.quality, confidence: memory.confidence })) {
      if (typeof value === "number") rows.push([`quality: ${inWords(name)}`, String(Math.round(100 * value) / 100)]);
    }
    return [...rows, ["id", memory.id]].filter(([, words]) => words);
  },

  /** The other memories that this one has to do with: rows of (what, id, text). */
  get related() {
    if (!this.memory) return [];
    const { id, replaces = [], replacement, conflicts = [], relationships = [] } = this.memory;
    const named = (what, other) => (one) => {
      const isGone = one.text === null;
      return { id: one[other], what, why: one.why ?? one.reason, is_gone: isGone, text: isGone ? "a memory that no longer exists" : one.text };
    };
    const links = relationships.filter((one) => one.stated || one.type === "related-to");
    return [
      ...[replacement].filter(Boolean).map(named("replaced by", "id")),
      ...replaces.map(named("replaces", "id")),
      ...conflicts.filter((one) => !one.resolved).map(named("at odds with", "with")),
      ...links.map((one) => (one.source === id ? named(one.type, "target")(one) : named(`it ${one.type} this`, "source")(one))),
    ];
  },

  /** What was believed in its place, oldest first, each with its part of the time from the first to now in percent. */
  get spans() {
    const beliefs = this.memory?.beliefs ?? [];
    const time = (at) => (at ? new Date(at).getTime() : Date.now());
    const first = Math.min(...beliefs.map((one) => time(one.since)));
    const share = (at) => (100 * (time(at) - first)) / Math.max(1, Date.now() - first);
    return beliefs.map((one) => ({
      id: one.id, text: one.text, from: share(one.since), to: Math.max(share(one.until), share(one.since) + 1),
      words: `from ${this.day(one.since)} ${one.until ? `until ${this.day(one.until)}` : "until now"}`,
    }));
  },

  drawRelated(svg) {
    if (this.memory) drawNeighbours(svg, this.related.slice(0, MOST_NEIGHBOURS), (id) => this.follow(id));
  },

  can(action) {
    return (this.memory?.can ?? []).includes(action);
  },

  /** What can be done about the memory by one press: rows of (name, words). */
  get doable() {
    const more = { leave_out: "Leave out of every prompt", put_in: "Put into every prompt" };
    return [...this.offered, ...Object.entries(more)].filter(([action]) => this.can(action));
  },

  // ---- Small things

  day(at) {
    return moment(at, "toLocaleDateString");
  },

  /** How long ago a moment is, in whole days. */
  ago(at) {
    const days = Math.floor((Date.now() - new Date(at).getTime()) / 86_400_000);
    if (Number.isNaN(days)) return String(at ?? "");
    return days < 1 ? "today" : `${counted(days, "day", "days")} ago`;
  },

  /** Let a person press a button twice for what cannot be undone; in between it says what the second press does. */
  sure(event, act) {
    const { dataset } = event.currentTarget;
    if (dataset.armed) {
      delete dataset.armed;
      return act();
    }
    dataset.armed = "yes";
    setTimeout(() => delete dataset.armed, 4000);
  },

  /** Open the host's dialog with the settings, or say where it is. */
  async openSettings() {
    try {
      const dialog = await import("/components/plugins/plugin-settings-store.js");
      await dialog.store.openConfig("memory_ledger");
    } catch {
      this.notice = "Open Plugins, and there Config on the card of Memory Ledger.";
    }
  },
};

export const store = createStore("memoryLedger", model);
