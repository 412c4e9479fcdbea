// What is sent and what comes back: forms go without leaving the page. Of each answer only the parts that changed are
// put in place, by a module that is loaded where there are any.

const status = document.getElementById("status");
const alertBox = document.getElementById("alert");
const PATIENCE = 2000;
// An answer that comes sooner needs no word that it is on its way.
const BUSY_PAUSE = 400;
const LATER = "done";
let waiting = 0;
let changes = 0;
let answered = 0;
let unsent = null, isWaiting = false;
let words = [];
// The choosers of which something was sent and is not yet in place: pressed twice, "gone" would take two cards away.
const settling = new WeakSet();

// Lines as sentences: a voice would run them together.
export const sentences = (text) => text.split(/\s*\n\s*/).filter(Boolean)
  .map((line) => (/[.:?!…]$/.test(line) ? line : `${line}.`).replace(/\s+→\s+/g, ", ")).join("\n");

// Have a screen reader say it; what is said within one frame is said together.
export function say(text) {
  if (!words.length) {
    status.textContent = "";
    requestAnimationFrame(() => {
      status.textContent = words.join(" ");
      words = [];
    });
  }
  words.push(sentences(text).replaceAll("\n", " "));
}

// at: where more can be done about it; isStanding: it is said of what lies there, and goes with that, not with the next
// answer.
export function complain(text, at = "", isStanding = false) {
  alertBox.textContent = text;
  alertBox.classList.toggle("is-standing", isStanding);
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

export const parts = (page) => [...page.querySelectorAll("[data-part]")];

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

// A page, or those of its parts that are not `known`; throws an error that says in plain words what went wrong, `isGone`
// where nobody answers, `at` where a picture that could not be read can be tried otherwise.
export async function fetchPage(url, options = {}, known = shown()) {
  const headers = { Accept: "application/problem+json", "X-Parts": known };
  let answer;
  try {
    answer = await fetch(url, { ...options, headers });
    if (answer.ok) return { url: answer.url, page: pageOf(await answer.text()) };
  } catch {
    throw Object.assign(new Error(document.body.dataset.gone), { isGone: true });
  }
  throw await problemOf(answer);
}

// An answer that was overtaken by that to another request shows what was before it: what is there since is asked for.
async function latest(url, options) {
  let before = answered;
  let found = await fetchPage(url, options);
  while (answered !== before) {
    before = answered;
    found = await fetchPage(found.url);
  }
  answered += 1;
  return found;
}

export async function request(url, options, form) {
  countChange();
  busy(form, true);
  const kind = form?.dataset.busy;
  const timer = setTimeout(() => { if (kind) say(document.body.dataset[kind]); }, BUSY_PAUSE);
  try {
    const found = await latest(url, options);
    if (!alertBox.matches(".is-standing")) complain("");
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
    clearTimeout(timer);
    busy(form, false);
  }
}

// Send what a form has, and show the answer. What puts it in place is there before it comes: nothing else is put in
// place in between.
async function submit({ form, url, options, place }) {
  const swap = form.hasAttribute("data-swap") ? (await import("./place.js")).putInPlace : null;
  const found = await request(url, options, form);
  if (!found) return;
  const isPlaced = swap && (await swap(found.page, { done: form.dataset.done, place }));
  if (isPlaced) return;
  if (swap) sessionStorage.setItem(LATER, form.dataset.done ?? "");
  location.assign(found.url);
}

// What was done before a page was loaded that has other parts than the one before; null where none was.
export function doneBefore() {
  const done = sessionStorage.getItem(LATER);
  sessionStorage.removeItem(LATER);
  return done;
}

// Send a form as its button does; what is said in a chooser once only.
export async function send(form, submitter) {
  const chooser = form.closest(".chooser");
  if (settling.has(chooser)) return;
  if (chooser) settling.add(chooser);
  const body = new FormData(form, submitter);
  const multipart = form.enctype === "multipart/form-data";
  const options = { method: "POST", body: multipart ? body : new URLSearchParams(body) };
  try {
    await submit({ form, url: form.action, options, place: chooser?.dataset.place });
  } finally {
    settling.delete(chooser);
  }
}

// Whether a button is there but does nothing now.
export const isOff = (button) => button?.getAttribute("aria-disabled") === "true";

// What could not be sent while nobody answered.
export function sendAgain() {
  const again = unsent;
  unsent = null;
  if (again) submit(again);
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

export function countChange() { changes += 1; }

// Whether something was changed since a mark was taken, or is about to be: what was asked for before that is out of date.
export const mark = () => changes;
export const isNewer = (before) => before !== changes || waiting > 0;
