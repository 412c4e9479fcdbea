// The computer's camera: asked for only when its button is pressed, off again as soon as the picture is taken. Where
// cards are shown one after the other (`data-stay`) it stays on until it is closed.

const WIDTH = 1920;
const QUALITY = 0.92;

export function watchCamera(withPicture, complain) {
  const box = document.getElementById("camera");
  if (!box) return;
  const view = document.getElementById("camera-view");
  const take = box.querySelector("[data-camera-take]");
  const start = document.querySelector("[data-camera]");
  let stream = null;

  function stop() {
    for (const track of stream?.getTracks() ?? []) track.stop();
    stream = null;
    view.srcObject = null;
    box.hidden = true;
    start.focus();
  }

  start.addEventListener("click", async () => {
    try {
      const video = { width: { ideal: WIDTH }, facingMode: { ideal: "environment" } };
      stream = await navigator.mediaDevices.getUserMedia({ video, audio: false });
    } catch (error) {
      complain(start.dataset.missing.replace("{why}", error.message || error.name));
      return;
    }
    complain("");
    view.srcObject = stream;
    box.hidden = false;
    take.disabled = true;
    view.play().catch(() => {});
  });

  view.addEventListener("loadeddata", () => {
    take.disabled = false;
    take.focus();
  });

  box.querySelector("[data-camera-stop]").addEventListener("click", stop);
  take.addEventListener("click", () => {
    const canvas = document.createElement("canvas");
    canvas.width = view.videoWidth;
    canvas.height = view.videoHeight;
    canvas.getContext("2d").drawImage(view, 0, 0);
    if (!("stay" in box.dataset)) stop();
    canvas.toBlob((blob) => withPicture(new File([blob], "camera.jpg", { type: "image/jpeg" })), "image/jpeg", QUALITY);
  });
}
