/** Opens the dialog with the settings of a plugin. */
import { openModal } from "/js/modals.js";

export const store = { openConfig: () => openModal("/settings.html") };
