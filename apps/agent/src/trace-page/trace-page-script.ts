/** Sorts the table by the column whose heading is pressed; without scripts the page is complete all the same. */
export const TRACE_PAGE_SCRIPT = `
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const heading = button.closest("th");
    const down = heading.getAttribute("aria-sort") === "ascending";
    for (const other of document.querySelectorAll("th[aria-sort]")) other.setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const table = heading.closest("table");
    const keyOf = (server) => server.rows[0].cells[heading.cellIndex].dataset.sort ?? "";
    const compare = (a, b) => {
      const [left, right] = [keyOf(a), keyOf(b)];
      if (left === "" || right === "") return left === right ? 0 : left === "" ? 1 : -1;
      const order = left.localeCompare(right, "en", { numeric: true });
      return down ? -order : order;
    };
    table.append(...[...table.tBodies].sort(compare));
  });
}
`;
