// Hints and moves spoken by the browser itself, loaded only where they are wanted. What is spoken stands in the live
// region as well; nothing waits for a voice.
import { spoken } from "./place.js";

const TOLD = ["story", "said"];
const PATIENCE = 1000;
const { speechSynthesis: synth } = window;

const bar = document.getElementById("speech");
const box = document.getElementById("speech-on");
const says = document.getElementById("speech-says");
const main = (tag) => tag.replace("_", "-").split("-")[0].toLowerCase();

let isOn = false;
let pending = [];
const heard = new Map();

// A voice of the page's language that sends nothing anywhere; Norwegian voices have either of two codes.
function voice() {
  const here = document.documentElement.lang;
  const codes = here === "nb" ? ["nb", "no"] : [here];
  const voices = synth ? synth.getVoices().filter((one) => one.localService && codes.includes(main(one.lang))) : [];
  return voices.find((one) => one.default) ?? voices[0];
}

// Joints that are signs on the page are pauses.
const plain = (text) => text.replace(/\s*(?:\n+)\s*/g, ". ").replace(/\s+[+→]\s+/g, ", ").replace(/([:.?!…])\./g, "$1");

function say(part, text) {
  const chosen = voice();
  if (!chosen) return;
  const utterance = Object.assign(new SpeechSynthesisUtterance(text), { voice: chosen, lang: chosen.lang });
  const one = { part, text, utterance, begun: false };
  utterance.onstart = () => { one.begun = true; };
  utterance.onend = utterance.onerror = () => { pending = pending.filter((other) => other !== one); };
  pending.push(one);
  synth.speak(utterance);
}

export function stop() {
  pending = [];
  synth?.cancel();
}

// What is newer takes the place of what it follows: a move that of an older move and its hint, a hint that of a hint.
function tell(part, text) {
  if (part === "story" || pending.some((one) => one.part === part)) {
    const left = part === "story" ? [] : pending.filter((one) => one.part !== part && !one.begun);
    stop();
    for (const one of left) say(one.part, one.text);
  }
  say(part, plain(text));
}

function hear(event) {
  if (!isOn || document.hidden) return;
  for (const [part, text] of event.detail) {
    if (!TOLD.includes(part) || !text.trim() || heard.get(part) === text) continue;
    heard.set(part, text);
    tell(part, text);
  }
}

// What the answer says now.
function answer() {
  const parts = [...document.querySelectorAll(".story:not([hidden]) [data-say], .said[data-part]")];
  return parts.map(spoken).join("\n");
}

export function repeat() {
  stop();
  say("again", plain(answer()));
}

// Browsers find their voices while the page is open already.
const voices = () => new Promise((done) => {
  if (!synth || synth.getVoices().length) return done();
  synth.addEventListener("voiceschanged", done, { once: true });
  setTimeout(done, PATIENCE);
});

function tellVoice() {
  bar.hidden = !isOn || !voice();
  says.textContent = isOn && !voice() ? box.dataset.none : "";
}

export async function turn(on, { aloud = false } = {}) {
  isOn = on;
  stop();
  if (on) await voices();
  tellVoice();
  if (isOn && aloud) say("on", box.dataset.begun);
}

document.addEventListener("told", hear);
synth?.addEventListener?.("voiceschanged", tellVoice);
bar.querySelector("#speech-repeat").addEventListener("click", repeat);
bar.querySelector("#speech-stop").addEventListener("click", stop);
addEventListener("pagehide", stop);
