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
});

await import("/vendor/alpine.js");
watch();
await loadIn(document.body);
document.body.dataset.ready = "yes";
