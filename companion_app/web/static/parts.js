// What is sent and what comes back: forms go without leaving the page, and of each answer only the parts that changed
// are put in place.

const status = document.getElementById("status");
const alertBox = document.getElementById("alert");
const HELD = "[data-hold]:is(:hover, :focus-within)";
const REACHED = ":is(summary, button, a, select, textarea, input:not([type=hidden]), [tabindex])";
const RELOAD_PAUSE = 10000;
// An answer that comes sooner needs no word that it is on its way.
const BUSY_PAUSE = 400;
let waiting = 0;
let changes = 0;
let unsent = null;
let words = [];

// Lines as sentences: a voice would run them together.
const sentences = (text) => text.split(/\s*\n\s*/).filter(Boolean)
  .map((line) => (/[.:?!…]$/.test(line) ? line : `${line}.`).replace(/\s+→\s+/g, ", ")).join("\n");

// Have a screen reader say it; what is said within one frame is said together.
export function say(text) {
  if (!words.length) {
    status.textContent = "";
    requestAnimationFrame(() => {
      status.textContent = words.join("\n");
      words = [];
    });
  }
  words.push(sentences(text));
}

// at: where more can be done about it.
export function complain(text, at = "") {
  alertBox.textContent = text;
  if (at) {
    const link = Object.assign(document.createElement("a"), { href: at, textContent: document.body.dataset.otherwise });
    alertBox.append(" ", link);
  }
  alertBox.hidden = !text;
  if (text) alertBox.scrollIntoView({ block: "nearest" });
}

function busy(form, on) {
  waiting += on ? 1 : -1;
  document.body.classList.toggle("is-busy", waiting > 0);
  form?.classList.toggle("is-waiting", on);
}

// What an answer says went wrong; one that is not the program's own, such as a proxy's, has only its number.
export async function problemOf(answer) {
  try {
    const { detail, code, instance } = await answer.json();
    return Object.assign(new Error(detail), { code, at: instance });
  } catch {
    return new Error(document.body.dataset.strange.replace("{why}", `HTTP ${answer.status}`));
  }
}

const parts = (page) => [...page.querySelectorAll("[data-part]")];

// Names the parts on show, so that only others are sent.
function shown() {
  const stamped = parts(document).filter((part) => part.dataset.stamp);
  return stamped.map((part) => `${part.dataset.part}=${part.dataset.stamp}`).join(",");
}

// What stands there for pages without scripts only is left out.
export function pageOf(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  for (const other of page.querySelectorAll("noscript")) other.remove();
  return page;
}

// A page or its changed parts; throws an error that says in plain words what went wrong, `isGone` where nobody answers,
// `at` where a picture that could not be read can be tried otherwise.
export async function fetchPage(url, options = {}) {
  const headers = { Accept: "application/problem+json", "X-Parts": shown() };
  let answer;
  try {
    answer = await fetch(url, { ...options, headers });
    if (answer.ok) return { url: answer.url, page: pageOf(await answer.text()) };
  } catch {
    throw Object.assign(new Error(document.body.dataset.gone), { isGone: true });
  }
  throw await problemOf(answer);
}

async function request(url, options, form) {
  changes += 1;
  busy(form, true);
  const kind = form?.dataset.busy;
  const timer = setTimeout(() => { if (kind) say(document.body.dataset[kind]); }, BUSY_PAUSE);
  try {
    const found = await fetchPage(url, options);
    complain("");
    return found;
  } catch (error) {
    if (error.isGone && form?.enctype === "multipart/form-data") {
      unsent = { form, url, options };
      complain(document.body.dataset.unsent);
    } else if (error.at && !document.querySelector("[data-table]")) location.assign(error.at);
    else complain(error.message, error.at);
    return null;
  } finally {
    clearTimeout(timer);
    busy(form, false);
  }
}

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

// Say what new parts have to say, all at once, and what was done before it. What follows other news is told with its
// title. Who speaks it as well hears of it by its part.
function announce(replaced, done = "") {
  const texts = [done].filter(Boolean), told = [];
  for (const { part, before } of replaced) {
    if (isTold(part.dataset, before)) continue;
    for (const said of [part, ...part.querySelectorAll("[data-say]")]) {
      if (!said.dataset.say || said.hidden) continue;
      const title = texts.length || told.length ? said.dataset.title : "";
      const text = [title, spoken(said)].filter((each) => each?.trim()).join("\n");
      if (!text) continue;
      told.push([part.dataset.part, text]);
      if (said.dataset.say === "alert") complain(sentences(text));
      else texts.push(text);
    }
  }
  if (texts.length) say(texts.join("\n"));
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
// place. False where the page has other parts than this one. done: what was done, to be said first.
export function putInPlace(page, done = "") {
  changes += 1;
  return replaceParts(page, keepsNothing, done);
}

const keepsNothing = () => false;

// The same for what came unasked, which lets nothing below it move up; true where a part in use was held back.
export function putBetterInPlace(page) {
  let held = false;
  const placed = replaceParts(page, (old, fresh) => {
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

// Whether one node may become another: both of a kind, and of the same name where they have one.
const isAlike = (old, fresh) => old.nodeName === fresh.nodeName && (old.id ?? "") === (fresh.id ?? "");

// The first of some siblings that may become `fresh`; one without a name only where no other element stands before it.
function kept(old, fresh) {
  for (let each = old; each; each = each.nextSibling) {
    if (isAlike(each, fresh)) return each;
    if (!fresh.id && each.nodeType === Node.ELEMENT_NODE) return null;
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

// A focus that goes with what has it is passed on before: a screen reader that stands on what is gone falls silent.
function passFocus(old, fresh) {
  const { id, localName } = document.activeElement;
  const isClosed = old.querySelector(".chooser") && !fresh.querySelector(".chooser");
  if (!isClosed && fresh.querySelector(id ? `#${CSS.escape(id)}` : localName)) return;
  giveFocus(heirs(old, fresh));
  if (document.activeElement === old) fresh.setAttribute("tabindex", -1);
}

function changedParts(page, isLeft) {
  const changed = [];
  for (const fresh of parts(page)) {
    const old = document.querySelector(`[data-part="${fresh.dataset.part}"]`);
    if (old.tagName === "DETAILS") fresh.open = old.open || fresh.open;
    for (const inner of fresh.querySelectorAll("details")) inner.open = Boolean(old.querySelector("details[open]"));
    if (old.dataset.stamp === fresh.dataset.stamp && fresh.dataset.stamp) continue;
    if (!isLeft(old, fresh)) changed.push({ old, fresh, before: old.dataset.key });
  }
  return changed;
}

function put({ old, fresh }) {
  if (isAlike(old, fresh)) become(old, fresh);
  else old.replaceWith(document.adoptNode(fresh));
}

function replaceParts(page, isLeft, done = "") {
  if (isOtherPage(page)) return false;
  const focused = document.activeElement;
  const changed = changedParts(page, isLeft);
  const holder = changed.find(({ old }) => old.contains(focused));
  for (const each of changed) if (each !== holder) put(each);
  // By now what it passes the focus to is as it will be.
  if (holder) {
    passFocus(holder.old, holder.fresh);
    put(holder);
    const now = partNamed(holder.old);
    if (document.activeElement === document.body) giveFocus([document.getElementById(focused.id), ...heirs(now, now)].filter(Boolean));
  }
  // What was said of a breach goes with the breach, however the page came here.
  if (!document.querySelector("[data-say=alert]") && !alertBox.querySelector("a")) complain("");
  announce(changed.map(({ old, before }) => ({ part: partNamed(old), before })), done);
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

// What has the focus once something was said in the chooser: the chooser that asks on, or the card it was about. A
// chooser that stays and asks about another card tells that.
export function focusAfter(place) {
  const chooser = document.querySelector(".chooser");
  if (!chooser) focusPlace(place);
  else focusChooser();
  if (!chooser || chooser.dataset.place === place) return;
  const settled = document.getElementById(cellOf(place))?.getAttribute("aria-label") ?? "";
  say(`${settled}\n${chooser.querySelector("h3").innerText}`);
}

export function focusChooser() {
  const chooser = document.querySelector(".chooser");
  const first = ["[data-first]", "[data-typed]", "[name=rank]:checked", "[name=rank]"];
  giveFocus(first.map((each) => chooser?.querySelector(each)).filter(Boolean));
}

export async function follow(url) {
  const found = await request(url, {}, null);
  if (found) putInPlace(found.page);
  return Boolean(found);
}

function show(found, form) {
  if (!found) return false;
  if (!form.hasAttribute("data-swap") || !putInPlace(found.page, form.dataset.done)) location.assign(found.url);
  return true;
}

// Send a form as its button does; whether an answer came.
export async function send(form, submitter) {
  const body = new FormData(form, submitter);
  const multipart = form.enctype === "multipart/form-data";
  const options = { method: "POST", body: multipart ? body : new URLSearchParams(body) };
  return show(await request(form.action, options, form), form);
}

// Whether a button is there but does nothing now.
export const isOff = (button) => button?.getAttribute("aria-disabled") === "true";

// What could not be sent while nobody answered.
export async function sendAgain() {
  if (!unsent) return;
  const { form, url, options } = unsent;
  unsent = null;
  show(await request(url, options, form), form);
}

// Whether something was changed since a mark was taken, or is about to be: what was asked for before that is out of date.
export const mark = () => changes;
export const isNewer = (before) => before !== changes || waiting > 0;
