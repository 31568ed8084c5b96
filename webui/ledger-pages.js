/** All stores of the pages, loaded with the first of them: the parts are plain fragments, which find their store ready. */
import { store } from "./ledger-store.js";
import "./ledger-overview.js";
import "./ledger-inbox.js";
import "./ledger-recall.js";
import "./ledger-vault.js";
import "./ledger-notes.js";
import "./ledger-knowledge.js";
import "./ledger-maintenance.js";
import "./ledger-backup.js";

export { store };
