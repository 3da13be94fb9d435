"use strict";
// The table of operations: only the rows in view are elements, whatever the number of rows.

// Browsers limit the height of an element; more rows than fit are scrolled in larger steps.
const TALLEST = 8e6;
const MARGIN = 6;

class OperationTable {
  /** `choose` is called with the row that the user moves to. */
  constructor(grid, choose) {
    this.grid = grid;
    this.choose = choose;
    this.rows = new Int32Array(0);
    this.current = -1;
    const head = make("div", { role: "row", className: "row head", "aria-rowindex": 1 });
    for (const title of ["Operation, values", "Types before, after", "Location, reason"]) {
      head.append(make("div", { role: "columnheader" }, title));
    }
    this.head = make("div", { role: "rowgroup", className: "head-group" }, head);
    this.body = make("div", { role: "rowgroup", className: "body" });
    grid.append(this.head, this.body);
    grid.addEventListener("scroll", () => this.later(), { passive: true });
    grid.addEventListener("keydown", event => this.key(event));
    this.body.addEventListener("click", event => {
      const row = event.target.closest("[role=row]");
      if (row) this.move(Number(row.dataset.index));
    });
    new ResizeObserver(() => this.later()).observe(grid);
  }

  get rowHeight() {
    return parseFloat(getComputedStyle(this.grid).getPropertyValue("--row-height"));
  }

  get viewHeight() {
    return Math.max(0, this.grid.clientHeight - this.head.offsetHeight);
  }

  /** Show these rows; the chosen one stays chosen if it is among them. */
  show(rows, chosen) {
    this.rows = rows;
    this.current = chosen < 0 ? -1 : rows.indexOf(chosen);
    this.grid.setAttribute("aria-rowcount", rows.length + 1);
    this.grid.scrollTop = 0;
    this.reveal(true);
    this.draw();
  }

  /** Make a row the current one, without telling anybody. */
  select(row) {
    this.current = this.rows.indexOf(row);
    this.reveal(true);
    this.draw();
  }

  move(index) {
    if (!this.rows.length) return;
    this.current = Math.max(0, Math.min(this.rows.length - 1, index));
    this.reveal();
    this.draw();
    this.choose(this.rows[this.current]);
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.viewHeight / this.rowHeight) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    if (event.key in steps) this.move(this.current < 0 ? 0 : this.current + steps[event.key]);
    else if (event.key === "Home") this.move(0);
    else if (event.key === "End") this.move(this.rows.length - 1);
    else if (event.key === "Enter" || event.key === " ") {
      if (this.current < 0) this.move(0);
      else this.choose(this.rows[this.current], true);
    } else return;
    event.preventDefault();
  }

  /** The height of all rows, and how far a pixel of scrolling goes. */
  measure() {
    const full = this.rows.length * this.rowHeight, view = this.viewHeight;
    const height = Math.min(full, TALLEST);
    const scale = height > view ? (full - view) / (height - view) : 1;
    return { height, scale, view };
  }

  /** Scroll to the current row, if it is out of view; into the middle on request. */
  reveal(middle = false) {
    if (this.current < 0) return;
    const { height, scale, view } = this.measure();
    const top = this.current * this.rowHeight, at = this.grid.scrollTop * scale;
    const isInView = top >= at && top + this.rowHeight <= at + view;
    this.body.style.height = `${height}px`;
    if (middle && !isInView) this.grid.scrollTop = (top - view / 2) / scale;
    else if (top < at) this.grid.scrollTop = top / scale;
    else if (top + this.rowHeight > at + view) this.grid.scrollTop = (top + this.rowHeight - view) / scale;
  }

  later() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => { this.waiting = 0; this.draw(); });
  }

  draw() {
    const { height, scale, view } = this.measure();
    const rowHeight = this.rowHeight, scroll = this.grid.scrollTop, at = scroll * scale;
    this.body.style.height = `${height}px`;
    const first = Math.max(0, Math.floor(at / rowHeight) - MARGIN);
    const last = Math.min(this.rows.length, Math.ceil((at + view) / rowHeight) + MARGIN);
    const drawn = [];
    for (let index = first; index < last; index++) {
      const made = this.row(index);
      made.style.transform = `translateY(${index * rowHeight - at + scroll}px)`;
      drawn.push(made);
    }
    this.body.replaceChildren(...drawn);
    const isDrawn = this.current >= first && this.current < last;
    if (isDrawn) this.grid.setAttribute("aria-activedescendant", `row-${this.current}`);
    else this.grid.removeAttribute("aria-activedescendant");
  }

  row(index) {
    const made = rowElement(this.rows[index]);
    made.id = `row-${index}`;
    made.dataset.index = index;
    made.setAttribute("aria-rowindex", index + 2);
    made.setAttribute("aria-selected", index === this.current);
    return made;
  }
}

const SIGNS = { [COMPLETE]: ["complete", "✓", "complete"], [DECLARED]: ["declared", "~", "dynamic as declared"],
  [INCOMPLETE]: ["incomplete", "?", "not refined"] };

/** The sign of a row's status. */
function sign(row) {
  const [kind, mark, words] = SIGNS[column.status[row]] || ["none", "", ""];
  const made = make("b", { className: `sign ${kind}` }, mark);
  if (words) { made.setAttribute("role", "img"); made.setAttribute("aria-label", words); }
  return made;
}

/** The types before the passes, if they differ from those after. */
function beforeText(row) {
  if (!column.after[row]) return "";
  if (!column.before[row]) return "not in the input";
  return isChanged(row) ? shortType(text(row, "before")) : "unchanged";
}

/** A row of the table. */
function rowElement(row) {
  const line = (kind, words) => make("span", { className: kind }, words);
  const before = line(isChanged(row) ? "second before" : "second", beforeText(row));
  return make("div", { role: "row", className: "row" },
    make("div", { role: "gridcell", className: "what" }, sign(row),
      line("first", operatorText(row)), line("second", text(row, "value"))),
    make("div", { role: "gridcell", className: "types" },
      before, line("first", shortType(text(row, "after")))),
    make("div", { role: "gridcell", className: "where" },
      line("first", placeText(row)), line("second reason", text(row, "reason"))));
}
