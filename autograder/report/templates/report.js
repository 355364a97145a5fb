"use strict";
for (const hidden of document.querySelectorAll(".tools")) hidden.hidden = false;

const key = (row, column) => {
  const cell = row.cells[column];
  return cell.dataset.v ?? cell.textContent.trim();
};
const compared = (a, b) => {
  if (a === "" || b === "") return (a === "") - (b === "");
  const [x, y] = [Number(a), Number(b)];
  return Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b, undefined, { numeric: true }) : x - y;
};

for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const said = document.getElementById(table.dataset.status);
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows].map((row) => [key(row, column), row]);
      rows.sort(([a], [b]) => {
        const order = compared(a, b);
        return a === "" || b === "" ? order : down ? -order : order;
      });
      body.append(...rows.map(([, row]) => row));
      said.textContent = `sorted by ${button.textContent.trim()}, ${down ? "descending" : "ascending"}`;
    });
  });
}

for (const input of document.querySelectorAll("input[data-table]")) {
  const rows = [...document.getElementById(input.dataset.table).tBodies[0].rows];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const said = document.getElementById(input.dataset.status);
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/);
    let shown = 0;
    rows.forEach((row, number) => {
      row.hidden = !words.every((word) => texts[number].includes(word));
      shown += !row.hidden;
    });
    said.textContent = `${shown} of ${rows.length} shown`;
  });
}

addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details")) details.open = true;
});
const follow = () => {
  const row = document.getElementById(location.hash.slice(1));
  if (row?.matches("tr")) {
    row.hidden = false;
    row.scrollIntoView({ block: "center" });
  }
};
addEventListener("hashchange", follow);
