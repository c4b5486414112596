//! The shipped hooks compile without diagnostics, and are linked only with thread policies.

use hookc_compiler::{Builtin, Compiled, Dialect, Input, Options, compile};
use hookc_schema::Sources;
use hookc_schema::tree::Layer;

fn linked(texts: &[(Dialect, &str)], builtin: Builtin) -> Compiled {
    let mut sources = Sources::new();
    let mut inputs = Vec::new();
    for (dialect, text) in texts {
        let source = sources.add(format!("source{}", inputs.len()), *text);
        inputs.push(Input::new(source).with_dialect(*dialect));
    }
    compile(&mut sources, &inputs, &Options::default().builtin(builtin))
}

#[test]
fn shipped_hooks_are_clean() {
    let compiled = linked(&[], Builtin::Always);
    assert_eq!(compiled.diagnostics, []);
    let hooks =
        compiled.linked.events.iter().flat_map(|event| event.hooks.iter().map(|hook| (&event.name, hook)));
    let found: Vec<_> =
        hooks.map(|(event, hook)| (event.as_str(), hook.label.as_str(), hook.layer)).collect();
    assert_eq!(
        found,
        [
            ("context_window_pressure", "default_compaction", Layer::Builtin),
            ("error", "default_transient_retry", Layer::Builtin),
            ("limit", "default_limit_escalation", Layer::Builtin),
        ]
    );
}

#[test]
fn shipped_hooks_are_linked_only_with_thread_policies() {
    use Dialect::{DirectiveXml, HooksYaml, Repository, Settings, Skill, Workflow};
    let xml = |event: &str| {
        format!(
            "<directive name=\"d\"><hooks><hook event=\"{event}\"><directive>x</directive></hook></hooks></directive>"
        )
    };
    let (xml_thread, xml_agent) = (xml("limit"), xml("Stop"));
    let table: &[(Dialect, &str, bool)] = &[
        (HooksYaml, "hooks: [{event: limit, action: {type: abort}}]", true),
        (HooksYaml, "hooks: [{event: after_step, action: {type: abort}}]", true),
        (HooksYaml, "builtin_hooks: [{event: error, action: {type: abort}}]", true),
        // A disabled hook changes only itself.
        (HooksYaml, "hooks: [{event: limit, enabled: false, action: {type: abort}}]", true),
        // One event of threads is enough, in a file and in a hook.
        (HooksYaml, "hooks: [{event: [PreToolUse, limit], action: {type: log, message: m}}]", true),
        (
            HooksYaml,
            "hooks: [{event: Stop, action: {type: log, message: m}}, {event: error, action: {type: abort}}]",
            true,
        ),
        (HooksYaml, "events: {limit: {}}\nhooks: [{event: limit, action: {type: abort}}]", true),
        (DirectiveXml, &xml_thread, true),
        (DirectiveXml, &xml_agent, false),
        (HooksYaml, "hooks: [{event: PreToolUse, action: {type: deny, reason: r}}]", false),
        // A misspelled event of an agent is not a thread event; nor is one that the file declares.
        (HooksYaml, "hooks: [{event: PreToolUsed, action: {type: deny, reason: r}}]", false),
        (HooksYaml, "events: {built: {}}\nhooks: [{event: built, action: {type: abort}}]", false),
        (HooksYaml, "hooks: []", false),
        (HooksYaml, "", false),
        (HooksYaml, "events: {limit: {}}", false),
        (HooksYaml, "hooks: [{event: pre_decision, action: {type: invoke, artifact: a}}]", false),
        (Settings, r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}}"#, false),
        (Settings, r#"{"hooks": {"limit": [{"hooks": [{"type": "command", "command": "x"}]}]}}"#, false),
        (
            Repository,
            "{id: a, event_type: SessionStop, enabled: true, blocking: false, handler: {kind: script, command: ./x}}",
            false,
        ),
        (Skill, "---\nname: s\ndescription: d\nhooks: {on_error: x.py}\n---\n", false),
        (Workflow, "hooks: {on_error: [{artifact_id: a}]}", false),
    ];
    for (dialect, text, expected) in table {
        let is_linked = |builtin| linked(&[(*dialect, text)], builtin).shipped.is_some();
        assert_eq!(is_linked(Builtin::Threads), *expected, "{text}");
        assert!(is_linked(Builtin::Always), "{text}");
        assert!(!is_linked(Builtin::Never), "{text}");
    }
    let both =
        [(HooksYaml, "hooks: [{event: Stop, action: {type: log, message: m}}]"), (HooksYaml, table[0].1)];
    assert!(linked(&both, Builtin::Threads).shipped.is_some());
    assert_eq!(Options::default().builtin, Builtin::Never);
}

#[test]
fn a_policy_of_an_agent_has_nothing_of_threads_in_its_module() {
    let policy = "hooks: [{event: PreToolUse, action: {type: deny, reason: r}}]";
    let size = |builtin| linked(&[(Dialect::HooksYaml, policy)], builtin).module.unwrap().len();
    assert_eq!(size(Builtin::Threads), size(Builtin::Never));
    assert!(size(Builtin::Always) > size(Builtin::Never));
}
