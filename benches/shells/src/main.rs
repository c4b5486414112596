//! Other readers of the shell's grammar next to the view of hookc: time, hostile text, hidden commands.

mod readers;

use std::hint::black_box;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use readers::{READERS, Reader};

/// A child that needs longer is ended.
const LIMIT: Duration = Duration::from_secs(10);
/// The sizes of hostile text, in KiB.
const SIZES: [usize; 2] = [8, 16];

const SHORT: &str = "git status -s README";
const TYPICAL: &str = "cd /repo && git commit -m \"fix: the parser\" && git push origin HEAD 2>&1 | tail -5";

/// What hostile text repeats.
const SHAPES: &[&str] = &[
    "(",
    "$(",
    "${",
    "`",
    "\"$(",
    "'",
    "{",
    "[[ ",
    "((",
    "$((",
    "<(",
    "a=(",
    "case x in ",
    "if x; then ",
    "{a,b}",
    "{1..9}",
    "x;",
    "x|",
    "x&&",
    "<<E\n",
    "\\",
    "$x",
    "${x:-",
    "for i in a; do ",
    "f() { ",
    "a[",
    "!",
    "# \n",
    "\"",
];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.as_slice() {
        [reader, shape, size] => one(reader, shape, size),
        [lines] => print(lines),
        _ => eprintln!("usage: hookc-shells LINES.ndjson"),
    }
}

/// Reads one hostile text, and prints how long that took.
fn one(reader: &str, shape: &str, size: &str) {
    let numbers = (reader.parse::<usize>(), shape.parse::<usize>(), size.parse::<usize>());
    let (Ok(reader), Ok(shape), Ok(size)) = numbers else { return };
    let (Some(reader), Some(shape)) = (READERS.get(reader), SHAPES.get(shape)) else { return };
    let text = shape.repeat((size << 10) / shape.len());
    let once = || {
        let started = Instant::now();
        black_box((reader.accepts)(black_box(&text)));
        started.elapsed()
    };
    let best = (0..3).map(|_| once()).min().unwrap_or_default();
    println!("{}", best.as_nanos());
}

fn print(file: &str) {
    println!("Microseconds for a command line (medians), and whether the reader accepts it.\n");
    println!("| reader | {} B | {} B | 10 KB |\n|---|---|---|---|", SHORT.len(), TYPICAL.len());
    let long = format!("{TYPICAL}\n").repeat(10_000 / TYPICAL.len());
    for reader in READERS {
        let row: Vec<String> = [SHORT, TYPICAL, long.as_str()].map(|line| timed(reader, line)).into();
        println!("| {} | {} |", reader.name, row.join(" | "));
    }
    println!("\nMilliseconds for 16 KiB of hostile text, and how much more than for 8 KiB.\n");
    let names: Vec<&str> = READERS.iter().map(|reader| reader.name).collect();
    println!("| repeated text | {} |\n|---|{}", names.join(" | "), "---|".repeat(names.len()));
    let mut survived = vec![0; READERS.len()];
    for (at, shape) in SHAPES.iter().enumerate() {
        let mut row = Vec::new();
        for (reader, count) in survived.iter_mut().enumerate() {
            let took = SIZES.map(|size| child(reader, at, size));
            row.push(match took {
                [Ok(few), Ok(many)] => {
                    let growth = many.as_secs_f64() / few.as_secs_f64().max(1e-9);
                    *count += usize::from(growth < 3.0 || many < Duration::from_millis(1));
                    format!("{:.2}, {growth:.1}x", many.as_secs_f64() * 1e3)
                }
                [_, Err(why)] | [Err(why), _] => why,
            });
        }
        let shown = shape.replace('\n', "⏎").replace('|', "\\|");
        println!("| ` {shown} ` | {} |", row.join(" | "));
    }
    let row: Vec<String> = survived.iter().map(|count| format!("{count} of {}", SHAPES.len())).collect();
    println!("| linear (less than 3x, or less than 1 ms) | {} |", row.join(" | "));
    hidden(file);
}

/// The median of many runs.
fn timed(reader: &Reader, line: &str) -> String {
    let (mut times, started) = (Vec::new(), Instant::now());
    let batch = (4_000 / line.len()).max(1);
    while started.elapsed() < Duration::from_millis(700) {
        let from = Instant::now();
        for _ in 0..batch {
            black_box((reader.accepts)(black_box(line)));
        }
        times.push(from.elapsed().as_secs_f64() * 1e6 / batch as f64);
    }
    times.sort_by(f64::total_cmp);
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    let note = if (reader.accepts)(line) { "" } else { " (rejected)" };
    format!("{median:.2}{note}")
}

/// A hostile text in a process of its own: some readers abort.
fn child(reader: usize, shape: usize, size: usize) -> Result<Duration, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let args = [reader, shape, size].map(|number| number.to_string());
    let mut child = Command::new(own)
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            break status;
        }
        if started.elapsed() > LIMIT {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("over {} s", LIMIT.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    if !status.success() {
        return Err(if status.code().is_some() { "panics" } else { "aborts" }.to_owned());
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.trim().parse().map(Duration::from_nanos).map_err(|_| "no answer".to_owned())
}

/// How many of the lines that start `rm` show a command `rm`.
fn hidden(file: &str) {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let line = |text: &str| {
        let value: serde_json::Value = serde_json::from_str(text).ok()?;
        value["line"].as_str().map(str::to_owned)
    };
    let lines: Vec<String> = text.lines().filter_map(line).collect();
    let shows = |reader: &Reader, line: &str| {
        let Some(commands) = reader.commands else { return false };
        let found = std::panic::catch_unwind(|| commands(line)).unwrap_or_default();
        found.iter().any(|name| name == "rm")
    };
    let all: Vec<&String> =
        lines.iter().filter(|line| READERS.first().is_some_and(|own| shows(own, line))).collect();
    println!(
        "\nOf {} lines that start `rm`, those in which the reader's tree has a command `rm`.\n",
        all.len()
    );
    println!("| reader | lines |\n|---|---|");
    for reader in READERS {
        let count = all.iter().filter(|line| shows(reader, line)).count();
        let shown = if reader.commands.is_some() { count.to_string() } else { "not compared".to_owned() };
        println!("| {} | {shown} |", reader.name);
    }
}
