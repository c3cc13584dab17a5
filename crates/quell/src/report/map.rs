//! The map of a table: every cell in the colour of its status.
//!
//! A map shows two dimensions, the others at a chosen code. Tables of a million cells
//! are cut to their upper levels; then the shade of a published cell tells how many of
//! the cells below it are hidden.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use maud::{Markup, PreEscaped, html};
use quell_model::{Hierarchy, NodeId, Status};
use serde::Serialize;

use super::explain::{Explanation, Protectors};
use super::figures::{self, count};
use super::{Audience, ReleaseReport};
use crate::release::{ProtectedTable, SuppressedTables};

/// The most codes of a dimension that are drawn.
const MOST_CODES: usize = 120;

/// The most cells of all slices together that go into the page.
const MOST_CELLS: usize = 120_000;

/// The most published cells that are explained; hidden ones always are.
const MOST_EXPLAINED: usize = 20_000;

/// The width of the page's column, and what a slanted label needs beyond the last cell, in
/// pixels.
const PAGE: usize = 1060;
const SLANT: usize = 80;

/// The width of a cell in pixels: not so narrow that it cannot be seen, nor so wide that it
/// looks like a bar.
const NARROWEST: usize = 12;
const WIDEST: usize = 44;

/// The most characters of a label, and the pixels of each.
const LABEL: usize = 26;
const LETTER: usize = 6;

/// A map as the page's script reads it.
#[derive(Debug, Serialize)]
struct Map {
    dimensions: Vec<Axis>,
    /// A letter a cell: `v`isible, `p`rimary, `s`econdary, `h`idden without a reason, `.` none.
    /// First dimension slowest.
    cells: String,
    /// What is told of cells when they are chosen, by their place in `cells`; only in the office.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    explained: BTreeMap<usize, Explanation>,
    /// Tenths of the cells below that are hidden, if the table was cut.
    shares: Option<String>,
    /// The height and width of a cell, and the room for labels, in pixels.
    size: usize,
    wide: usize,
    left: usize,
    top: usize,
}

/// A dimension: its name and its codes with their depths, each below its parent.
#[derive(Debug, Serialize)]
struct Axis {
    name: String,
    codes: Vec<(String, usize)>,
    #[serde(skip)]
    nodes: Vec<NodeId>,
    /// Whether there are codes that are not drawn.
    #[serde(skip)]
    cut: bool,
}

impl Axis {
    /// The pixels that its widest label needs.
    fn label_width(&self) -> usize {
        let width = |(label, depth): &(String, usize)| {
            short(label, *depth).chars().count() * LETTER + depth * 8
        };
        self.codes.iter().map(width).max().unwrap_or(0) + 10
    }
}

/// The section of one table.
pub fn section(report: &ReleaseReport<'_>, table: &ProtectedTable, number: usize) -> Markup {
    let map = Map::of(report.protected, table, report.audience);
    let several = map.dimensions.len() > 2;
    let cut = map.dimensions.iter().any(|axis| axis.cut);
    // "</script>" in a label must not end the script.
    let data = serde_json::to_string(&map).unwrap_or_default().replace('<', "\\u003c");
    let card = html! {
        div.card.map-card {
            (figures::legend(report.audience))
            @if several { (map.choices(number)) }
            div.map { (PreEscaped(map.svg())) }
            p.tip aria-live="polite" {}
            @if !map.explained.is_empty() {
                p.small.soft { "Click a cell to see what is known of it." }
                div.explained aria-live="polite" {}
            }
            @if cut {
                p.small.soft {
                    "The table has " (count(table.cells.len())) " cells. Drawn are its upper levels; the amber shade of a published cell tells how many of the cells below it are hidden."
                }
            }
            script type="application/json" { (PreEscaped(data)) }
        }
    };
    html! {
        @if number == 0 {
            h2 { "Map of " (table.name()) }
            (card)
        } @else {
            details { summary { "Map of " (table.name()) } (card) }
        }
    }
}

impl Map {
    fn of(protected: &SuppressedTables, table: &ProtectedTable, audience: Audience) -> Self {
        let axes = axes(table);
        let protectors = (audience == Audience::Office).then(|| Protectors::of(protected));
        let mut explained = BTreeMap::new();
        let mut published = 0;
        let cut = axes.iter().any(|axis| axis.cut);
        let sizes: Vec<usize> = axes.iter().map(|axis| axis.nodes.len()).collect();
        let all: usize = sizes.iter().product();
        let places: Vec<Vec<Vec<usize>>> = axes
            .iter()
            .enumerate()
            .map(|(dimension, axis)| {
                places(&table.cube().dimensions()[dimension].hierarchy, &axis.nodes)
            })
            .collect();
        let mut cells = vec![b'.'; all];
        let mut below = vec![[0_u32; 2]; if cut { all } else { 0 }];
        let mut above: Vec<usize> = Vec::new();
        for (here, cell) in table.cells() {
            let status = protected.status(cell);
            // The cells of the map that the cell is, or is a part of.
            above.clear();
            above.push(0);
            let mut itself = Some(0);
            for (dimension, axis) in axes.iter().enumerate() {
                let node = table.cube().coordinate(here, dimension);
                let at = &places[dimension][node as usize];
                let step = |index: usize, at: usize| index * sizes[dimension] + at;
                let own = at.iter().copied().find(|&at| axis.nodes[at] == node);
                itself = itself.zip(own).map(|(index, at)| step(index, at));
                if cut {
                    let steps = |&index: &usize| at.iter().map(move |&at| step(index, at));
                    above = above.iter().flat_map(steps).collect();
                }
            }
            if let Some(index) = itself {
                cells[index] = match (status, audience) {
                    (Status::Safe | Status::Protected, _) => b'v',
                    (_, Audience::Public) => b'h',
                    (Status::Primary(_), Audience::Office) => b'p',
                    (Status::Secondary, Audience::Office) => b's',
                };
                published += usize::from(!status.is_suppressed());
                let told = status.is_suppressed() || published <= MOST_EXPLAINED;
                if let Some(protectors) = protectors.as_ref().filter(|_| told) {
                    explained.insert(index, protectors.explain(table, here, cell));
                }
            }
            for &index in above.iter().filter(|&&index| cut && Some(index) != itself) {
                below[index][0] += 1;
                below[index][1] += u32::from(status.is_suppressed());
            }
        }
        let share =
            |&[all, hidden]: &[u32; 2]| match (u64::from(hidden) * 10).checked_div(all.into()) {
                None | Some(0) => u8::from(hidden > 0),
                Some(tenths) => tenths.min(9) as u8,
            };
        let shares = below.iter().map(|below| char::from(b'0' + share(below))).collect();
        let most = sizes.iter().copied().max().unwrap_or(0);
        let columns = axes.iter().skip(1).map(|axis| axis.nodes.len()).max().unwrap_or(1);
        let left = axes.iter().map(Axis::label_width).max().unwrap_or(0);
        // Column labels slant by 60 degrees.
        let top = axes.iter().skip(1).map(Axis::label_width).max().unwrap_or(0) * 87 / 100 + 14;
        let wide = PAGE.saturating_sub(left + SLANT) / columns.max(1);
        Self {
            dimensions: axes,
            cells: cells.into_iter().map(char::from).collect(),
            explained,
            shares: cut.then_some(shares),
            size: if most > 60 { 12 } else { 15 },
            wide: wide.clamp(NARROWEST, WIDEST),
            left,
            top,
        }
    }

    /// Menus for the dimensions shown and the codes of the others.
    fn choices(&self, number: usize) -> Markup {
        let axis_choice = |role: &str, words: &str, chosen: usize| {
            html! {
                label { (words) " "
                    select data-role=(role) id={ "map-" (number) "-" (role) } {
                        @for (position, axis) in self.dimensions.iter().enumerate() {
                            option value=(position) selected[position == chosen] { (axis.name) }
                        }
                    }
                }
            }
        };
        html! {
            div.choose {
                (axis_choice("row", "rows", 0))
                (axis_choice("column", "columns", 1))
                @for (position, axis) in self.dimensions.iter().enumerate() {
                    label hidden[position < 2] { (axis.name) " "
                        select data-role="at" data-dimension=(position) {
                            @for (code, (label, depth)) in axis.codes.iter().enumerate() {
                                option value=(code) { ("\u{2003}".repeat(*depth)) (label) }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The first two dimensions with the others at their totals, for readers without
    /// scripts and for print. The same picture as the script draws.
    fn svg(&self) -> String {
        let rows = &self.dimensions[0];
        let columns = self.dimensions.get(1);
        let width = columns.map_or(1, |axis| axis.codes.len());
        let rest: usize = self.dimensions.iter().skip(2).map(|axis| axis.codes.len()).product();
        let mut paths =
            ["g", "v", "s d1", "s d2", "s d3", "s", "p", "h"].map(|kind| (kind, String::new()));
        let Self { size, wide, left, top, .. } = *self;
        for row in 0..rows.codes.len() {
            for column in 0..width {
                let index = (row * width + column) * rest;
                let status = self.cells.as_bytes()[index];
                let share = self.shares.as_ref().map_or(0, |all| all.as_bytes()[index] - b'0');
                let kinds: &[&str] = match (status, share) {
                    (b'p', _) => &["p"],
                    (b'h', _) => &["h"],
                    (b's', _) => &["s"],
                    (b'v', 0) => &["v"],
                    (b'v', 1..=3) => &["v", "s d1"],
                    (b'v', 4..=6) => &["v", "s d2"],
                    (b'v', _) => &["v", "s d3"],
                    _ => &["g"],
                };
                for (_, path) in paths.iter_mut().filter(|(kind, _)| kinds.contains(kind)) {
                    let (x, y) = (left + column * wide, top + row * size);
                    let (across, down) = (wide - 1, size - 1);
                    let _ = write!(path, "M{x} {y}h{across}v{down}h-{across}z");
                }
            }
        }
        let (page, high) = (left + width * wide + SLANT, top + rows.codes.len() * size + 4);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{page}\" height=\"{high}\" role=\"img\" \
             aria-label=\"cells by status\">"
        );
        for (kind, path) in paths.iter().filter(|(_, path)| !path.is_empty()) {
            let _ = write!(svg, "<path class=\"{kind}\" d=\"{path}\"/>");
        }
        for (row, (label, depth)) in rows.codes.iter().enumerate() {
            let (x, y) = (depth * 8, (top + row * size + size) as f64 - 3.5);
            let class = if *depth == 0 { " class=\"top\"" } else { "" };
            let label = escaped(&short(label, *depth));
            let _ = write!(svg, "<text x=\"{x}\" y=\"{y}\"{class}>{label}</text>");
        }
        for (column, (label, depth)) in
            columns.iter().flat_map(|axis| axis.codes.iter().enumerate())
        {
            let (x, y) = (left + column * wide + wide / 2 + 3, top - 6);
            let class = if *depth == 0 { " class=\"top\"" } else { "" };
            let label = escaped(&short(label, 0));
            let _ = write!(
                svg,
                "<text x=\"{x}\" y=\"{y}\" transform=\"rotate(-60 {x} {y})\"{class}>{label}</text>"
            );
        }
        svg.push_str("<rect class=\"mark\" width=\"0\" height=\"0\" visibility=\"hidden\"/></svg>");
        svg
    }
}

fn short(label: &str, depth: usize) -> String {
    let room = LABEL.saturating_sub(depth * 2).max(4);
    match label.chars().count() > room {
        true => label.chars().take(room - 1).chain(['…']).collect(),
        false => label.to_owned(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// The codes to draw: all, or fewer levels of the largest dimensions until it fits.
fn axes(table: &ProtectedTable) -> Vec<Axis> {
    let dimensions = table.cube().dimensions();
    let orders: Vec<Vec<NodeId>> =
        dimensions.iter().map(|dimension| preorder(&dimension.hierarchy)).collect();
    let depth = |dimension: usize, node| dimensions[dimension].hierarchy.ancestors(node).len();
    let mut nodes = orders.clone();
    loop {
        let all = nodes.iter().map(Vec::len).fold(1_usize, usize::saturating_mul);
        let largest = (0..nodes.len()).max_by_key(|&dimension| nodes[dimension].len()).unwrap_or(0);
        let size = nodes[largest].len();
        if (size <= MOST_CODES && all <= MOST_CELLS) || size <= 1 {
            break;
        }
        let deepest = nodes[largest].iter().map(|&node| depth(largest, node)).max().unwrap_or(0);
        if deepest > 1 {
            nodes[largest].retain(|&node| depth(largest, node) < deepest);
        } else {
            // A flat classification: its first codes, fewer if there are many dimensions.
            nodes[largest].truncate((size / 2).clamp(1, MOST_CODES));
        }
    }
    nodes
        .into_iter()
        .enumerate()
        .map(|(dimension, nodes)| Axis {
            name: dimensions[dimension].name.clone(),
            codes: nodes
                .iter()
                .map(|&node| (table.label(dimension, node), depth(dimension, node)))
                .collect(),
            cut: nodes.len() < orders[dimension].len(),
            nodes,
        })
        .collect()
}

/// All codes, each after its parent and before its parent's next part.
fn preorder(hierarchy: &Hierarchy) -> Vec<NodeId> {
    let mut order = Vec::with_capacity(hierarchy.len());
    let mut seen = vec![false; hierarchy.len()];
    let mut open: Vec<NodeId> = vec![0];
    while let Some(node) = open.pop() {
        if std::mem::replace(&mut seen[node as usize], true) {
            continue;
        }
        order.push(node);
        for &sum in hierarchy.total_of(node).iter().rev() {
            open.extend(hierarchy.sums()[sum as usize].parts.iter().rev());
        }
    }
    order
}

/// For each code, where it and the codes above it are drawn.
fn places(hierarchy: &Hierarchy, nodes: &[NodeId]) -> Vec<Vec<usize>> {
    let mut drawn = vec![None; hierarchy.len()];
    for (at, &node) in nodes.iter().enumerate() {
        drawn[node as usize] = Some(at);
    }
    let places = |node: NodeId| {
        let all = hierarchy.ancestors(node).iter().copied().chain([node]);
        all.filter_map(|node| drawn[node as usize]).collect()
    };
    (0..hierarchy.len() as NodeId).map(places).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_drawn_below_their_parents() {
        let tree = Hierarchy::balanced(&[2, 2]);
        let order: Vec<&str> = preorder(&tree).into_iter().map(|node| tree.code(node)).collect();
        assert_eq!(order, ["Total", "1", "1.1", "1.2", "2", "2.1", "2.2"]);
    }

    #[test]
    fn codes_count_for_all_that_are_drawn_above() {
        let tree = Hierarchy::balanced(&[2, 2]);
        let places = places(&tree, &[0, 1, 2]);
        assert_eq!(places[0], [0]);
        let sorted = |node: usize| {
            let mut places = places[node].clone();
            places.sort_unstable();
            places
        };
        assert_eq!((sorted(1), sorted(2)), (vec![0, 1], vec![0, 2]));
        // The first code of the second level is not drawn.
        assert_eq!(sorted(3), [0, 1]);
    }

    #[test]
    fn long_labels_are_cut() {
        assert_eq!(short("short", 1), "short");
        assert_eq!(short(&"x".repeat(40), 2).chars().count(), 22);
    }
}
