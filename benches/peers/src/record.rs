//! The measurements: JSON, tables, a plot.

use std::fmt::{self, Write};
use std::path::Path;
use std::{fs, io};

use serde::Serialize;

use crate::plot;
use crate::work::Work;

/// An engine at one size.
#[derive(Default, Serialize)]
pub struct Row {
    /// Microseconds per decision: the median pass, and the range of eight in ten.
    pub us: Option<[f64; 3]>,
    /// Microseconds for an event that is parsed already.
    pub parsed_us: Option<[f64; 3]>,
    /// Milliseconds from rules to an engine that decides.
    pub load_ms: Option<f64>,
    /// Answers that are not the expected ones.
    pub wrong: usize,
    /// Why there is no figure.
    pub refused: Option<String>,
}

/// Median, a tenth below, a tenth above.
pub fn figure(mut all: Vec<f64>) -> [f64; 3] {
    all.sort_by(f64::total_cmp);
    [50, 10, 90].map(|percent| {
        let at = (all.len() * percent).div_ceil(100).saturating_sub(1);
        all.get(at).copied().unwrap_or(f64::NAN)
    })
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.us, &self.refused) {
            (Some([median, low, high]), _) => {
                write!(f, "{median:.2} us ({low:.2} to {high:.2})")?;
                self.parsed_us.map_or(Ok(()), |[parsed, ..]| write!(f, ", parsed {parsed:.2}"))?;
                self.load_ms.map_or(Ok(()), |load| write!(f, ", loaded in {load:.1} ms"))?;
                if self.wrong > 0 { write!(f, ", {} answers wrong", self.wrong) } else { Ok(()) }
            }
            (None, refused) => f.write_str(refused.as_deref().unwrap_or("-")),
        }
    }
}

#[derive(Serialize)]
struct Entry {
    workload: &'static str,
    hooks: usize,
    engine: String,
    #[serde(flatten)]
    row: Row,
}

/// All rows of a run.
#[derive(Default)]
pub struct Record(Vec<Entry>);

impl Record {
    pub fn add(&mut self, work: &Work, engine: &str, row: Row) {
        let (workload, hooks) = (work.name(), work.rules.len());
        self.0.push(Entry { workload, hooks, engine: engine.to_owned(), row });
    }

    /// A table for each workload.
    pub fn markdown(&self) -> String {
        let tables =
            ["mixed", "reduced"].map(|workload| self.table(workload) + self.parsed(workload).as_str());
        tables.concat()
    }

    /// The engines that take parsed events.
    fn parsed(&self, workload: &str) -> String {
        let of = || self.0.iter().filter(move |entry| entry.workload == workload);
        let (sizes, engines) = heads(of().filter(|entry| entry.row.parsed_us.is_some()));
        let names: String = sizes.iter().map(|size| format!(" {size} |")).collect();
        let mut text = format!("| {workload}, parsed events: us per decision |{names}\n|---|");
        let _ = writeln!(text, "{}", "---:|".repeat(sizes.len()));
        for engine in engines {
            let row = |size: usize| of().find(|e| e.engine == engine && e.hooks == size).map(|e| &e.row);
            let figure = |size: &usize| row(*size).map(|row| (row.parsed_us, row));
            let cells: String = sizes.iter().map(|size| format!(" {} |", cell(figure(size)))).collect();
            let _ = writeln!(text, "| {engine} |{cells}");
        }
        text + "\n"
    }

    fn table(&self, workload: &str) -> String {
        let of = || self.0.iter().filter(move |entry| entry.workload == workload);
        let (sizes, engines) = heads(of());
        let names: String = sizes.iter().map(|size| format!(" {size} |")).collect();
        let mut text = format!("| {workload}: us per decision |{names} loading 10000, ms |\n|---|");
        let _ = writeln!(text, "{}---:|", "---:|".repeat(sizes.len()));
        for engine in engines {
            let row = |size: usize| of().find(|e| e.engine == engine && e.hooks == size).map(|e| &e.row);
            let figure = |size: &usize| row(*size).map(|row| (row.us, row));
            let cells: String = sizes.iter().map(|size| format!(" {} |", cell(figure(size)))).collect();
            let load =
                row(10_000).and_then(|row| row.load_ms).map_or("-".to_owned(), |load| format!("{load:.0}"));
            let _ = writeln!(text, "| {engine} |{cells} {load} |");
        }
        text + "\n"
    }

    /// Writes the record to a directory.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        fs::write(folder.join("peers.json"), serde_json::to_string_pretty(&self.0)? + "\n")?;
        fs::write(folder.join("peers.md"), self.markdown())?;
        fs::write(folder.join("peers.svg"), plot::svg(&self.lines()))
    }

    /// Hooks and microseconds of each engine over the whole workload.
    fn lines(&self) -> Vec<(String, Vec<(f64, f64)>)> {
        let mut lines: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
        for entry in self.0.iter().filter(|entry| entry.workload == "mixed") {
            let Some([median, ..]) = entry.row.us else { continue };
            let point = (entry.hooks as f64, median);
            match lines.iter_mut().find(|(name, _)| *name == entry.engine) {
                Some((_, points)) => points.push(point),
                None => lines.push((entry.engine.clone(), vec![point])),
            }
        }
        lines
    }
}

/// The sizes and the engines of a table, in the order in which they were measured.
fn heads<'r>(entries: impl Iterator<Item = &'r Entry>) -> (Vec<usize>, Vec<&'r str>) {
    let (mut sizes, mut engines) = (Vec::new(), Vec::new());
    for entry in entries {
        if !sizes.contains(&entry.hooks) {
            sizes.push(entry.hooks);
        }
        if !engines.contains(&entry.engine.as_str()) {
            engines.push(&entry.engine);
        }
    }
    (sizes, engines)
}

fn cell(figure: Option<(Option<[f64; 3]>, &Row)>) -> String {
    let Some((us, row)) = figure else { return "-".to_owned() };
    let Some([median, ..]) = us else { return "refuses".to_owned() };
    let digits = if median < 10.0 { 2 } else { usize::from(median < 100.0) };
    let wrong = if row.wrong > 0 { format!(" ({} wrong)", row.wrong) } else { String::new() };
    format!("{median:.digits$}{wrong}")
}
