// Where piles lie on the picture: while that is asked, each tap on the photograph tells one, the stock first.

function nextFields(form) {
  const pairs = [...form.querySelectorAll("fieldset")].map((set) => [...set.querySelectorAll("input")]);
  const open = pairs.find((pair) => pair.some((field) => !field.value));
  if (open) return open;
  for (const field of pairs.flat()) field.value = "";
  return pairs[0];
}

export function watchPointing() {
  document.addEventListener("click", (event) => {
    const picture = event.target.closest?.(".photo figure");
    const form = picture && document.querySelector("[data-pointing][open] form");
    if (!form) return;
    event.preventDefault();
    // Nothing is corrected meanwhile by a tap on a card.
    event.stopPropagation();
    const box = picture.getBoundingClientRect();
    const at = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    nextFields(form).forEach((field, way) => { field.value = (100 * Math.min(Math.max(at[way], 0), 1)).toFixed(1); });
    const left = form.querySelector("input:invalid");
    if (left) left.focus({ preventScroll: true });
    else form.requestSubmit();
  }, true);
  document.addEventListener("submit", (event) => {
    const asked = event.target.closest("[data-pointing]");
    if (asked) asked.open = false;
  });
}
