//! Fixes of W0665: a guard in place of a low-level condition compiles, and a certain one decides as the condition does,
//! or more strictly.

use std::collections::BTreeSet;

use hookc_compiler::{Builtin, Compiled, Dialect, Input, Options, compile};
use hookc_corpus::effort;
use hookc_schema::{Code, Sources};
use hookc_vm::{DecideOptions, MatchedHook, Module, Scratch, Strategy};
use serde_json::{Value, json};

fn build(name: &str, text: &str) -> (Sources, Compiled) {
    let mut sources = Sources::new();
    let dialect = Dialect::all().find(|dialect| name.contains(dialect.name()));
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

/// Policies of the corpus that compile, in both notations; in a short run a third of them, and those about
/// subcommands, which have certain fixes.
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
    let is_kept = |(at, (_, text)): &(usize, (String, String))| {
        at.is_multiple_of(effort(1, 3)) || text.contains("c.sub")
    };
    found.into_iter().enumerate().filter(is_kept).map(|(_, policy)| policy).collect()
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
    assert!(count >= effort(40, 12), "{count}");
}

/// The hooks that match.
fn hits<T: Ord>(module: &Module, event: &Value, shown: fn(MatchedHook<'_>) -> T) -> BTreeSet<T> {
    let mut options = DecideOptions::default();
    options.strategy = Some(Strategy::All);
    let (text, mut scratch) = (event.to_string(), Scratch::new());
    let decision = module.decide(&mut scratch, text.as_bytes(), &options).unwrap();
    decision.hooks().map(shown).collect()
}

fn labels(module: &Module, event: &Value) -> BTreeSet<String> {
    hits(module, event, |hook| hook.label().unwrap_or_default().to_owned())
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
            let ranks = |module| hits(module, event, |hook| hook.rank());
            let (before, after) = (ranks(&old), ranks(&new));
            compared += before.len();
            if !before.is_subset(&after) {
                differences.push(format!("{name}: {before:?} {after:?} {event}"));
            }
        }
    }
    assert!(compared > 20, "{compared}");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Picks parts of conditions and of lines.
struct Picks(u64);

impl Picks {
    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        items[usize::try_from(self.0 >> 33).unwrap() % items.len()]
    }

    /// A condition of low-level tests, of which some have a certain guard.
    fn condition(&mut self) -> String {
        let tool = self.of(&[
            "tool_name == 'Bash' and ",
            "tool_name in ['Bash'] and ",
            "tool_name =~ /^Bash$/ and ",
            "tool_name == 'Bash' and ",
            "tool_name =~ /Bash|Shell/ and ",
            "tool_name in ['Bash', 'PowerShell'] and ",
            "",
        ]);
        let name = self.of(&[
            "c.name == 'git'",
            "c.name in ['git', 'npm', 'kubectl']",
            "c.name =~ /^(git|docker|terraform)$/",
            "c.name =~ /gi/",
            "c.name starts_with 'doc'",
            "c.name ends_with 'm'",
            "c.name contains 'it'",
            "c.name glob 'n*'",
            "c.name == 'GIT' nocase",
            "c.name == '{git,npm}'",
            "c.name == 'mytool'",
        ]);
        let sub = self.of(&[
            "",
            " and c.sub == 'push'",
            " and c.sub in ['i', 'install', 'apply']",
            " and c.sub starts_with 'pu'",
            " and c.sub =~ /^(push|run)$/",
            " and c.sub =~ 'us'",
            " and c.sub == 'compose'",
            " and c.sub == 'down'",
        ]);
        let word = self.of(&[
            "",
            "",
            " and exists(c.flags.force)",
            " and c.flags.force == true",
            " and c.flags.f == true",
            " and c.flags['dry-run'] == true",
            " and c.flags.context == 'prod'",
            " and not exists(c.flags.f)",
            " and c.args contains '--dry-run'",
            " and not c.args contains '--dry-run'",
            " and c.operands contains 'main'",
            " and some(a in c.args: a starts_with '--for')",
            " and some(a in c.args: a =~ '^-[a-z]*f' or a == 'main')",
            " and c.pipes_to contains 'sh'",
        ]);
        match self.of(&[0, 0, 0, 0, 1]) {
            0 => format!("{tool}some(c in shell(tool_input.command).commands: {name}{sub}{word})"),
            _ => {
                let member = name.trim_start_matches("c.");
                let at = self.of(&["0", "*"]);
                format!("{tool}shell(tool_input.command).commands[{at}].{member}")
            }
        }
    }

    /// A command line near the conditions.
    fn line(&mut self) -> String {
        let mut line = self.of(&["", "", "sudo ", "env A=1 ", "cd x && ", "echo \"$(", "if "]).to_owned();
        line += self.of(&[
            "git",
            "git",
            "/usr/bin/git",
            "GIT",
            "git.exe",
            "npm",
            "docker",
            "kubectl",
            "terraform",
            "mytool",
            "gi",
            "./git",
            "{git,npm}",
            "\\git",
            "g''it",
            "$X",
            "bundle exec",
        ]);
        let words = [
            "push",
            "push",
            "pu",
            "run",
            "i",
            "install",
            "apply",
            "compose",
            "down",
            "-f",
            "-qf",
            "--force",
            "--force=false",
            "--force=true",
            "--forc",
            "--force-with-lease",
            "--dry-run",
            "--dry-run=false",
            "--dry-ru",
            "-n",
            "--",
            "-m",
            "main",
            "+main",
            "HEAD:main",
            "--context=prod",
            "--context",
            "prod",
            "$X",
            "'--dry-run'",
            "x*",
            "-C",
            "dir",
            "| sh",
            "; git push",
            ">f",
            "-fnone",
            "--no-force",
        ];
        for _ in 0..self.of(&[0, 1, 2, 3, 4]) {
            line = format!("{line} {}", self.of(&words));
        }
        match line.split_once(' ') {
            Some(("echo", _)) => format!("{line})\""),
            Some(("if", _)) => format!("{line}; then :; fi"),
            _ => line,
        }
    }
}

/// The conditions of a policy, one in each hook.
fn policy_of(conditions: &[String]) -> String {
    let hook = |(at, cond): (usize, &String)| {
        let cond = Value::from(cond.as_str());
        format!(
            "  - id: '{at}'\n    event: PreToolUse\n    when: {cond}\n    action: {{type: deny, reason: No.}}\n"
        )
    };
    format!("hooks:\n{}", conditions.iter().enumerate().map(hook).collect::<String>())
}

/// A guard of the name of a file is true of each name of which the condition is, also if it is not called certain.
#[test]
fn guards_of_file_names_are_at_least_as_strict() {
    let mut conditions = Vec::new();
    for test in [
        r"=~ '\.env'",
        r"=~ '\.env$'",
        r"=~ '\.env(\..*)?$'",
        r"=~ '\.env.*$'",
        r"=~ '\b\.env\b'",
        r"=~ '\.env(rc)?'",
        "contains '.env'",
        "contains '.env.'",
        "ends_with '.env'",
    ] {
        conditions.push(format!("tool_input.file_path {test}"));
        conditions.push(format!("tool_name == 'Bash' and tool_input.command {test}"));
    }
    let text = policy_of(&conditions);
    let (new, fixes) = fixed("hooks-yaml.yaml", &text, false);
    assert!(fixes > conditions.len() / 2, "{fixes} of {}", conditions.len());
    let module = |text: &str| Module::load(build("hooks-yaml.yaml", text).1.module.unwrap()).unwrap();
    let (old, guards) = (module(&text), module(&new));
    let event = |tool: &str, name: &str, text: String| json!({"hook_event_name": "PreToolUse", "cwd": "/repo", "tool_name": tool, "tool_input": {name: text}});
    let mut compared = 0;
    for file in
        [".env", ".env.local", ".env.d.old", "prod.env", "prod.env.old", ".envrc", "a/.env", "environment"]
    {
        for event in [
            event("Read", "file_path", format!("/repo/{file}")),
            event("Write", "file_path", format!("/repo/b/{file}")),
            event("Bash", "command", format!("cat {file}")),
            event("Bash", "command", format!("tail -n 1 ./b/{file}")),
        ] {
            let (before, after) = (labels(&old, &event), labels(&guards, &event));
            compared += before.len();
            let lost: Vec<_> =
                before.difference(&after).map(|at| &conditions[at.parse::<usize>().unwrap()]).collect();
            assert!(lost.is_empty(), "{event}: {lost:?}\n{new}");
        }
    }
    assert!(compared > 100, "{compared}");
}

/// Each condition whose guard is called certain is compared at lines that come near it.
#[test]
fn certain_guards_of_generated_conditions_are_at_least_as_strict() {
    let mut picks = Picks(1);
    let conditions: Vec<String> = (0..effort(2000, 300)).map(|_| picks.condition()).collect();
    let module = |text: &str| Module::load(build("hooks-yaml.yaml", text).1.module.unwrap()).unwrap();
    let (mut matched, mut certain, mut differences) = (0, 0, BTreeSet::new());
    // A policy has a limit of such warnings.
    for some in conditions.chunks(50) {
        let text = policy_of(some);
        let (new, fixes) = fixed("hooks-yaml.yaml", &text, true);
        certain += fixes;
        let (old, guards) = (module(&text), module(&new));
        for _ in 0..effort(2000, 500) {
            let tool = picks.of(&["Bash", "Bash", "Bash", "PowerShell", "mcp__x__run", "BashOutput", "exec"]);
            let event = json!({"hook_event_name": "PreToolUse", "cwd": "/repo", "tool_name": tool,
                "tool_input": {"command": picks.line()}});
            let (before, after) = (labels(&old, &event), labels(&guards, &event));
            matched += before.len();
            for label in before.difference(&after) {
                let at: usize = label.parse().unwrap();
                differences.insert(format!("{} {event}", some[at]));
            }
        }
    }
    assert!(certain > conditions.len() / 20 && matched > 1000, "{certain} certain, {matched} matches");
    assert!(differences.is_empty(), "{}", differences.into_iter().take(20).collect::<Vec<_>>().join("\n"));
}
