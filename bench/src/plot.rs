//! Line charts as SVG, enough for the pictures in docs.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

/// How an axis counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// Evenly.
    Linear,
    /// In powers of ten.
    Logarithmic,
}

/// A line with its name.
#[derive(Debug, Clone)]
pub struct Line {
    /// What the key calls it.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// A chart.
#[derive(Debug, Clone)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// What the horizontal axis counts, and how.
    pub x: (&'static str, Axis),
    /// What the vertical axis counts, and how.
    pub y: (&'static str, Axis),
    /// The lines.
    pub lines: Vec<Line>,
}

/// Colours that people with any colour vision can tell apart (Okabe & Ito).
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
/// Left, top, right and bottom of the plot.
const FRAME: [f64; 4] = [80.0, 40.0, 560.0, 370.0];

impl Chart {
    /// Writes the chart into `docs`.
    pub fn write(&self, name: &str) -> io::Result<()> {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
        fs::write(docs.join(format!("{name}.svg")), self.svg())
    }

    fn svg(&self) -> String {
        let points = || self.lines.iter().flat_map(|line| line.points.iter());
        let x = Range::of(self.x.1, points().map(|&(x, _)| x), FRAME[0], FRAME[2]);
        let y = Range::of(self.y.1, points().map(|&(_, y)| y), FRAME[3], FRAME[1]);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
        );
        text(&mut svg, (FRAME[0] + FRAME[2]) / 2.0, 24.0, "middle", &self.title);
        text(&mut svg, (FRAME[0] + FRAME[2]) / 2.0, HEIGHT - 10.0, "middle", self.x.0);
        text(&mut svg, FRAME[0], FRAME[1] - 6.0, "end", self.y.0);
        for at in x.ticks() {
            line(&mut svg, [(x.place(at), FRAME[1]), (x.place(at), FRAME[3])], "#ddd");
            text(&mut svg, x.place(at), FRAME[3] + 16.0, "middle", &number(at));
        }
        for at in y.ticks() {
            line(&mut svg, [(FRAME[0], y.place(at)), (FRAME[2], y.place(at))], "#ddd");
            text(&mut svg, FRAME[0] - 6.0, y.place(at) + 4.0, "end", &number(at));
        }
        for (index, drawn) in self.lines.iter().enumerate() {
            let colour = COLOURS[index % COLOURS.len()];
            line(&mut svg, drawn.points.iter().map(|&(a, b)| (x.place(a), y.place(b))), colour);
            let key = FRAME[1] + 14.0 + 20.0 * index as f64;
            line(&mut svg, [(FRAME[2] + 12.0, key), (FRAME[2] + 36.0, key)], colour);
            text(&mut svg, FRAME[2] + 42.0, key + 4.0, "start", &drawn.name);
        }
        svg.push_str("</svg>\n");
        svg
    }
}

/// What an axis covers, and where that lies.
struct Range {
    axis: Axis,
    values: (f64, f64),
    places: (f64, f64),
}

impl Range {
    fn of(axis: Axis, values: impl Iterator<Item = f64>, first: f64, last: f64) -> Self {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let values = match axis {
            Axis::Linear => {
                let margin = (0.05 * (high - low)).max(1e-9);
                (low - margin, high + margin)
            }
            Axis::Logarithmic => {
                (10_f64.powf(low.log10().floor()), 10_f64.powf(high.log10().ceil()))
            }
        };
        Self { axis, values, places: (first, last) }
    }

    fn place(&self, value: f64) -> f64 {
        let (low, high) = self.values;
        let share = match self.axis {
            Axis::Linear => (value - low) / (high - low),
            Axis::Logarithmic => (value / low).ln() / (high / low).ln(),
        };
        self.places.0 + share * (self.places.1 - self.places.0)
    }

    fn ticks(&self) -> Vec<f64> {
        let (low, high) = self.values;
        match self.axis {
            Axis::Linear => {
                let rough = (high - low) / 6.0;
                let power = 10_f64.powf(rough.log10().floor());
                let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * power);
                let step = step.clone().find(|&step| step >= rough).unwrap_or(rough);
                let first = (low / step).ceil() as i64;
                let last = (high / step).floor() as i64;
                (first..=last).map(|tick| tick as f64 * step).collect()
            }
            Axis::Logarithmic => {
                let powers = low.log10().round() as i32..=high.log10().round() as i32;
                powers.map(|power| 10_f64.powi(power)).collect()
            }
        }
    }
}

fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 1e6 => format!("{}M", value / 1e6),
        size if size >= 1e4 => format!("{}k", value / 1e3),
        _ => format!("{}", (value * 1e6).round() / 1e6),
    }
}

fn line(svg: &mut String, points: impl IntoIterator<Item = (f64, f64)>, colour: &str) {
    svg.push_str("<polyline fill=\"none\" stroke-width=\"1.5\" stroke=\"");
    svg.push_str(colour);
    svg.push_str("\" points=\"");
    for (x, y) in points {
        // Writing into a string cannot fail.
        let _ = write!(svg, "{x:.1},{y:.1} ");
    }
    svg.push_str("\"/>\n");
}

fn text(svg: &mut String, x: f64, y: f64, anchor: &str, words: &str) {
    // Writing into a string cannot fail.
    let _ =
        writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_between_the_ends_of_their_axes() {
        for axis in [Axis::Linear, Axis::Logarithmic] {
            let range = Range::of(axis, [3.0, 40.0, 700.0].into_iter(), 80.0, 560.0);
            for value in [3.0, 40.0, 700.0] {
                assert!((80.0..=560.0).contains(&range.place(value)), "{axis:?} {value}");
            }
            assert!(range.place(3.0) < range.place(40.0));
            assert!(range.ticks().len() >= 3, "{:?}", range.ticks());
        }
    }

    #[test]
    fn every_line_is_drawn_and_named() {
        let line =
            |name: &str| Line { name: name.to_owned(), points: vec![(1.0, 2.0), (2.0, 1.0)] };
        let chart = Chart {
            title: "costs".to_owned(),
            x: ("calls", Axis::Linear),
            y: ("cost", Axis::Linear),
            lines: vec![line("swap"), line("insert")],
        };
        let svg = chart.svg();
        assert!(svg.contains(">swap<") && svg.contains(">insert<"));
        assert!(svg.contains(COLOURS[0]) && svg.contains(COLOURS[1]));
    }
}
