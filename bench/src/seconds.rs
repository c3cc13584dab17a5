//! Times on the command line.

/// Reads `60`, `60s`, `5m` or `1h` as seconds.
///
/// # Errors
/// What is wrong, for the user.
pub fn seconds(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches(['s', 'm', 'h']);
    let unit = match &text[number.len()..] {
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => f64::NAN,
    };
    let seconds = number.parse().map(|number: f64| number * unit).ok();
    let sensible = seconds.filter(|&seconds| seconds > 0.0 && seconds < 1e9);
    sensible.ok_or_else(|| format!("{text} is no time; expected one such as 60s, 5m or 1h"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_their_units() {
        assert_eq!(seconds("60"), Ok(60.0));
        assert_eq!(seconds("60s"), Ok(60.0));
        assert_eq!(seconds("1.5m"), Ok(90.0));
        assert_eq!(seconds("2h"), Ok(7200.0));
        for wrong in ["", "s", "-1s", "0", "1mm", "1d", "nan"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
