// A table on show: its board, the chooser of a card, the photograph, the camera above it, and what others change.
import { watchBoard } from "./board.js";
import { keep, stored, watchKeys } from "./keys.js";
import { keepUp } from "./live.js";
import { complain, doneBefore, fetchPage, say } from "./parts.js";
import { focusAnswer, focusChooser, focusPlace, follow } from "./place.js";
import { watchPointing } from "./pointing.js";
import { watchTable } from "./watch.js";

const ROOM = 12;
const { table } = document.querySelector("[data-table]").dataset;

let scrolled = 0;

// The address of all that is on show: the chooser of a card, or a move of the list.
function here() {
  const place = document.querySelector(".chooser")?.dataset.place;
  const move = document.querySelector("[data-shown]")?.dataset.shown;
  if (place) return `${table}?place=${encodeURIComponent(place)}`;
  return move ? `${table}?move=${encodeURIComponent(move)}` : table;
}

// The card and what goes with it, above the answer, which on a phone covers what lies lowest on the board.
function bringIntoView(place) {
  const cells = document.querySelectorAll(`#cell-${place.replaceAll(" ", "-")}, .cell.is-partner`);
  const [cell] = [...cells].map((each) => each.getBoundingClientRect()).sort((a, b) => b.bottom - a.bottom);
  const answer = document.querySelector(".answer")?.getBoundingClientRect();
  const covered = cell && answer && cell.left < answer.right && answer.left < cell.right ? cell.bottom - answer.top : 0;
  if (covered > 0 && cell.top < answer.top + covered) window.scrollBy({ top: covered + ROOM });
}

async function openChooser(place) {
  if (!document.querySelector(".chooser")) scrolled = window.scrollY;
  if (!(await follow(`${table}?place=${encodeURIComponent(place)}`))) return;
  focusChooser();
  bringIntoView(place);
}

async function closeChooser() {
  const place = document.querySelector(".chooser")?.dataset.place;
  if (place) focusPlace(place);
  if (await follow(table)) window.scrollTo({ top: scrolled });
}

// On the photograph and over what the camera sees alike.
function showOutlines() {
  const wanted = stored("outlines") !== "off";
  for (const box of document.querySelectorAll("[data-outlines]")) box.checked = wanted;
  document.body.classList.toggle("has-no-outlines", !wanted);
}

function enlarge(button) {
  const isLarge = document.querySelector(".photo").classList.toggle("is-large");
  const text = button.textContent;
  button.textContent = button.dataset.smaller;
  button.dataset.smaller = text;
  button.setAttribute("aria-pressed", isLarge);
}

// A game chosen in the list shows its own rules at once; it is played once it is used. Until they are there none of the
// former game's can be chosen: they would be lost.
async function showRules(list) {
  const { value } = list;
  const former = document.getElementById("rules");
  former.inert = true;
  try {
    const { page } = await fetchPage(`${table}?game=${value}`, {}, "");
    if (list.isConnected && list.value === value) former.replaceWith(page.getElementById("rules"));
  } catch (error) {
    complain(error.message);
  } finally {
    former.inert = false;
  }
}

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-rules]")) showRules(event.target);
  if (!event.target.matches("[data-outlines]")) return;
  keep("outlines", event.target.checked ? "on" : "off");
  showOutlines();
});

// A move of the list, shown on the board until it is pressed again.
async function showMove(link) {
  if (await follow(link.href)) document.querySelector(".felt").scrollIntoView({ block: "nearest" });
}

document.addEventListener("click", (event) => {
  const move = event.target.closest("[data-show]");
  if (move) {
    event.preventDefault();
    showMove(move);
    return;
  }
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

// In the chooser one key names the rank, another the suit; also in the field that screen readers let keys through to,
// which is empty for the next card. Whether the card is named.
function chooseByKey(chooser, key) {
  const rank = chooser.querySelector(`[name=rank][value="${{ 0: "10", 1: "10" }[key] ?? key}"]`);
  if (rank) {
    rank.checked = true;
    return false;
  }
  const suit = chooser.querySelector("[name=rank]:checked") ? chooser.querySelector(`[name=suit][value="${key}"]`) : null;
  if (suit) chooser.querySelector("[data-typed]").value = "";
  suit?.click();
  return Boolean(suit);
}

document.addEventListener("keydown", (event) => {
  const chooser = event.target.closest?.(".chooser");
  if (chooser && /^[0-9a-zA-Z]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
    if (chooseByKey(chooser, event.key.toUpperCase())) event.preventDefault();
  }
  // Enter would press the first button of the form, a guess, before a card is typed.
  if (event.key === "Enter" && event.target.matches("[data-typed]")) {
    event.preventDefault();
    say(document.getElementById("typed-how").textContent);
  }
  if (event.key !== "Escape") return;
  const large = document.querySelector(".photo.is-large [data-enlarge]");
  if (large) enlarge(large);
  else if (document.querySelector(".chooser")) closeChooser();
});

document.addEventListener("placed", showOutlines);

watchBoard(openChooser);
watchPointing();
watchTable();
watchKeys();
showOutlines();
keepUp(table, here);
focusChooser();
// Whoever did what led here is told, and goes on where the answer is.
const done = doneBefore();
if (done !== null) focusAnswer();
if (done) say(done);
