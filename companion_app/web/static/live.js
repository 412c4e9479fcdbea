// The server tells when a table on show has changed, whoever changed it: the parts that did are then put in place. What
// the player has the pointer or the focus on is held back until both have left it, so that no button changes just before
// it is pressed.
import { complain, fetchPage, isNewer, mark, sendAgain } from "./parts.js";
import { allPlaced, isAnyHeld, putBetterInPlace } from "./place.js";

const PAUSE = 400;
const GONE_AFTER = 1500;

// Keeps a page up with its table; `here` gives the address of all that it shows.
export function keepUp(table, here) {
  const events = new EventSource(`${table}/events`);
  let isAsking = false, isOld = false, isGone = false, timer = 0, goneTimer = 0;

  async function look() {
    clearTimeout(timer);
    if (isAsking) {
      isOld = true;
      return;
    }
    isAsking = true;
    isOld = false;
    await allPlaced();
    const now = mark();
    try {
      const { page } = await fetchPage(here());
      const held = !isNewer(now) && (await putBetterInPlace(page));
      if (held) timer = setTimeout(lookOnceFree, PAUSE);
      if (isNewer(now)) isOld = true;
    } catch (error) {
      complain(error.message);
      // Whoever is let in no more is told so once, and not taken for alone.
      if (error.code === "not-paired") {
        clearTimeout(goneTimer);
        events.close();
      }
    } finally {
      isAsking = false;
    }
    if (isOld) timer = setTimeout(look, PAUSE);
  }

  function lookOnceFree() {
    if (isAnyHeld()) timer = setTimeout(lookOnceFree, PAUSE);
    else look();
  }

  events.onmessage = look;
  events.onopen = () => {
    clearTimeout(goneTimer);
    goneTimer = 0;
    if (isGone) {
      isGone = false;
      complain("");
      sendAgain();
    }
  };
  events.onerror = () => {
    // Refused, not gone: what is asked for next says why.
    if (events.readyState === EventSource.CLOSED) {
      look();
      return;
    }
    goneTimer ||= setTimeout(() => {
      isGone = true;
      complain(document.body.dataset.gone);
    }, GONE_AFTER);
  };
}
