// The outer cards of a layout, pointed out on the photograph: handles that are dragged, moved by the arrow keys, or put
// in their places one after the other by plain taps. Where they are stands in the fields of the form.
import { say } from "./parts.js";

const STEP = 0.5, LARGE = 5;
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const SVG = "http://www.w3.org/2000/svg";

const JITTER = 4;

// Taps place the handles in their order; once all are placed a tap moves the nearest one.
let fold = null, layer = null, next = 0, isDragged = false;

const chosen = () => fold.querySelector("#layout").selectedOptions[0].dataset;
const group = () => fold.querySelector(`div[data-kind=${chosen().kind}]`);
const sets = () => [...group().querySelectorAll("[data-corner]")];
const fields = (set) => [...set.querySelectorAll("input")];
const points = () => sets().map((set) => fields(set).map((field) => Number(field.value) || 0));
const named = (set) => set.querySelector("legend").textContent;

function told(set) {
  const [across, down] = fields(set).map((field) => field.value);
  return fold.dataset.at.replace("{what}", named(set)).replace("{across}", across).replace("{down}", down);
}

// Where the other cards lie, about: the cards found are looked for near there.
function pyramid([[ax, ay], [bx, by], [cx, cy]]) {
  const last = Number(chosen().rows) - 1;
  const dots = [];
  for (let row = 0; row <= last; row++) {
    for (let column = 0; column <= row; column++) {
      const [down, right] = [(row - column) / last, column / last];
      dots.push(`M${ax + (bx - ax) * down + (cx - ax) * right} ${ay + (by - ay) * down + (cy - ay) * right}h0`);
    }
  }
  return [`M${ax} ${ay}L${bx} ${by}L${cx} ${cy}Z`, dots.join("")];
}

// The base column, and as far as the half rows reach to both sides.
function halfRows([[ax, ay], [bx, by], ...ends]) {
  const [wide, high] = [bx - ax, by - ay];
  const down = [0, 1, 2, 3].map((row) => [ax + (wide * row) / 3, ay + (high * row) / 3]);
  const sides = ends.map(([x, y]) => {
    const far = ((x - ax) * wide + (y - ay) * high) / (wide * wide + high * high || 1);
    return [x - far * wide, y - far * high, x + (1 - far) * wide, y + (1 - far) * high];
  });
  const lines = [[ax, ay, bx, by], ...sides].map(([x, y, u, v]) => `M${x} ${y}L${u} ${v}`);
  return [lines.join(""), down.map(([x, y]) => `M${x} ${y}h0`).join("")];
}

function draw() {
  const [line, dots] = (chosen().kind === "rows" ? halfRows : pyramid)(points());
  for (const [number, path] of layer.querySelectorAll("path").entries()) path.setAttribute("d", number < 2 ? line : dots);
  for (const [number, handle] of layer.querySelectorAll(".handle").entries()) {
    const set = sets()[number];
    const [across, down] = fields(set).map((field) => field.value);
    handle.style.left = `${across}%`;
    handle.style.top = `${down}%`;
    handle.setAttribute("aria-label", told(set));
    handle.classList.toggle("is-next", number === next);
  }
}

function put(number, at) {
  fields(sets()[number]).forEach((field, way) => { field.value = Math.min(Math.max(at[way], 0), 100).toFixed(1); });
  draw();
}

function shareOf(event) {
  const box = layer.getBoundingClientRect();
  return [((event.clientX - box.left) / box.width) * 100, ((event.clientY - box.top) / box.height) * 100];
}

function drag(handle, number) {
  handle.addEventListener("pointerdown", (event) => {
    handle.setPointerCapture(event.pointerId);
    const [held, there] = [shareOf(event), points()[number]];
    isDragged = false;
    const move = (moved) => {
      isDragged ||= Math.hypot(moved.clientX - event.clientX, moved.clientY - event.clientY) > JITTER;
      if (!isDragged) return;
      const at = shareOf(moved);
      put(number, [there[0] + at[0] - held[0], there[1] + at[1] - held[1]]);
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("lostpointercapture", () => handle.removeEventListener("pointermove", move), { once: true });
  });
  handle.addEventListener("keydown", (event) => {
    const way = KEYS[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const step = event.shiftKey ? LARGE : STEP;
    const [across, down] = points()[number];
    put(number, [across + way[0] * step, down + way[1] * step]);
    say(told(sets()[number]));
  });
}

function nearest([across, down]) {
  const far = points().map(([x, y]) => Math.hypot(x - across, y - down));
  return far.indexOf(Math.min(...far));
}

function tap(event) {
  // Nothing is corrected meanwhile by a tap on a card.
  event.preventDefault();
  event.stopPropagation();
  const [wasDragged, byKey] = [isDragged, !event.detail];
  isDragged = false;
  if (wasDragged || byKey) return;
  const number = next < sets().length ? next++ : nearest(shareOf(event));
  put(number, shareOf(event));
  if (next < sets().length) say(fold.dataset.now.replace("{what}", named(sets()[next])));
}

function path(kind) {
  const drawn = document.createElementNS(SVG, "path");
  drawn.setAttribute("class", kind);
  return drawn;
}

function remove() {
  layer?.parentElement?.removeEventListener("click", tap, true);
  layer?.remove();
  layer = null;
}

function show() {
  remove();
  for (const other of fold.querySelectorAll("div[data-kind]")) other.hidden = other !== group();
  const figure = document.querySelector(".photo figure");
  layer = Object.assign(document.createElement("div"), { className: "handles" });
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  svg.append(path("mesh under"), path("mesh"), path("spots under"), path("spots"));
  layer.append(svg);
  for (const number of sets().keys()) {
    const handle = Object.assign(document.createElement("button"), { type: "button", className: "handle" });
    handle.append(Object.assign(document.createElement("span"), { textContent: number + 1 }));
    handle.setAttribute("aria-describedby", "corners-how");
    drag(handle, number);
    layer.append(handle);
  }
  figure.append(layer);
  figure.addEventListener("click", tap, true);
  layer.addEventListener("pointerdown", () => { isDragged = false; }, true);
  draw();
  figure.scrollIntoView({ block: "nearest" });
}

// Called whenever the fold is opened or closed.
export function pointOut(opened) {
  fold = opened;
  next = 0;
  if (fold.open) show();
  else remove();
}

document.addEventListener("input", (event) => { if (layer && event.target.closest("[data-corners]")) draw(); });
document.addEventListener("change", (event) => {
  if (!layer || event.target.id !== "layout") return;
  next = 0;
  show();
});

document.addEventListener("submit", (event) => {
  const asked = event.target.closest("[data-corners]");
  if (asked && document.querySelector("[data-table]")) asked.open = false;
});

// The fold itself may have been put in place anew, or what stands in it.
document.addEventListener("placed", (event) => {
  const now = document.querySelector("[data-corners]");
  if (now && (now !== fold || event.detail.includes("corners"))) pointOut(now);
});
