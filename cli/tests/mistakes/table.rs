//! Runs the tables of mistakes next to this file: each row is what somebody wrote, the command, and
//! the expected answer. README.md describes the notation.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use hookc_schema::{Diagnostics, SourceId};
use hookc_syntax::expr::print;
use hookc_syntax::front::yaml;
use serde_json::Value;

use crate::common::{self, Run, project, put};

/// One row, with the defaults of its group.
struct Row {
    table: String,
    rule: String,
    name: String,
    files: Vec<(String, String)>,
    before: Vec<Vec<String>>,
    run: Vec<String>,
    stdin: String,
    status: i64,
    answer: Vec<String>,
    never: Vec<String>,
    holds: Vec<(String, String)>,
    /// Tests elsewhere, which show it in the place of a command.
    tests: Vec<String>,
}

const GROUP_KEYS: [&str; 9] = ["rule", "file", "text", "files", "before", "run", "status", "answer", "rows"];
const ROW_KEYS: [&str; 12] = [
    "name", "write", "file", "files", "before", "run", "stdin", "status", "answer", "never", "holds", "test",
];

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A string is a list of one.
fn list(value: &Value) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        Value::Array(items) => items.iter().map(text).collect(),
        one => vec![text(one)],
    }
}

/// Arguments as a list, or as a text that whitespace divides.
fn args(value: &Value) -> Vec<String> {
    match value {
        Value::String(line) => line.split_whitespace().map(str::to_owned).collect(),
        other => list(other),
    }
}

fn pairs(value: &Value) -> Vec<(String, String)> {
    value.as_object().into_iter().flatten().map(|(key, value)| (key.clone(), text(value))).collect()
}

fn known(object: &Value, keys: &[&str], at: &str) {
    for key in object.as_object().unwrap_or_else(|| panic!("{at}: not a mapping")).keys() {
        assert!(keys.contains(&key.as_str()), "{at}: unknown key `{key}`");
    }
}

fn row(table: &str, group: &Value, row: &Value) -> Row {
    let rule = text(&group["rule"]);
    known(row, &ROW_KEYS, &rule);
    let either = |key: &str| if row[key].is_null() { &group[key] } else { &row[key] };
    let mut files = [pairs(&group["files"]), pairs(&row["files"])].concat();
    if let (Some(write), Some(form)) = (row["write"].as_str(), group["text"].as_str()) {
        let name = if either("file").is_null() { "hooks.yaml".to_owned() } else { text(either("file")) };
        files.push((name, form.replace("$$", write)));
    }
    let written = row["write"].as_str().or_else(|| row["name"].as_str());
    let before = either("before").as_array().into_iter().flatten().map(args).collect();
    let one = Row {
        table: table.to_owned(),
        name: written.unwrap_or_else(|| panic!("{rule}: a row without `write` or `name`")).to_owned(),
        rule,
        files,
        before,
        run: args(either("run"))
            .iter()
            .map(|arg| arg.replace("$$", row["write"].as_str().unwrap_or_default()))
            .collect(),
        stdin: row["stdin"].as_str().unwrap_or_default().to_owned(),
        status: either("status")
            .as_i64()
            .or(row.get("test").map(|_| 0))
            .expect("a row or its group has `status`"),
        answer: list(either("answer")),
        never: list(&row["never"]),
        holds: pairs(&row["holds"]),
        tests: list(&row["test"]),
    };
    let silent =
        one.answer.is_empty() && one.never.is_empty() && one.holds.is_empty() && one.tests.is_empty();
    assert!(!silent, "{}: {}: nothing is expected but a status", one.table, one.name);
    one
}

fn rows(folder: &Path) -> Vec<Row> {
    let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.retain(|path| path.extension().is_some_and(|end| end == "yaml"));
    names.sort();
    let mut all = Vec::new();
    for path in names {
        let (table, source) =
            (path.file_stem().unwrap().to_string_lossy(), fs::read_to_string(&path).unwrap());
        let mut problems = Diagnostics::new();
        let tree = yaml::read(&source, SourceId::default(), &mut problems);
        let tree = tree.filter(|_| problems.is_empty()).unwrap_or_else(|| panic!("{table}: {problems:?}"));
        let groups: Value = serde_json::from_str(&print::json(&tree)).unwrap();
        for group in groups.as_array().unwrap() {
            known(group, &GROUP_KEYS, &table);
            all.extend(group["rows"].as_array().unwrap().iter().map(|item| row(&table, group, item)));
        }
    }
    all
}

/// The output of the row's command, and what is wrong with it.
fn outcome(row: &Row) -> (Run, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let work = folder.path().join("work");
    fs::create_dir_all(&home).unwrap();
    fs::create_dir_all(&work).unwrap();
    row.files.iter().for_each(|(name, text)| drop(put(&work, name, text)));
    let hookc = |args: &[String], stdin: &str| {
        let mut command = common::command(&work);
        command.env("HOME", &home).env("XDG_STATE_HOME", home.join("state")).args(args);
        common::run(&mut command, stdin)
    };
    let mut wrong = Vec::new();
    for args in &row.before {
        let run = hookc(args, "");
        if run.code != 0 {
            wrong.push(format!("`hookc {}` ends with {}: {}{}", args.join(" "), run.code, run.out, run.err));
        }
    }
    let run = hookc(&row.run, &row.stdin);
    if i64::from(run.code) != row.status {
        wrong.push(format!("ends with {}, not {}", run.code, row.status));
    }
    let all = format!("{}\n{}", run.out, run.err);
    for part in row.answer.iter().filter(|part| !all.contains(part.as_str())) {
        wrong.push(format!("does not contain `{part}`"));
    }
    for part in row.never.iter().filter(|part| all.contains(part.as_str())) {
        wrong.push(format!("contains `{part}`"));
    }
    for (name, part) in &row.holds {
        let text = fs::read_to_string(work.join(name)).unwrap_or_default();
        if !text.contains(part.as_str()) {
            wrong.push(format!("{name} does not contain `{part}`: {text}"));
        }
    }
    (run, wrong)
}

/// What is wrong with the names of tests: each is `FILE::TEST`, a file with a test of that name.
fn missing(row: &Row) -> Vec<String> {
    let is_there = |test: &str| {
        let (file, name) = test.split_once("::").unwrap_or((test, ""));
        let text = fs::read_to_string(project().join(file)).unwrap_or_default();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let at = lines.iter().position(|line| line.starts_with(&format!("fn {name}()")));
        at.is_some_and(|at| {
            lines[..at].iter().rev().take_while(|line| line.starts_with("#[")).any(|line| *line == "#[test]")
        })
    };
    row.tests.iter().filter(|test| !is_there(test)).map(|test| format!("there is no test `{test}`")).collect()
}

/// The first non-empty line of an answer.
fn headline(run: &Run) -> String {
    let mut lines = run.err.lines().chain(run.out.lines());
    let found = lines.clone().find(|line| line.contains("[E") || line.contains("[W"));
    found.or_else(|| lines.find(|line| !line.trim().is_empty())).unwrap_or_default().to_owned()
}

fn cell(text: &str) -> String {
    text.trim().replace('|', "\\|").replace('\n', " ⏎ ")
}

#[test]
fn each_mistake_gets_its_answer() {
    let rows = rows(&project().join("cli/tests/mistakes"));
    let only = std::env::var("HOOKC_ROWS").unwrap_or_default();
    // A short run takes one row of five, all of them if some are named.
    let share = if only.is_empty() { hookc_corpus::effort(1, 5) } else { 1 };
    let chosen: Vec<&Row> = rows
        .iter()
        .filter(|row| format!("{} {} {}", row.table, row.rule, row.name).contains(&only))
        .step_by(share)
        .collect();
    let done = Mutex::new(vec![None; chosen.len()]);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(row) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let at = chosen.iter().position(|other| std::ptr::eq(*other, *row)).unwrap();
                    if !row.tests.is_empty() {
                        let shown = format!("shown by {}", row.tests.join(", "));
                        done.lock().unwrap()[at] = Some((0, shown, missing(row), String::new()));
                        continue;
                    }
                    let (run, wrong) = outcome(row);
                    done.lock().unwrap()[at] = Some((run.code, headline(&run), wrong, run.out + &run.err));
                }
            });
        }
    });
    let (mut table, mut failures, mut heading) = (String::new(), String::new(), "");
    let mut failed = 0;
    for (row, done) in chosen.iter().zip(done.into_inner().unwrap()) {
        let (code, headline, wrong, output) = done.unwrap();
        if heading != row.rule {
            heading = &row.rule;
            write!(table, "\n## {heading}\n\n| written | command | status | answer |\n|---|---|---|---|\n")
                .unwrap();
        }
        let run = row.run.join(" ");
        let command = if row.tests.is_empty() { format!("`hookc {}`", cell(&run)) } else { String::new() };
        writeln!(table, "| {} | {command} | {code} | {} |", cell(&row.name), cell(&headline)).unwrap();
        if !wrong.is_empty() {
            failed += 1;
            let (table, rule, name) = (&row.table, &row.rule, &row.name);
            writeln!(failures, "--- {table}: {rule}\n{name}\n$ hookc {run}\n{}\n{output}", wrong.join("\n"))
                .unwrap();
        }
    }
    let report = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mistakes.md");
    fs::write(report, table).unwrap();
    assert!(failed == 0, "{failed} of {} rows fail\n{failures}", chosen.len());
    assert!(!chosen.is_empty(), "no row contains HOOKC_ROWS");
}
