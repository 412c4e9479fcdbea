// A line tried on screen: two cards named one after the other make a move, as do the buttons. All of the line stands in
// the address; the table is changed by none of it.
import { watchBoard } from "./board.js";
import { keepUp } from "./live.js";
import { isOff } from "./parts.js";
import { focusPlace, follow } from "./place.js";

const { table } = document.querySelector("[data-table]").dataset;
let asked = location.href;

const line = () => document.querySelector("[data-try]");

// The address of the line on show, with what is asked of it besides.
function address(submitter = null, more = {}) {
  const fields = new URLSearchParams(new FormData(line(), submitter));
  for (const [name, value] of Object.entries(more)) fields.set(name, value);
  return `${line().action}?${fields}`;
}

async function ask(url) {
  if (!(await follow(url))) return;
  asked = url;
  history.replaceState(null, "", address());
}

async function name(place) {
  const { chosen } = line().dataset;
  await ask(address(null, chosen ? { card: chosen, to: place } : { card: place }));
  focusPlace(place);
}

document.addEventListener("submit", (event) => {
  if (event.target !== line()) return;
  event.preventDefault();
  if (!isOff(event.submitter)) ask(address(event.submitter));
});

document.addEventListener("click", (event) => {
  const cell = event.target.closest(".cell");
  if (cell) name(cell.dataset.place);
  const anew = event.target.closest("#try-anew");
  if (!anew || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  ask(anew.href);
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && line().dataset.chosen) ask(address());
});

watchBoard(name);
keepUp(table, () => asked);
