//! What runs did: a line of JSON for each, and a table of all.

use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

/// One run of one target.
#[derive(Debug)]
pub(crate) struct Line {
    target: String,
    sanitizer: String,
    seconds: f64,
    cpu: f64,
    executions: u64,
    edges: u64,
    inputs: u64,
    counters: u64,
    peak: u64,
    has_finding: bool,
}

impl Line {
    /// From what libFuzzer printed.
    pub(crate) fn new(target: &str, sanitizer: &str, active: Duration, cpu: f64, text: &str) -> Self {
        let stat = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix("stat::")?.strip_prefix(name));
            line.and_then(|rest| rest.trim_start_matches(':').trim().parse().ok()).unwrap_or_default()
        };
        let last = |name: &str| -> u64 {
            let words = text.lines().rev().filter(|line| line.starts_with('#')).find_map(|line| {
                let mut words = line.split_whitespace().skip_while(|word| *word != name);
                words.nth(1).and_then(|word| word.split('/').next()?.parse().ok())
            });
            words.unwrap_or_default()
        };
        // `INFO: Loaded 1 modules   (12345 inline 8-bit counters)`
        let counters = text
            .split_once(" inline 8-bit counters")
            .and_then(|(before, _)| before.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok());
        Self {
            target: target.to_owned(),
            sanitizer: sanitizer.to_owned(),
            seconds: active.as_secs_f64(),
            cpu,
            executions: stat("number_of_executed_units"),
            edges: last("cov:"),
            inputs: last("corp:"),
            counters: counters.unwrap_or_default(),
            peak: stat("peak_rss_mb"),
            has_finding: text.contains("Test unit written to"),
        }
    }

    fn to_json(&self) -> Value {
        json!({"target": self.target, "sanitizer": self.sanitizer, "seconds": self.seconds, "cpu": self.cpu,
            "executions": self.executions, "edges": self.edges, "inputs": self.inputs, "counters": self.counters,
            "peak": self.peak, "has_finding": self.has_finding})
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { target, executions, edges, inputs, seconds, .. } = self;
        write!(f, "{target}: {executions} executions, {edges} edges, {inputs} inputs, {seconds:.0} s")?;
        if self.has_finding { f.write_str(", a finding") } else { Ok(()) }
    }
}

/// The lines of all runs.
#[derive(Debug)]
pub(crate) struct Record {
    file: PathBuf,
}

impl Record {
    pub(crate) fn open(directory: &Path) -> io::Result<Self> {
        fs::create_dir_all(directory)?;
        Ok(Self { file: directory.join("record.ndjson") })
    }

    pub(crate) fn add(&self, line: &Line) -> io::Result<()> {
        let mut file = OpenOptions::new().create(true).append(true).open(&self.file)?;
        writeln!(file, "{}", line.to_json())
    }

    /// A row for each target and sanitizer: sums, and the state at the end of the last run.
    pub(crate) fn table(&self) -> io::Result<String> {
        let text = fs::read_to_string(&self.file)?;
        let mut rows: BTreeMap<(String, String), Row> = BTreeMap::new();
        for line in text.lines() {
            let line: Value = serde_json::from_str(line)?;
            let word = |name: &str| line.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
            rows.entry((word("target"), word("sanitizer"))).or_default().add(&line);
        }
        let mut out = String::from(
            "| target | sanitizer | executions | time (s) | on a processor (s) | edges | inputs | peak (MiB) | findings |\n\
             |---|---|---:|---:|---:|---:|---:|---:|---:|\n",
        );
        let mut total = Row::default();
        for ((target, sanitizer), row) in &rows {
            let _ = writeln!(out, "| `{target}` | {sanitizer} |{row}");
            total.executions += row.executions;
            total.seconds += row.seconds;
            total.cpu += row.cpu;
            total.findings += row.findings;
        }
        let Row { executions, seconds, cpu, findings, .. } = total;
        let _ = writeln!(out, "| all | | {executions} | {seconds:.0} | {cpu:.0} | | | | {findings} |");
        Ok(out)
    }
}

/// Runs of one target.
#[derive(Debug, Default)]
struct Row {
    executions: u64,
    seconds: f64,
    cpu: f64,
    edges: u64,
    inputs: u64,
    peak: u64,
    findings: u64,
}

impl Row {
    fn add(&mut self, line: &Value) {
        let count = |name: &str| line.get(name).and_then(Value::as_u64).unwrap_or_default();
        let float = |name: &str| line.get(name).and_then(Value::as_f64).unwrap_or_default();
        self.executions += count("executions");
        self.seconds += float("seconds");
        self.cpu += float("cpu");
        self.edges = self.edges.max(count("edges"));
        self.inputs = self.inputs.max(count("inputs"));
        self.peak = self.peak.max(count("peak"));
        self.findings += u64::from(line.get("has_finding") == Some(&Value::Bool(true)));
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { executions, seconds, cpu, edges, inputs, peak, findings } = self;
        write!(f, " {executions} | {seconds:.0} | {cpu:.0} | {edges} | {inputs} | {peak} | {findings} |")
    }
}
