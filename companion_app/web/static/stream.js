// What a camera of this device sees; nothing where it cannot be used, which is then told.
import { complain } from "./parts.js";

const VIDEO = { width: { ideal: 1920 }, facingMode: { ideal: "environment" } };

// Why there is no camera, in the language of the page; of what is rare, the name that browsers have for it.
function whyNoCamera({ name }) {
  return document.body.dataset[name[0].toLowerCase() + name.slice(1)] ?? name;
}

export async function opened(missing) {
  try {
    const stream = await navigator.mediaDevices.getUserMedia({ video: VIDEO, audio: false });
    complain("");
    return stream;
  } catch (error) {
    complain(missing.replace("{why}", whyNoCamera(error)));
    return null;
  }
}
