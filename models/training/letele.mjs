// Rasterises npm @letele/playing-cards (CC0) to PNG files CODE.png and back.png: node letele.mjs FOLDER
// Needs beside it: npm install @letele/playing-cards react react-dom @babel/runtime, and rsvg-convert.
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";

// The package names its entry only for bundlers, so it is imported by its file.
const deck = await import(new URL("./node_modules/@letele/playing-cards/dist/index.esm.js", import.meta.url));
const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
const ranks = { a: "A", j: "J", q: "Q", k: "K" };
for (const suit of "SHDC") {
  for (const rank of ["a", "2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k"]) {
    save(deck[suit + rank], (ranks[rank] ?? rank) + suit);
  }
}
save(deck.B1, "back");

function save(component, name) {
  const svg = renderToStaticMarkup(createElement(component));
  execFileSync("rsvg-convert", ["-w", "480", "-h", "672", "-o", `${folder}/${name}.png`], { input: svg });
}
