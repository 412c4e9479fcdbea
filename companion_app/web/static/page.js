// The page's own behaviour: sends forms without leaving the page, and puts in place only the parts that changed.
import { watchBoard } from "./board.js";
import { watchCamera } from "./camera.js";
import { watchPointing } from "./pointing.js";
import { isHeld, thinkOn } from "./think.js";
import { watchTable } from "./watch.js";

const status = document.getElementById("status");
const alertBox = document.getElementById("alert");
let waiting = 0;
let changes = 0;

export function say(text) {
  status.textContent = "";
  requestAnimationFrame(() => { status.textContent = text; });
}

function complain(text) {
  alertBox.textContent = text;
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

async function problemText(answer) {
  try {
    return (await answer.json()).detail;
  } catch {
    return `${answer.status} ${answer.statusText}`;
  }
}

async function request(url, options, form) {
  changes += 1;
  busy(form, true);
  try {
    const answer = await fetch(url, { ...options, headers: { Accept: "application/problem+json" } });
    if (!answer.ok) {
      complain(await problemText(answer));
      return null;
    }
    complain("");
    return { url: answer.url, page: new DOMParser().parseFromString(await answer.text(), "text/html") };
  } catch (error) {
    complain(String(error.message || error));
    return null;
  } finally {
    busy(form, false);
  }
}

// What a part has to say, without the names of its buttons.
function spoken(part) {
  if (!part.querySelector("button")) return part.innerText;
  return [...part.children].filter((child) => !child.querySelector("button")).map((child) => child.innerText).join("\n");
}

// Say what new parts have to say, all at once; a part whose key is the one before says nothing new.
function announce(replaced) {
  const texts = [];
  for (const [old, fresh] of replaced) {
    if (fresh.dataset.key && fresh.dataset.key === old.dataset.key) continue;
    for (const said of [fresh, ...fresh.querySelectorAll("[data-say]")]) {
      if (said.dataset.say === "alert") complain(spoken(said));
      else if (said.dataset.say && !said.hidden) texts.push(spoken(said));
    }
  }
  if (texts.length) say(texts.join("\n"));
}

// The cell of the board that Tab reaches stays the same.
function keepReached(old, fresh) {
  const id = old.querySelector(".cell[tabindex='0']")?.id;
  if (!id || !fresh.querySelector(`#${id}`)) return;
  for (const cell of fresh.querySelectorAll(".cell")) cell.setAttribute("tabindex", cell.id === id ? "0" : "-1");
}

// Replace every part whose text differs; what was opened stays open, what had the focus gets it back, or what now stands
// first in its part. False where the page has other parts than this one.
function putInPlace(page) {
  changes += 1;
  // What was said of a breach goes with the breach, however the page came here.
  if (!page.querySelector("[data-say=alert]")) complain("");
  const placed = replaceParts(page, () => false);
  if (placed) lookForBetter();
  return placed;
}

// The same for a better answer to what was asked, which lets nothing below it move up; true where a part in use was held
// back.
function putBetterInPlace(page) {
  let held = false;
  replaceParts(page, (old, fresh) => {
    keepReached(old, fresh);
    if (fresh.matches(".said")) fresh.style.minHeight = `${old.getBoundingClientRect().height}px`;
    const holds = isHeld(old) && old.outerHTML !== fresh.outerHTML;
    held ||= holds;
    return holds;
  });
  return held;
}

function replaceParts(page, isLeft) {
  const focused = document.activeElement?.id;
  const part = focused && document.activeElement.closest("[data-part]")?.dataset.part;
  const replaced = [];
  for (const fresh of page.querySelectorAll("[data-part]")) {
    const old = document.querySelector(`[data-part="${fresh.dataset.part}"]`);
    if (!old) return false;
    if (old.tagName === "DETAILS") fresh.open = old.open;
    for (const inner of fresh.querySelectorAll("details")) inner.open = Boolean(old.querySelector("details[open]"));
    if (isLeft(old, fresh) || old.outerHTML === fresh.outerHTML) continue;
    old.replaceWith(document.adoptNode(fresh));
    replaced.push([old, fresh]);
  }
  announce(replaced);
  document.title = page.title;
  showOutlines();
  const first = part && document.querySelector(`[data-part="${part}"] :is(summary, button, a, select)`);
  if (focused) (document.getElementById(focused) ?? first ?? document.getElementById("main"))?.focus({ preventScroll: true });
  return true;
}

export async function follow(url) {
  const found = await request(url, {}, null);
  if (found) putInPlace(found.page);
  return Boolean(found);
}

async function send(form, submitter) {
  const body = new FormData(form, submitter);
  const multipart = form.enctype === "multipart/form-data";
  const found = await request(form.action, { method: "POST", body: multipart ? body : new URLSearchParams(body) }, form);
  if (!found) return;
  if (!form.hasAttribute("data-swap") || !putInPlace(found.page)) location.assign(found.url);
  else if (form.closest(".chooser")) focusCell(body.get("place"));
}

function focusCell(place) {
  document.getElementById(`cell-${place.replaceAll(" ", "-")}`)?.focus();
}

async function openChooser(place) {
  const table = document.querySelector("[data-table]");
  if (!(await follow(`${table.dataset.table}?place=${encodeURIComponent(place)}`))) return;
  const chooser = document.querySelector(".chooser");
  (chooser?.querySelector("[data-first]") ?? chooser?.querySelector("[aria-pressed=true]") ?? chooser?.querySelector("button"))?.focus();
}

async function closeChooser() {
  const place = document.querySelector(".chooser")?.dataset.place;
  await follow(document.querySelector("[data-table]").dataset.table);
  if (place) focusCell(place);
}

function showOutlines() {
  const box = document.querySelector("[data-outlines]");
  if (!box) return;
  const wanted = sessionStorage.getItem("outlines") !== "no";
  box.checked = wanted;
  document.querySelector(".over")?.classList.toggle("is-hidden", !wanted);
}

function withPicture(file) {
  const form = document.querySelector("#opener, [data-part=next] form");
  const field = form?.querySelector("input[type=file]");
  if (!field) return;
  const carrier = new DataTransfer();
  carrier.items.add(file);
  field.files = carrier.files;
  send(form, null);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-swap], [data-busy], [action='/tables']")) return;
  event.preventDefault();
  send(form, event.submitter);
});

document.addEventListener("change", (event) => {
  const field = event.target;
  if (field.matches("[data-outlines]")) {
    sessionStorage.setItem("outlines", field.checked ? "yes" : "no");
    showOutlines();
    return;
  }
  if (!field.matches("[data-submit]")) return;
  if (field.type !== "file") {
    field.form.requestSubmit();
    return;
  }
  for (const other of field.form.querySelectorAll("input[type=file]")) other.disabled = other !== field;
  if (field.files.length) send(field.form, null);
  for (const other of field.form.querySelectorAll("input[type=file]")) other.disabled = false;
  field.value = "";
});

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]");
  if (opener) document.querySelector(`[data-keep="${opener.dataset.opens}"]`).open = true;
  const target = event.target.closest("[data-chooser], [data-close], [data-copy], .seen, .cell");
  if (!target) return;
  if (target.matches("[data-copy]")) {
    const field = document.getElementById(target.dataset.copy);
    field.select();
    navigator.clipboard?.writeText(field.value);
    say(target.dataset.done);
    return;
  }
  event.preventDefault();
  if (target.matches("[data-close]")) closeChooser();
  else openChooser(target.dataset.place ?? new URL(target.href).searchParams.get("place"));
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && document.querySelector(".chooser")) closeChooser();
});

for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    document.body.classList.toggle("is-dropping", kind === "dragover");
    if (kind === "drop" && event.dataTransfer.files.length) withPicture(event.dataTransfer.files[0]);
  });
}

const lookForBetter = thinkOn({
  putInPlace: putBetterInPlace,
  mark: () => changes,
  isNewer: (mark) => mark !== changes || waiting > 0,
});

// A table on show is kept: the server sees that somebody is there.
const STILL_HERE = 10000;

setInterval(() => {
  const table = document.querySelector("[data-table]")?.dataset.table;
  if (table && !document.hidden) fetch(table, { method: "HEAD" }).catch(() => {});
}, STILL_HERE);

watchBoard(openChooser);
watchPointing();
watchCamera(withPicture, complain);
watchTable(putInPlace, complain);
showOutlines();
lookForBetter();
