// The replay of a game: its links change the page in place, the arrow keys follow them.
import { watchBoard } from "./board.js";
import { follow } from "./place.js";

const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
const PAUSE = 1000;

async function step(link) {
  if (link.getAttribute("aria-disabled")) return;
  if (await follow(link.href)) history.replaceState(null, "", link.href);
}

watchBoard(() => {});

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-step]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  step(link);
});

document.addEventListener("keydown", (event) => {
  const name = KEYS[event.key];
  if (!name || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (event.target.closest?.(".cell, input, select, textarea")) return;
  event.preventDefault();
  step(document.getElementById(`replay-${name}`));
});

// A review that is under way shows by itself once it is done.
setInterval(() => {
  if (document.querySelector("[data-wait]")) follow(location.href);
}, PAUSE);
