//! What every report has around its content: one HTML file that needs nothing else.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// A whole page: its title, what stands before the main part and in it, and a script.
pub fn page(title: &str, before: &Markup, main: &Markup, script: Option<&str>) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content={ "quell " (version) };
                title { (title) }
                style { (PreEscaped(include_str!("style.css"))) }
            }
            body {
                (before)
                main {
                    (main)
                    footer { "Made by Quell " (version) ". This page needs no network." }
                }
                @if let Some(script) = script { script { (PreEscaped(script)) } }
            }
        }
    };
    page.into_string()
}

/// The head of a report: what it is, and of what.
pub fn heading(kicker: &str, title: &str) -> Markup {
    html! {
        header {
            p.kicker { (kicker) }
            h1 { (title) }
        }
    }
}
