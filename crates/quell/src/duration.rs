//! Times as people write them.

use std::time::Duration;

/// The longest time: a year.
const LONGEST: Duration = Duration::from_secs(366 * 86_400);

/// Reads `90`, `60s`, `1.5m`, `2h` or `500ms`; a bare number is seconds.
///
/// ```
/// use std::time::Duration;
///
/// assert_eq!(quell::parse_time("1.5m"), Ok(Duration::from_secs(90)));
/// assert!(quell::parse_time("soon").is_err());
/// ```
///
/// # Errors
/// What is wrong, for the user.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let trimmed = text.trim();
    let digits = trimmed.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match &trimmed[digits.len()..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("expected a time such as 60s, 5m or 1h".to_owned()),
    };
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number: Option<f64> = digits.trim().parse().ok().filter(|_| plain);
    number
        .and_then(|number| Duration::try_from_secs_f64(number * seconds).ok())
        .filter(|time| *time <= LONGEST)
        .ok_or_else(|| "expected a time such as 60s, 5m or 1h".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_their_units() {
        assert_eq!(parse_time("90"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_time("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(parse_time("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_time("2h"), Ok(Duration::from_secs(7200)));
        assert_eq!(parse_time("500ms"), Ok(Duration::from_millis(500)));
        for wrong in ["", "s", "-1s", "1d", "nan", "1e9h", "infs", "1..5s", "99999999999h"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
    }
}
