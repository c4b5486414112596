//! Thread policies of earlier editions, as YAML and as XML: how they are read, what is ignored, and
//! what is rejected.

use crate::built;

use hookc_compiler::{Compiled, Dialect};
use hookc_schema::Code;
use hookc_schema::tree::{Section, print};

fn built(text: &str, dialect: Dialect) -> (Compiled, String) {
    built::built(&[("policy", text)], dialect, None)
}

/// The one action of a hooks file, as the tree prints it.
fn action(yaml: &str) -> (String, Vec<Code>) {
    let text = format!("hooks:\n  - event: limit\n    action: {yaml}\n");
    let (compiled, rendered) = built(&text, Dialect::HooksYaml);
    let [hook] = compiled.policies[0].hooks.as_slice() else { panic!("{rendered}") };
    assert!(!compiled.failed(), "{rendered}");
    let params =
        hook.action.params.iter().map(|(name, value)| format!(" {}={}", name.node, print::json(value)));
    let codes = compiled.diagnostics.iter().map(|reported| reported.code).collect();
    (format!("{}{}", hook.action.kind.node, params.collect::<String>()), codes)
}

#[test]
fn actions_become_ours() {
    let note = vec![Code::N0270];
    let lost = vec![Code::N0270, Code::W0272];
    for (older, ours, codes) in [
        (
            "{primary: execute, item_type: directive, item_id: ops/x, params: {a: '${limit_code}'}}",
            "call_directive directive=\"ops/x\" parameters={\"a\":\"${limit_code}\"}",
            &note,
        ),
        ("{item_id: 'directive:ops/x'}", "call_directive directive=\"ops/x\"", &note),
        ("{item_id: 'directive:ops/x', thread: inline}", "call_directive directive=\"ops/x\"", &lost),
        (
            "{primary: execute, item_type: tool, item_id: t/internal/control, params: {action: retry, max_retries: 2}}",
            "retry max_attempts=2",
            &note,
        ),
        ("{item_id: 'tool:t/internal/control', params: {action: abort}}", "abort", &note),
        ("{item_id: 'tool:t/internal/control', params: {action: continue}}", "continue", &note),
        (
            "{item_id: 'tool:t/internal/control', params: {action: suspend, reason: limit}}",
            "suspend suspend_reason=\"limit\"",
            &note,
        ),
        (
            "{item_id: 'tool:t/internal/control', params: {action: fail, error: 'no'}}",
            "fail error_message=\"no\"",
            &note,
        ),
        (
            "{item_id: 'tool:t/internal/control', params: {action: escalate, target: both, limit_type: x}}",
            "escalate target=\"both\"",
            &lost,
        ),
        (
            "{item_id: 'tool:t/internal/emitter', params: {event_type: e, payload: {a: 1}, thread_id: x}}",
            "emit_event event_type=\"e\" payload={\"a\":1}",
            &lost,
        ),
        (
            "{primary: execute, item_type: tool, item_id: bash, params: {command: 'echo ${limit_code}'}}",
            "invoke artifact=\"tool:bash\" method=\"execute\" args={\"command\":\"echo ${limit_code}\"}",
            &note,
        ),
        (
            "{primary: load, item_type: knowledge, item_id: 'k/${limit_code}'}",
            "invoke artifact=\"knowledge:k/${limit_code}\" method=\"load\"",
            &note,
        ),
        (
            "{primary: fetch, item_id: 'directive:d'}",
            "invoke artifact=\"directive:d\" method=\"fetch\"",
            &note,
        ),
    ] {
        let (read, reported) = action(older);
        assert_eq!((read.as_str(), &reported), (ours, codes), "{older}");
    }
}

#[test]
fn actions_without_equivalent_are_rejected() {
    for (older, code, place, words) in [
        ("{primary: exeute, item_id: 'tool:x'}", Code::E0271, "exeute", "did you mean `execute`?"),
        ("{primary: dance, item_id: 'tool:x'}", Code::E0271, "dance", "or `type:`"),
        ("{item_type: tol, item_id: x}", Code::E0271, "tol", "did you mean `tool`?"),
        ("{item_id: 'graph:x'}", Code::E0271, "graph", "write one of `directive`, `tool`, `knowledge`, or"),
        ("{item_id: x}", Code::E0271, "x", "`item_type:`"),
        ("{primary: execute}", Code::E0202, "primary", "an action kind"),
        ("{item_id: 3}", Code::E0203, "3", "quotes"),
        ("{item_id: 'tool:x', parms: {}}", Code::E0201, "parms", "did you mean `params`?"),
        ("{item_id: 'tool:x', params: [a]}", Code::E0203, "[", "key: value"),
        ("{item_id: 'tool:a/internal/control'}", Code::E0271, "item_id", "one of `retry`, `fail`"),
        ("{item_id: 'tool:a/internal/control', params: {action: retri}}", Code::E0271, "retri", "`retry`?"),
        ("{item_id: 'tool:a/internal/control', params: {action: 3}}", Code::E0271, "3", "one of `retry`"),
    ] {
        let text = format!("hooks:\n  - event: limit\n    action: {older}\n");
        let (compiled, rendered) = built(&text, Dialect::HooksYaml);
        let [reported] = compiled.diagnostics.as_slice() else { panic!("{older}: {rendered}") };
        assert_eq!(
            (reported.code, &text[reported.span().unwrap().range()]),
            (code, place),
            "{older}: {rendered}"
        );
        assert!(rendered.contains(words), "{older}: {rendered}");
    }
}

#[test]
fn lists_are_layers_and_come_last() {
    let text = "
category: c
infra_hooks:
  - {id: c, event: error, layer: 4, action: {type: abort}}
context_hooks:
  - {id: d, event: error, layer: 2, position: after, action: {type: abort}}
hooks:
  - {id: a, event: error, action: {type: abort}}
builtin_hooks:
  - {id: b, event: error, action: {type: abort}}
";
    let (compiled, rendered) = built(text, Dialect::HooksYaml);
    let hooks = compiled.policies[0].hooks.iter();
    let order: Vec<_> = hooks.map(|hook| (hook.id.as_ref().unwrap().node.as_str(), hook.section)).collect();
    let builtin = Section::Builtin;
    assert_eq!(order, [("a", Section::Hooks), ("b", builtin), ("c", builtin), ("d", builtin)], "{rendered}");
    for words in [
        "note[N0273]: `category` is unrelated to hooks",
        "note[N0273]: hookc reads `infra_hooks` as `builtin_hooks`",
        "warning[W0272]: `position` in legacy syntax is ignored",
    ] {
        assert!(rendered.contains(words), "{words}: {rendered}");
    }
}

#[test]
fn layers_of_hooks() {
    for (layer, section, reported) in [
        ("2", Section::Builtin, Some(Code::N0273)),
        ("builtin", Section::Builtin, Some(Code::N0273)),
        ("infra", Section::Builtin, Some(Code::N0273)),
        ("1", Section::Hooks, Some(Code::N0273)),
        ("3", Section::Hooks, Some(Code::W0272)),
        ("user", Section::Hooks, Some(Code::W0272)),
    ] {
        let text = format!("hooks:\n  - {{event: error, layer: {layer}, action: {{type: abort}}}}\n");
        let (compiled, rendered) = built(&text, Dialect::HooksYaml);
        assert_eq!(compiled.policies[0].hooks[0].section, section, "{layer}: {rendered}");
        assert_eq!(
            compiled.diagnostics.first().map(|reported| reported.code),
            reported,
            "{layer}: {rendered}"
        );
    }
    let (compiled, rendered) =
        built("hooks: [{event: error, layer: 9, action: {type: abort}}]", Dialect::HooksYaml);
    assert!(compiled.failed() && rendered.contains("0 (user), 1 (directive)"), "{rendered}");
    let wrong = "builtin_hooks: [{event: error, layer: 1, action: {type: abort}}]";
    let (_, rendered) = built(wrong, Dialect::HooksYaml);
    assert!(rendered.contains("cannot have the layer `directive`"), "{rendered}");
}

#[test]
fn files_of_other_kinds() {
    let graph =
        "config:\n  start: a\n  nodes: {}\n  hooks:\n    - {event: graph_started, action: {type: abort}}\n";
    let (compiled, rendered) = built(graph, Dialect::HooksYaml);
    assert_eq!((compiled.policies[0].hooks.len(), compiled.failed()), (1, false), "{rendered}");
    let (compiled, rendered) = built("tool_type: graph\nconfig: {nodes: {}}\n", Dialect::HooksYaml);
    assert!(!compiled.failed() && compiled.policies[0].hooks.is_empty(), "{rendered}");
    for (text, words) in [
        ("patterns: []\ndefault: {}\n", "classifies errors"),
        ("- {id: a, match: {}}\n", "write a list under `hooks:`"),
        ("- {event: a}\n", "put `hooks:` before the list"),
    ] {
        let (compiled, rendered) = built(text, Dialect::HooksYaml);
        assert_eq!(compiled.diagnostics.len(), 1, "{rendered}");
        assert!(compiled.failed() && rendered.contains(words), "{rendered}");
    }
}

fn xml(hook: &str) -> (Compiled, String) {
    built(&format!("<directive name='d'><hooks>{hook}</hooks></directive>"), Dialect::DirectiveXml)
}

#[test]
fn xml_actions_become_ours() {
    for (older, ours) in [
        (
            "<execute item_type='directive'>ops/x</execute><inputs><a>${error.code}</a></inputs>",
            "<directive>ops/x</directive><parameters><a>${error.code}</a></parameters>",
        ),
        (
            "<action primary='execute' item_type='directive' item_id='ops/x'><param name='a'>1</param></action>",
            "<directive>ops/x</directive><parameters><a>1</a></parameters>",
        ),
        (
            "<action primary='execute' item_type='knowledge' item_id='k/${error.code}'/>",
            "<action type='invoke' artifact='knowledge:k/${error.code}' method='execute'/>",
        ),
        (
            "<execute item_type='tool' item_id='t'><params><n value='3'/></params></execute>",
            "<action type='invoke' artifact='tool:t' method='execute'><param name='args'><param name='n'>3</param></param></action>",
        ),
        (
            "<execute item_type='tool'>t/internal/control</execute><inputs><input name='action' value='abort'/></inputs>",
            "<action type='abort'/>",
        ),
    ] {
        let hook =
            |action: &str| format!("<hook event='error'><when>error.code == 'x'</when>{action}</hook>");
        let ((older_is, rendered), (ours_is, _)) = (xml(&hook(older)), xml(&hook(ours)));
        assert!(!older_is.failed() && rendered.contains("note[N0270]"), "{older}: {rendered}");
        assert_eq!(print::policy(&older_is.policies[0]), print::policy(&ours_is.policies[0]), "{older}");
    }
}

#[test]
fn rejected_xml_has_help() {
    for (hook, words) in [
        (
            "<hook><when>event.name == \"error\"</when><directive>a</directive></hook>",
            "<hook event=\"error\">",
        ),
        (
            "<hook><when>thread_started</when><directive>a</directive></hook>",
            "<hook event=\"thread_started\">",
        ),
        ("<hook><directive>a</directive></hook>", "`<hook>` without `event`"),
        (
            "<hook event='limit' when='turns_exceeded'><directive>a</directive></hook>",
            "`limit_code == 'turns_exceeded'`",
        ),
        (
            "<hook event='error'><when>cost.spend > limits.spend * 0.8</when><directive>a</directive></hook>",
            "conditions cannot calculate",
        ),
        ("<hook event='error' directive='a/b'/>", "write `<directive>a/b</directive>` inside"),
        ("<hook event='error' condition='a == 1'><directive>a</directive></hook>", "did you mean `when`?"),
        ("<hook event='error' name='a'><directive>a</directive></hook>", "did you mean `id`?"),
        ("<hook event='error'><execute item_type='tol'>a</execute></hook>", "did you mean `tool`?"),
        ("<hook event='error'><execute>a</execute></hook>", "directive, tool or knowledge?"),
        ("<hook event='error'><execute item_type='tool'/></hook>", "`item_id` is missing"),
        ("<hook event='error'><execute item_type='tool' id='a'/></hook>", "allowed here"),
    ] {
        let (compiled, rendered) = xml(hook);
        assert!(compiled.failed() && rendered.contains(words), "{hook}: {rendered}");
    }
    for (text, words) in [
        ("<hook event='error'><directive>a</directive></hook>", "<hooks>...</hooks>"),
        ("<hooks/><thread/>", "a second root element"),
    ] {
        let (compiled, rendered) = built(text, Dialect::DirectiveXml);
        assert!(compiled.failed() && rendered.contains(words), "{text}: {rendered}");
    }
}

#[test]
fn hooks_in_front_matter_and_in_later_fences() {
    let matter = "<!-- signed -->\n---\ndescription: d\nhooks:\n  - event: error\n    action: {type: abort}\n---\n# T\n";
    let (compiled, rendered) = built(matter, Dialect::DirectiveXml);
    assert_eq!((compiled.policies[0].hooks.len(), rendered.as_str()), (1, ""));
    let wrong = matter.replace("abort", "abrot");
    let (compiled, rendered) = built(&wrong, Dialect::DirectiveXml);
    let reported = compiled.diagnostics.first().unwrap_or_else(|| panic!("{rendered}"));
    assert_eq!(&wrong[reported.span().unwrap().range()], "abrot");
    let broken = matter.replace("{type", "{{type");
    assert!(built(&broken, Dialect::DirectiveXml).0.failed(), "a mistake in the notation is told");
    let directive = "```xml\n<directive name='d'><hooks><hook event='error'><action type='abort'/></hook></hooks></directive>\n```\n";
    let both = format!("{matter}{directive}");
    assert_eq!(built(&both, Dialect::DirectiveXml).0.policies[0].hooks.len(), 2);
    let later = format!("{directive}\n```xml\n<hooks>\n  <hook event='limit'/>\n</hooks>\n```\n");
    let (compiled, rendered) = built(&later, Dialect::DirectiveXml);
    assert_eq!((compiled.policies[0].hooks.len(), compiled.failed()), (1, false));
    assert!(rendered.contains("W0282") && rendered.contains("in a later fence"), "{rendered}");
}

#[test]
fn operators_of_other_languages_are_suggested() {
    for (op, ours) in [
        ("neq", "ne"),
        ("equals", "eq"),
        ("not_equals", "ne"),
        ("==", "eq"),
        ("greater_than", "gt"),
        ("ge", "gte"),
        ("startswith", "starts_with"),
        ("match", "regex"),
        ("includes", "contains"),
        ("one_of", "in"),
        ("is_set", "exists"),
    ] {
        let text = format!(
            "hooks: [{{event: error, condition: {{path: error.code, op: '{op}', value: a}}, action: {{type: abort}}}}]"
        );
        let (_, rendered) = built(&text, Dialect::HooksYaml);
        assert!(rendered.contains(&format!("did you mean `{ours}`?")), "{op}: {rendered}");
    }
    for (op, help) in [("not_in", "wrap a condition"), ("not_contains", "wrap a condition")] {
        let text = format!(
            "hooks: [{{event: error, condition: {{path: error.code, op: {op}, value: a}}, action: {{type: abort}}}}]"
        );
        let (_, rendered) = built(&text, Dialect::HooksYaml);
        assert!(rendered.contains(help), "{op}: {rendered}");
    }
}
