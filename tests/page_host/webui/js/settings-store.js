/** The settings of a plugin as a host's dialog holds them: read, put back to the defaults, saved as they are. */
import { createStore } from "/js/AlpineStore.js";
import { callJsonApi } from "/js/api.js";
import { closeModal } from "/js/modals.js";

const ask = (action, more = {}) => callJsonApi("/plugins", { action, plugin_name: "memory_ledger", ...more });

export const store = createStore("settingsDialog", {
  settings: {},
  isLoading: true,
  error: "",
  body: "",

  async load() {
    this.settings = (await ask("get_config")).data ?? {};
    this.body = '<x-component path="/plugins/memory_ledger/webui/config.html"></x-component>';
    this.isLoading = false;
  },

  async reset() {
    this.settings = (await ask("get_default_config")).data ?? {};
  },

  async save() {
    const answer = await ask("save_config", { settings: this.settings });
    if (answer.ok) closeModal();
    else this.error = answer.error;
  },
});
