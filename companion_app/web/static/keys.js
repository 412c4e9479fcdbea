// Single keys for what is done most, the list of them, and the switches for keys and speech, which this device remembers.
import { isOff } from "./parts.js";

const HELP = "ears";
const TYPED_IN = "input:not([type=checkbox], [type=file]), textarea, select, [contenteditable], .chooser *, .chooser";

export const stored = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
export const keep = (name, value) => { try { localStorage.setItem(name, value); } catch { /* for this page alone, then */ } };

let speech = null;

function press(selector) {
  const found = [...document.querySelectorAll(selector)].find((each) => !isOff(each) && each.offsetParent);
  (found?.control ?? found)?.click();
}

function hint(way) {
  const step = document.querySelector(".step[aria-pressed=true]");
  if (step) press(`#step-${Number(step.value) + way}`);
}

function help() {
  const fold = document.getElementById(HELP);
  fold.open = true;
  fold.querySelector("summary").focus();
  fold.scrollIntoView({ block: "nearest" });
}

const KEYS = {
  h: () => hint(1),
  g: () => hint(-1),
  r: () => speech?.repeat(),
  s: () => speech?.stop(),
  u: () => press("#undo"),
  y: () => press("#redo"),
  n: () => press("[data-part=next] label"),
  w: () => press("#watch-start, #watch-stop"),
  "?": help,
};

async function speak(on, how) {
  if (on) speech ??= await import("./speech.js");
  speech?.turn(on, how);
}

export function watchKeys() {
  const [keys, voice] = [document.getElementById("keys-on"), document.getElementById("speech-on")];
  if (!keys) return;
  keys.checked = stored("keys") !== "off";
  voice.checked = stored("speech") === "on";
  if (voice.checked) speak(true);
  keys.addEventListener("change", () => keep("keys", keys.checked ? "on" : "off"));
  voice.addEventListener("change", () => {
    keep("speech", voice.checked ? "on" : "off");
    speak(voice.checked, { aloud: true });
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") speech?.stop();
    if (!keys.checked || event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
    if (event.target.matches?.(TYPED_IN)) return;
    const done = KEYS[event.key.toLowerCase()];
    if (!done) return;
    event.preventDefault();
    done();
  });
}
