// Redraws a map when other dimensions or slices are chosen, and names the cell under the pointer.
// Without it the page shows the first two dimensions with the others at their totals.
document.querySelectorAll(".map-card").forEach(card => {
  const map = JSON.parse(card.querySelector("script").textContent), dims = map.dimensions, k = dims.length;
  const svg = card.querySelector("svg"), tip = card.querySelector(".tip"), selects = [...card.querySelectorAll("select")];
  const { size, wide, left, top } = map;
  const words = { p: "primary: hidden because it is sensitive", s: "secondary: hidden to protect others", h: "hidden", v: "published", ".": "no such cell" };
  const strides = dims.map((_, d) => dims.slice(d + 1).reduce((all, next) => all * next.codes.length, 1));
  let view = { row: 0, column: k > 1 ? 1 : 0, at: dims.map(() => 0) };
  const cell = (r, c) => {
    const at = [...view.at];
    at[view.row] = r;
    if (k > 1) at[view.column] = c;
    return at.reduce((sum, code, d) => sum + code * strides[d], 0);
  };
  const columns = () => (k > 1 ? dims[view.column].codes.length : 1);
  const text = (x, y, label, extra, total) =>
    `<text x="${x}" y="${y}" ${extra}${total ? ' class="top"' : ""}>${label.replace(/[&<]/g, c => (c == "&" ? "&amp;" : "&lt;"))}</text>`;
  const short = (label, depth) => { const room = 26 - depth * 2; return label.length > room ? label.slice(0, room - 1) + "…" : label; };
  const draw = () => {
    const rows = dims[view.row].codes, cols = columns(), paths = {};
    for (let r = 0; r < rows.length; r++) for (let c = 0; c < cols; c++) {
      const n = cell(r, c), status = map.cells[n];
      const share = map.shares ? map.shares[n] : "0";
      const kind = status == "." ? "g" : status == "v" && share > "0" ? "s d" + Math.min(3, Math.ceil(share / 3)) : status;
      const d = `M${left + c * wide} ${top + r * size}h${wide - 1}v${size - 1}h${1 - wide}z`;
      paths[kind] = (paths[kind] || "") + d;
      if (kind.length > 1) paths.v = (paths.v || "") + d;
    }
    let out = "";
    ["g", "v", "s d1", "s d2", "s d3", "s", "p", "h"].forEach(kind => { if (paths[kind]) out += `<path class="${kind}" d="${paths[kind]}"/>`; });
    rows.forEach((code, r) => { out += text(code[1] * 8, top + r * size + size - 3.5, short(code[0], code[1]), "", code[1] == 0); });
    if (k > 1) dims[view.column].codes.forEach((code, c) => {
      const x = left + c * wide + Math.floor(wide / 2) + 3;
      out += text(x, top - 6, short(code[0], 0), `transform="rotate(-60 ${x} ${top - 6})"`, code[1] == 0);
    });
    out += '<rect class="mark" width="' + wide + '" height="' + size + '" visibility="hidden"/>';
    svg.setAttribute("width", left + cols * wide + 80);
    svg.setAttribute("height", top + rows.length * size + 4);
    svg.removeAttribute("viewBox");
    svg.innerHTML = out;
  };
  selects.forEach(select => select.addEventListener("change", () => {
    const { role } = select.dataset, value = +select.value;
    if (role == "row" || role == "column") {
      const other = role == "row" ? "column" : "row";
      if (view[other] == value) view[other] = view[role];
      view[role] = value;
      selects.forEach(s => { if (s.dataset.role in view && s.dataset.role != "at") s.value = view[s.dataset.role]; });
    } else view.at[+select.dataset.dimension] = value;
    selects.forEach(s => { if (s.dataset.role == "at") { const d = +s.dataset.dimension; s.parentElement.hidden = d == view.row || d == view.column; } });
    draw();
  }));
  const told = card.querySelector(".explained");
  const place = event => {
    const box = svg.getBoundingClientRect();
    const c = Math.floor((event.clientX - box.left - left) / wide), r = Math.floor((event.clientY - box.top - top) / size);
    const mark = svg.querySelector(".mark"), inside = r >= 0 && c >= 0 && r < dims[view.row].codes.length && c < columns();
    if (!mark) return;
    mark.setAttribute("visibility", inside ? "visible" : "hidden");
    if (!inside) { tip.textContent = ""; return; }
    mark.setAttribute("x", left + c * wide - 0.5);
    mark.setAttribute("y", top + r * size - 0.5);
    const n = cell(r, c), share = map.shares ? +map.shares[n] : 0;
    const names = dims.map((d, i) => d.codes[i == view.row ? r : i == view.column && k > 1 ? c : view.at[i]][0]);
    if (event.type == "click" && told) {
      const list = document.createElement("dl"), head = document.createElement("h3");
      head.textContent = names.join(" × ") + ": " + words[map.cells[n]];
      (map.explained[n] || []).forEach(([name, text]) => {
        [["dt", name], ["dd", text]].forEach(([kind, words]) => { const item = document.createElement(kind); item.textContent = words; list.append(item); });
      });
      told.replaceChildren(head, list);
    }
    tip.textContent = names.join(" × ") + " – " + words[map.cells[n]] + (share ? `; about ${share * 10} % of the cells below it are hidden` : "");
  };
  draw();
  svg.addEventListener("pointermove", place);
  svg.addEventListener("click", place);
  svg.addEventListener("pointerleave", () => { const mark = svg.querySelector(".mark"); if (mark) mark.setAttribute("visibility", "hidden"); });
});
