"use strict";
// The data of the page: columns with an entry per row, texts by number, and the edges of the graph.

// What a row is, as in rows.py.
const NO_TENSOR = 0, COMPLETE = 1, DECLARED = 2, INCOMPLETE = 3, CONSTANT = 4;

const data = JSON.parse(document.getElementById("data").textContent);
const column = data.columns;
const rowCount = column.operator.length;

/** The text of a row in a column of texts. */
function text(row, name) {
  return data.strings[column[name][row]];
}

// Edges from producers to users, by row: `starts[row]` to `starts[row + 1]` in `ends`.
function grouped(pairs, key, value) {
  const starts = new Int32Array(rowCount + 1);
  for (let i = 0; i < pairs.length; i += 2) starts[pairs[i + key] + 1]++;
  for (let row = 0; row < rowCount; row++) starts[row + 1] += starts[row];
  const next = starts.slice(), ends = new Int32Array(pairs.length / 2);
  for (let i = 0; i < pairs.length; i += 2) ends[next[pairs[i + key]]++] = pairs[i + value];
  return { starts, ends };
}

let edges = null;

/** The edges of the graph, made when the first graph is drawn. */
function allEdges() {
  if (edges) return edges;
  const pairs = new Int32Array(2 * data.producers.length + data.links.length);
  let at = 0, place = 0;
  for (let row = 0; row < rowCount; row++) {
    for (let i = 0; i < column.operands[row]; i++) {
      pairs[at++] = row - data.producers[place++];
      pairs[at++] = row;
    }
  }
  pairs.set(data.links, at);
  edges = { users: grouped(pairs, 0, 1), producers: grouped(pairs, 1, 0) };
  return edges;
}

function ended(table, row) {
  return [...new Set(table.ends.subarray(table.starts[row], table.starts[row + 1]))];
}

/** The rows that use a row's values. */
function usersOf(row) {
  return ended(allEdges().users, row);
}

/** The rows that define a row's operands. */
function producersOf(row) {
  return ended(allEdges().producers, row);
}

const shortTypes = new Map();

/** A type, or several, without what all types share: `[2,3] f32`. */
function shortType(type) {
  let found = shortTypes.get(type);
  if (found === undefined) {
    found = type
      .replace(/!torch\.vtensor<(\[[^\]]*\]|\*),([^<>]*)>/g, (_, sizes, dtype) =>
        `${sizes === "*" ? "[*]" : sizes} ${dtype === "unk" ? "?" : dtype}`)
      .replace(/!torch\./g, "");
    shortTypes.set(type, found);
  }
  return found;
}

/** Whether the passes changed a row's types. */
function isChanged(row) {
  return column.before[row] !== 0 && column.before[row] !== column.after[row];
}

/** Where a row comes from: `file:line:column`. */
function locationOf(row) {
  const file = text(row, "file");
  return file ? `${file}:${column.line[row]}:${column.column[row]}` : "";
}

/** The location with the last part of the file's path. */
function shortLocation(row) {
  return locationOf(row).replace(/^.*[/\\](?=[^/\\]+$)/, "");
}

/** The names in a row's location, such as the layer of a model, and the position. */
function placeText(row) {
  return [text(row, "names"), shortLocation(row)].filter(Boolean).join(" · ");
}

/** The operator of a row, with a constant's value. */
function operatorText(row) {
  const name = text(row, "operator").replace(/^torch\./, "");
  return column.status[row] === CONSTANT && column.detail[row] ? `${name} ${text(row, "detail")}` : name;
}

/** Whole numbers with separators. */
function grouping(number) {
  return number.toLocaleString("en");
}

/**
 * An element with properties and children; texts are only ever text.
 * A property that is no property of the element, such as `role`, is an attribute.
 */
function make(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}
