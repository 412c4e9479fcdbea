// What a camera of this device sees; nothing where it cannot be used, which is then told.
import { complain } from "./parts.js";

const VIDEO = { width: { ideal: 1920 }, facingMode: { ideal: "environment" } };

export async function opened(missing) {
  try {
    const stream = await navigator.mediaDevices.getUserMedia({ video: VIDEO, audio: false });
    complain("");
    return stream;
  } catch (error) {
    complain(missing.replace("{why}", error.message || error.name));
    return null;
  }
}
