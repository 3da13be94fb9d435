"use strict";
// The sections around the table of operations: summary, functions, reasons, guards, times.

const PAGE = 8;

/**
 * A table that shows its first entries, and more on request.
 * `columns` are [title, class]; `cells` makes the cells of an entry: texts, or elements.
 */
function pagedTable(title, columns, entries, cells, page = PAGE) {
  const body = make("tbody");
  const more = make("button", { type: "button", className: "more" });
  let shown = 0;
  const show = count => {
    for (const entry of entries.slice(shown, shown + count)) {
      const row = make("tr");
      cells(entry).forEach((cell, i) => row.append(make("td", { className: columns[i][1] }, cell)));
      body.append(row);
    }
    shown = Math.min(entries.length, shown + count);
    more.hidden = shown >= entries.length;
    more.textContent = `Show more (${grouping(entries.length - shown)} left)`;
  };
  more.addEventListener("click", () => show(10 * page));
  show(page);
  const head = make("tr");
  for (const [name, kind] of columns) head.append(make("th", { scope: "col", className: kind }, name));
  const table = make("table", {}, make("caption", {}, title), make("thead", {}, head), body);
  // A narrow page scrolls the table sideways, with keys, too.
  const width = columns.length > 3 ? "scroll wide" : "scroll";
  const scroll = make("div", { className: width, role: "group", tabIndex: 0, "aria-label": title }, table);
  return make("div", { className: "paged" }, scroll, more);
}

/** A button that looks like a link. */
function link(label, action) {
  const button = make("button", { type: "button", className: "link" }, label);
  button.addEventListener("click", action);
  return button;
}

function totals() {
  const sum = { operations: 0, tensors: 0, before: 0, complete: 0, declared: 0 };
  for (const each of data.functions) for (const name in sum) sum[name] += each[name];
  return sum;
}

function percent(part, whole) {
  if (!whole) return "–";
  // 100 % is said of all only.
  const share = Math.floor(1000 * part / whole) / 10;
  return `${share} %`;
}

function showSummary(filterBy) {
  const sum = totals();
  const left = sum.tensors - sum.complete - sum.declared;
  const cards = [
    ["Operations", grouping(sum.operations), ""],
    ["Tensor values", grouping(sum.tensors), ""],
    ["Complete before", grouping(sum.before), percent(sum.before, sum.tensors)],
    ["Complete now", grouping(sum.complete), percent(sum.complete, sum.tensors)],
    ["Dynamic as declared", grouping(sum.declared), percent(sum.declared, sum.tensors)],
    ["Not refined", grouping(left), percent(left, sum.tensors)],
  ];
  const list = document.getElementById("cards");
  for (const [name, value, note] of cards) {
    const term = make("dt", {}, name);
    const said = make("dd", {}, make("strong", {}, value), note ? make("small", {}, note) : "");
    list.append(make("div", { className: name === "Not refined" && left ? "card bad" : "card" }, term, said));
  }
  const bar = make("div", { className: "bar", role: "img" });
  bar.setAttribute("aria-label",
    `Of ${sum.tensors} tensor values, ${sum.complete} are complete, ${sum.declared} are dynamic as declared, ${left} are not refined`);
  for (const [kind, count] of [["complete", sum.complete], ["declared", sum.declared], ["incomplete", left]]) {
    const part = make("span", { className: kind });
    part.style.flexGrow = count;
    if (count) bar.append(part);
  }
  const legend = make("p", { className: "legend" });
  for (const [kind, sign, words] of [
    ["complete", "✓", "rank, every size and the dtype are known"],
    ["declared", "~", "unknown sizes follow from the arguments’ declared sizes"],
    ["incomplete", "?", "not refined"],
  ]) legend.append(make("span", {}, make("b", { className: `sign ${kind}` }, sign), ` ${words}`));
  document.getElementById("coverage").append(...(sum.tensors ? [bar, legend]
    : [make("p", { className: "notice" }, "There are no tensor values to refine.")]));

  const functions = data.functions.map((each, index) => ({ ...each, index }));
  document.getElementById("functions").append(pagedTable("By function",
    [["function", "code"], ["operations", "number"], ["tensors", "number"], ["complete", "number"],
      ["declared", "number"], ["not refined", "number"]],
    functions, each => [
      link(functionName(each.index), () => filterBy({ function: each.index })),
      grouping(each.operations), grouping(each.tensors),
      grouping(each.complete), grouping(each.declared),
      grouping(each.tensors - each.complete - each.declared)]));

  const reasons = new Map();
  for (let row = 0; row < rowCount; row++) {
    if (column.status[row] !== INCOMPLETE) continue;
    const key = column.operator[row] * data.strings.length + column.reason[row];
    const found = reasons.get(key);
    if (found) found.count++;
    else reasons.set(key, { operator: text(row, "operator"), reason: text(row, "reason"), count: 1 });
  }
  const sorted = [...reasons.values()].sort((a, b) => b.count - a.count);
  if (sorted.length) document.getElementById("reasons").append(pagedTable("Not refined, and why",
    [["count", "number"], ["operation", "code"], ["reason", ""]], sorted, each => [
      grouping(each.count),
      link(each.operator, () => filterBy({ text: `${each.operator} ${each.reason}`, status: "incomplete" })),
      each.reason]));
}

/** A function's name, with its place in the input where the name alone is ambiguous. */
function functionName(index) {
  const each = data.functions[index];
  const same = sameNames.get(each.name);
  return same > 1 ? `@${each.name} (${index + 1})` : `@${each.name}`;
}

const sameNames = new Map();
for (const each of data.functions) sameNames.set(each.name, (sameNames.get(each.name) || 0) + 1);

function showGuards(choose) {
  const place = document.getElementById("guard-table");
  if (!data.guards.length) {
    place.append(make("p", { className: "notice" }, "No guards are attached to functions, and nothing is asserted."));
    return;
  }
  place.append(pagedTable("Conditions that a call must satisfy",
    [["function", "code"], ["condition", "code"], ["message", ""], ["from", "code"]],
    data.guards, each => {
      const where = each.source || (each.row === null ? "" : shortLocation(each.row) || "assertion");
      return [functionName(each.function), each.condition, each.message,
        each.row === null ? where : link(where, () => choose(each.row))];
    }, 20));
}

function showTimes() {
  const timed = (title, entries, unit) => {
    const total = entries.reduce((sum, each) => sum + each[1], 0);
    return pagedTable(title, [[unit, "code"], ["ms", "number"], ["share", "share"]], entries, ([name, spent]) => {
      const share = make("span", { className: "meter" });
      share.style.inlineSize = `${total ? 100 * spent / total : 0}%`;
      return [name, (1000 * spent).toFixed(spent < 0.01 ? 2 : 0), make("span", { className: "meter-track", ariaHidden: "true" }, share)];
    }, 12);
  };
  document.getElementById("passes").append(timed("By step", data.passes, "step"));
  if (data.operators.length) {
    document.getElementById("operators").append(timed("Inference by operator, without repeats", data.operators, "operator"));
  }
}
