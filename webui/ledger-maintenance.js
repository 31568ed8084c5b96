/** The page of maintenance: one Alpine store, `memoryLedgerMaintenance`. */
import { createPage, polling, store as shell } from "./ledger-store.js";
import { counted } from "./ledger-words.js";

const nothing = () => ({ answer: null, isOpen: false });

const model = {
  ...polling("maintenance"),

  async load() {
    this.isOpen = true;
    const answer = await shell.askAlong("maintenance", "read", {}, "maintenance");
    if (answer) this.answer = answer;
    this.poll();
  },

  get isWorking() {
    return this.answer?.is_running === true;
  },

  get run() {
    return this.answer?.run ?? null;
  },

  get canRun() {
    return !this.isWorking && this.run?.kind === "trial" && this.run.is_whole;
  },

  async begin(action) {
    shell.notice = "";
    const answer = await shell.ask("maintenance", action);
    if (answer) this.answer = { ...this.answer, ...answer };
    else await this.lookAgain();
    this.poll();
  },

  get progress() {
    if (!this.isWorking) return "";
    if (this.answer.by_itself) return "A scheduled maintenance run is in progress.";
    const { kind, begun, of, doing } = this.run;
    const what = kind === "trial" ? "Trying it on a copy" : "Running";
    return `${what}: step ${Math.max(1, begun)} of ${of}, ${doing}.`;
  },

  get share() {
    return this.run ? (100 * this.run.begun) / Math.max(1, this.run.of) : 0;
  },

  get resultTitle() {
    if (!this.run || this.run.ended === null) return "";
    if (this.run.failure) return `The run failed: ${this.run.failure}.`;
    const is = this.run.kind === "trial";
    const end = this.run.is_whole ? "" : " It was interrupted; the next run resumes it.";
    const nothing = this.run.stages.length ? "" : " Nothing.";
    return `${is ? "A run would do this now:" : "The run did this:"}${nothing}${end}`;
  },

  get dueWords() {
    if (this.answer?.is_reading) return "Not every memory has been processed yet. This continues with the next message to the agent; maintenance starts after that.";
    const due = this.answer?.due_in ?? 0;
    return due ? `The next scheduled run is in ${counted(due, "message loop", "message loops")}.` : "The next scheduled run is after the next answer of the agent.";
  },

  runWords(one) {
    const seconds = typeof one.seconds === "number" ? `${one.seconds.toFixed(1)} seconds` : "unknown time";
    const failed = one.failed.length ? `; failed: ${one.failed.join(", ")}` : "";
    return `${one.is_whole ? "" : "stopped early: "}${one.what}${failed} (${seconds})`;
  },
};

export const store = createPage("maintenance", nothing, model);
