// While the server thinks on about a hint, or has a camera of its own that may see the table change, what is new is
// looked for and put in place. What the player has the
// pointer or the focus on is held back until both have left it, so that no button changes just before it is pressed.

const PAUSE = 400;
const LIVE_PAUSE = 1000;
const HELD = "[data-hold]:is(:hover, :focus-within)";

const isThinking = () => document.querySelector(".pace.is-thinking");
const isLive = () => document.querySelector("[data-live]") && !document.hidden;

export const isHeld = (part) => part.matches(HELD);

// `isNewer(mark)` tells whether the page has changed since `mark()` was taken, or is about to: then the answer is dropped.
export function thinkOn({ putInPlace, mark, isNewer }) {
  let timer = 0, held = false;

  async function look() {
    if (!isThinking() && document.querySelector(HELD)) {
      timer = setTimeout(look, PAUSE);
      return;
    }
    const now = mark();
    const place = document.querySelector(".chooser")?.dataset.place;
    const { table } = document.querySelector("[data-table]").dataset;
    try {
      const answer = await fetch(place ? `${table}?place=${encodeURIComponent(place)}` : table);
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (!isNewer(now)) held = putInPlace(page);
    } catch {
      // Without the server the answer on show stands; the next press tells.
      return;
    }
    lookAgain();
  }

  function lookAgain() {
    clearTimeout(timer);
    if (held || isThinking()) timer = setTimeout(look, PAUSE);
    else if (document.querySelector("[data-live]")) timer = setTimeout(isLive() ? look : lookAgain, LIVE_PAUSE);
  }

  return lookAgain;
}
