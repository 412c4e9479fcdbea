// What a camera of this device sees; nothing where it cannot be used, which is then told.
import { complain } from "./parts.js";

// Browsers offer zoom only where it was asked for; those without it pass it over.
const VIDEO = { width: { ideal: 1920 }, zoom: true };
const CHOSEN = "cardtable-camera";

// Why there is no camera, in the language of the page; of what is rare, with the name that browsers have for it.
function whyNoCamera({ name }) {
  const { otherError, ...known } = document.body.dataset;
  return known[name[0].toLowerCase() + name.slice(1)] ?? otherError.replace("{why}", name);
}

function remembered() {
  try { return localStorage.getItem(CHOSEN); } catch { return null; }
}

function remember(device) {
  try { localStorage.setItem(CHOSEN, device); } catch { /* for this time alone, then */ }
}

export function closed(stream) {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

async function filming(device, missing) {
  const which = device ? { deviceId: { exact: device } } : { facingMode: { ideal: "environment" } };
  try {
    const stream = await navigator.mediaDevices.getUserMedia({ video: { ...VIDEO, ...which }, audio: false });
    complain("");
    return stream;
  } catch (error) {
    // The one chosen has been unplugged: there may be others.
    if (device && error.name === "OverconstrainedError") return filming(null, missing);
    complain(missing.replace("{why}", whyNoCamera(error)));
    return null;
  }
}

// The camera chosen before, or the one that looks away from the player. In `box` another one can be chosen: `changed` is
// then given what that sees, or null where it cannot be used; the former is closed before, for few devices film with two
// at once.
export async function opened(missing, box, changed) {
  const stream = await filming(remembered(), missing);
  if (!stream) return null;
  const { offer } = await import("./lens.js");
  const another = async (former, device) => {
    closed(former);
    const next = await filming(device, missing);
    if (next) remember(next.getVideoTracks()[0].getSettings().deviceId ?? device);
    if (next && box.closest("[hidden]")) closed(next);
    else changed(next);
    if (next) await offer(box, next, another);
  };
  await offer(box, stream, another);
  return stream;
}
