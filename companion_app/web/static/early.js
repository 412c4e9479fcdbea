// What is sent or chosen before the scripts of the page are there waits for them; where they do not come it goes the
// plain way. Loaded before anything can be pressed, so this file stays small.
(() => {
  const held = [];
  const hold = (event) => {
    if (!event.target.matches("form[data-swap], form[data-busy], [data-submit]")) return;
    event.preventDefault();
    event.stopPropagation();
    held.push(event);
  };
  const plainly = (event) => { if (event.target.matches("[data-submit]")) event.target.form.requestSubmit(); };
  const release = (change) => {
    for (const kind of ["submit", "change"]) document.removeEventListener(kind, hold, true);
    for (const event of held.splice(0)) event.type === "submit" ? event.target.requestSubmit(event.submitter) : change(event);
  };
  for (const kind of ["submit", "change"]) document.addEventListener(kind, hold, true);
  document.addEventListener("ready", () => {
    removeEventListener("load", alone);
    release(({ target }) => target.dispatchEvent(new Event("change", { bubbles: true })));
  }, { once: true });
  function alone() {
    release(plainly);
    document.addEventListener("change", plainly);
  }
  addEventListener("load", alone);
})();
