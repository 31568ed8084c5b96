/**
 * The settings page: what it shows of the host's `config`, which it changes in place and the host saves.
 *
 * What can be set, and what is wrong with a value, the plugin says. A value that cannot be used stays as it was typed.
 */
import { createStore } from "/js/AlpineStore.js";
import { store as ledger } from "./ledger-store.js";
import { inWords } from "./ledger-words.js";

const PAUSE_MS = 200;
const LONGEST_DEFAULT = 100;

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const keysOf = (field) => field.name.split(".");
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const copy = (value) => JSON.parse(JSON.stringify(value));

let seen = "";
let pause = 0;

const model = {
  sections: [],
  file: "",
  inFile: {},
  faults: [],
  opened: [],
  isAdvanced: false,
  query: "",
  inWords,

  async onOpen() {
    seen = "";
    const answer = await ledger.ask("settings", "read", {}, "settings");
    if (!answer) return;
    Object.assign(this, { sections: answer.sections, file: answer.file, inFile: answer.in_file });
    this.opened = answer.sections.slice(0, 1).map((one) => one.title);
  },

  onClose() {
    clearTimeout(pause);
    Object.assign(this, { sections: [], inFile: {}, faults: [], opened: [], isAdvanced: false, query: "" });
  },

  // ---- What is shown

  /** Whether a field is among what is looked for, by its name, its label or its help. */
  isFound(field) {
    const words = this.query.toLowerCase().split(/\s+/);
    const text = `${field.name} ${field.label} ${field.help}`.toLowerCase();
    return words.every((word) => text.includes(word));
  },

  isShown(section) {
    const isFirst = section === this.sections[0];
    return isFirst || (this.isAdvanced && section.blocks.some((one) => one.fields.some((field) => this.isFound(field))));
  },

  /** Have the values checked shortly after one has changed; Alpine calls it again whenever one has. */
  watch(config) {
    const text = JSON.stringify(config ?? {});
    if (text === seen) return;
    seen = text;
    clearTimeout(pause);
    pause = setTimeout(() => void this.check(JSON.parse(text)), PAUSE_MS);
  },

  async check(settings) {
    const answer = await ledger.ask("settings", "check", { settings }, "settings check");
    if (answer) this.faults = answer.faults;
  },

  // ---- Values

  /** What a field holds: what stands in the configuration, or else the default. */
  valueOf(config, field) {
    const found = keysOf(field).reduce((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), config);
    return found === undefined ? field.default : found;
  },

  set(config, field, value) {
    const keys = keysOf(field);
    const last = keys.pop();
    let at = config;
    for (const key of keys) {
      if (!isObject(at[key])) at[key] = {};
      at = at[key];
    }
    at[last] = value;
  },

  reset(config, field) {
    this.set(config, field, copy(field.default));
  },

  isDefault(config, field) {
    return same(this.valueOf(config, field), field.default);
  },

  /** Take a value as it was typed: as what it is meant to be where it can be read so, else as the text itself. */
  type(config, field, text) {
    this.set(config, field, parse(field, text));
  },

  /** Put a value among those that are chosen, or take it away. */
  choose(config, field, choice, isWanted) {
    this.set(config, field, field.choices.filter((one) => (one === choice ? isWanted : this.isChosen(config, field, one))));
  },

  isChosen(config, field, choice) {
    const value = this.valueOf(config, field);
    return Array.isArray(value) && value.includes(choice);
  },

  textOf(config, field) {
    return asText(field, this.valueOf(config, field));
  },

  /** What a person may choose: also what stands there now, where that is none of it. */
  choicesOf(config, field) {
    const value = asText(field, this.valueOf(config, field));
    return field.choices.includes(value) ? field.choices : [value, ...field.choices];
  },

  rowsOf(config, field) {
    return Math.min(12, Math.max(2, this.textOf(config, field).split("\n").length + 1));
  },

  // ---- Words

  idOf(field, part = "") {
    return `memory-ledger-setting-${field.name.replaceAll(".", "-")}${part}`;
  },

  defaultOf(field) {
    if (field.kind === "switch") return field.default ? "on" : "off";
    const text = Array.isArray(field.default) ? field.default.join(", ") : asText(field, field.default).replace(/\s+/g, " ");
    return text.length > LONGEST_DEFAULT ? `${text.slice(0, LONGEST_DEFAULT)}...` : text || "nothing";
  },

  /** What the user's own file says, which holds for as long as the default is chosen here. */
  fileSays(config, field) {
    if (!Object.hasOwn(this.inFile, field.name) || !this.isDefault(config, field)) return "";
    const text = asText(field, this.inFile[field.name]).replace(/\s+/g, " ").slice(0, LONGEST_DEFAULT);
    return `${this.file} says ${text}, which applies unless you choose a value other than the default here.`;
  },

  faultOf(field) {
    return this.faults.filter((one) => one.path.join(".") === field.name).map((one) => one.say).join("; ");
  },

  /** What a section has that is not as it was delivered or cannot be used, in words. */
  notesOf(config, section) {
    const fields = section.blocks.flatMap((one) => one.fields);
    const changed = fields.filter((one) => !this.isDefault(config, one)).length;
    const wrong = fields.filter((one) => this.faultOf(one)).length;
    return [changed ? `${changed} changed` : "", wrong ? `${wrong} to correct` : ""].filter(Boolean).join(", ");
  },

  // ---- Faults

  fieldOf(fault) {
    const fields = this.sections.flatMap((one) => one.blocks).flatMap((one) => one.fields);
    return fields.find((one) => one.name === fault.path.join(".")) ?? null;
  },

  /** Lead to the field of a fault: its section opens, and the field has the focus. */
  lead(fault, nextTick) {
    const field = this.fieldOf(fault);
    const section = this.sections.find((one) => one.blocks.some((block) => block.fields.includes(field)));
    Object.assign(this, { isAdvanced: true, query: "" });
    if (!this.isOpen(section)) this.opened = [...this.opened, section.title];
    nextTick(() => document.getElementById(this.idOf(field))?.focus());
  },

  /** Take away what no field shows: nothing reads it. */
  drop(config, fault) {
    const keys = [...fault.path];
    const last = keys.pop();
    const at = keys.reduce((place, key) => (isObject(place) && Object.hasOwn(place, key) ? place[key] : undefined), config);
    if (isObject(at)) delete at[last];
  },

  isOpen(section) {
    return (this.isAdvanced && this.query.trim() !== "") || this.opened.includes(section.title);
  },

  onToggle(section, isOpen) {
    this.opened = [...this.opened.filter((one) => one !== section.title), ...(isOpen ? [section.title] : [])];
  },
};

function parse(field, text) {
  const trimmed = text.trim();
  if (!trimmed && field.optional) return null;
  if (field.kind === "lines") return text.split("\n").map((one) => one.trim()).filter(Boolean);
  if (field.kind === "number") return trimmed && Number.isFinite(Number(trimmed)) ? Number(trimmed) : text;
  if (field.kind !== "json") return text;
  try {
    return JSON.parse(trimmed);
  } catch {
    return text;
  }
}

function asText(field, value) {
  if (value === null) return "";
  if (field.kind === "lines" && Array.isArray(value) && value.every((one) => typeof one === "string" && !one.includes("\n"))) {
    return value.join("\n");
  }
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

export const store = createStore("memoryLedgerSettings", model);
