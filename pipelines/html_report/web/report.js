"use strict";
// The page: filters, the table of operations, and what belongs to the chosen one.

const part = id => document.getElementById(id);
const MOST_PRINTED = 500;
let chosen = -1;
let shownRows = new Int32Array(0);

/** The rows that all filters let through. */
function filtered() {
  const words = part("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const status = part("status").value, only = part("function").value;
  const hasWord = words.map(word => data.strings.map(each => each.toLowerCase().includes(word)));
  const names = ["operator", "value", "before", "after", "file", "names", "place", "reason", "detail"].map(name => column[name]);
  const functions = words.map(word => data.functions.map(each => `@${each.name}`.toLowerCase().includes(word)));
  const isFound = row => words.every((word, i) =>
    names.some(entries => hasWord[i][entries[row]]) || functions[i][column.function[row]] ||
    (/\d/.test(word) && locationOf(row).toLowerCase().includes(word)));
  const found = [];
  for (let row = 0; row < rowCount; row++) {
    if (only !== "" && column.function[row] !== Number(only)) continue;
    if (status === "incomplete" && column.status[row] !== INCOMPLETE) continue;
    if (status === "declared" && column.status[row] !== DECLARED) continue;
    if (status === "changed" && !isChanged(row)) continue;
    if (isFound(row)) found.push(row);
  }
  return Int32Array.from(found);
}

function applyFilters() {
  shownRows = filtered();
  table.show(shownRows, chosen);
  part("count").textContent = `${grouping(shownRows.length)} of ${grouping(rowCount)} rows`;
}

/** Set some filters, clear the others, and go to the table. */
function filterBy(wanted) {
  part("filter").value = wanted.text || "";
  part("status").value = wanted.status || "all";
  part("function").value = wanted.function === undefined ? "" : String(wanted.function);
  applyFilters();
  part("operations").scrollIntoView();
  part("grid").focus({ preventScroll: true });
}

/** Show the details and the graph of a row. */
function describe(row) {
  chosen = row;
  const entries = [
    ["Values", text(row, "value")],
    ["Before", column.after[row] ? text(row, "before") || "not in the input" : ""],
    ["After", text(row, "after")],
    ["Reason", text(row, "reason")],
    ["Detail", text(row, "detail")],
    ["Function", functionName(column.function[row])],
    ["Location", locationOf(row)],
    ["Named", text(row, "names")],
    ["In full", text(row, "place")],
  ];
  part("chosen").replaceChildren(sign(row), text(row, "operator"));
  part("details").replaceChildren(...entries.filter(each => each[1]).flatMap(([name, words]) =>
    [make("dt", {}, name), make("dd", {}, words)]));
  graph.show(row, Number(part("levels").value), part("constants").checked);
}

/** A row that is chosen outside of the table: it is shown there, too. */
function choose(row) {
  if (!shownRows.includes(row)) {
    part("filter").value = "";
    part("status").value = "all";
    part("function").value = "";
    chosen = row;
    applyFilters();
  }
  table.select(row);
  describe(row);
}

const table = new OperationTable(part("grid"), (row, enter) => {
  describe(row);
  if (enter) graph.focus();
});
const graph = new Graph(part("graph"), part("graph-note"), choose, () => part("grid").focus());

function listFunctions() {
  const select = part("function");
  select.append(make("option", { value: "" }, "all functions"));
  part("function-label").hidden = data.functions.length < 2;
  data.functions.forEach((each, index) => {
    select.append(make("option", { value: String(index) }, functionName(index)));
  });
}

/** Paper has no scrolling: the first rows are printed, as the filters leave them. */
function preparePrint() {
  const rows = shownRows.subarray(0, MOST_PRINTED);
  const body = make("div", { className: "plain" });
  for (const row of rows) body.append(rowElement(row));
  const left = shownRows.length - rows.length;
  const note = left ? [make("p", {}, `${grouping(left)} more rows are not printed.`)] : [];
  part("printed").replaceChildren(body, ...note);
}

listFunctions();
part("subtitle").textContent = [[...new Set(data.sources)].slice(0, 3).join(", "),
  data.sources.length > 1 ? `${grouping(data.sources.length)} parts` : ""].filter(Boolean).join(" · ");
part("made-by").textContent = `torch-refine ${data.version} · ${data.pipeline}`;
showSummary(filterBy);
showGuards(row => { choose(row); part("operations").scrollIntoView(); });
showTimes();
let typing = 0;
part("filter").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(applyFilters, rowCount > 20000 ? 150 : 0);
});
part("filters").addEventListener("submit", event => event.preventDefault());
for (const id of ["status", "function"]) part(id).addEventListener("change", applyFilters);
for (const id of ["levels", "constants"]) part(id).addEventListener("change", () => { if (chosen >= 0) describe(chosen); });
part("smaller").addEventListener("click", () => graph.resize(1 / 1.25));
part("larger").addEventListener("click", () => graph.resize(1.25));
// Where the details are below the table, a click brings them into view.
part("grid").addEventListener("click", () => {
  if (matchMedia("(max-width: 1000px)").matches) part("panel").scrollIntoView({ block: "nearest" });
});
addEventListener("beforeprint", preparePrint);
addEventListener("afterprint", () => part("printed").replaceChildren());
applyFilters();
// What to look at first: a value without a complete type, or the first operation.
const firstLeft = column.status.indexOf(INCOMPLETE);
if (rowCount) choose(firstLeft < 0 ? 0 : firstLeft);
else {
  part("operations").querySelector(".split").replaceChildren(
    make("p", { className: "notice" }, "There are no operations."));
}
document.documentElement.dataset.ready = "true";
