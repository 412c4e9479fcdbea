// The camera above the table: a small frame every second tells whether anything changed, only then a whole one is read.

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
  let stream = null;
  // Why the last whole frame could not be read: that stands for as long as the table does not change.
  let unread = false;

  function tell(text) {
    if (says.textContent !== text) says.textContent = text;
  }

  function show(on) {
    for (const item of [seen, says, stop]) item.hidden = !on;
    start.hidden = on;
  }

  function end() {
    closed(stream);
    stream = null;
    view.srcObject = null;
    show(false);
    start.focus();
  }

  // Frames are looked at one after the other, so that a slow computer falls behind by none.
  async function look(mine) {
    let pause = PAUSE.unchanged;
    try {
      if (view.videoWidth && !document.hidden) {
        const whole = drawn(view, view.videoWidth, view.videoHeight);
        const small = drawn(whole, GLANCE, Math.round((whole.height * GLANCE) / whole.width));
        const { sight } = JSON.parse(await posted(`${url}/glance`, small));
        if (mine !== stream) return;
        unread &&= sight === "unchanged";
        if (!unread) tell(box.dataset[sight]);
        pause = PAUSE[sight];
        if (sight === "changed" || sight === "bumped") {
          const page = await posted(`${url}/watched`, whole);
          if (mine !== stream) return;
          await putInPlace(pageOf(page));
        }
      }
    } catch (error) {
      // A frame for which there was no room counts as not seen: the next glance finds the table changed again.
      unread = Boolean(error.code) && error.code !== "busy";
      tell(error.code === "busy" ? box.dataset.busy : box.dataset.failed.replace("{why}", error.message));
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
}
