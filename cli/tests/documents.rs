//! Every command that a document shows: each `sh` block runs as a script in a copy of what the project ships, with this
//! `hookc` on the path. Each command of a `console` block (`$ COMMAND`, more lines with `> `) prints what follows it,
//! where `...` stands for any lines.
//!
//! A document's commands run in order, each from the root of one copy; those of consoles in an empty directory. `cargo run -- ...` runs the same binary. Commands
//! that cannot run here are listed in [`EXCEPTIONS`], each with its reason; a row that no document needs fails too.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common;

/// Documents with commands: files, and directories of them.
const DOCUMENTS: [&str; 7] = [
    "README.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    "docs",
    "corpus/starters",
    "corpus/recipes",
    "corpus/workspace",
];
/// The folders and files that the commands may read.
const SHIPPED: [&str; 5] = [
    "corpus/quickstart",
    "corpus/starters",
    "corpus/recipes",
    "corpus/workspace",
    "corpus/shell/policies.ndjson",
];
/// Commands that are not run, by prefix, and why.
const EXCEPTIONS: [(&str, &str); 18] = [
    ("cargo test", "`.ci/run` runs these tests"),
    ("cargo run -p hookc --example", "`.ci/embed` runs the examples"),
    ("cargo run -p hookc-runtime --example", "`.ci/examples` runs the examples"),
    ("cargo run -q -p hookc-shellroot", "needs namespaces; the tests of that crate run it"),
    ("cargo run -p hookc-fuzz --bin", "runs for minutes, and needs cargo-fuzz"),
    ("cargo install --path cli", "installs into the home of whoever runs the tests"),
    ("cargo run --profile bench", "CI has no second build profile"),
    ("cd benches/peers &&", "builds other engines for minutes"),
    ("HOOKC_FULL=1 ", "it is what runs this test"),
    ("cargo build --profile dist", "CI has no second build profile"),
    ("cargo build --release", "CI has no second build profile"),
    ("target/dist/", "needs the build for measurements"),
    ("target/release/", "needs the build for measurements"),
    ("for rounds in", "needs the build for measurements, and valgrind"),
    ("python3 benches/latency.py --hookc PROGRAM", "compares two builds for measurements"),
    ("RUSTFLAGS=", "CI has no second build profile"),
    ("RUSTC_BOOTSTRAP=1", "builds everything again, with a sanitizer"),
    ("valgrind", "needs the build for measurements, and valgrind"),
];
/// Lines of documents that are not run, whole, and why.
const LINES: [(&str, &str); 5] = [
    ("cargo run --release --manifest-path benches/readers/Cargo.toml", "a benchmark of the release build"),
    (
        "cargo run --release --manifest-path benches/shells/Cargo.toml corpus/shell/lines.ndjson",
        "a benchmark of the release build",
    ),
    ("hookc new hook                # asks, on a terminal", "asks on a terminal, which tests have elsewhere"),
    ("python3 benches/agents/play.py          # 2026-11-22; some minutes", "runs real agents for minutes"),
    ("python3 benches/latency.py              # --hookc PATH, --runs N", "a benchmark of the release build"),
];

/// Commands that a document shows.
struct Commands {
    /// The number of their first line.
    line: usize,
    text: String,
    /// What they print, if the document shows it. Otherwise they must succeed.
    output: Option<String>,
}

#[test]
fn every_command_that_a_document_shows_runs() {
    if hookc_corpus::left_to_full_run("the commands of the documents") {
        return;
    }
    let (mut wrong, mut used, mut blocks) = (Vec::new(), BTreeSet::new(), 0);
    for document in documents() {
        let name = document.strip_prefix(common::project()).unwrap().display().to_string();
        let all = in_document(&fs::read_to_string(&document).unwrap());
        if all.is_empty() {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        SHIPPED.iter().for_each(|name| copy(&common::project().join(name), &folder.path().join(name)));
        for block in all {
            blocks += 1;
            let mut script = script(&block.text, &mut used);
            if block.output.is_some() {
                script.insert_str(0, "exec 2>&1\n");
            }
            // A console starts in an empty directory.
            let place =
                if block.output.is_some() { folder.path().join("empty") } else { folder.path().to_owned() };
            fs::create_dir_all(&place).unwrap();
            let run = run(&place, &script);
            let line = block.line;
            match block.output {
                None if run.code == 0 => {}
                None => {
                    wrong.push(format!("{name}:{line}: exit {}\n{script}\n{}{}", run.code, run.out, run.err));
                }
                Some(shown) if is_shown(&shown, &run.out) => {}
                Some(shown) => {
                    wrong.push(format!("{name}:{line}: {script}shown:\n{shown}printed:\n{}", run.out));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(blocks >= 10, "only {blocks} blocks were found");
    let rows = EXCEPTIONS.iter().chain(&LINES).map(|(command, _)| *command);
    let stale: Vec<_> = rows.filter(|command| !used.contains(command)).collect();
    assert!(stale.is_empty(), "no document shows {stale:?}");
}

/// The first command of the README prints the verdict that it shows.
#[test]
fn the_first_command_of_the_readme_prints_what_it_shows() {
    let readme = common::read(common::project(), "README.md");
    let section = readme.split("## Try it\n").nth(1).unwrap();
    let shown = section.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let script = script(&in_document(section)[0].text, &mut BTreeSet::new());
    let run = run(common::project(), &script);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, shown, ""), "{script}");
}

/// The examples that a document names are there.
#[test]
fn every_example_that_a_document_names_is_there() {
    let mut examples = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for (at, _) in text.match_indices("cargo run -p ") {
            let words: Vec<&str> = text[at..].split(['`', '\n']).next().unwrap().split_whitespace().collect();
            if let ["cargo", "run", "-p", package, "--example", name, ..] = words[..] {
                let folder = package.trim_start_matches("hookc-");
                let path = common::project().join(folder).join(format!("examples/{name}.rs"));
                assert!(path.is_file(), "{}: {} is not there", document.display(), path.display());
                examples += 1;
            }
        }
    }
    assert!(examples >= 3, "only {examples} examples are named");
}

/// Writes a policy of a page and its test into a folder, and runs both.
fn put_tested(folder: &Path, page: &str, policy: &str) {
    let text = fs::read_to_string(common::project().join("docs").join(page)).unwrap();
    let fences: Vec<&str> = text.split("\n```").collect();
    for name in [format!("{policy}.yaml"), format!("{policy}.test.yaml")] {
        let named = |fence: &&str| fence.starts_with(&format!("# {name}\n"));
        let text = fences.iter().filter_map(|fence| fence.strip_prefix("yaml\n")).find(named).unwrap();
        common::put(folder, &name, format!("{text}\n"));
    }
    for arguments in [["check", "--strict"].as_slice(), &["test"]] {
        let kind = if arguments[0] == "test" { ".test.yaml" } else { ".yaml" };
        let file = format!("{policy}{kind}");
        let ended = common::hookc(folder, &[arguments, &[file.as_str()]].concat(), "");
        assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{}", ended.out);
    }
}

#[test]
fn the_first_policy_of_the_history_page_passes_its_test() {
    put_tested(tempfile::tempdir().unwrap().path(), "history.md", "push");
}

/// The events and actions that the language page declares compile, and its test passes.
#[test]
fn the_declarations_of_the_language_page_are_true() {
    let folder = tempfile::tempdir().unwrap();
    put_tested(folder.path(), "language.md", "deploy");
    let event = r#"{"environment":"production","changes":240}"#;
    let eval = common::hookc(folder.path(), &["eval", "deploy.yaml", "--event", "deploy_requested"], event);
    assert!(
        eval.out.contains(r#""action":{"type":"page","team":"platform","urgency":"high"}"#),
        "{}",
        eval.out
    );
    let text = common::read(folder.path(), "deploy.yaml").replace("changes > 100", "chnges > 100");
    common::put(folder.path(), "wrong.yaml", text.replace("team: platform", "teem: platform"));
    let check = common::hookc(folder.path(), &["check", "wrong.yaml"], "");
    assert!(check.err.contains("W0416") && check.err.contains("E0407"), "{}", check.err);
}

/// Every relative link of a document leads to a file, and to a heading of it.
#[test]
fn every_link_of_a_document_leads_somewhere() {
    let mut wrong = Vec::new();
    let others = [
        "CHANGELOG.md",
        "fuzz/README.md",
        "shellroot/README.md",
        "benches/readers/README.md",
        "benches/shells/README.md",
        "benches/peers/README.md",
        "benches/agents/README.md",
        "bindings/c/README.md",
        "bindings/node/README.md",
        "bindings/wasm/README.md",
        "playground/README.md",
    ];
    let others = others.iter().map(|name| common::project().join(name));
    for document in documents().into_iter().chain(others) {
        let text = fs::read_to_string(&document).unwrap();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split([')', '\n']).next()) {
            if target.contains("://") || target.contains('`') || target.is_empty() {
                continue;
            }
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let path =
                if file.is_empty() { document.clone() } else { document.with_file_name("").join(file) };
            let found = heading.is_empty()
                || fs::read_to_string(&path).is_ok_and(|page| headings(&page).contains(heading));
            if !path.exists() || !found {
                wrong.push(format!("{}: {target}", document.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The anchors of a page's headings, as Markdown renderers generate them.
fn headings(page: &str) -> BTreeSet<String> {
    let titles = page.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_matches(['#', ' ']));
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    titles
        .map(|title| title.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-"))
        .collect()
}

/// All Markdown files of [`DOCUMENTS`].
fn documents() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = DOCUMENTS.iter().map(|name| common::project().join(name)).collect();
    let mut found = Vec::new();
    while let Some(path) = folders.pop() {
        if path.is_dir() {
            folders.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Each block of a shell, and each command of a console.
fn in_document(text: &str) -> Vec<Commands> {
    let (mut found, mut open): (Vec<Commands>, Option<bool>) = (Vec::new(), None);
    for (line, number) in text.lines().zip(1..) {
        let mut start = |text: &str, output| {
            found.push(Commands { line: number, text: text.to_owned(), output });
        };
        match (open, line) {
            (None, "```sh" | "```bash") => {
                open = Some(false);
                start("", None);
            }
            (None, "```console") => open = Some(true),
            (Some(_), "```") => open = None,
            (Some(true), _) => {
                if let Some(command) = line.strip_prefix("$ ") {
                    start(&format!("{command}\n"), Some(String::new()));
                } else if let Some(last) = found.last_mut() {
                    match (line.strip_prefix("> "), &mut last.output) {
                        (Some(more), _) => last.text += &format!("{more}\n"),
                        (None, output) => output.get_or_insert_default().push_str(&format!("{line}\n")),
                    }
                }
            }
            (Some(false), _) => {
                if let Some(last) = found.last_mut() {
                    last.text += &format!("{line}\n");
                }
            }
            (None, _) => {}
        }
    }
    found
}

/// Whether a document shows this output: a line `...` stands for any lines.
fn is_shown(shown: &str, printed: &str) -> bool {
    let mut parts = shown.split("...\n");
    let Some(mut rest) = printed.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// A script of a block: without the exceptions, and with this binary for cargo's.
fn script(text: &str, used: &mut BTreeSet<&'static str>) -> String {
    let mut script = "set -e\n".to_owned();
    for line in text.lines() {
        let begins = |(command, _): &&(&'static str, &str)| line.starts_with(command);
        let whole = |(command, _): &&(&'static str, &str)| line == *command;
        if let Some((command, _)) = EXCEPTIONS.iter().find(begins).or_else(|| LINES.iter().find(whole)) {
            used.insert(command);
            continue;
        }
        let rest = line.strip_prefix("cargo run -- ");
        script += &rest.map_or_else(|| format!("{line}\n"), |rest| format!("hookc {rest}\n"));
    }
    script
}

fn run(folder: &Path, script: &str) -> common::Run {
    let own = Path::new(common::HOOKC).parent().unwrap();
    let path = format!("{}:{}", own.display(), std::env::var("PATH").unwrap_or_default());
    let mut command = common::program("sh", folder);
    // What is the user's is the copy's here.
    command
        .args(["-c", script])
        .env("PATH", path)
        .env("HOME", folder)
        .env("XDG_STATE_HOME", folder.join("state"));
    common::run(&mut command, "")
}

pub(crate) fn copy(from: &Path, to: &Path) {
    if from.is_file() {
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(from, to).unwrap();
        return;
    }
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let name = entry.unwrap().file_name();
        copy(&from.join(&name), &to.join(&name));
    }
}
