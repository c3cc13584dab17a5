//! Clocks, memory, and what is known of the machine. Linux only: it all comes from `/proc`.

use std::io;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Ticks of the kernel's accounting a second; 100 on every Linux in use.
const TICKS: f64 = 100.0;

/// What a piece of work took.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    /// Seconds by the clock on the wall.
    pub wall: f64,
    /// Seconds of all processors together, to a hundredth.
    pub cpu: f64,
}

/// Runs a piece of work and measures it.
pub fn measured<T>(work: impl FnOnce() -> T) -> (T, Cost) {
    let (start, cpu) = (Instant::now(), cpu_seconds());
    let result = work();
    (result, Cost { wall: start.elapsed().as_secs_f64(), cpu: cpu_seconds() - cpu })
}

/// Processor seconds of this process so far, user and system, all threads.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The command's name may contain blanks; it ends at the last bracket.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks: f64 = fields
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<f64>().ok())
        .sum();
    ticks / TICKS
}

/// What a process took.
#[derive(Debug, Clone, Copy)]
pub struct Watched {
    /// How it ended.
    pub status: ExitStatus,
    /// Seconds by the clock on the wall.
    pub wall: f64,
    /// The most memory seen, in MiB.
    pub peak_mib: f64,
}

/// How often a process is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// Runs a process and watches its memory, which is gone once it has ended.
pub fn watched(command: &mut Command) -> io::Result<Watched> {
    let start = Instant::now();
    let mut child = command.spawn()?;
    let status_file = format!("/proc/{}/status", child.id());
    let mut peak_mib: f64 = 0.0;
    let status = loop {
        peak_mib = peak_mib.max(peak_of(&status_file));
        match child.try_wait()? {
            Some(status) => break status,
            None => std::thread::sleep(LOOK),
        }
    };
    Ok(Watched { status, wall: start.elapsed().as_secs_f64(), peak_mib })
}

/// The most memory this process has held, in MiB.
pub fn peak_memory() -> f64 {
    peak_of("/proc/self/status")
}

fn peak_of(status_file: &str) -> f64 {
    let kib = field(status_file, "VmHWM").and_then(|text| {
        text.split_whitespace().next().and_then(|number| number.parse::<f64>().ok())
    });
    kib.unwrap_or(0.0) / 1024.0
}

/// The processor's name.
pub fn processor() -> String {
    field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown".to_owned())
}

/// Processors this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Work that waits for a processor, averaged over a minute: above the number of cores the
/// machine is not quiet.
pub fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().and_then(|load| load.parse().ok()).unwrap_or(0.0)
}

/// Today as year-month-day, in universal time.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date(seconds / 86_400)
}

/// The date of a number of days since 1970-01-01.
fn date(days: u64) -> String {
    // Counted from the first of March of the year 0, so that leap days come last.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = match month {
        0..=9 => (era * 400 + year, month + 3),
        _ => (era * 400 + year + 1, month - 9),
    };
    format!("{year:04}-{month:02}-{day:02}")
}

fn field(file: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(11_017), "2000-03-01");
        assert_eq!(date(20_453), "2025-12-31");
    }

    #[test]
    fn work_costs_processor_time() {
        let (sum, cost) = measured(|| {
            let start = Instant::now();
            let mut sum = 0_u64;
            while start.elapsed().as_millis() < 60 {
                sum = std::hint::black_box(sum + 1);
            }
            sum
        });
        assert!(sum > 0 && cost.wall >= 0.06);
        assert!(cost.cpu <= cost.wall + 0.1);
    }
}
