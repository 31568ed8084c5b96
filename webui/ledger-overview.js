/** The overview: what the agent knows, in the memories' own words, and what needs a person. Alpine store `memoryLedgerOverview`. */
import { counted } from "./ledger-words.js";
import { createPage, store as shell } from "./ledger-store.js";

/** So many of the latest acts are shown at first. */
const AT_FIRST = 4;
const LOOK_AGAIN_MS = 2000;
/** The figures below: how many, in which words, and the list behind them as an axis and its value. */
const FIGURES = [
  ["source", "user_asserted", "told by you"],
  ["source", "agent_inferred", "the agent's guess"],
  ["source", "bookshelf_document", "from a document"],
  ["source", "external_retrieved", "fetched from outside"],
  ["validity", "inferred", "not confirmed"],
  ["validity", "deprecated", "replaced or retired"],
  ["utility", "load_bearing", "protected"],
  ["utility", "archived", "set aside"],
];

const nothing = () => ({ found: null, checked: null, isWhole: false });

/** When each folder was looked at last, before this visit; in milliseconds. */
const lastVisits = Object.create(null);

/** Return when a folder was looked at last, and note that it is looked at now; a browser may keep nothing. */
const noteVisit = (folder) => {
  const key = `memory-ledger-visit ${folder}`;
  try {
    lastVisits[folder] ??= Number(localStorage.getItem(key)) || 0;
    localStorage.setItem(key, String(Date.now()));
  } catch {
    lastVisits[folder] ??= 0;
  }
};

const model = {
  timer: 0,

  /** Load what is known, then what takes longer to find out; again and again while the memories are being read. */
  async load() {
    const answer = await shell.ask("overview", "read", {}, "overview", { isQuiet: this.found?.is_reading });
    if (!answer) return;
    this.found = answer;
    shell.useFolders(answer.folders);
    noteVisit(shell.folder);
    clearTimeout(this.timer);
    if (answer.is_reading) this.timer = setTimeout(() => this.load(), LOOK_AGAIN_MS);
    const checked = await shell.ask("overview", "check", {}, "check", { isQuiet: true });
    if (checked?.folder !== shell.folder) return;
    this.checked = checked;
    shell.hasBreaks = checked.needs.length > 0;
  },

  /** What is known, by whom or what it is about; a kind of which there is nothing is left out. */
  get groups() {
    const { person = [], other = [], unsure = [] } = this.found?.known ?? {};
    return [
      { name: "person", title: "About you", rows: person },
      { name: "other", title: shell.folder.startsWith("projects/") ? "About this project" : "About your work and the rest", rows: other },
      { name: "unsure", title: "Not sure of", rows: unsure },
    ].filter((group) => group.rows.length);
  },

  get needs() {
    return [...(this.found?.needs ?? []), ...(this.checked?.needs ?? [])];
  },

  needWords({ words, count }) {
    return `${words}: ${count.toLocaleString()}`;
  },

  settle({ kind }) {
    if (kind === "no_backup") shell.show("backup");
    else shell.show("inbox", kind);
  },

  // ---- What changed

  get lastVisit() {
    return lastVisits[shell.folder] ?? 0;
  },

  get changes() {
    return (this.found?.lately ?? []).filter((one) => Date.parse(one.at) > this.lastVisit);
  },

  /** This day, where Agent Zero runs, as a field for dates has it. */
  get today() {
    return new Date(this.found?.now).toLocaleDateString("sv");
  },

  /** What changed since the last visit, or what happened lately where nothing did. */
  get lately() {
    const rows = this.found?.lately ?? [];
    return this.isWhole ? rows : (this.changes.length ? this.changes : rows).slice(0, AT_FIRST);
  },

  get sinceWords() {
    if (!this.lastVisit) return "What happened lately";
    const when = `since your last visit, ${shell.ago(this.lastVisit)}`;
    return this.changes.length ? `What changed ${when}` : `Nothing changed ${when}`;
  },

  // ---- While the memories are being read

  get share() {
    const { total = 0, unread = 0 } = this.found ?? {};
    return total ? (100 * (total - unread)) / total : 0;
  },

  get progress() {
    const { total = 0, unread = 0 } = this.found ?? {};
    return unread ? `${(total - unread).toLocaleString()} of ${counted(total)} read` : `${counted(total)} read; now they are compared`;
  },

  get progressWords() {
    const after = "Afterwards this page shows what is known, what contradicts what, and what is said twice.";
    return this.found?.is_reading ? after : `The rest is read with the next message to the agent. ${after}`;
  },

  // ---- Figures

  get figures() {
    const { total = 0, by = {}, unused = 0, empty = 0 } = this.found ?? {};
    const counts = FIGURES.map(([axis, name, words]) => ({ count: by[axis]?.[name] ?? 0, words, list: [axis, name] }));
    return [
      { count: total, words: total === 1 ? "memory" : "memories", list: ["validity", ""] },
      ...counts,
      { count: unused, words: "unused for 90 days", list: ["about", "unused"] },
      { count: empty, words: "without content, in no prompt", list: ["about", "empty"] },
    ].filter((one) => one.count);
  },

  get backup() {
    return this.found?.backup_at ? shell.ago(this.found.backup_at) : "none";
  },
};

export const store = createPage("overview", nothing, model, () => store.load());
