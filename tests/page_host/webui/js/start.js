/** Alpine with what a host's pages find in it, and then the components of the page. */
import { loadIn, watch } from "/js/components.js";
import { closeModal, openModal } from "/js/modals.js";

Object.assign(globalThis, { openModal, closeModal });
document.addEventListener("alpine:init", () => {
  Alpine.directive("create", (_el, { expression }, { evaluate }) => evaluate(expression));
  Alpine.directive("destroy", (_el, { expression }, { evaluateLater, cleanup }) => {
    const leave = evaluateLater(expression);
    cleanup(() => leave());
  });
  if (!location.search.includes("no-confirm-click")) Alpine.magic("confirmClick", () => confirmClick);
});

/** Ask once more, in the button itself, for two seconds. */
function confirmClick(event, act) {
  const button = event.currentTarget;
  if (button.classList.contains("confirming")) {
    stop();
    act();
    return;
  }
  const words = button.innerHTML;
  button.classList.add("confirming");
  button.textContent = "Confirm";
  button.stopConfirming = () => {
    button.classList.remove("confirming");
    button.innerHTML = words;
  };
  setTimeout(stop, 2000);

  function stop() {
    if (button.classList.contains("confirming")) button.stopConfirming();
  }
}

await import("/vendor/alpine.js");
watch();
await loadIn(document.body);
document.body.dataset.ready = "yes";
