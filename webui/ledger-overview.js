/** The overview: what a memory folder is like at a glance, and what in it needs a person. Alpine store `memoryLedgerOverview`. */
import { createStore } from "/js/AlpineStore.js";
import { counted } from "./ledger-words.js";
import { onFolderChange, store as shell } from "./ledger-store.js";

const nothing = () => ({ found: null, checked: null });

const model = {
  ...nothing(),

  /** Load the figures, then what takes longer to find out. */
  async load() {
    Object.assign(this, nothing());
    const answer = await shell.ask("overview", "read", {}, "overview");
    if (!answer) return;
    this.found = answer;
    shell.useFolders(answer.folders);
    const checked = await shell.ask("overview", "check", {}, "check", { isQuiet: true });
    if (checked?.folder === shell.folder) this.checked = checked;
  },

  onClose() {
    Object.assign(this, nothing());
  },

  /** The groups of the overview as rows of (name, count, share of the whole in percent). */
  get groups() {
    return Object.entries(this.found?.by ?? {}).map(([axis, counts]) => {
      const rows = Object.entries(counts);
      if (axis !== "age") rows.sort(([, one], [, other]) => other - one);
      const whole = Math.max(1, rows.reduce((sum, [, count]) => sum + count, 0));
      return { axis, rows: rows.map(([name, count]) => ({ name, count, share: (100 * count) / whole })) };
    });
  },

  get months() {
    const rows = this.found?.over_time ?? [];
    const most = Math.max(1, ...rows.flatMap((one) => [one.retired, one.contested]));
    return rows.map((one) => ({
      ...one, retiredShare: (100 * one.retired) / most, contestedShare: (100 * one.contested) / most,
    }));
  },

  get needs() {
    return [...(this.found?.needs ?? []), ...(this.checked?.needs ?? [])];
  },

  settle(need) {
    if (need.about) shell.showOnly("about", need.about);
    else shell.show(need.page);
  },

  get quality() {
    if (!this.checked) return { average: "…", stale: "…" };
    const { average, stale } = this.checked.quality;
    return { average: average === null ? "unknown" : Number(average).toFixed(2), stale: stale ?? "unknown" };
  },

  get backup() {
    return this.found?.backup_at ? shell.ago(this.found.backup_at) : "none";
  },

  get empty() {
    return `${counted(this.found?.empty ?? 0)} without content, kept out of every prompt`;
  },

  get unread() {
    return `${counted(this.found?.unread ?? 0)} not processed yet; this happens with the next message to the agent.`;
  },
};

export const store = createStore("memoryLedgerOverview", model);
onFolderChange("overview", () => store.load(), () => store.load());
