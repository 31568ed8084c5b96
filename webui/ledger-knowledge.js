/** The page of what agents have learned together: one Alpine store, `memoryLedgerKnowledge`. */
import { createPage, store as shell } from "./ledger-store.js";
import { counted, moment } from "./ledger-words.js";

const AT_ONCE = 20;
const PLACES = { staging: "Waiting", active: "In use", archive: "Archived" };
const DONE = { approve: "approved", archive: "archived", reject: "rejected", edit: "edited" };
const OUTCOMES = new Map(Object.entries({
  SUCCESS: "succeeded", PARTIAL: "ended in part", FAILURE: "failed", ESCALATED: "was escalated", REJECTED: "was rejected",
}));

const nothing = () => ({ answer: null, place: "staging", found: null, draft: null, returnTo: "" });

const model = {
  places: Object.keys(PLACES),

  placeName(place) {
    return PLACES[place] ?? place;
  },

  get list() {
    return this.answer ?? { rows: [], page: 1, pages: 1 };
  },

  loadList(page) {
    return this.load(page);
  },

  /** Load a page of the list; what went wrong before is still said afterwards. */
  async load(page = 1) {
    const problem = shell.problem;
    const asked = { place: this.place, page, size: AT_ONCE };
    const answer = await shell.ask("knowledge", "list", asked, "knowledge");
    if (!answer) return;
    this.answer = answer;
    shell.problem ||= problem;
  },

  choose(place) {
    Object.assign(this, { place, found: null, draft: null });
    Object.assign(shell, { problem: "", notice: "" });
    return this.load();
  },

  async open(id) {
    const found = await shell.ask("knowledge", "show", { id }, "entry");
    if (found) Object.assign(this, { found, draft: null, returnTo: id });
  },

  close() {
    Object.assign(this, { found: null, draft: null });
  },

  /** Close the entry; the focus goes back to where it was, once the list is shown again, which Alpine puts off. */
  goBack(next) {
    const name = `.ledger-knowledge [data-entry="${CSS.escape(this.returnTo)}"]`;
    this.close();
    next(() => setTimeout(() => document.querySelector(name)?.focus()));
  },

  beginEdit() {
    const { title, insight, action, applicability } = this.found.entry;
    this.draft = { title, insight, recommended: action, applicability };
  },

  async save() {
    if (await this.act("edit", this.found.entry, { ...this.draft })) await this.open(this.found.entry.id);
  },

  can(one, action) {
    return (one?.can ?? []).includes(action);
  },

  /** Do something about an entry as it was shown; one that has changed meanwhile is left alone, which is said. */
  async act(action, one, more = {}) {
    const answer = await shell.ask("knowledge", action, { id: one.id, stamp: one.stamp, ...more });
    if (answer) shell.notice = `${one.id} ${DONE[action]}. You can undo this below.`;
    await this.refresh(action === "reject" && answer !== null);
    return answer !== null;
  },

  async undo(decision) {
    const answer = await shell.ask("knowledge", "undo", { decision: decision.id });
    if (answer) shell.notice = `${answer.done} restored to its previous state.`;
    await this.refresh(false);
  },

  async refresh(isGone) {
    const problem = shell.problem;
    if (isGone) this.close();
    else if (this.found && !this.draft) await this.open(this.found.entry.id);
    await this.load(this.answer?.page);
    shell.problem = problem || shell.problem;
  },

  /** What an entry rests on, in words. */
  basis(one) {
    const chains = counted(one.transactions, "chain", "chains");
    return `${Math.round(100 * one.confidence)} % sure, after ${chains}, last seen on ${shell.day(one.confirmed)}`;
  },

  chainWords(chain) {
    if (!chain.is_found) return "its log is gone or too long";
    const where = chain.failed_at ? ` at ${chain.failed_at}` : "";
    const why = chain.error ? ` (${chain.error})` : "";
    const end = `${OUTCOMES.get(chain.outcome) ?? shell.inWords(chain.outcome)}${where}${why}`;
    return `${chain.path.join(" → ")}: ${end}, ${counted(chain.hops, "step", "steps")} in ${counted(chain.seconds, "second", "seconds")}`;
  },

  decidedWords(decision) {
    const what = DONE[decision.what] ?? shell.inWords(decision.what);
    const who = decision.by === "operator" ? "by a person" : `by ${decision.by}`;
    return `${what} ${who}, ${moment(decision.at)}`;
  },

  get promptWords() {
    const { tokens = 0, limit = 0 } = this.answer?.prompt ?? {};
    return `${counted(tokens, "token", "tokens")} of at most ${Number(limit).toLocaleString()}`;
  },

  get promptShare() {
    const { tokens = 0, limit = 0 } = this.answer?.prompt ?? {};
    return Math.min(100, (100 * tokens) / Math.max(1, limit));
  },

  get lastRun() {
    return this.answer?.last_run ? `Last scheduled reading of the logs: ${moment(this.answer.last_run)}.` : "No scheduled reading of the logs yet.";
  },
};

export const store = createPage("knowledge", nothing, model);
