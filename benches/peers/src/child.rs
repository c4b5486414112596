//! Engines in other languages: one process each, which reads `rules.json`, `events.ndjson` and
//! `expected.json` of a directory, checks its answers, times itself, and prints a JSON line.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde::Deserialize;

use crate::record::{Row, figure};
use crate::work::Work;

struct Child {
    name: &'static str,
    command: &'static [&'static str],
    most: usize,
}

const CHILDREN: &[Child] = &[
    Child { name: "Python reference evaluator", command: &["python3", "evaluator.py"], most: 100_000 },
    // Beyond this size it takes seconds per event.
    Child { name: "json-rules-engine (Node)", command: &["node", "engine.mjs"], most: 10_000 },
];

/// The output of a child.
#[derive(Deserialize)]
struct Told {
    load_ms: f64,
    wrong: usize,
    /// Microseconds per decision of each pass.
    us: Vec<f64>,
}

/// Runs the engines that support the workload.
pub fn run(work: &Work, only: &str, budget: Duration) -> io::Result<Vec<(String, Row)>> {
    let fits = |child: &&Child| !work.reduced && work.rules.len() <= child.most && child.name.contains(only);
    let chosen: Vec<&Child> = CHILDREN.iter().filter(fits).collect();
    if chosen.is_empty() {
        return Ok(Vec::new());
    }
    let folder = std::env::temp_dir().join(format!("hookc-peers-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("rules.json"), work.json().to_string())?;
    std::fs::write(folder.join("events.ndjson"), work.events.join("\n"))?;
    std::fs::write(folder.join("expected.json"), serde_json::to_string(&work.expected)?)?;
    let rows = chosen.iter().map(|child| (child.name.to_owned(), one(child, &folder, budget))).collect();
    std::fs::remove_dir_all(&folder)?;
    Ok(rows)
}

fn one(child: &Child, folder: &Path, budget: Duration) -> Row {
    let told = || -> Result<Told, String> {
        let [program, script] = child.command else { return Err("no command".to_owned()) };
        let mut command = Command::new(program);
        command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/other"));
        command.arg(script).arg(folder).arg(budget.as_millis().to_string()).stderr(Stdio::inherit());
        let output = command.output().map_err(|error| format!("{program}: {error}"))?;
        serde_json::from_slice(&output.stdout).map_err(|error| format!("{program}: {error}"))
    };
    match told() {
        Ok(Told { load_ms, wrong, us }) => {
            Row { us: Some(figure(us)), load_ms: Some(load_ms), wrong, ..Row::default() }
        }
        Err(refused) => Row { refused: Some(refused), ..Row::default() },
    }
}
