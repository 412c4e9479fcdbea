// The camera above the table: a small frame every second tells whether anything changed, only then a whole one is read.
// Over what it sees lie the outlines of the cards as last read, for as long as they lie there.

import { pageOf, problemOf } from "./parts.js";
import { putInPlace } from "./place.js";
import { closed, opened } from "./stream.js";

const GLANCE = 320;
const QUALITY = 0.92;
const PAUSE = { moving: 400, unchanged: 1000, changed: 400, bumped: 400 };

function drawn(source, width, height) {
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d").drawImage(source, 0, 0, width, height);
  return canvas;
}

async function posted(url, canvas) {
  const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
  const body = new FormData();
  body.append("picture", new File([blob], "camera.jpg", { type: "image/jpeg" }));
  const headers = { Accept: "application/problem+json" };
  const gone = () => { throw new Error(document.body.dataset.gone); };
  const answer = await fetch(url, { method: "POST", body, headers }).catch(gone);
  if (!answer.ok) throw await problemOf(answer);
  return answer.text().catch(gone);
}

export function watchTable() {
  const box = document.getElementById("watch");
  if (!box) return;
  const url = document.querySelector("[data-table]").dataset.table;
  const [seen, view] = [document.getElementById("watch-seen"), document.getElementById("watch-view")];
  const says = document.getElementById("watch-says");
  const [start, stop] = [document.getElementById("watch-start"), document.getElementById("watch-stop")];
  const controls = document.getElementById("watch-controls");
  let stream = null;

  // Outlines of another picture, as of another camera's, would lie elsewhere.
  function outline(on) {
    const { width, height } = seen.querySelector(".overlay")?.viewBox.baseVal ?? {};
    const fits = width * view.videoHeight === height * view.videoWidth;
    seen.classList.toggle("is-outlined", on && fits && view.videoWidth > 0);
  }

  function tell(text) {
    if (says.textContent !== text) says.textContent = text;
  }

  function show(on) {
    for (const item of [seen, says, controls]) item.hidden = !on;
    start.hidden = on;
  }

  function end() {
    closed(stream);
    stream = null;
    view.srcObject = null;
    outline(false);
    show(false);
    start.focus();
  }

  // What the whole frame shows; null where meanwhile another camera looks on, or none.
  async function read(url, whole, mine) {
    const answer = await posted(url, whole);
    return mine === stream ? answer : null;
  }

  // Frames are looked at one after the other, so that a slow computer falls behind by none.
  async function look(mine) {
    let pause = PAUSE.unchanged;
    try {
      if (document.hidden) outline(false);
      else if (view.videoWidth) {
        const whole = drawn(view, view.videoWidth, view.videoHeight);
        const small = drawn(whole, GLANCE, Math.round((whole.height * GLANCE) / whole.width));
        const { sight, says: told, outlined, restless } = JSON.parse(await posted(`${url}/glance`, small));
        if (mine !== stream) return;
        tell(told);
        outline(outlined);
        pause = PAUSE[sight];
        if (sight === "changed" || sight === "bumped") {
          const page = await read(`${url}/watched`, whole, mine);
          if (page) await putInPlace(pageOf(page));
        } else if (restless) {
          const answer = await read(`${url}/look-into`, whole, mine);
          if (answer) tell(JSON.parse(answer).says);
        }
      }
    } catch (error) {
      // A frame for which there was no room counts as not seen: the next glance finds the table changed again.
      tell(error.code === "busy" ? box.dataset.busy : box.dataset.failed.replace("{why}", error.message));
      outline(false);
    }
    if (mine === stream) setTimeout(look, pause, mine);
  }

  async function see(found) {
    if (!found) {
      end();
      return;
    }
    stream = found;
    view.srcObject = found;
    outline(false);
    tell(box.dataset.moving);
    await view.play().catch(() => {});
    if (found === stream) look(found);
  }

  start.addEventListener("click", async () => {
    const found = await opened(box.dataset.missing, seen.querySelector("[data-lens]"), see);
    if (!found) return;
    show(true);
    stop.focus();
    await see(found);
  });

  stop.addEventListener("click", end);
  // A phone was turned.
  view.addEventListener("resize", () => outline(false));
}
