// The computer's camera: asked for only when its button is pressed, off again as soon as the picture is taken. Where
// cards are shown one after the other (`data-stay`) it stays on until it is closed.

import { closed, opened } from "./stream.js";

const QUALITY = 0.92;

const box = document.getElementById("camera");
const view = document.getElementById("camera-view");
const lens = box.querySelector("[data-lens]");
const take = box.querySelector("[data-camera-take]");
let stream = null, start = null, takeIn = null;

function stop() {
  closed(stream);
  stream = null;
  view.srcObject = null;
  box.hidden = true;
  start.focus();
}

function see(found) {
  if (!found) {
    stop();
    return;
  }
  stream = found;
  view.srcObject = found;
  take.disabled = true;
  view.play().catch(() => {});
}

// Show what the camera sees, for the button that asked; `withPicture` is given each picture that is taken and what the
// button takes it for.
export async function film(button, withPicture) {
  [start, takeIn] = [button, withPicture];
  closed(stream);
  const found = await opened(button.dataset.missing, lens, see);
  if (!found) return;
  box.hidden = false;
  see(found);
  box.scrollIntoView({ block: "nearest" });
}

view.addEventListener("loadeddata", () => {
  take.disabled = false;
  if (!lens.contains(document.activeElement)) take.focus();
});

box.querySelector("[data-camera-stop]").addEventListener("click", stop);

take.addEventListener("click", () => {
  const canvas = Object.assign(document.createElement("canvas"), { width: view.videoWidth, height: view.videoHeight });
  canvas.getContext("2d").drawImage(view, 0, 0);
  const { camera } = start.dataset;
  if (!("stay" in box.dataset)) stop();
  canvas.toBlob((blob) => takeIn(new File([blob], "camera.jpg", { type: "image/jpeg" }), camera), "image/jpeg", QUALITY);
});
