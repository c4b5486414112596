//! Seeds: what the corpus and the tests have of each kind of input, and past findings.

use std::path::Path;

use hookc_oracle::generate::Rng;

#[allow(clippy::disallowed_methods, reason = "files of the project")]
fn collect(folder: &Path, seeds: &mut Vec<Vec<u8>>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut entries: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, seeds);
        } else if let Ok(bytes) = std::fs::read(&path)
            && bytes.len() < 100_000
        {
            seeds.push(bytes);
        }
    }
}

/// The seeds of a target: its past findings first.
#[must_use]
pub fn seeds(name: &str) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions").join(name), &mut found);
    if name == "agent_wires" {
        collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../agent/fuzz/seeds"), &mut found);
    } else {
        found.extend(of_corpus(name));
    }
    found
}

fn of_corpus(name: &str) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for kind in ["eval", "reject", "parity", "fmt", "quickstart"] {
        collect(&hookc_corpus::root().join(kind), &mut seeds);
    }
    match name {
        "event" => {
            seeds.retain(|bytes| bytes.starts_with(b"{"));
            seeds.extend(command_lines().iter().map(|line| event_of(line)));
        }
        "settings" | "agents" => seeds.retain(|bytes| bytes.starts_with(b"{")),
        "test_file" => seeds.retain(|bytes| bytes.windows(7).any(|part| part == b"expect:")),
        "when" | "path" | "template" => seeds = fragments(&seeds),
        "module" => seeds = modules(&seeds),
        "shell" => seeds = command_lines(),
        "effects" => seeds = effects(),
        "programs" => seeds = programs(),
        "rules" => seeds = rules(),
        "hosts" => seeds = hosts(&seeds),
        "messages" => seeds = messages(),
        "decisions" | "schema" | "written" | "sessions" => seeds = tapes(),
        "partition" | "store" | "shared" => seeds = crate::past::partitions(),
        "repository" => seeds.retain(|bytes| bytes.windows(11).any(|part| part == b"event_type:")),
        "skill" => seeds.retain(|bytes| bytes.starts_with(b"---")),
        "layout" => seeds.retain(|bytes| bytes.windows(6).any(|part| part == b"hooks:")),
        _ => {}
    }
    seeds
}

/// Quoted parts of policies: conditions, paths and templates among them.
fn fragments(seeds: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let pieces = seeds.iter().flat_map(|bytes| bytes.split(|b| matches!(b, b'"' | b'\n')));
    pieces.filter(|piece| (1..500).contains(&piece.len())).map(<[u8]>::to_vec).collect()
}

fn command_lines() -> Vec<Vec<u8>> {
    let lines = include_str!("../../shell/tests/commands.txt").lines();
    lines
        .filter_map(|line| line.strip_prefix("$ "))
        .map(|line| line.replace('⏎', "\n").into_bytes())
        .collect()
}

/// Command lines with guards about them.
fn effects() -> Vec<Vec<u8>> {
    let guards = [
        "reads\t.env*\t@secrets\texcept\ttest/**",
        "may_write\t./**\tby\tgit *",
        "runs\tgit push --force\tcurl | sh\trm -rf @system",
        "changes\tsrc/*.{rs,toml}\t**/x/[a-c]?\tref:main",
        "may_push\tmain\torigin:release/*",
        "contacts\t*.example\t@configured\tnot by\tcurl -d=*",
        "deletes\t~/**\t/etc/*\t../x",
        "may_run\tpsql /drop table/i\tX=* make !-n !*",
        "sends\tinstalls",
    ];
    let lines = command_lines();
    let seed = |(at, line): (usize, &Vec<u8>)| {
        let guard = guards.get(at % guards.len()).copied().unwrap_or_default();
        let cwd = if at % 3 == 0 { "" } else { "/p" };
        [format!("{cwd}\n{guard}\n").as_bytes(), line].concat()
    };
    lines.iter().enumerate().map(seed).collect()
}

/// Shipped rows under another name, each with a command line.
fn programs() -> Vec<Vec<u8>> {
    use hookc_shell::programs::{Row, draft, rows};
    let keys = |prefix: &str, row: &Row| -> String {
        let values = draft::KEYS.iter().filter(|(key, _)| !matches!(*key, "names" | "also"));
        let lines = values.filter_map(|(key, _)| Some((key, row.text(key)?.replace('\n', "\r"))));
        lines.map(|(key, value)| format!("{prefix}{key}\t{value}\n")).collect()
    };
    let lines = command_lines();
    let seed = |(at, row): (usize, &Row)| {
        let ifs = row.ifs().iter().flat_map(|condition| {
            let values = draft::IF_KEYS
                .iter()
                .filter_map(|(key, _)| Some(format!("if.{key}\t{}\n", condition.text(key)?)));
            std::iter::once("if\n".to_owned()).chain(values)
        });
        let subs = row.subs().iter().take(3).map(|sub| keys(&format!("{}.", sub.name()), sub));
        let text: String = std::iter::once(keys("", row)).chain(ifs).chain(subs).collect();
        let line = lines.get(at % lines.len()).map(Vec::as_slice).unwrap_or_default();
        let line = String::from_utf8_lossy(line).replace(row.name(), "frob");
        format!("{text}\nfrob push -v x; {line}").into_bytes()
    };
    rows().enumerate().map(seed).collect()
}

/// An event with a command line.
fn event_of(line: &[u8]) -> Vec<u8> {
    let line = serde_json::Value::from(String::from_utf8_lossy(line));
    format!("{{\"a\": {line}, \"b\": {{\"c\": [\"rm\", {line}]}}, \"cwd\": \"/r\"}}").into_bytes()
}

fn modules(seeds: &[Vec<u8>]) -> Vec<Vec<u8>> {
    use hookc_compiler::{Dialect, Input, Options, compile};
    // Those about earlier events come first, because they have sections that the others have not.
    let has_history = |bytes: &[u8]| bytes.windows(9).any(|part| part == b"formerly(");
    let (history, others): (Vec<_>, Vec<_>) = seeds.iter().partition(|bytes| has_history(bytes));
    let compiled = history.into_iter().chain(others).filter_map(|bytes| {
        let mut sources = hookc_schema::Sources::new();
        let source = sources.add("policy", String::from_utf8(bytes.clone()).ok()?);
        let input = Input::new(source).with_dialect(Dialect::HooksYaml);
        compile(&mut sources, &[input], &Options::default()).module
    });
    compiled.take(46).collect()
}

/// Permission rules, each with a tool and the text of its input.
fn rules() -> Vec<Vec<u8>> {
    let rules = [
        "Bash",
        "Bash(git *)",
        "Bash(npm run test:*)",
        "Bash(rm -rf *)",
        "Read(./src/**)",
        "Edit(//etc/*)",
        "Read(~/.ssh/**)",
        "WebFetch(domain:example.com)",
        "Task(Explore)",
        "Skill(pdf)",
        "mcp__server__*",
        "mcp__server__tool",
        "Bash()",
    ];
    let lines = command_lines();
    let inputs =
        ["/etc/passwd", "src/../../x", "https://example.com/a?b", "Explore", "pdf"].map(str::as_bytes);
    let inputs = lines.iter().map(Vec::as_slice).take(60).chain(inputs);
    let each = inputs.enumerate().map(|(at, input)| {
        let rule = rules.get(at % rules.len()).copied().unwrap_or_default();
        [rule.as_bytes(), b"\nmcp__server__tool\n", input].concat()
    });
    each.collect()
}

/// Events of agents, each after a line with the agent's name of it.
fn hosts(seeds: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let lines = seeds.iter().flat_map(|bytes| bytes.split(|byte| *byte == b'\n'));
    let events = lines.filter(|line| line.starts_with(b"{") && line.len() < 2000).take(200);
    let mut made: Vec<Vec<u8>> = events.map(|event| [b"\n", event].concat()).collect();
    let tools = [
        ("PreToolUse", "Bash", "command"),
        ("BeforeTool", "run_shell_command", "command"),
        ("preToolUse", "Shell", "command"),
        ("preToolUse", "edit", "path"),
        ("PreToolUse", "apply_patch", "command"),
        ("beforeShellExecution", "x", "command"),
        ("PostToolUse", "Read", "file_path"),
        ("Stop", "", ""),
        ("UserPromptSubmit", "", "prompt"),
    ];
    for (at, line) in command_lines().iter().enumerate().take(120) {
        let (event, tool, field) = tools.get(at % tools.len()).copied().unwrap_or_default();
        let line = String::from_utf8_lossy(line);
        let value = serde_json::json!({"hook_event_name": event, "tool_name": tool, "prompt": "x", "session_id": "s", "cwd": "/",
            "tool_input": {field: line}, "command": line});
        made.push(format!("{event}\n{value}").into_bytes());
    }
    made
}

/// Requests and notifications.
fn messages() -> Vec<Vec<u8>> {
    let message = |at: usize, line: &[u8]| {
        let (name, kind, input) = match at % 3 {
            0 => ("Bash", "shell", "command"),
            1 => ("run_shell_command", "shell", "cmd"),
            _ => ("Read", "file_read", "file_path"),
        };
        let is_request = !at.is_multiple_of(4);
        let (method, event) =
            if is_request { ("hooks/intercept", "tool.before") } else { ("hooks/observe", "tool.after") };
        let mut message = serde_json::json!({"jsonrpc": "2.0", "method": method, "params": {
            "protocolVersion": "0.1", "capabilities": {"effects": ["deny"]}, "event": {
                "id": "e", "source": "urn:x", "type": event, "time": "2026-08-24T08:51:14Z", "session": {"id": "s", "cwd": "/"},
                "tool": {"callId": "c", "name": name, "kind": kind, "input": {input: String::from_utf8_lossy(line)}}}}});
        if let Some(members) = message.as_object_mut().filter(|_| is_request) {
            members.insert("id".to_owned(), "e".into());
        }
        message.to_string().into_bytes()
    };
    command_lines().iter().enumerate().take(120).map(|(at, line)| message(at, line)).collect()
}

/// Tapes of choices.
fn tapes() -> Vec<Vec<u8>> {
    let tape = |seed| {
        let mut rng = Rng::new(seed);
        (0..64 + rng.below(400)).map(|_| u8::try_from(rng.below(256)).unwrap_or_default()).collect()
    };
    (0..48).map(tape).collect()
}
