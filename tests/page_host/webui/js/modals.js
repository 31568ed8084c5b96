/** Stacked modals; Escape, the cross and a click beside it close the top one. */
import { importComponent } from "/js/components.js";

const open = [];

export function openModal(path) {
  const modal = document.createElement("div");
  modal.className = "modal show";
  modal.innerHTML = `<div class="modal-inner" x-data>
    <div class="modal-header"><h2 class="modal-title"></h2><button class="modal-close" aria-label="Close">&times;</button></div>
    <div class="modal-scroll"><div class="modal-bd"></div></div></div>`;
  document.body.append(modal);
  open.push(modal);
  modal.querySelector(".modal-close").addEventListener("click", () => closeModal());
  modal.addEventListener("mouseup", (event) => event.target === modal && closeModal());
  return new Promise((resolve) => {
    modal.closed = resolve;
    importComponent(path, modal.querySelector(".modal-bd")).then(
      (fragment) => { modal.querySelector(".modal-title").innerHTML = fragment.title || path; },
      (error) => console.error(error),
    );
  });
}

export function closeModal() {
  const modal = open.pop();
  modal?.remove();
  modal?.closed();
}

document.addEventListener("keydown", (event) => event.key === "Escape" && closeModal());
