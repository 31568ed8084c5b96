/** Memories that are at odds, two at a time. Alpine store `memoryLedgerConflicts`. */
import { createStore } from "/js/AlpineStore.js";
import { segments } from "./ledger-words.js";
import { onFolderChange, store as shell } from "./ledger-store.js";

const AT_ONCE = 20;

const nothing = () => ({ rows: [], total: 0, page: 1, at: 0, merged: null });

const model = {
  ...nothing(),

  /** The place of the conflict at hand among all of them, from 0. */
  get position() {
    return (this.page - 1) * AT_ONCE + this.at;
  },

  get conflict() {
    return this.rows[this.at] ?? null;
  },

  async load(position = 0) {
    const page = Math.floor(position / AT_ONCE) + 1;
    const answer = await shell.ask("conflicts", "list", { page, size: AT_ONCE }, "conflicts");
    if (!answer) return;
    if (!answer.rows.length && position > 0) return this.load(Math.max(0, Math.min(position - 1, answer.total - 1)));
    const at = Math.max(0, Math.min(position % AT_ONCE, answer.rows.length - 1));
    Object.assign(this, { rows: answer.rows, total: answer.total, page, at, merged: null });
  },

  onClose() {
    Object.assign(this, nothing());
  },

  async go(steps) {
    const position = this.position + steps;
    if (position < 0 || position >= this.total) return;
    const at = this.at + steps;
    if (at >= 0 && at < this.rows.length) Object.assign(this, { at, merged: null });
    else await this.load(position);
  },

  /** `n` and `p` leaf through the conflicts, where nobody is typing and nothing lies on top of the page. */
  onKey(event) {
    const steps = { n: 1, p: -1 }[event.key];
    const isTyping = event.target.closest?.("input, select, textarea, [contenteditable]");
    if (!steps || isTyping || shell.memory || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    void this.go(steps);
  },

  /** Both sides of the conflict at hand, each with its text in pieces that differ from the other or do not. */
  get sides() {
    const one = this.conflict;
    if (!one) return [];
    return ["older", "newer"].map((name) => ({ name, ...one[name], pieces: segments(one[name].text, one.differs?.[name]) }));
  },

  /** What the agent proposes about the conflict at hand: that waits for a person. */
  get proposal() {
    const asked = this.conflict?.proposal;
    if (!asked) return "";
    const kept = ["older", "newer"].find((name) => this.conflict[name].id === asked.keep);
    return `The agent proposed to keep ${kept ? `the ${kept}` : "both"}${asked.reason ? `: ${asked.reason}` : ""}.`;
  },

  /** What is sent of the conflict at hand: which one, and how both memories were shown. */
  get asked() {
    const { id, older, newer } = this.conflict;
    return { conflict: id, stamps: Object.fromEntries([older, newer].map((side) => [side.id, side.stamp])) };
  },

  async settle(keep) {
    const answer = await shell.ask("conflicts", "settle", { ...this.asked, keep });
    if (!answer) return;
    await shell.tell(answer, "settled");
    if (answer.done.length) shell.notice = answer.what ? `Settled: ${answer.what}` : "Settled.";
  },

  /** Leave a conflict as it is, and show the next one; after the last the first. */
  async later() {
    const { position, total } = this;
    await (position + 1 < total ? this.go(1) : this.load(0));
    Object.assign(shell, { notice: "This conflict stays open.", undoable: [] });
  },

  /** Begin a text that is to replace both memories: all that the two say, for a person to edit. */
  async beginMerge() {
    const { id, older, newer } = this.conflict;
    const texts = [];
    for (const side of [older, newer]) {
      const whole = side.is_cut ? await shell.ask("memories", "show", { id: side.id }) : side;
      if (!whole || this.conflict?.id !== id) return;
      texts.push(whole.text);
    }
    this.merged = texts.join("\n");
  },

  async merge() {
    const answer = await shell.ask("conflicts", "merge", { ...this.asked, text: this.merged });
    if (!answer) return;
    await shell.tell(answer, "merged");
    if (answer.done.length) shell.notice = "Merged: your text replaces both.";
  },
};

export const store = createStore("memoryLedgerConflicts", model);
onFolderChange("conflicts", () => store.load(), () => store.load(store.position));
