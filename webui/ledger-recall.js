/**
 * The recall inspector: what the last prompts of the open chat were given and why, and what a question would be given.
 */
import { createPage, store as shell } from "./ledger-store.js";
import { moment } from "./ledger-words.js";

/** The figures of a candidate that are drawn, each from 0 to 1. */
const FIGURES = { score: "score", similarity: "meaning", coverage: "words", relevance: "relevance", recency: "recency",
  quality: "quality" };

const ORDERS = { select_by_score: "score; the prompt shows the most useful first", tiered: "usefulness, then score",
  score: "score", classification: "usefulness, then how often it was shown" };
const MOST_OF_A_LENDER = 80;

const nothing = () => ({ rows: [], recall: null, chosen: 0 });

const model = {
  question: "",

  /** Load the list of the last recalls, and show the latest. */
  async load() {
    Object.assign(this, { rows: [], recall: null, chosen: 0 });
    const answer = await shell.ask("recall", "list", {}, "recall");
    if (!answer) return;
    this.rows = answer.rows;
    if (this.rows.length) await this.show(this.rows[0].number);
  },

  async show(number) {
    const answer = await shell.ask("recall", "show", { number }, "recall");
    if (answer) Object.assign(this, { recall: answer, chosen: number });
  },

  async ask() {
    const text = this.question.trim();
    if (!text) return;
    const answer = await shell.ask("recall", "ask", { text }, "recall");
    if (answer) Object.assign(this, { recall: answer, chosen: 0 });
  },

  /** What a recall went by: rows of (name, words). */
  get facts() {
    if (!this.recall) return [];
    const { query, date, domain, threshold, limit, solution_limit, ranking, variants } = this.recall;
    return [
      ["message", query],
      ...variants.map((one) => [`also searched (${shell.inWords(one.name)})`, one.text]),
      ["when", moment(date)],
      ["searched by", this.ways],
      ["domain", domain ?? ""],
      ["similarity threshold", `${figure(threshold)} or more`],
      ["maximum results", `${limit}, of which ${solution_limit} solutions`],
      ["ordered by", ORDERS[ranking] ?? ranking],
    ].filter(([, words]) => words);
  },

  get ways() {
    const { uses_meaning, uses_words } = this.recall;
    if (uses_meaning && uses_words) return "meaning and words";
    return uses_meaning ? "meaning only" : "words only: the embedding model was unavailable";
  },

  get heading() {
    if (!this.recall) return "";
    if (this.chosen) return "What was recalled for this prompt";
    return this.recall.as_chat ? "What would be recalled for this question in this chat" : "What would be recalled for this question";
  },

  /** The candidates in two groups, with their figures and what else is to be said of them. */
  get groups() {
    const rows = (this.recall?.rows ?? []).map((row) => ({ ...row, figures: this.figures(row), remarks: this.remarks(row) }));
    return [
      { name: "entered", title: this.chosen ? "Included in the prompt" : "Would be included in the prompt", rows: rows.filter((row) => row.entered) },
      { name: "cut", title: "Found, but left out", rows: rows.filter((row) => !row.entered) },
    ];
  },

  figures(row) {
    const { uses_meaning, uses_words, threshold } = this.recall;
    const isKnown = { similarity: uses_meaning, coverage: uses_words };
    return Object.entries(FIGURES)
      .filter(([key]) => typeof row[key] === "number" && isKnown[key] !== false)
      .map(([key, name]) => ({
        name,
        number: figure(row[key]),
        share: Math.max(0, Math.min(100, 100 * row[key])),
        mark: key === "similarity" ? 100 * threshold : null,
      }));
  },

  /** What else tells why a candidate stands where it does. */
  remarks(row) {
    const lender = this.recall.rows.find((one) => one.id === row.lender);
    return [
      lender?.relevance > row.relevance &&
        `It gains relevance from a memory written just before or after it: ${lender.text.slice(0, MOST_OF_A_LENDER)}`,
      row.past && `It is marked as past: it held from ${row.past}.`,
      !row.is_found && !row.lender && "No search found it; it was written next to one that was found.",
      row.boost > 0 && `Boosted by ${figure(row.boost)}: it is linked to one that is included.`,
    ].filter(Boolean).join("\n");
  },

  counts(row) {
    const who = row.agent > 0 ? `agent ${row.agent}: ` : "";
    return `${who}${moment(row.date)}: ${row.entered} included, ${row.cut} left out`;
  },
};

function figure(number) {
  return Number(number).toFixed(2);
}

export const store = createPage("recall", nothing, model);
