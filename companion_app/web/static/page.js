// The behaviour of every page: forms, pictures chosen, dropped or taken, what is copied.
import { complain, isOff, say, send } from "./parts.js";


// Only a page that was fetched safely, or from this computer, may use a camera.
if (navigator.mediaDevices?.getUserMedia) document.body.classList.add("can-film");

// What the table is opened for, if several things are offered.
function chooseWay(form, way) {
  const field = form.querySelector("[data-chosen-way]");
  if (field && way) field.value = way;
}

function withPicture(file, way) {
  const form = document.querySelector("#opener, [data-part=next]");
  const field = form?.querySelector("input[type=file]");
  if (!field) return;
  const carrier = new DataTransfer();
  carrier.items.add(file);
  field.files = carrier.files;
  chooseWay(form, way);
  sendFile(field);
}

// Of the fields of a form for a picture only this one is sent, once all else that it needs is filled in.
function sendFile(field) {
  if (!field.form.reportValidity()) {
    field.form.addEventListener("change", () => sendFile(field), { once: true });
    return;
  }
  const fields = [...field.form.querySelectorAll("input[type=file]")];
  for (const other of fields) other.disabled = other !== field;
  if (field.files.length) send(field.form, null);
  for (const other of fields) other.disabled = false;
  field.value = "";
}

async function copy(button) {
  const field = document.getElementById(button.dataset.copy);
  field.select?.();
  try {
    await navigator.clipboard.writeText(field.href ?? field.value);
    say(button.dataset.done);
  } catch {
    complain(button.dataset.not);
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-swap], [data-busy], [action='/tables']")) return;
  event.preventDefault();
  // What cannot be done now stays where it is, so that whoever pressed it last does not lose it.
  if (isOff(event.submitter)) return;
  send(form, event.submitter);
});

// A list gone through by keyboard counts once it is left, or Enter is pressed: each arrow key, and each letter, is a
// change of its own, which comes at once. What is chosen in the list opened counts as it is.
const AT_ONCE = 250;
const STEP = /^(Arrow\w+|Page\w+|Home|End|\S)$/u;
let stepped = -Infinity, chosen = null;

document.addEventListener("keydown", (event) => {
  if (!event.target.matches?.("select[data-submit]")) return;
  if (STEP.test(event.key) && !event.altKey) stepped = event.timeStamp;
  if (event.key === "Enter" && chosen) submitChosen();
});

document.addEventListener("focusout", (event) => {
  if (event.target === chosen) submitChosen();
});

function submitChosen() {
  const { form } = chosen;
  chosen = null;
  form.requestSubmit();
}

document.addEventListener("change", (event) => {
  const field = event.target;
  if (!field.matches("[data-submit]")) return;
  if (field.matches("select") && event.timeStamp - stepped < AT_ONCE) {
    chosen = field;
    return;
  }
  chosen = null;
  if (field.type !== "file") {
    field.form.requestSubmit();
    return;
  }
  chooseWay(field.form, field.dataset.way);
  sendFile(field);
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy], [data-camera]");
  if (!button) return;
  if (button.matches("[data-copy]")) copy(button);
  else (await import("./camera.js")).film(button, withPicture);
});

for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    document.body.classList.toggle("is-dropping", kind === "dragover");
    if (kind === "drop" && event.dataTransfer.files.length) withPicture(event.dataTransfer.files[0]);
  });
}

// A layout is pointed out on the picture.
document.addEventListener("toggle", async (event) => {
  if (event.target.matches("[data-corners]")) (await import("./corners.js")).pointOut(event.target);
}, true);

document.dispatchEvent(new CustomEvent("ready"));
