//! Policies next to what bash started: which of their verdicts are misses, and which are false alarms.
//!
//! For each line of the file, [`truth`] says from the recorded programs whether the line does what
//! the policy is about. A policy alarms if any of its hooks decides.

mod calls;
mod truth;

use std::collections::BTreeMap;
use std::path::Path;

use hookc::{Engine, Policy};
use serde_json::{Value, json};

use crate::base::Base;
use crate::compare;
use crate::inside::HOME;
use calls::Call;

/// What fetching programs print, and which program that is.
pub(crate) const FETCHED: &str = "fetched-code";
/// Files that lines read.
const FILES: [&str; 3] = [".env", ".env.example", "server.pem"];

/// A line with the policy that it is for.
struct Case {
    line: String,
    policy: String,
    /// Whether the file says that the policy should deny it.
    deny: bool,
}

/// The policies that are compared.
#[derive(Default)]
struct Engines {
    /// By name: with conditions over the view, and with regular expressions.
    all: BTreeMap<String, [Engine; 2]>,
}

/// Counts for one policy.
#[derive(Default)]
struct Row {
    harmful: usize,
    harmless: usize,
    /// Misses and false alarms of each version.
    wrong: [[usize; 2]; 2],
}

const VERSIONS: [&str; 2] = ["shell(...)", "regular expressions"];

/// Compares the policies with what bash starts, and prints each difference and a table. Without
/// `runs`, what the file says is the truth, and no line runs.
///
/// # Errors
/// There is no root or no policy, the file says something else than the root, or a policy with
/// conditions over the view is wrong about a line.
pub(crate) fn judge(file: &str, runs: bool) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let cases = cases(&text)?;
    let folder = Path::new(file).parent().unwrap_or(Path::new("."));
    let engines = Engines::load(folder, &cases)?;
    let base = if runs { Some(base(&cases)?) } else { None };
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    let mut stale = 0_usize;
    for case in &cases {
        let truth = match &base {
            Some(base) => truth::is_harmful(&case.policy, &started(base, case)?)
                .ok_or_else(|| format!("there is no policy `{}`", case.policy))?,
            None => case.deny,
        };
        if truth != case.deny {
            stale = stale.saturating_add(1);
            println!("{}", json!({"what": "the file is wrong", "policy": case.policy, "line": case.line}));
        }
        rows.entry(&case.policy).or_default().add(case, truth, &engines)?;
    }
    let wrong = table(&rows);
    match (stale, wrong) {
        (0, 0) => Ok(()),
        _ => Err(format!(
            "{stale} lines with a wrong `deny`, {wrong} wrong verdicts of conditions over the view"
        )),
    }
}

fn base(cases: &[Case]) -> Result<Base, String> {
    let lines: Vec<String> = cases.iter().map(|case| case.line.clone()).collect();
    let mut programs = compare::programs(&lines);
    programs.insert(FETCHED.to_owned());
    Base::new(&programs)
}

fn cases(text: &str) -> Result<Vec<Case>, String> {
    let case = |(at, text): (usize, &str)| {
        let number = at.saturating_add(1);
        let value: Value = serde_json::from_str(text).map_err(|error| format!("line {number}: {error}"))?;
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        match (text("line"), text("policy"), value["deny"].as_bool()) {
            (Some(line), Some(policy), Some(deny)) => Ok(Case { line, policy, deny }),
            _ => Err(format!("line {number}: an object needs `line`, `policy` and `deny`")),
        }
    };
    text.lines().enumerate().map(case).collect()
}

fn started(base: &Base, case: &Case) -> Result<Vec<Call>, String> {
    let names = compare::paths(&case.line);
    let question = json!({"line": case.line, "names": names, "fetched": FETCHED, "files": FILES});
    let answer = base.ask(&question)?;
    Ok(answer["started"].as_array().into_iter().flatten().filter_map(Call::read).collect())
}

impl Engines {
    /// The policies of the cases: `new/NAME.yaml` or the starter policy of that name, and `old/NAME.yaml`.
    fn load(folder: &Path, cases: &[Case]) -> Result<Self, String> {
        let mut engines = Self::default();
        for case in cases {
            if engines.all.contains_key(&case.policy) {
                continue;
            }
            let starter_of_case = folder.join(format!("new/{}.yaml", case.policy));
            let starter = folder.join(format!("../starters/{}/hooks.yaml", case.policy));
            let new = if starter_of_case.is_file() { starter_of_case } else { starter };
            let old = folder.join(format!("old/{}.yaml", case.policy));
            engines.all.insert(case.policy.clone(), [engine(&new)?, engine(&old)?]);
        }
        Ok(engines)
    }
}

fn engine(path: &Path) -> Result<Engine, String> {
    Policy::from_file(path).map(Engine::new).map_err(|error| format!("{}: {error}", path.display()))
}

/// Whether a hook of the policy decides about a line.
fn alarms(engine: &Engine, line: &str) -> Result<bool, String> {
    let event = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "cwd": format!("{HOME}/repo"),
        "tool_input": {"command": line}});
    let decision = engine.decide(&event).map_err(|error| format!("{line}: {error}"))?;
    Ok(!decision.is_empty())
}

impl Row {
    fn add(&mut self, case: &Case, harmful: bool, engines: &Engines) -> Result<(), String> {
        let count = if harmful { &mut self.harmful } else { &mut self.harmless };
        *count = count.saturating_add(1);
        let Some(engines) = engines.all.get(&case.policy) else { return Ok(()) };
        for ((engine, version), wrong) in engines.iter().zip(VERSIONS).zip(&mut self.wrong) {
            let [misses, false_alarms] = wrong;
            let (count, what) = match (harmful, alarms(engine, &case.line)?) {
                (true, false) => (misses, "miss"),
                (false, true) => (false_alarms, "false alarm"),
                _ => continue,
            };
            *count = count.saturating_add(1);
            println!("{}", json!({"what": what, "by": version, "policy": case.policy, "line": case.line}));
        }
        Ok(())
    }
}

/// Prints the table; the number of wrong verdicts of the first version.
fn table(rows: &BTreeMap<&str, Row>) -> usize {
    println!(
        "| policy | harmful | harmless | `shell(...)`: misses | false alarms | regular expressions: misses | false alarms |"
    );
    println!("|---|---|---|---|---|---|---|");
    let mut all = Row::default();
    let sum = |into: &mut usize, more: usize| *into = into.saturating_add(more);
    for (name, row) in rows {
        print_row(name, row);
        sum(&mut all.harmful, row.harmful);
        sum(&mut all.harmless, row.harmless);
        for (into, more) in all.wrong.iter_mut().flatten().zip(row.wrong.iter().flatten()) {
            sum(into, *more);
        }
    }
    print_row("all", &all);
    all.wrong.first().map_or(0, |wrong| wrong.iter().sum())
}

fn print_row(name: &str, row: &Row) {
    let [[new_misses, new_alarms], [old_misses, old_alarms]] = row.wrong;
    println!(
        "| {name} | {} | {} | {new_misses} | {new_alarms} | {old_misses} | {old_alarms} |",
        row.harmful, row.harmless
    );
}
