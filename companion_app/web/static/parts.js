// What is sent and what comes back: forms go without leaving the page, and of each answer only the parts that changed
// are put in place.

const status = document.getElementById("status");
const alertBox = document.getElementById("alert");
const HELD = "[data-hold]:is(:hover, :focus-within)";
const RELOAD_PAUSE = 10000;
const PATIENCE = 2000;
let waiting = 0;
let changes = 0;
let unsent = null, isWaiting = false;

export function say(text) {
  status.textContent = "";
  requestAnimationFrame(() => { status.textContent = text; });
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
  const kind = form?.dataset.busy;
  waiting += on ? 1 : -1;
  document.body.classList.toggle("is-busy", waiting > 0);
  if (on && kind) say(document.body.dataset[kind]);
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

const readPage = async (answer) => new DOMParser().parseFromString(await answer.text(), "text/html");

// A page, or those of its parts that are not `known`; throws an error that says in plain words what went wrong, `isGone`
// where nobody answers, `at` where a picture that could not be read can be tried otherwise.
export async function fetchPage(url, options = {}, known = shown()) {
  const headers = { Accept: "application/problem+json", "X-Parts": known };
  let answer;
  try {
    answer = await fetch(url, { ...options, headers });
    if (answer.ok) return { url: answer.url, page: await readPage(answer) };
  } catch {
    throw Object.assign(new Error(document.body.dataset.gone), { isGone: true });
  }
  throw await problemOf(answer);
}

async function request(url, options, form) {
  changes += 1;
  busy(form, true);
  try {
    const found = await fetchPage(url, options);
    complain("");
    return found;
  } catch (error) {
    if (error.isGone) waitForAnswer();
    if (error.isGone && form?.enctype === "multipart/form-data") {
      unsent = { form, url, options };
      complain(document.body.dataset.unsent);
    } else if (error.at && !document.querySelector("[data-table]")) location.assign(error.at);
    else complain(error.message, error.at);
    return null;
  } finally {
    busy(form, false);
  }
}

// What a part has to say, without the names of its buttons.
export function spoken(part) {
  if (!part.querySelector("button")) return part.innerText;
  return [...part.children].filter((child) => !child.querySelector("button")).map((child) => child.innerText).join("\n");
}

// Say what new parts have to say, all at once; a part whose key is the one before says nothing new. Who speaks it as
// well hears of it by its part.
function announce(replaced) {
  const texts = [], told = [];
  for (const [old, fresh] of replaced) {
    if (fresh.dataset.key && fresh.dataset.key === old.dataset.key) continue;
    for (const said of [fresh, ...fresh.querySelectorAll("[data-say]")]) {
      if (!said.dataset.say || said.hidden) continue;
      told.push([fresh.dataset.part, spoken(said)]);
      if (said.dataset.say === "alert") complain(spoken(said));
      else texts.push(spoken(said));
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

// Replace every part that changed; what was opened stays open, what had the focus gets it back, or what now stands first
// in its part. False where the page has other parts than this one.
export function putInPlace(page) {
  changes += 1;
  return replaceParts(page, keepsNothing);
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

function replaceParts(page, isLeft) {
  if (isOtherPage(page)) return false;
  const focused = document.activeElement?.id;
  const part = focused && document.activeElement.closest("[data-part]")?.dataset.part;
  const replaced = [];
  for (const fresh of parts(page)) {
    const old = document.querySelector(`[data-part="${fresh.dataset.part}"]`);
    if (old.tagName === "DETAILS") fresh.open = old.open || fresh.open;
    for (const inner of fresh.querySelectorAll("details")) inner.open = Boolean(old.querySelector("details[open]"));
    if (old.dataset.stamp === fresh.dataset.stamp && fresh.dataset.stamp) continue;
    if (isLeft(old, fresh)) continue;
    old.replaceWith(document.adoptNode(fresh));
    replaced.push([old, fresh]);
  }
  // What was said of a breach goes with the breach, however the page came here.
  if (!document.querySelector("[data-say=alert]") && !alertBox.querySelector("a")) complain("");
  announce(replaced);
  document.title = page.title;
  document.dispatchEvent(new CustomEvent("placed"));
  const first = part && document.querySelector(`[data-part="${part}"] :is(summary, button, a, select, [tabindex])`);
  const lost = focused && document.activeElement?.id !== focused;
  if (lost) (document.getElementById(focused) ?? first ?? document.getElementById("main"))?.focus({ preventScroll: true });
  return true;
}

// The card at a place of the board gets the focus.
export function focusPlace(place) {
  document.getElementById(`cell-${place.replaceAll(" ", "-")}`)?.focus();
}

// What has the focus once something was said in the chooser: the chooser that asks on, or the card it was about.
export function focusAfter(place) {
  if (document.querySelector(".chooser")) focusChooser();
  else focusPlace(place);
}

export function focusChooser() {
  const chooser = document.querySelector(".chooser");
  const first = ["[data-first]", "[name=rank]:checked", "[name=rank]"].map((each) => chooser?.querySelector(each)).find(Boolean);
  first?.focus({ preventScroll: true });
}

export async function follow(url) {
  const found = await request(url, {}, null);
  if (found) putInPlace(found.page);
  return Boolean(found);
}

function show(found, form) {
  if (!found) return false;
  if (!form.hasAttribute("data-swap") || !putInPlace(found.page)) location.assign(found.url);
  return true;
}

// Send a form as its button does; whether an answer came.
export async function send(form, submitter) {
  const body = new FormData(form, submitter);
  const multipart = form.enctype === "multipart/form-data";
  const options = { method: "POST", body: multipart ? body : new URLSearchParams(body) };
  return show(await request(form.action, options, form), form);
}

// What could not be sent while nobody answered.
export async function sendAgain() {
  if (!unsent) return;
  const { form, url, options } = unsent;
  unsent = null;
  show(await request(url, options, form), form);
}

// Not every page has a stream that tells when somebody answers again.
async function waitForAnswer() {
  if (isWaiting) return;
  isWaiting = true;
  do {
    await new Promise((done) => { setTimeout(done, PATIENCE); });
  } while (!(await fetch("/static/icon.svg", { cache: "no-store" }).catch(() => null)));
  isWaiting = false;
  const { gone, unsent: kept } = document.body.dataset;
  if ([gone, kept].includes(alertBox.textContent)) complain("");
  sendAgain();
}

// Whether something was changed since a mark was taken, or is about to be: what was asked for before that is out of date.
export const mark = () => changes;
export const isNewer = (before) => before !== changes || waiting > 0;
