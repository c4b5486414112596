//! Fixes of W0665: a guard in place of a low-level condition compiles, and a certain one decides as the condition does,
//! or more strictly.

use std::collections::BTreeSet;

use hookc_compiler::{Builtin, Compiled, Dialect, Input, Options, compile};
use hookc_corpus::effort;
use hookc_schema::{Code, Sources};
use hookc_vm::{DecideOptions, Module, Scratch, Strategy};
use serde_json::{Value, json};

fn build(name: &str, text: &str) -> (Sources, Compiled) {
    let mut sources = Sources::new();
    let dialect = Dialect::ALL.iter().copied().find(|dialect| name.contains(dialect.name()));
    let input = Input::new(sources.add(name, text)).with_dialect(dialect);
    let compiled = compile(&mut sources, &[input], &Options::default().builtin(Builtin::Never));
    (sources, compiled)
}

/// The text after each fix of W0665, or only after the certain ones, and their number.
fn fixed(name: &str, text: &str, is_certain: bool) -> (String, usize) {
    let (sources, compiled) = build(name, text);
    let mut fixes: Vec<_> = compiled
        .diagnostics
        .iter()
        .filter(|one| one.code == Code::W0665)
        .filter_map(|one| one.fix.as_ref())
        .filter(|fix| fix.safe || !is_certain)
        .map(|fix| (fix.span.range(), fix.written(&sources).into_owned()))
        .collect();
    fixes.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut new = text.to_owned();
    fixes.iter().for_each(|(range, fix)| new.replace_range(range.clone(), fix));
    (new, fixes.len())
}

/// Policies of the corpus that compile, in both notations.
fn policies() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for path in hookc_corpus::files(&hookc_corpus::root()) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let is_policy = [".yaml", ".yml", ".xml", ".json"].iter().any(|end| name.ends_with(end));
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let is_large = text.len() > 1 << 17;
        if is_policy && !is_large && !name.contains(".test.") && text.contains("tool_input") {
            found.push((path.display().to_string(), text));
        }
    }
    found
}

#[test]
fn policies_with_fixes_compile() {
    let mut count = 0;
    for (name, text) in policies() {
        let (sources, before) = build(&name, &text);
        let (new, fixes) = fixed(&name, &text, false);
        if fixes == 0 {
            continue;
        }
        count += fixes;
        let (_, after) = build(&name, &new);
        let errors = |compiled: &Compiled| compiled.diagnostics.iter().filter(|one| one.is_error()).count();
        assert!(errors(&after) <= errors(&before), "{name}\n{new}\n{:?}", after.diagnostics);
        let left = fixed(&name, &new, false);
        assert_eq!((left.1, left.0.as_str()), (0, new.as_str()), "{name}: fixes are applied at once\n{new}");
        drop(sources);
    }
    assert!(count >= 40, "{count}");
}

/// The ranks of the hooks that match.
fn hits(module: &Module, event: &Value) -> BTreeSet<u32> {
    let mut options = DecideOptions::default();
    options.strategy = Some(Strategy::All);
    let (text, mut scratch) = (event.to_string(), Scratch::new());
    let decision = module.decide(&mut scratch, text.as_bytes(), &options).unwrap();
    decision.hooks().map(|hook| hook.rank()).collect()
}

fn events() -> Vec<Value> {
    let mut events = Vec::new();
    for file in ["policies.ndjson", "lines.ndjson"] {
        let text = std::fs::read_to_string(hookc_corpus::root().join("shell").join(file)).unwrap();
        for line in text.lines().step_by(effort(1, 20)) {
            let case: Value = serde_json::from_str(line).unwrap();
            let Some(line) = case.get("line").and_then(Value::as_str) else { continue };
            events.push(json!({"hook_event_name": "PreToolUse", "cwd": "/repo", "tool_name": "Bash", "tool_input": {"command": line}}));
        }
    }
    for tool in ["Read", "Write", "Edit", "MultiEdit", "Grep"] {
        for path in
            ["/repo/.env", "/repo/x/Makefile", "/etc/passwd", "/repo/.github/workflows/ci.yml", "/repo/a.pem"]
        {
            let input =
                json!({"file_path": path, "path": path, "content": "AKIAABCDEFGHIJKLMNOP console.log(1)"});
            events.push(json!({"hook_event_name": "PreToolUse", "cwd": "/repo", "tool_name": tool, "tool_input": input}));
        }
    }
    events
}

#[test]
fn a_certain_guard_is_at_least_as_strict() {
    let (events, mut compared, mut differences) = (events(), 0, Vec::new());
    for (name, text) in policies() {
        let (new, fixes) = fixed(&name, &text, true);
        let modules = || Some((build(&name, &text).1.module?, build(&name, &new).1.module?));
        let Some((old, new)) = modules().filter(|_| fixes > 0) else { continue };
        let (old, new) = (Module::load(old).unwrap(), Module::load(new).unwrap());
        for event in &events {
            let (before, after) = (hits(&old, event), hits(&new, event));
            compared += before.len();
            if !before.is_subset(&after) {
                differences.push(format!("{name}: {before:?} {after:?} {event}"));
            }
        }
    }
    assert!(compared > 20, "{compared}");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
