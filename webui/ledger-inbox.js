/** What needs a person, one thing at a time. Alpine store `memoryLedgerInbox`. */
import { segments, sentence } from "./ledger-words.js";
import { createPage, store as shell } from "./ledger-store.js";

const AT_ONCE = 20;

const nothing = () => ({ rows: [], total: 0, page: 1, at: 0, proposed: 0 });

const model = {
  sentence,

  /** The one kind that is shown; none stands for all. */
  get kind() {
    return shell.kind;
  },

  /** The place of the item at hand among all of them, from 0. */
  get position() {
    return (this.page - 1) * AT_ONCE + this.at;
  },

  get item() {
    return this.rows[this.at] ?? null;
  },

  async load(position = 0) {
    const page = Math.floor(position / AT_ONCE) + 1;
    const asked = { page, size: AT_ONCE, kinds: this.kind ? [this.kind] : [], thorough: shell.hasBreaks };
    const answer = await shell.ask("inbox", "list", asked, "inbox");
    if (!answer) return;
    if (!answer.rows.length && position > 0) return this.load(Math.max(0, Math.min(position - 1, answer.total - 1)));
    if (!answer.rows.length && this.kind) return this.choose("");
    const at = Math.max(0, Math.min(position % AT_ONCE, answer.rows.length - 1));
    const proposed = Object.entries(answer.proposed).filter(([kind]) => !this.kind || kind === this.kind);
    Object.assign(this, { rows: answer.rows, total: answer.total, page, at, proposed: proposed.reduce((sum, [, count]) => sum + count, 0) });
  },

  choose(kind) {
    shell.kind = kind;
    return this.load();
  },

  async go(steps) {
    const position = this.position + steps;
    if (position < 0 || position >= this.total) return;
    const at = this.at + steps;
    if (at >= 0 && at < this.rows.length) this.at = at;
    else await this.load(position);
  },

  /** `n` and `p` leaf through what is open, where nobody is typing and nothing lies on top of the page. */
  onKey(event) {
    const steps = { n: 1, p: -1 }[event.key];
    const isTyping = event.target.closest?.("input, select, textarea, [contenteditable]");
    if (!steps || isTyping || shell.memory || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    void this.go(steps);
  },

  /** The texts of the item at hand, each in pieces that differ from the other one or do not. */
  get sides() {
    const { texts = [], differs = [] } = this.item ?? {};
    return texts.map((one, index) => ({ ...one, pieces: segments(one.text, differs[index]) }));
  },

  /** What can be answered: rows of (name, words, isFinal). */
  get choices() {
    const { choices = {}, final = [] } = this.item ?? {};
    return Object.entries(choices).map(([name, words]) => ({ name, words, isFinal: final.includes(name) }));
  },

  /** What the agent proposes about the item at hand: that waits for a person. */
  get proposal() {
    const { proposed, texts = [] } = this.item ?? {};
    if (!proposed) return "";
    const kept = texts.find((one) => one.id === proposed);
    return `The agent proposes to keep ${kept ? `the ${kept.name} one` : "both"}.`;
  },

  /** Answer by a button: what cannot be undone is asked for twice, and a merge needs a text first. */
  press(event, { name, isFinal }) {
    if (isFinal) return shell.sure(event, () => this.decide(name));
    return name === "merge" ? this.beginMerge() : this.decide(name);
  },

  /** Send an answer, with how everything that it is about was shown. */
  async decide(choice, text = null) {
    const { kind, id, texts, choices, final } = this.item;
    const stamps = Object.fromEntries(texts.filter((one) => one.stamp).map((one) => [one.id, one.stamp]));
    const answer = await shell.ask("inbox", "decide", { kind, id, choice, stamps, text, sure: final.includes(choice) });
    if (!answer) return null;
    const { decision } = answer;
    if (decision) answer.steps = [{ group: "knowledge", action: "undo", decision }];
    await shell.tell(answer, "settled");
    if (answer.done.length) shell.notice = `Settled: ${answer.what || choices[choice]}.`;
    return answer;
  },

  /** Retire all that is proposed, of the kind that is shown, in one act. */
  async acceptAll() {
    const answer = await shell.ask("inbox", "accept", { kind: this.kind, count: this.proposed });
    if (answer) await shell.tell({ ...answer, steps: [{ action: "take_back", acts: answer.undo }] }, "retired as proposed");
  },

  /** Leave the item as it is, and show the next one; after the last the first. */
  async later() {
    const { position, total } = this;
    await (position + 1 < total ? this.go(1) : this.load(0));
    Object.assign(shell, { notice: "This stays open.", undoable: [] });
  },

  /** Begin a text that is to replace both memories: all that the two say, for a person to edit. */
  async beginMerge() {
    const texts = await shell.textsOf(this.item.texts);
    if (texts) shell.write("One text that replaces both", texts.join("\n"), (text) => this.decide("merge", text));
  },
};

export const store = createPage("inbox", nothing, model, () => store.load(store.position));
