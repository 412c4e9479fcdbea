// The computer's camera: asked for only when its button is pressed, off again as soon as the picture is taken. Where
// cards are shown one after the other (`data-stay`) it stays on until it is closed.
import { whyNoCamera } from "./parts.js";

const WIDTH = 1920;
const QUALITY = 0.92;

const box = document.getElementById("camera");
const view = document.getElementById("camera-view");
const take = box.querySelector("[data-camera-take]");
let stream = null, start = null, takeIn = null;

function stop() {
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = null;
  view.srcObject = null;
  box.hidden = true;
  start.focus();
}

// Show what the camera sees, for the button that asked; `withPicture` is given each picture that is taken and what the
// button takes it for.
export async function film(button, withPicture, complain) {
  [start, takeIn] = [button, withPicture];
  try {
    const video = { width: { ideal: WIDTH }, facingMode: { ideal: "environment" } };
    stream = await navigator.mediaDevices.getUserMedia({ video, audio: false });
  } catch (error) {
    complain(button.dataset.missing.replace("{why}", whyNoCamera(error)));
    return;
  }
  complain("");
  view.srcObject = stream;
  box.hidden = false;
  take.disabled = true;
  view.play().catch(() => {});
  box.scrollIntoView({ block: "nearest" });
}

view.addEventListener("loadeddata", () => {
  take.disabled = false;
  take.focus();
});

box.querySelector("[data-camera-stop]").addEventListener("click", stop);

take.addEventListener("click", () => {
  const canvas = Object.assign(document.createElement("canvas"), { width: view.videoWidth, height: view.videoHeight });
  canvas.getContext("2d").drawImage(view, 0, 0);
  const { camera } = start.dataset;
  if (!("stay" in box.dataset)) stop();
  canvas.toBlob((blob) => takeIn(new File([blob], "camera.jpg", { type: "image/jpeg" }), camera), "image/jpeg", QUALITY);
});
