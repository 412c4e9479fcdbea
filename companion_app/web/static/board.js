// The board as a grid: one cell is reached by Tab, the arrow keys go on from it, Enter or Space opens its chooser.

const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const DETOUR = 1e5;

function centre(cell) {
  const box = cell.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2, width: box.width, height: box.height };
}

// The nearest cell in a direction. Left and right: along the row, and on to a card beside it that lies less than half a
// card higher or lower. Up and down: straight on where something lies there, else the nearest row.
function neighbour(cells, from, [dx, dy]) {
  const here = centre(from);
  let best = null;
  for (const cell of cells) {
    if (cell === from) continue;
    const there = centre(cell);
    const along = (there.x - here.x) * dx + (there.y - here.y) * dy;
    const aside = Math.abs(dx ? there.y - here.y : there.x - here.x);
    if (along < 2 || (dx && aside > here.height / 2)) continue;
    const cost = along * 4 + aside + (dy && aside > here.width ? DETOUR : 0);
    if (!best || cost < best.cost) best = { cell, cost };
  }
  return best?.cell;
}

function reach(board, cell) {
  for (const other of board.querySelectorAll(".cell")) other.setAttribute("tabindex", other === cell ? "0" : "-1");
  cell.focus();
}

export function watchBoard(open) {
  // A screen reader may go to any cell by itself.
  document.addEventListener("focusin", (event) => {
    if (event.target.matches?.(".cell[tabindex='-1']")) reach(event.target.closest(".board"), event.target);
  });
  document.addEventListener("keydown", (event) => {
    const cell = event.target.closest?.(".cell");
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
    const board = cell.closest(".board");
    const cells = [...board.querySelectorAll(".cell")];
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      open(cell.dataset.place);
      return;
    }
    const ends = { Home: cells[0], End: cells.at(-1) };
    const next = ends[event.key] ?? (KEYS[event.key] && neighbour(cells, cell, KEYS[event.key]));
    if (!next) return;
    event.preventDefault();
    reach(board, next);
  });
}
