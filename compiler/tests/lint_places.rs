//! Lints of whole policies and of notations: what they accept, and their spans in each notation.
//! The cases of `corpus/reject` show their messages.

use hookc_compiler::{Builtin, Dialect, Input, Options, compile};
use hookc_schema::{Code, Sources};

use Dialect::{DirectiveXml, HooksYaml, Repository, Settings, Skill, Workflow};

const OURS: &[Code] = &[
    Code::W0114,
    Code::E0115,
    Code::W0116,
    Code::W0117,
    Code::W0290,
    Code::W0291,
    Code::W0292,
    Code::W0293,
    Code::W0294,
    Code::W0295,
    Code::W0296,
    Code::W0297,
    Code::E0314,
    Code::W0610,
    Code::W0611,
    Code::W0612,
    Code::N0613,
    Code::W0614,
    Code::W0615,
    Code::W0616,
];

fn codes(texts: &[(Dialect, &str)]) -> Vec<Code> {
    let (mut sources, mut inputs) = (Sources::new(), Vec::new());
    for (dialect, text) in texts {
        let source = sources.add(format!("source{}.json", inputs.len()), *text);
        inputs.push(Input::new(source).with_dialect(*dialect));
    }
    let compiled = compile(&mut sources, &inputs, &Options::default().builtin(Builtin::Threads));
    compiled.diagnostics.iter().map(|reported| reported.code).filter(|code| OURS.contains(code)).collect()
}

/// The body of a hook of a directive.
fn xml(hooks: &str) -> String {
    format!("<directive name=\"d\">{hooks}</directive>")
}

#[test]
fn similar_looking_texts_are_unchanged() {
    let repository = |handler: &str| {
        format!(
            "{{id: a, event_type: PreAbilityCall, enabled: true, blocking: true, handler: {{kind: script, command: '{handler}'}}}}"
        )
    };
    let ours = ["./scripts/hooks/a.sh", "a", "scripts/../a.sh", "tools/x-1.2_é"].map(repository);
    let latin = format!(
        "<?xml version='1.0' encoding='ISO-8859-1'?>{}",
        xml("<hooks><hook event=\"limit\"><directive>x</directive></hook></hooks>")
    );
    let included = xml("<step><include file=\"x\"/></step><Section/>");
    let mut table: Vec<(Dialect, &str)> = vec![
        // JSON is read by readers of JSON.
        (
            HooksYaml,
            r#"{"hooks": [{"event": "limit", "when": "limit_value == 1", "action": {"type": "emit_event", "event_type": "x", "payload": {"n": 1e3}}}]}"#,
        ),
        // Quotes, blocks, prose and examples.
        (
            HooksYaml,
            "hooks:\n- event: error\n  description: 2024-01-31\n  condition: {path: error.x, op: in, value: ['no', \"on\"]}\n  action: {type: retry}\n  examples:\n  - {event: {error: {x: no}}, matches: true}\n",
        ),
        (HooksYaml, "hooks: [{event: Stop, description: no, action: {type: deny, reason: 'no'}}]"),
        (HooksYaml, "events: {mine: {}}\n"),
        (HooksYaml, "action_types: {page: {parameters: {}}}\nhooks: []\n"),
        // A shipped hook is switched off.
        (
            HooksYaml,
            "hooks: [{id: default_compaction, event: context_window_pressure, enabled: false, action: {type: continue}}]",
        ),
        (DirectiveXml, "<directive name=\"d\"><step>x</step></directive>"),
        (DirectiveXml, &latin),
        (DirectiveXml, &included),
        (Settings, r#"{"model": "x", "hooks": {}}"#),
        (
            Settings,
            r#"{"hooks": {"Stop": [], "PreToolUse": [{"hooks": [{"type": "command", "command": "x", "timeout": 1}]}]}}"#,
        ),
        (Skill, "---\nname: s\ndescription: no\nversion: 1_0\n---\n"),
        (Skill, "---\nname: s\ndescription: d\nhooks:\n---\n"),
        (Workflow, "max: 1_000\nsteps: []\n"),
        (
            Workflow,
            "hooks: {pre_decision: [{artifact_id: a, args: {a: '{', b: 'if x { y', c: '{\"k\": 1', d: {k: null}, e: {k: 1}}, inject_as: _prompt}]}",
        ),
        (
            Repository,
            "{id: a, event_type: PreAbilityCall, enabled: false, blocking: true, handler: {kind: script, command: ./x}, effects: [a, {b: c}]}",
        ),
    ];
    table.extend(ours.iter().map(|text| (Repository, text.as_str())));
    for (dialect, text) in table {
        assert_eq!(codes(&[(dialect, text)]), [], "{text}");
    }
    // One policy's hook replaces another's.
    let nearer = "hooks: [{id: a, event: Stop, enabled: false, action: {type: log, message: m}}]";
    let farther = "builtin_hooks: [{id: a, event: Stop, action: {type: log, message: m}}]";
    assert_eq!(codes(&[(HooksYaml, nearer), (HooksYaml, farther)]), []);
    assert_eq!(codes(&[(HooksYaml, nearer)]), [Code::N0613]);
}

#[test]
fn each_notation_reports_it() {
    let run = |param: &str| format!("hooks: [{{event: Stop, action: {{type: run, {param}}}}}]");
    let command =
        |rest: &str| format!(r#"{{"hooks": {{"Stop": [{{"hooks": [{{"type": "command", {rest}}}]}}]}}}}"#);
    let skill = |hooks: &str| format!("---\nname: s\ndescription: d\nhooks: {hooks}\n---\n");
    let in_xml = |action: &str| xml(&format!("<hooks><hook event=\"Stop\">{action}</hook></hooks>"));
    let repository =
        |more: &str| format!("{{id: a, event_type: SessionStop, enabled: true, blocking: false, {more}}}");
    let workflow = |hook: &str| format!("hooks: {{post_action: [{{artifact_id: a, {hook}}}]}}");
    let table = [
        (HooksYaml, run("command: ''"), Code::W0614),
        (HooksYaml, run("argv: ['  ']"), Code::W0614),
        (DirectiveXml, in_xml("<action type=\"run\"><param name=\"command\"> </param></action>"), Code::W0614),
        (Settings, command(r##""command": "# x""##), Code::W0614),
        (Skill, skill("{Stop: [{hooks: [{type: command, command: ''}]}]}"), Code::W0614),
        (HooksYaml, run("command: x, timeout: 0"), Code::W0615),
        (HooksYaml, run("command: x, timeout: 86401"), Code::W0615),
        (Settings, command(r#""command": "x", "timeout": 0"#), Code::W0615),
        (Skill, skill("{on_error: {script: x.py, timeout: 600000}}"), Code::W0615),
        (DirectiveXml, in_xml("<action type=\"run\" command=\"x\" timeout=\"0\"/>"), Code::W0615),
        (DirectiveXml, xml("<hooks><hook event=\"error\"><action type=\"retry\" max_attempts=\"101\"/></hook></hooks>"), Code::W0616),
        (Workflow, workflow("on_error: retry, max_retries: 1000000"), Code::W0616),
        (HooksYaml, run(r#"command: "a\0b""#), Code::E0314),
        (HooksYaml, run(r#"command: x, env: {A: "\0"}"#), Code::E0314),
        (HooksYaml, run(r#"command: x, cwd: "a\0""#), Code::E0314),
        (Settings, command(r#""command": "x", "args": ["a\u0000"]"#), Code::E0314),
        (Repository, repository(r#"handler: {kind: script, command: "a\0b"}"#), Code::E0314),
        (Skill, skill(r#"{on_error: "x\0.py"}"#), Code::E0314),
        (Repository, repository("handler: {kind: script, command: /usr/bin/x}"), Code::W0291),
        (Repository, repository("handler: {kind: script, command: a/../../x}"), Code::W0291),
        (Repository, repository("handler: {kind: script, command: ~/x}"), Code::W0292),
        (Repository, repository("handler: {kind: script, command: $HOME/x}"), Code::W0292),
        (Repository, repository("handler: {kind: script, command: x --fast}"), Code::W0292),
        (Repository, repository("handler: {kind: script, command: x}, effects: {a: b}"), Code::W0297),
        (Workflow, workflow("args: {q: { name }}"), Code::W0293),
        (Workflow, workflow("args: {q: ['x {a.b, y']}"), Code::W0294),
        (Workflow, workflow("inject_as: _system_prompt"), Code::W0295),
        (Workflow, workflow("inject_as: a.b"), Code::W0296),
        (DirectiveXml, xml("<metadata><HOOKS/></metadata>"), Code::E0115),
        (DirectiveXml, xml("<metadata><x:include xmlns:x=\"http://www.w3.org/2001/XInclude\" href=\"a\"/></metadata>"), Code::W0116),
        (DirectiveXml, format!("<?xml version='1.0' encoding='UTF-16'?>{}", xml("")), Code::W0117),
        (Settings, r#"{"hooks": []}"#.to_owned(), Code::W0290),
        (Settings, r#"{"PreToolUse": [{"hooks": []}]}"#.to_owned(), Code::W0290),
        (Workflow, "hooks: {}".to_owned(), Code::W0612),
        (HooksYaml, "# nothing\n".to_owned(), Code::W0612),
        (HooksYaml, "{}".to_owned(), Code::W0612),
        (Skill, skill("\n  on_error: x.py\n  Stop: [{hooks: [{type: command, command: x, timeout: 0o17}]}]"), Code::W0114),
        (Repository, "id: a\nevent_type: SessionStop\nenabled: true\nblocking: false\nmatch: {only_if_changed_paths: [on]}\nhandler: {kind: script, command: x}\n".to_owned(), Code::W0114),
        (DirectiveXml, xml("<hooks><hook event=\"error\" when=\"error.code starts_with ''\"><directive>x</directive></hook></hooks>"), Code::W0610),
        (Settings, r#"{"hooks": {"PreToolUse": [{"when": "tool_input.x contains ''", "action": {"type": "deny", "reason": "r"}}]}}"#.to_owned(), Code::W0610),
        (Settings, r#"{"hooks": {"PreToolUse": [{"when": "exists($.a[?@ == 'b'][?@ == 'c'])", "action": {"type": "deny", "reason": "r"}}]}}"#.to_owned(), Code::W0611),
    ];
    for (dialect, text, code) in table {
        assert_eq!(codes(&[(dialect, &text)]), [code], "{text}");
    }
}
