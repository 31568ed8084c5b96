/** The page of the backup: one Alpine store, `memoryLedgerBackup`. */
import { createPage, polling, store as shell } from "./ledger-store.js";
import { counted, moment } from "./ledger-words.js";

const AT_ONCE = 20;
const KINDS = { missing: "Gone from the store", deleted: "Deleted" };
const ORDERS = { restore: "Bringing back", repair: "Repairing" };
const LEVELS = { ok: "ok", warn: "warning", fail: "failed" };
const BY = { host: "Agent Zero", agent: "the agent", person: "a person", purge: "maintenance", "not stored": "it was never stored" };

const nothing = () => ({
  answer: null, which: "missing", list: { rows: [], total: 0, page: 1, pages: 1 }, trial: null, doctor: null,
  isOpen: false,
});

const model = {
  ...polling("backup"),
  kinds: Object.keys(KINDS),

  kindName(kind) {
    return KINDS[kind] ?? kind;
  },

  levelName(level) {
    return LEVELS[level] ?? level;
  },

  async load() {
    this.isOpen = true;
    await Promise.all([this.loadState(), this.loadList(1)]);
    this.poll();
  },

  async loadState() {
    const answer = await shell.askAlong("backup", "read", {}, "backup");
    if (answer) this.answer = answer;
  },

  async loadList(page) {
    const asked = { which: this.which, page, size: AT_ONCE };
    const answer = await shell.askAlong("backup", "list", asked, "backup list");
    if (answer) this.list = answer;
  },

  choose(which) {
    Object.assign(this, { which, trial: null });
    return this.loadList(1);
  },

  get isWorking() {
    return this.answer?.is_working === true;
  },

  get progress() {
    const order = this.answer?.order;
    if (!order || order.ended !== null) return "A request from a terminal is being carried out.";
    const far = order.total ? `: ${order.done.toLocaleString()} of ${order.total.toLocaleString()}` : "";
    return `${ORDERS[order.kind] ?? order.kind}${far}`;
  },

  get age() {
    if (!this.answer) return "";
    if (!this.answer.enabled) return "The backup is switched off in the settings.";
    if (!this.answer.exists) return "There is no backup of this folder yet; it will be created at the end of the next turn.";
    const memories = counted(this.answer.backed_up);
    return `Last written ${moment(this.answer.written)} (${shell.ago(this.answer.written)}). It contains ${memories}; the store contains ${this.answer.memories.toLocaleString()}.`;
  },

  get torn() {
    const { texts = 0, vectors = 0 } = this.answer?.torn ?? {};
    if (!texts && !vectors) return "Every text has a vector.";
    return `${counted(texts, "text has", "texts have")} no vector, so search by meaning does not find ${texts === 1 ? "it" : "them"}; ${counted(vectors, "vector has", "vectors have")} no text.`;
  },

  get isTorn() {
    const { texts = 0, vectors = 0 } = this.answer?.torn ?? {};
    return texts + vectors > 0;
  },

  deletedWords(one) {
    return one.deleted_at ? `deleted ${moment(one.deleted_at)} by ${BY[one.by] ?? one.by}` : "";
  },

  /** See what would come back of all that is missing. */
  async tryOut() {
    shell.notice = "";
    this.trial = await shell.ask("backup", "try");
  },

  get trialWords() {
    if (!this.trial) return "";
    const { memories, records, retired } = this.trial;
    const also = records ? ` and ${counted(records, "record", "records")} of the vault` : "";
    const out = retired ? ` ${counted(retired, "of them comes", "of them come")} back as retired, because the agent had replaced ${retired === 1 ? "it" : "them"}.` : "";
    return `${counted(memories)}${also} would be restored. Existing memories are left alone.${out}`;
  },

  /** Bring memories back, or all that are missing. */
  async restore(memories = []) {
    const answer = await shell.ask("backup", "restore", { memories });
    if (!answer) return;
    if (answer.records) shell.notice = `${counted(answer.records, "record", "records")} of the vault brought back.`;
    await this.follow(answer);
  },

  async repair() {
    const answer = await shell.ask("backup", "repair");
    if (answer) await this.follow(answer);
  },

  async follow(answer) {
    this.trial = null;
    this.answer = { ...this.answer, ...answer };
    if (this.isWorking) this.poll();
    else await this.load();
  },

  async hearDoctor() {
    const answer = await shell.ask("backup", "doctor", {}, "doctor");
    if (answer) this.doctor = answer.findings;
  },
};

export const store = createPage("backup", nothing, model);
