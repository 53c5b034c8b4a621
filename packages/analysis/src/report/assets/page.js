"use strict";
document.documentElement.classList.add("js");

const theme = document.getElementById("theme");
const dark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
const nameTheme = () => {
  theme.textContent = isDark() ? "Light" : "Dark";
};
theme.hidden = false;
nameTheme();
dark.addEventListener("change", nameTheme);
theme.addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  nameTheme();
});

for (const table of document.querySelectorAll("table.sorts")) {
  const body = table.tBodies[0];
  for (const head of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const isText = head.dataset.sort === "text";
      const first = isText ? "ascending" : "descending";
      const second = isText ? "descending" : "ascending";
      const order = head.getAttribute("aria-sort") === first ? second : first;
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      const keyOf = (row) => {
        const cell = row.cells[head.cellIndex];
        return isText ? cell.textContent : Number(cell.dataset.value);
      };
      const keyed = [...body.rows].map((row) => [keyOf(row), row]);
      keyed.sort(([left], [right]) => sign * (isText ? left.localeCompare(right, "en") : left - right));
      body.append(...keyed.map(([, row]) => row));
    });
  }
}

const filter = document.getElementById("filter");
const found = document.getElementById("found");
const located = [...document.querySelectorAll("[data-path]")];
filter.closest("label").hidden = false;
const apply = () => {
  const wanted = filter.value.trim().toLowerCase();
  let rows = 0;
  for (const element of located) {
    const isIn = wanted === "" || element.dataset.path.toLowerCase().includes(wanted);
    if (element.localName === "g") element.classList.toggle("faint", !isIn);
    else element.hidden = !isIn;
    if (isIn && element.localName === "tr") rows += 1;
  }
  for (const none of document.querySelectorAll("p.none")) none.hidden = rows > 0;
  found.textContent = wanted === "" ? "" : rows === 1 ? "1 file" : rows + " files";
};
filter.addEventListener("input", apply);
filter.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  filter.value = "";
  apply();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target === filter) return;
  event.preventDefault();
  filter.focus();
});
if (filter.value !== "") apply();

const detail = document.getElementById("detail");
for (const map of document.querySelectorAll("svg.map")) {
  const tiles = [...map.querySelectorAll(".tile")];
  const middles = tiles.map((tile) => {
    const { x, y, width, height } = tile.querySelector("rect");
    return [x.baseVal.value + width.baseVal.value / 2, y.baseVal.value + height.baseVal.value / 2];
  });
  const describe = (tile) => {
    detail.textContent = tile.querySelector("title").textContent;
  };
  const nearest = (from, [dx, dy]) => {
    let best = -1;
    let least = Infinity;
    for (const [index, [x, y]] of middles.entries()) {
      const along = (x - middles[from][0]) * dx + (y - middles[from][1]) * dy;
      const aside = Math.abs((x - middles[from][0]) * dy) + Math.abs((y - middles[from][1]) * dx);
      const distance = along + 2 * aside;
      if (along > 1 && distance < least) [best, least] = [index, distance];
    }
    return best;
  };
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  for (const [index, tile] of tiles.entries()) {
    tile.setAttribute("tabindex", index === 0 ? "0" : "-1");
    tile.addEventListener("pointerenter", () => describe(tile));
    tile.addEventListener("focus", () => describe(tile));
    tile.addEventListener("keydown", (event) => {
      const way = ways[event.key];
      if (way === undefined) return;
      event.preventDefault();
      const next = tiles[nearest(index, way)];
      if (next === undefined) return;
      tile.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    });
  }
}
