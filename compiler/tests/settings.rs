//! Settings: the policy has what the agent would run, what is
//! written reads back, and files that other people wrote are survived and
//! counted right.

use crate::built;

use std::path::Path;
use std::time::{Duration, Instant};

use hookc_compiler::{Compiled, Dialect, Input, Merge, Options, compile};
use hookc_schema::diag::render;
use hookc_schema::tree::{Layer, Policy, print};
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Code, Diagnostic, Diagnostics, SourceId, Sources};
use hookc_syntax::front::settings;
use hookc_syntax::write;

fn read(text: &str) -> (Policy, Diagnostics) {
    let mut out = Diagnostics::new();
    let policy = settings::read("settings.json", text, SourceId(0), &mut out);
    (policy, out)
}

fn built(files: &[(&str, Dialect)], options: &Options) -> Compiled {
    let mut sources = Sources::new();
    let add = |(at, (text, dialect)): (usize, &(&str, Dialect))| {
        Input::new(sources.add(format!("settings{at}"), *text)).with_dialect(*dialect)
    };
    let inputs: Vec<Input> = files.iter().enumerate().map(add).collect();
    compile(&mut sources, &inputs, options)
}

fn codes(reported: &[Diagnostic]) -> Vec<Code> {
    reported.iter().map(|new| new.code).collect()
}

/// A file at the location of an agent's settings is read by that agent, under its names only.
#[test]
fn the_location_of_settings_determines_the_names() {
    let settings = r#"{"hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "x"}]}]}}"#;
    let skill =
        "---\nname: n\ndescription: d\nhooks: {BeforeTool: [{hooks: [{type: command, command: x}]}]}\n---\n";
    let codes_at = |name: &str, text: &str| {
        let mut sources = Sources::new();
        let input = Input::new(sources.add(name, text));
        codes(&compile(&mut sources, &[input], &Options::default()).diagnostics)
    };
    for (name, text) in [
        (".claude/settings.json", settings),
        ("a/.claude/settings.local.json", settings),
        ("skills/n/SKILL.md", skill),
    ] {
        assert!(codes_at(name, text).contains(&Code::E0428), "{name}");
    }
    for name in ["settings.json", "x.claude/settings.json", ".gemini/settings.json"] {
        assert!(!codes_at(name, settings).contains(&Code::E0428), "{name}");
    }
}

#[test]
fn settings_and_thread_policy_give_one_module() {
    let settings = r#"{"hooks": {
        "PreToolUse": [
            {"matcher": "Edit|Write", "hooks": [{"type": "command", "command": "./a.sh"}]},
            {"matcher": "^mcp__", "hooks": [{"type": "command", "command": "b", "args": ["x y"], "timeout": 5}]},
            {"matcher": "Bash", "when": "tool_input.command contains 'rm'", "action": {"type": "deny", "reason": "${tool_input.command}"}}
        ],
        "Stop": [{"hooks": [{"type": "agent", "prompt": "Check it", "id": "check"}]}]
    }}"#;
    let yaml = r#"
hooks:
  - event: PreToolUse
    condition: {path: tool_name, op: in, value: [Edit, Write]}
    action: {type: run, command: ./a.sh, result: agent}
  - event: PreToolUse
    condition: {path: tool_name, op: starts_with, value: mcp__}
    action: {type: run, argv: [b, x y], result: agent, timeout: 5}
  - event: PreToolUse
    when: "tool_name == 'Bash' and tool_input.command contains 'rm'"
    action: {type: deny, reason: "${tool_input.command}"}
  - {id: check, event: Stop, action: {type: agent, prompt: Check it, timeout: 60}}
"#;
    let options = Options::default().strip(true);
    let a = built(&[(settings, Dialect::Settings)], &options);
    let b = built(&[(yaml, Dialect::HooksYaml)], &options);
    for built in [&a, &b] {
        assert!(built.diagnostics.iter().all(|one| one.code == Code::W0665), "{:?}", built.diagnostics);
    }
    assert!(a.module.unwrap() == b.module.unwrap());
}

#[test]
fn settings_become_thread_policy() {
    let text = r#"{"hooks": {"PreToolUse": [
        {"matcher": "Edit|Write", "hooks": [{"type": "command", "command": "echo ${X}"}]},
        {"matcher": "Bash", "hooks": [{"type": "mcp_tool", "server": "s", "tool": "t", "input": {"p": "${a.b}"}}]}
    ]}}"#;
    let (yaml, losses) = write::hooks_yaml::write(&read(text).0);
    assert_eq!(losses, []);
    let options = Options::default().strip(true);
    let module = |text, dialect| built(&[(text, dialect)], &options).module.unwrap();
    assert!(module(text, Dialect::Settings) == module(&yaml, Dialect::HooksYaml), "{yaml}");
}

#[test]
fn the_flat_format_runs_in_order_and_is_reported() {
    let (policy, reported) = read(
        r#"{"hooks": {"UserPromptSubmit": [
            {"type": "prompt", "prompt": "Check for sensitive data"},
            {"type": "command", "command": "./in.sh"},
            {"hooks": [{"type": "command", "command": "./grouped.sh"}]}
        ]}}"#,
    );
    assert_eq!(codes(&reported), [Code::W0238]);
    assert!(reported[0].message.starts_with("2 handlers"), "{}", reported[0].message);
    let kinds: Vec<&str> = policy.hooks.iter().map(|hook| hook.action.kind.node.as_str()).collect();
    assert_eq!(kinds, ["inject", "run", "run"]);
    let param = |at: usize, name: &str| {
        let found = policy.hooks[at].action.params.iter().find(|(key, _)| key.node == name);
        found.map(|(_, value)| print::json(value))
    };
    assert_eq!(param(0, "text").as_deref(), Some("\"Check for sensitive data\""));
    assert_eq!((param(1, "result").as_deref(), param(1, "timeout")), (Some("\"flat\""), None));
    // The runtime knows how long the agent waits for a handler in a group, too.
    assert_eq!((param(2, "result").as_deref(), param(2, "timeout")), (Some("\"agent\""), None));
}

#[test]
fn foreign_content_is_not_reported() {
    let text =
        r#"{"$schema": "x", "permissions": {"allow": []}, "env": {"_A": "1"}, "model": "m", "hooks": {}}"#;
    assert_eq!(read(text).1, []);
    assert_eq!(read("{\"model\": \"m\"}").1, []);
    let keys = "permissions env model agent sandbox statusLine attribution outputStyle enabledPlugins \
        extraKnownMarketplaces strictKnownMarketplaces allowedMcpServers deniedMcpServers companyAnnouncements \
        enabledMcpjsonServers disabledMcpjsonServers fileSuggestion spinnerVerbs worktree plansDirectory \
        availableModels modelOverrides pluginConfigs spinnerTipsOverride autoMode skillOverrides mcpServers";
    for key in keys.split_whitespace() {
        for value in ["{\"a\": [1]}", "[\"x\"]", "[{\"type\": \"stdio\"}]"] {
            assert_eq!(read(&format!("{{\"{key}\": {value}}}")).1, [], "{key}");
            assert_eq!(read(&format!("{{\"{key}\": {value}, \"hooks\": {{}}}}")).1, [], "{key}");
        }
    }
    assert_eq!(codes(&read("{\"hook\": {\"Stop\": []}}").1), [Code::W0232]);
    assert_eq!(codes(&read("{\"hooks\": \"./hooks.json\"}").1), [Code::W0242]);
    assert_eq!(codes(&read("{\"disableAllHooks\": true}").1), [Code::W0239]);
}

#[test]
fn repeated_events_are_kept_and_repeated_fields_are_not() {
    let (policy, reported) = read(
        r#"{"hooks": {
            "Stop": [{"hooks": [{"type": "command", "command": "a"}]}],
            "Stop": [{"hooks": [{"type": "command", "command": "b", "command": "c"}]}]
        }}"#,
    );
    assert_eq!(policy.hooks.len(), 2);
    assert_eq!(codes(&reported), [Code::W0231, Code::W0231]);
    assert!(reported[0].notes[0].contains("keeps"), "{reported:?}");
    assert!(reported[1].notes[0].contains("uses the last one"), "{reported:?}");
    assert!(print::policy(&policy).contains("\"c\""));
}

#[test]
fn strict_makes_unknown_names_errors() {
    let text = r#"{"hooks": {"enabled": 1, "Sotp": []}}"#;
    let reported = built(&[(text, Dialect::Settings)], &Options::default());
    assert_eq!(codes(&reported.diagnostics), [Code::W0245, Code::W0245], "{:?}", reported.diagnostics);
    assert!(!reported.failed());
    let options = Options::default().strict(true);
    assert!(built(&[(text, Dialect::Settings)], &options).diagnostics.iter().all(Diagnostic::is_error));
}

#[test]
fn a_later_file_adds_or_replaces() {
    let one = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}]}]}}"#;
    let two = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}, {"type": "command", "command": "b"}]}]}}"#;
    let none = r#"{"model": "m"}"#;
    let run = |files: &[&str], merge: Merge| {
        let files: Vec<_> = files.iter().map(|text| (*text, Dialect::Settings)).collect();
        let built = built(&files, &Options::default().merge(merge));
        let counts: Vec<usize> = built.policies.iter().map(|policy| policy.hooks.len()).collect();
        (counts, codes(&built.diagnostics))
    };
    assert_eq!(run(&[one, two], Merge::Append), (vec![1, 1], vec![Code::N0243]));
    assert_eq!(run(&[one, two], Merge::Replace), (vec![0, 2], vec![Code::W0244]));
    assert_eq!(run(&[one, none], Merge::Replace), (vec![1, 0], vec![]));
    assert_eq!(run(&[two, one, none], Merge::Replace), (vec![0, 1, 0], vec![Code::W0244]));
    assert_eq!(run(&[two, "{\"hooks\": {}}"], Merge::Replace), (vec![0, 0], vec![Code::W0244]));
}

/// A list in settings without hooks is not a list of hooks.
#[test]
fn a_later_file_without_hooks_replaces_nothing() {
    let one = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}]}]}}"#;
    let root = r#"{"Stop": [{"hooks": [{"type": "command", "command": "b"}]}]}"#;
    let options = Options::default().merge(Merge::Replace);
    let run = |later: &str| {
        let built = built(&[(one, Dialect::Settings), (later, Dialect::Settings)], &options);
        (
            built.policies.iter().map(|policy| policy.hooks.len()).collect::<Vec<_>>(),
            codes(&built.diagnostics),
        )
    };
    assert_eq!(run(r#"{"enabledMcpjsonServers": ["x"]}"#), (vec![1, 0], vec![]));
    assert_eq!(run(r#"{"hooks": null}"#).0, [1, 0]);
    assert_eq!(run(root), (vec![0, 1], vec![Code::W0244, Code::W0232]));
}

#[test]
fn misspelled_events_at_the_root_are_reported() {
    let text = r#"{"PreToolUse": [{"hooks": [{"type": "command", "command": "a"}]}],
        "PostToolUze": [{"type": "command", "command": "b"}],
        "PreToolUs": [{}, {"hooks": [{"type": "command", "command": "c"}]}]}"#;
    let (policy, reported) = read(text);
    assert_eq!(policy.hooks.len(), 3);
    assert_eq!(codes(&reported), [Code::W0232, Code::W0238, Code::E0202], "{reported:?}");
    let text = r#"{"Stop": [], "PostToolUze": {"hooks": []}, "beforeTool": ["x"], "other": ["x"]}"#;
    assert_eq!(codes(&read(text).1), [Code::W0232, Code::W0245]);
    let text = r#"{"Stop": [], "BeforeTool": ["x"], "other": ["x"]}"#;
    assert_eq!(codes(&read(text).1), [Code::W0232, Code::W0245]);
}

#[test]
fn hooks_in_other_files_are_reported() {
    let (policy, reported) = read(
        r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}]}]},
            "Hooks": {"PreToolUse": []}, "PostToolUze": [{"hooks": []}], "BeforeTool": {}, "PreToolUse": []}"#,
    );
    assert_eq!(policy.hooks.len(), 1);
    assert_eq!(codes(&reported), [Code::W0232; 4], "{reported:?}");
    let deep = r#"{"settings": {"hooks": {"PreToolUse": [{"hooks": []}]}}}"#;
    assert_eq!(codes(&read(deep).1), [Code::W0232]);
    assert_eq!(codes(&read(r#"{"PreToolUze": {"a": 1}}"#).1), [Code::W0245]);
}

#[test]
fn a_hooks_file_without_hooks_is_reported() {
    let reported = |name: &str, text: &str| {
        let mut out = Diagnostics::new();
        settings::read(name, text, SourceId(0), &mut out);
        codes(&out)
    };
    assert_eq!(reported("a/hooks.json", r#"{"rules": []}"#), [Code::W0246]);
    assert_eq!(reported("a/hooks.json", r#"{"hooks": {}}"#), []);
    assert_eq!(reported("settings/hooks.json", "{}"), []);
    assert_eq!(reported("a/managed-settings.json", r#"{"model": "m"}"#), []);
    assert_eq!(reported(".claude/settings.local.json", r#"{"model": "m"}"#), []);
}

#[test]
fn a_shell_next_to_args_is_reported() {
    let handler = r#"{"type": "command", "command": "a", "args": ["b"], "shell": "bash"}"#;
    let (policy, reported) = read(&format!(r#"{{"hooks": {{"Stop": [{{"hooks": [{handler}]}}]}}}}"#));
    assert_eq!(codes(&reported), [Code::W0232]);
    assert!(!print::policy(&policy).contains("shell"));
}

#[test]
fn repeated_group_properties_are_bounded() {
    let text = |bytes: usize, handlers: usize| {
        let handlers: Vec<String> =
            (0..handlers).map(|at| format!(r#"{{"type": "command", "command": "c{at}"}}"#)).collect();
        let (long, handlers) = ("a".repeat(bytes), handlers.join(","));
        format!(
            r#"{{"hooks": {{"PreToolUse": [{{"matcher": "A|B", "description": "{long}", "hooks": [{handlers}]}}]}}}}"#
        )
    };
    let begin = Instant::now();
    let (policy, reported) = read(&text(20_000, 5_000));
    assert_eq!((policy.hooks.len(), codes(&reported)), (0, vec![Code::E0703]));
    assert!(begin.elapsed() < Duration::from_secs(5));
    for (bytes, handlers) in [(20_000, 1), (2, 5_000), (20_000, 50)] {
        let (policy, reported) = read(&text(bytes, handlers));
        assert_eq!((policy.hooks.len(), codes(&reported)), (handlers, vec![]));
    }
}

#[test]
fn managed_settings_stay() {
    let text = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}]}]}}"#;
    for merge in [Merge::Append, Merge::Replace] {
        let mut sources = Sources::new();
        let mut add =
            |layer| Input::new(sources.add("x", text)).with_dialect(Dialect::Settings).with_layer(layer);
        let inputs = [add(Some(Layer::Managed)), add(None)];
        let compiled = compile(&mut sources, &inputs, &Options::default().merge(merge));
        assert_eq!(codes(&compiled.diagnostics), [Code::W0607], "told, and both stay");
        assert!(compiled.policies.iter().all(|policy| policy.hooks.len() == 1));
    }
}

fn round(text: &str) -> String {
    built::round_trip(text, Dialect::Settings, read).1
}

#[test]
fn written_text_reads_back() {
    let texts = [
        r#"{"hooks": {}}"#,
        r#"{"hooks": {"PreToolUse": [{"matcher": "Edit|Write", "hooks": [
            {"type": "command", "command": "./a.sh \"$X\"", "timeout": 5, "statusMessage": "s"},
            {"type": "command", "command": "a", "args": ["${CLAUDE_PROJECT_DIR}/x"], "async": true},
            {"type": "command", "command": "a", "asyncRewake": true, "rewakeMessage": "m", "shell": "powershell"},
            {"type": "http", "url": "u", "headers": {"A": "$B"}, "allowedEnvVars": ["B"], "onFailure": "block"},
            {"type": "mcp_tool", "server": "s", "tool": "t", "input": {"p": "${tool_input.file_path}"}}]}]}}"#,
        r#"{"hooks": {"PreToolUse": [
            {"hooks": [{"type": "command", "command": "a", "if": "Bash(git *)"}]},
            {"matcher": "Bash", "hooks": [{"type": "command", "command": "a", "if": "Bash(git *)"}]},
            {"matcher": "Edit.*x|y", "hooks": [{"type": "prompt", "prompt": "p", "if": "Edit(*.ts)", "model": "m"}]},
            {"hooks": [{"type": "agent", "prompt": "p", "if": "mcp__a__*"}, {"type": "agent", "prompt": "q", "if": "Task"}]},
            {"matcher": "^a:b$", "hooks": [{"type": "agent", "prompt": "p"}]},
            {"matcher": "mcp__x__.*", "hooks": [{"type": "agent", "prompt": "p"}]},
            {"matcher": "Note$", "hooks": [{"type": "agent", "prompt": "p", "id": "n", "priority": 3}]}]}}"#,
        r#"{"hooks": {"FileChanged": [{"matcher": ".envrc|.env", "hooks": [{"type": "command", "command": "a"}]},
                                      {"matcher": "data.csv", "hooks": [{"type": "command", "command": "a"}]}],
                      "StopFailure": [{"matcher": "rate_limit|unknown", "hooks": [{"type": "command", "command": "a"}]}],
                      "SubagentStop": [{"matcher": "general-purpose", "hooks": [{"type": "command", "command": "a"}]}]}}"#,
        r#"{"hooks": {"PreToolUse": [{"type": "command", "command": "a"}, {"matcher": "B", "type": "prompt", "prompt": "p"}]}}"#,
        r#"{"hooks": {"PreToolUse": [{"matcher": "Bash", "when": "tool_input.command contains 'x'", "mode": "warn",
            "action": {"type": "deny", "reason": "${tool_input.command} is $${HOME}"}, "id": "d", "on_failure": "closed"}]}}"#,
    ];
    for text in texts {
        let once = round(text);
        assert_eq!(round(&once), once, "the second time");
    }
}

#[test]
fn hooks_the_agent_would_misread_become_typed_actions() {
    let text = round_module(
        r#"{"hooks": {"PreToolUse": [{"matcher": "Bash", "when": "tool_input.x == 1", "hooks": [
            {"type": "command", "command": "echo ${X}"},
            {"type": "command", "command": "b", "enabled": false}]}]}}"#,
    );
    assert!(!text.contains("\"hooks\": [\n          {"), "no handler that runs always: {text}");
    assert!(text.contains("\"action\""), "{text}");
}

/// What is literal in settings is escaped in a hooks file, and literal again in settings.
#[test]
fn handlers_are_the_same_after_a_hooks_file() {
    let text = r#"{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [
        {"type": "command", "command": "${HOME}/x $${HOME} $HOME", "args": ["${A}", "$"]},
        {"type": "http", "url": "http://localhost:1/", "headers": {"x": "${B}"}, "allowedEnvVars": ["B"]},
        {"type": "prompt", "prompt": "${C}? $ARGUMENTS"}]}]}}"#;
    let read_yaml =
        |text: &str| hookc_syntax::front::hooks_yaml::read(text, SourceId(0), &mut Diagnostics::new());
    let hooks_file = |policy: &Policy| write::hooks_yaml::write(policy).0;
    let yaml = hooks_file(&read(text).0);
    assert!(yaml.contains("$${HOME}/x $$${HOME} $HOME") && yaml.contains("$${B}"), "{yaml}");
    let written = write::settings::write(&read_yaml(&yaml)).0[0].text.clone();
    assert!(!written.contains("\"action\""), "{written}");
    assert_eq!(hooks_file(&read(&written).0), yaml);
    // A template has no equivalent.
    let yaml = yaml.replace("$${HOME}/x", "${tool_name}/x");
    assert!(write::settings::write(&read_yaml(&yaml)).0[0].text.contains("\"action\""));
}

/// Writes; the output compiles to the same module.
fn round_module(text: &str) -> String {
    let (written, losses) = write::settings::write(&read(text).0);
    assert_eq!(losses, []);
    let options = Options::default().strip(true);
    let module = |text: &str| built(&[(text, Dialect::Settings)], &options).module.unwrap();
    assert!(module(text) == module(&written[0].text), "{}", written[0].text);
    written[0].text.clone()
}

#[test]
fn losses_of_settings_are_reported() {
    let yaml = "
events: {mine: {}}
hooks:
  - {event: error, action: {type: retry}}
  - {id: two, event: [PreToolUse, Stop], action: {type: deny}}
builtin_hooks:
  - {event: PreToolUse, action: {type: deny}}
";
    let mut sources = Sources::new();
    let source = sources.add("hooks.yaml", yaml);
    let input = Input::new(source).with_dialect(Dialect::HooksYaml);
    let policy =
        hookc_syntax::front::read(&sources, &input, &Vocabulary::builtin(), &mut Diagnostics::new()).policy;
    let (written, losses) = write::write(&policy, Dialect::Settings);
    let whats: Vec<&str> = losses.iter().map(|loss| loss.what.as_str()).collect();
    assert_eq!(whats.len(), 4, "{whats:?}");
    assert!(whats[0].contains("`events:`"), "{whats:?}");
    assert!(whats[1].contains("no event `error`"), "{whats:?}");
    assert!(whats[2].contains("hook `two`"), "{whats:?}");
    assert!(whats[3].contains("builtin_hooks"), "{whats:?}");
    assert_eq!(read(&written[0].text).0.hooks.len(), 2);
}

#[test]
fn large_files_are_linear() {
    if hookc_corpus::left_to_full_run("large settings files") {
        return;
    }
    let group = |at: usize| {
        format!(r#"{{"matcher": "T{at}", "hooks": [{{"type": "command", "command": "c{at}", "x{at}": 1}}]}}"#)
    };
    let make = |count: usize| {
        let groups: Vec<String> = (0..count).map(group).collect();
        format!(r#"{{"hooks": {{"PreToolUse": [{}]}}}}"#, groups.join(","))
    };
    let time = |text: &str| {
        let begin = Instant::now();
        let hooks = read(text).0.hooks.len();
        (begin.elapsed(), hooks)
    };
    let (small, large) = (time(&make(2_000)), time(&make(40_000)));
    assert_eq!((small.1, large.1), (2_000, 40_000));
    assert!(large.0 < small.0 * 20 * 6 + Duration::from_millis(200), "{small:?} {large:?}");
}

/// The handlers of a file, counted independently of the front end: for each event with an array,
/// the handlers of its groups and those outside a group.
fn count(root: &serde_json::Value) -> usize {
    let types = ["command", "prompt", "agent", "http", "mcp_tool"];
    let one = |handler: &&serde_json::Value| {
        handler["type"].as_str().is_some_and(|name| types.contains(&name)) || handler["action"].is_object()
    };
    let events = root.get("hooks").unwrap_or(root);
    let lists = events.as_object().into_iter().flat_map(|events| events.values());
    let entries = lists.filter_map(|list| list.as_array()).flatten();
    entries
        .map(|entry| {
            entry["hooks"].as_array().map_or(usize::from(one(&entry)), |all| all.iter().filter(one).count())
        })
        .sum()
}

#[test]
fn wild_files_are_read_and_counted() {
    let Some(root) = hookc_corpus::shared() else { return };
    let mut all = Vec::new();
    all.extend(hookc_corpus::files(&root.join("wild/claude")));
    all.extend(hookc_corpus::files(&root.join("wild/claude_docs")));
    let (mut whole, mut refused) = (0, 0);
    for path in all {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let begin = Instant::now();
        let (policy, reported) = read(&text);
        assert!(begin.elapsed() < Duration::from_millis(500), "{}", path.display());
        assert!(
            reported.iter().all(|new| new.labels.iter().all(|label| text.get(label.span.range()).is_some()))
        );
        show(&path, &text);
        if reported.iter().any(Diagnostic::is_error) {
            refused += 1;
            continue;
        }
        let strict = serde_json::from_str::<serde_json::Value>(&text);
        let repeated = reported.iter().any(|new| new.code == Code::W0231);
        let Some(root) = strict.ok().filter(|_| !repeated) else { continue };
        assert_eq!(policy.hooks.len(), count(&root), "{}", path.display());
        round(&text);
        whole += 1;
    }
    println!("{whole} files read whole, {refused} refused");
    assert!(whole > 90, "{whole}");
}

/// The diagnostics of a file, for inspection.
fn show(path: &Path, text: &str) {
    let mut sources = Sources::new();
    let source = sources.add(path.file_name().unwrap().to_string_lossy(), text);
    let input = Input::new(source).with_dialect(Dialect::Settings);
    let options = Options::default();
    let compiled = compile(&mut sources, &[input], &options);
    println!("{}", render::text::render(&compiled.diagnostics, &sources));
}

/// The settings of the document that the flat form comes from.
#[test]
fn the_flat_document_is_true() {
    let Some(root) = hookc_corpus::shared() else { return };
    let mut all = Vec::new();
    all.extend(hookc_corpus::files(&root.join("seeds")));
    let mut found = 0;
    for path in all {
        let text = std::fs::read_to_string(&path).unwrap();
        let blocks = text.split("```json\n").skip(1).filter_map(|part| Some(part.split_once("```")?.0));
        for block in blocks.filter(|block| block.contains("\"hooks\": {\n    \"PreToolUse\"")) {
            let (policy, reported) = read(block);
            assert_eq!(codes(&reported), [Code::W0238], "{reported:?}");
            let kinds: Vec<_> = policy.hooks.iter().map(|hook| hook.action.kind.node.as_str()).collect();
            let events: Vec<_> = policy.hooks.iter().map(|hook| hook.events[0].node.as_str()).collect();
            assert_eq!(kinds, ["run", "run", "inject", "run", "run"]);
            assert_eq!(events, ["PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart", "Stop"]);
            found += 1;
        }
    }
    assert_eq!(found, 1);
}

#[test]
fn other_files_are_survived() {
    let Some(root) = hookc_corpus::shared() else { return };
    let mut all = Vec::new();
    all.extend(hookc_corpus::files(&root.join("wild")));
    for path in all {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        for new in read(&text).1 {
            assert!(
                new.labels.iter().all(|label| text.get(label.span.range()).is_some()),
                "{}",
                path.display()
            );
        }
    }
}
