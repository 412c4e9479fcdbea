// Which camera looks on, its light, zoom and exposure: offered as far as browser and camera have them, else not shown.
import { complain } from "./parts.js";

const named = (name) => document.getElementById(`lens-${name}`);

function show(control, offered) {
  control.closest(".field, .switch").hidden = !offered;
  return Boolean(offered);
}

// A range as the camera has it.
function span(control, range, now) {
  if (!show(control, range && range.max > range.min)) return false;
  const usual = Math.min(Math.max(0, range.min), range.max);
  Object.assign(control, { min: range.min, max: range.max, step: range.step || "any", value: now ?? usual });
  return true;
}

// Cameras round to their steps.
const isLike = (has, wanted, step = 0) => (typeof wanted === "number" ? Math.abs(has - wanted) <= step : has === wanted);

async function devices(control, now) {
  const found = await navigator.mediaDevices.enumerateDevices?.().catch(() => []) ?? [];
  const cameras = found.filter(({ kind, deviceId }) => kind === "videoinput" && deviceId);
  const kind = control.labels[0].textContent;
  control.replaceChildren(...cameras.map(({ deviceId, label }, at) => new Option(label || `${kind} ${at + 1}`, deviceId)));
  control.value = now;
  return show(control, cameras.length > 1);
}

// Offer in `box` what the camera of `stream` can; `another` is given the stream and the camera chosen instead.
export async function offer(box, stream, another) {
  const [track] = stream.getVideoTracks();
  const can = track.getCapabilities?.() ?? {};
  const now = track.getSettings?.() ?? {};
  const [device, torch, zoom, auto, exposure] = ["device", "torch", "zoom", "auto", "exposure"].map(named);
  // A correction of what the camera finds right is simpler for a player than a time, where there is one.
  const corrects = can.exposureCompensation?.max > can.exposureCompensation?.min;
  const times = !corrects && can.exposureTime && can.exposureMode?.includes("manual");
  const name = corrects ? "exposureCompensation" : "exposureTime";
  // Each call takes the place of the one before, so all that was set is said again.
  const wanted = {};
  let calls = 0;

  // Shown is what the camera has: some take a setting and keep their own.
  function reflect() {
    const has = track.getSettings?.() ?? {};
    if ("torch" in has) torch.checked = has.torch;
    if ("zoom" in has) zoom.value = has.zoom;
    if ("exposureMode" in has) auto.checked = has.exposureMode === "continuous";
    if (name in has) exposure.value = has[name];
    return has;
  }

  async function set(values) {
    const call = ++calls;
    Object.assign(wanted, values);
    if (wanted.exposureMode === "continuous" && !corrects) delete wanted.exposureTime;
    const forget = () => { for (const key of Object.keys(values)) delete wanted[key]; };
    try {
      await track.applyConstraints({ advanced: [wanted] });
      // What was asked since is answered later.
      if (call !== calls) return;
      const has = reflect();
      const isKept = Object.entries(values).some(([key, value]) => key in has && !isLike(has[key], value, can[key].step));
      if (isKept) forget();
      complain(isKept ? box.dataset.notTaken : "");
    } catch (error) {
      forget();
      reflect();
      complain(box.dataset.notSet.replace("{why}", error.message || error.name));
    }
  }

  const offered = [
    await devices(device, now.deviceId),
    show(torch, can.torch === true || can.torch?.includes?.(true)),
    span(zoom, can.zoom, now.zoom),
    show(auto, times && can.exposureMode.includes("continuous")),
    span(exposure, corrects || times ? can[name] : null, now[name]),
  ];
  torch.checked = now.torch === true;
  auto.checked = now.exposureMode === "continuous";
  device.onchange = () => another(stream, device.value);
  torch.onchange = () => set({ torch: torch.checked });
  zoom.onchange = () => set({ zoom: zoom.valueAsNumber });
  auto.onchange = () => set(auto.checked ? { exposureMode: "continuous" } : { exposureMode: "manual" });
  exposure.onchange = () => {
    if (times) auto.checked = false;
    set({ ...(times ? { exposureMode: "manual" } : {}), [name]: exposure.valueAsNumber });
  };
  // Enter in a field would send the form around it.
  box.onkeydown = (event) => { if (event.key === "Enter" && event.target.matches("input")) event.preventDefault(); };
  box.hidden = !offered.some(Boolean);
}
