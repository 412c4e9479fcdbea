// What came back is put in place: only the parts that changed, and of these only what is new, so that nobody is thrown
// out of where he is; then it is said.
import { complain, countChange, parts, request, say, sentences } from "./parts.js";

const alertBox = document.getElementById("alert");
const HELD = "[data-hold]:is(:hover, :focus-within)";
const REACHED = ":is(summary, button, a, select, textarea, input:not([type=hidden]), [tabindex])";
const RELOAD_PAUSE = 10000;
// By then a browser has told screen readers where the focus is.
const FOCUS_PAUSE = 150;
let placing = Promise.resolve();
let followed = 0;

// What a part has to say: what is marked for it in the part, or else all but its buttons.
export function spoken(part) {
  const marked = [...part.querySelectorAll("[data-aloud]")];
  const plain = part.querySelector("button") ? [...part.children].filter((child) => !child.querySelector("button")) : [part];
  return (marked.length ? marked : plain).map((each) => each.innerText).join("\n");
}

// Nothing new is said where all that the key names was named before.
function isTold({ key }, before) {
  const named = before?.split("|");
  return Boolean(key && named) && key.split("|").every((each) => named.includes(each));
}

// Say what new parts have to say, all at once, after what was done. What follows other news is told with its title. Who
// speaks it as well hears of it by its part.
function announce(changed, ...done) {
  const texts = done.filter(Boolean), told = [];
  for (const { part, before } of changed) {
    if (isTold(part.dataset, before)) continue;
    for (const said of [part, ...part.querySelectorAll("[data-say]")]) {
      if (!said.dataset.say || said.hidden) continue;
      const title = texts.length || told.length ? said.dataset.title : "";
      const text = [title, spoken(said)].filter((each) => each?.trim()).join("\n");
      if (!text) continue;
      told.push([part.dataset.part, text]);
      if (said.dataset.say === "alert") complain(sentences(text), "", true);
      else texts.push(text);
    }
  }
  // What was said before is past.
  if (texts.length || told.length) say(texts.join("\n"));
  if (told.length) document.dispatchEvent(new CustomEvent("told", { detail: told }));
}

// The cell of the board that Tab reaches stays the same.
function keepReached(old, fresh) {
  const id = old.querySelector(".cell[tabindex='0']")?.id;
  if (!id || !fresh.querySelector(`#${id}`)) return;
  for (const cell of fresh.querySelectorAll(".cell")) cell.setAttribute("tabindex", cell.id === id ? "0" : "-1");
}

function isOtherPage(page) {
  const here = parts(document).map((part) => part.dataset.part);
  const names = page.getElementById("parts")?.dataset.names.split(" ") ?? parts(page).map((part) => part.dataset.part);
  return names.length !== here.length || names.some((name) => !here.includes(name));
}

// Put every part that changed in place; what was opened stays open, and the focus where it is, or on what takes its
// place. Resolves to false where the page has other parts than this one. done: what was done, to be said first; place:
// that of the card of which something was said in the chooser.
export function putInPlace(page, how = {}) {
  countChange();
  return replaceParts(page, keepsNothing, how);
}

const keepsNothing = () => false;

// The same for what came unasked, which lets nothing below it move up; true where a part in use was held back.
export async function putBetterInPlace(page) {
  let held = false;
  const placed = await replaceParts(page, (old, fresh) => {
    keepReached(old, fresh);
    if (fresh.matches(".said")) fresh.style.minHeight = `${old.getBoundingClientRect().height}px`;
    const holds = old.matches(HELD);
    held ||= holds;
    return holds;
  });
  if (!placed) reloadOnce();
  return held;
}

// A page with other parts is loaded anew, but never over and over.
function reloadOnce() {
  const last = Number(sessionStorage.getItem("reloaded"));
  if (Date.now() - last < RELOAD_PAUSE) return;
  sessionStorage.setItem("reloaded", Date.now());
  location.reload();
}

export const isAnyHeld = () => Boolean(document.querySelector(HELD));

// What an element is told from its like by: its name, or the first one in it.
const nameOf = (node) => node.id || node.querySelector?.("[id]")?.id || "";

// The first of some siblings that may become `fresh`: of its kind and name; one without a name only where no other
// element stands before it.
function kept(old, fresh) {
  const name = nameOf(fresh);
  for (let each = old; each; each = each.nextSibling) {
    if (each.nodeName === fresh.nodeName && nameOf(each) === name) return each;
    if (!name && each.nodeType === Node.ELEMENT_NODE) return null;
  }
  return null;
}

// What somebody types into at this moment is theirs.
const isTypedIn = (field) => field === document.activeElement && field.matches("input:not([type=radio], [type=checkbox]), textarea");

function becomeField(field, fresh) {
  if (isTypedIn(field) || field.type === "file") return;
  if (field.type === "radio" || field.type === "checkbox") field.checked = fresh.checked;
  else field.value = fresh.value;
}

// Make an element as a fresh one is, and keep in it all that both have: whoever stands there, with the focus or with a
// screen reader, is not thrown out of it and does not hear it anew.
function become(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  for (const { name } of [...old.attributes]) if (name !== "style" && !fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (name !== "style" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  // Only so does the policy of the page let a style be copied.
  if (old.style.cssText !== fresh.style.cssText) old.style.cssText = fresh.style.cssText;
  let at = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const same = kept(at, child);
    if (!same) {
      old.insertBefore(document.adoptNode(child), at);
      continue;
    }
    for (; at !== same; at = remove(at));
    become(same, child);
    at = same.nextSibling;
  }
  for (; at; at = remove(at));
  if (old.matches("input, select, textarea")) becomeField(old, fresh);
}

function remove(node) {
  const { nextSibling } = node;
  node.remove();
  return nextSibling;
}

// What may have the focus where a part loses what had it, in the order in which it is tried: the card whose chooser is
// closed, what stands first in the part as it will be, the part itself, or the region around it.
function heirs(old, fresh) {
  const place = old.querySelector(".chooser")?.dataset.place;
  const card = place && !fresh.querySelector(".chooser") ? document.getElementById(cellOf(place)) : null;
  const first = [...fresh.querySelectorAll(REACHED)].filter((each) => !each.closest("[hidden]"));
  const named = "[aria-label], [aria-labelledby]";
  const regions = [fresh.matches(named) && !fresh.hidden ? old : null, old.parentElement.closest(named)];
  return [card, ...first.map((each) => inPage(each, old, fresh)), ...regions, document.getElementById("main")].filter(Boolean);
}

// What an element of a fresh part is in the page.
function inPage(element, old, fresh) {
  if (element.id) return document.getElementById(element.id);
  if (element.ownerDocument === document) return element;
  return element.parentElement === fresh ? old.querySelector(`:scope > ${element.localName}`) : null;
}

function giveFocus(candidates) {
  for (const each of candidates) {
    if (!each.matches(REACHED)) each.setAttribute("tabindex", -1);
    each.focus({ preventScroll: true });
    if (document.activeElement === each) return;
  }
}

// A focus that goes with what has it is passed on before that is gone: a screen reader that stands on nothing falls
// silent. Resolves to whether somebody moved it on meanwhile: then it stays there.
async function passFocus(old, fresh) {
  const { id, localName } = document.activeElement;
  const isClosed = old.querySelector(".chooser") && !fresh.querySelector(".chooser");
  if (!isClosed && fresh.querySelector(id ? `#${CSS.escape(id)}` : localName)) return false;
  giveFocus(heirs(old, fresh));
  if (document.activeElement === old) fresh.setAttribute("tabindex", -1);
  const given = document.activeElement;
  await new Promise((done) => setTimeout(done, FOCUS_PAUSE));
  return document.activeElement !== given;
}

function changedParts(page, isLeft) {
  const changed = [];
  for (const fresh of parts(page)) {
    const old = document.querySelector(`[data-part="${fresh.dataset.part}"]`);
    if (old.dataset.stamp === fresh.dataset.stamp && fresh.dataset.stamp) continue;
    if (!isLeft(old, fresh)) changed.push({ old, fresh, before: old.dataset.key });
  }
  return changed;
}

// What is open at this moment stays open: it may have been opened since the part was found to have changed.
function keepOpen(old, fresh) {
  if (old.tagName === "DETAILS") fresh.open = old.open || fresh.open;
  for (const inner of fresh.querySelectorAll("details")) inner.open = Boolean(old.querySelector("details[open]"));
}

function put({ old, fresh }) {
  keepOpen(old, fresh);
  if (old.nodeName === fresh.nodeName) become(old, fresh);
  else old.replaceWith(document.adoptNode(fresh));
}

// One change after the other.
function replaceParts(page, isLeft, how = {}) {
  const placed = placing.then(() => replaced(page, isLeft, how));
  placing = placed.catch(() => {});
  return placed;
}

// Resolves once all that came is in place: until then the page may show what is about to go.
export const allPlaced = () => placing;

async function replaced(page, isLeft, { done, place }) {
  if (isOtherPage(page)) return false;
  const focused = document.activeElement;
  const changed = changedParts(page, isLeft);
  const holder = changed.find(({ old }) => old.contains(focused));
  let isMovedOn = false;
  for (const each of changed) if (each !== holder) put(each);
  // By now what it passes the focus to is as it will be.
  if (holder) {
    isMovedOn = await passFocus(holder.old, holder.fresh);
    put(holder);
    const now = partNamed(holder.old);
    if (document.activeElement === document.body) giveFocus([document.getElementById(focused.id), ...heirs(now, now)].filter(Boolean));
  }
  // What was said of a breach goes with the breach, however the page came here.
  if (!document.querySelector("[data-say=alert]") && !alertBox.querySelector("a")) complain("");
  const settled = place && !isMovedOn && focusAfter(place);
  announce(changed.map(({ old, before }) => ({ part: partNamed(old), before })), done, settled);
  document.title = page.title;
  document.dispatchEvent(new CustomEvent("placed", { detail: changed.map(({ old }) => old.dataset.part) }));
  return true;
}

// The part that is in place now.
const partNamed = ({ dataset }) => document.querySelector(`[data-part="${dataset.part}"]`);

const cellOf = (place) => `cell-${place.replaceAll(" ", "-")}`;

// The card at a place of the board gets the focus.
export function focusPlace(place) {
  document.getElementById(cellOf(place))?.focus();
}

// Give the focus once something was said in the chooser: to the chooser that asks on, or the card it was about. What is
// to be said where the chooser stays and asks about another card.
function focusAfter(place) {
  const chooser = document.querySelector(".chooser");
  if (!chooser) focusPlace(place);
  else focusChooser();
  if (!chooser || chooser.dataset.place === place) return "";
  const settled = document.getElementById(cellOf(place))?.getAttribute("aria-label") ?? "";
  return `${settled}\n${chooser.querySelector("h3").innerText}`;
}

export function focusAnswer() {
  giveFocus([...document.querySelectorAll(".answer")]);
}

export function focusChooser() {
  const chooser = document.querySelector(".chooser");
  const first = ["[data-first]", "[data-typed]", "[name=rank]:checked", "[name=rank]"];
  giveFocus(first.map((each) => chooser?.querySelector(each)).filter(Boolean));
}

// Show what an address has; resolves to whether it is on show. Of several asked for one soon after the other the last is
// shown, whichever is answered first.
export async function follow(url) {
  followed += 1;
  const turn = followed;
  const found = await request(url, {}, null);
  if (!found || turn !== followed) return false;
  await putInPlace(found.page);
  return true;
}
