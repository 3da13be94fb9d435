"use strict";
// The graph around an operation: its producers and users, some levels far, laid out by dagre.

const SVG = "http://www.w3.org/2000/svg";
const MOST_NODES = 90, MOST_NEIGHBOURS = 14, LONGEST = 34;
const LETTER = 7.25, NODE_HEIGHT = 44;

function isHidden(row, constants) {
  return !constants && column.status[row] === CONSTANT;
}

/** The rows around a row: producers of producers, users of users; how many were left out. */
function neighbourhood(row, levels, constants) {
  const found = new Set([row]), left = new Set();
  for (const neighbours of [producersOf, usersOf]) {
    let level = [row];
    for (let depth = 0; depth < levels; depth++) {
      const next = [];
      for (const each of level) {
        let taken = 0;
        for (const other of neighbours(each)) {
          if (found.has(other) || isHidden(other, constants)) continue;
          if (taken >= MOST_NEIGHBOURS || found.size >= MOST_NODES) { left.add(other); continue; }
          taken++;
          found.add(other);
          next.push(other);
        }
      }
      level = next;
    }
  }
  for (const each of found) left.delete(each);
  return { rows: [...found].sort((a, b) => a - b), left: left.size };
}

function cut(words) {
  return words.length > LONGEST ? `${words.slice(0, LONGEST - 1)}…` : words;
}

function nodeLines(row) {
  const type = shortType(text(row, "after"));
  const value = text(row, "value");
  return [cut(operatorText(row)), cut(value && type ? `${value}: ${type}` : value || type)];
}

function drawn(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** A smooth line through points. */
function path(points) {
  let line = `M${points[0].x},${points[0].y}`;
  for (let i = 1; i < points.length - 1; i++) {
    const next = i === points.length - 2 ? points[i + 1]
      : { x: (points[i].x + points[i + 1].x) / 2, y: (points[i].y + points[i + 1].y) / 2 };
    line += `Q${points[i].x},${points[i].y} ${next.x},${next.y}`;
  }
  const end = points[points.length - 1];
  return points.length > 2 ? line : `${line}L${end.x},${end.y}`;
}

class Graph {
  /** `choose` is called with the row of a node that the user chooses, `leave` on Escape. */
  constructor(place, note, choose, leave) {
    Object.assign(this, { place, note, choose, leave, zoom: 1, nodes: new Map() });
    place.addEventListener("click", event => {
      const node = event.target.closest("[data-row]");
      if (node) this.choose(Number(node.dataset.row));
    });
    place.addEventListener("keydown", event => this.key(event));
  }

  show(row, levels, constants) {
    const { rows, left } = neighbourhood(row, levels, constants);
    const layout = new dagre.graphlib.Graph();
    layout.setGraph({ rankdir: "TB", nodesep: 18, ranksep: 34, marginx: 10, marginy: 10 });
    layout.setDefaultEdgeLabel(() => ({}));
    for (const each of rows) {
      const letters = Math.max(...nodeLines(each).map(line => line.length), 6);
      layout.setNode(each, { width: letters * LETTER + 22, height: NODE_HEIGHT });
    }
    const known = new Set(rows);
    for (const user of rows) {
      for (const producer of producersOf(user)) if (known.has(producer)) layout.setEdge(producer, user);
    }
    dagre.layout(layout);
    const { width, height } = layout.graph();
    const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "presentation" });
    const arrow = drawn("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
      drawn("path", { d: "M0,0L8,4L0,8z", class: "arrow" }));
    svg.append(drawn("defs", {}, arrow));
    for (const each of layout.edges()) {
      svg.append(drawn("path", { class: "edge", d: path(layout.edge(each).points), "marker-end": "url(#arrow)" }));
    }
    this.nodes.clear();
    for (const each of rows) {
      const at = layout.node(each);
      this.nodes.set(each, { x: at.x, y: at.y, element: this.node(each, at, each === row) });
      svg.append(this.nodes.get(each).element);
    }
    Object.assign(this, { svg, width, height, row });
    this.place.replaceChildren(svg);
    this.resize();
    this.note.textContent = `${grouping(rows.length)} operations` +
      (left ? `; ${grouping(left)} more are not shown` : "");
  }

  node(row, at, isChosen) {
    const [first, second] = nodeLines(row);
    const kind = (SIGNS[column.status[row]] || ["none"])[0];
    const left = at.x - at.width / 2, top = at.y - at.height / 2;
    const words = { x: left + 11, "xml:space": "preserve" };
    const label = `${text(row, "operator")} ${text(row, "value")} ${shortType(text(row, "after"))}` +
      (column.status[row] === INCOMPLETE ? ", not refined" : "");
    return drawn("g", { class: `node ${kind}${isChosen ? " chosen" : ""}`, "data-row": row, role: "button",
      tabindex: isChosen ? 0 : -1, "aria-label": label, "aria-pressed": isChosen },
    drawn("rect", { x: left, y: top, width: at.width, height: at.height, rx: 6 }),
    drawn("text", { ...words, y: top + 18, class: "first" }, first),
    drawn("text", { ...words, y: top + 34, class: "second" }, second));
  }

  /** Zoom, and keep the chosen node in the middle. */
  resize(factor = 1) {
    this.zoom = Math.max(0.3, Math.min(2, this.zoom * factor));
    if (!this.svg) return;
    this.svg.setAttribute("width", this.width * this.zoom);
    this.svg.setAttribute("height", this.height * this.zoom);
    const { x, y } = this.nodes.get(this.row);
    this.place.scrollLeft = x * this.zoom - this.place.clientWidth / 2;
    this.place.scrollTop = y * this.zoom - this.place.clientHeight / 2;
  }

  focus() {
    const node = this.nodes.get(this.row);
    if (node) node.element.focus({ preventScroll: true });
  }

  key(event) {
    const focused = event.target.closest("[data-row]");
    if (event.key === "Escape") this.leave();
    else if (!focused) {
      if (event.key === "Enter") this.focus();
      else return;
    } else if (event.key === "Enter" || event.key === " ") {
      this.choose(Number(focused.dataset.row));
      this.focus();
    } else if (event.key.startsWith("Arrow")) this.step(Number(focused.dataset.row), event.key);
    else return;
    event.preventDefault();
  }

  /** Focus the nearest node in a direction. */
  step(from, key) {
    const horizontal = key === "ArrowLeft" || key === "ArrowRight";
    const forward = key === "ArrowDown" || key === "ArrowRight" ? 1 : -1;
    const start = this.nodes.get(from);
    let best = null, least = Infinity;
    for (const [row, node] of this.nodes) {
      const across = node.x - start.x, down = node.y - start.y;
      const along = forward * (horizontal ? across : down), aside = Math.abs(horizontal ? down : across);
      if (row === from || along <= 1 || (horizontal && aside > along)) continue;
      const far = along + 2 * aside;
      if (far < least) { best = node; least = far; }
    }
    if (!best) return;
    for (const node of this.nodes.values()) node.element.setAttribute("tabindex", -1);
    best.element.setAttribute("tabindex", 0);
    best.element.focus();
  }
}
