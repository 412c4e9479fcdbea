// A table on show: its board, the chooser of a card, the photograph, the camera above it, and what others change.
import { watchBoard } from "./board.js";
import { keepUp } from "./live.js";
import { focusPlace, follow } from "./parts.js";
import { watchPointing } from "./pointing.js";
import { watchTable } from "./watch.js";

const { table } = document.querySelector("[data-table]").dataset;

async function openChooser(place) {
  if (!(await follow(`${table}?place=${encodeURIComponent(place)}`))) return;
  const chooser = document.querySelector(".chooser");
  (chooser?.querySelector("[data-first]") ?? chooser?.querySelector("[aria-pressed=true]") ?? chooser?.querySelector("button"))?.focus();
}

async function closeChooser() {
  const place = document.querySelector(".chooser")?.dataset.place;
  await follow(table);
  if (place) focusPlace(place);
}

function showOutlines() {
  const box = document.querySelector("[data-outlines]");
  if (!box) return;
  const wanted = sessionStorage.getItem("outlines") !== "no";
  box.checked = wanted;
  document.querySelector(".over")?.classList.toggle("is-hidden", !wanted);
}

function enlarge(button) {
  const isLarge = document.querySelector(".photo").classList.toggle("is-large");
  const text = button.textContent;
  button.textContent = button.dataset.smaller;
  button.dataset.smaller = text;
  button.setAttribute("aria-pressed", isLarge);
}

document.addEventListener("change", (event) => {
  if (!event.target.matches("[data-outlines]")) return;
  sessionStorage.setItem("outlines", event.target.checked ? "yes" : "no");
  showOutlines();
});

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]");
  if (opener) document.querySelector(`[data-keep="${opener.dataset.opens}"]`).open = true;
  const larger = event.target.closest("[data-enlarge]");
  if (larger) enlarge(larger);
  const target = event.target.closest("[data-chooser], [data-close], .seen, .cell");
  if (!target) return;
  event.preventDefault();
  if (target.matches("[data-close]")) closeChooser();
  else openChooser(target.dataset.place ?? new URL(target.href).searchParams.get("place"));
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const large = document.querySelector(".photo.is-large [data-enlarge]");
  if (large) enlarge(large);
  else if (document.querySelector(".chooser")) closeChooser();
});

document.addEventListener("placed", showOutlines);

watchBoard(openChooser);
watchPointing();
watchTable();
showOutlines();
keepUp(table);
