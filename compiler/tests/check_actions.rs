//! The checker on actions and on the other fields of a hook.

use crate::{built, support};

use hookc_compiler::check;
use hookc_compiler::ir::{CheckedAction, ReadPath, Rendered};
use hookc_compiler::{Dialect, Hosts, Input, Options, compile};
use hookc_schema::Code::{self, *};
use hookc_schema::agents;
use hookc_schema::diag::Severity;
use hookc_schema::tree::{Layer, Section, Step};
use hookc_schema::value::{Number, Value};
use hookc_schema::{Diagnostic, Diagnostics, Sources, Spanned};
use serde_json::json;
use support::*;

fn act(event: &str, kind: &str, params: serde_json::Value) -> (Option<CheckedAction>, Diagnostics) {
    let (checked, out) = check(vec![hook(&[event], None, action(kind, params))]);
    (checked.hooks.first().map(|hook| hook.events[0].action.clone()), out)
}

fn param<'a>(action: &'a CheckedAction, name: &str) -> &'a Rendered {
    &action.params.iter().find(|(key, _)| key == name).unwrap_or_else(|| panic!("{name}")).1.value
}

fn constant(json: serde_json::Value) -> Rendered {
    Rendered::Const(value(json))
}

fn merged(name: &str) -> ReadPath {
    ReadPath::Merged([Step::Name(name.to_owned())].into())
}

#[test]
fn defaults_are_filled_in_and_parameters_sorted() {
    let (retry, out) = act("error", "retry", json!({}));
    let retry = retry.unwrap();
    assert_eq!(out, []);
    let names: Vec<&str> = retry.params.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["backoff_policy", "max_attempts"]);
    assert_eq!(param(&retry, "max_attempts"), &constant(json!(3)));
    let (call, _) = act("error", "call_directive", json!({"directive": "d"}));
    let call = call.unwrap();
    assert_eq!(param(&call, "parameters"), &constant(json!({})));
    assert_eq!(param(&call, "inherit_token"), &constant(json!(true)));
}

/// Handlers of repositories print signals.
#[test]
fn results_are_read_in_the_form_of_the_event() {
    let run = |event: &str, params| {
        let (run, out) = act(event, "run", params);
        assert_eq!(out, [], "{event}");
        ["result", "async", "blocking"].map(|name| param(run.as_ref().unwrap(), name).clone())
    };
    let expected = |result: &str| [json!(result), json!(false), json!(true)].map(constant);
    for (event, result) in [("PreAbilityCall", "signals"), ("PreToolUse", "status"), ("error", "status")] {
        assert_eq!(run(event, json!({"argv": ["./check"]})), expected(result), "{event}");
    }
    let written = json!({"argv": ["./check"], "result": "status"});
    assert_eq!(run("PreAbilityCall", written), expected("status"));
}

/// What `install` asks before it writes a hook into the settings of an agent.
#[test]
fn actions_that_an_agent_does_not_execute() {
    let claude = agents::by_name("claude").unwrap();
    for (event, kind, expected) in [
        ("Notification", "ask", Some("Claude Code does not support `ask` at `Notification`")),
        ("PreToolUse", "escalate", Some("Claude Code cannot execute `escalate` at `PreToolUse`")),
        ("PreToolUse", "deny", None),
        ("PreToolUse", "run", None),
    ] {
        assert_eq!(check::unsupported(claude, event, kind).as_deref(), expected, "{kind} at {event}");
    }
}

#[test]
fn keys_are_in_utf16_order() {
    // U+10000 is D800 DC00 in UTF-16, before U+E000; in UTF-8 it comes after.
    let parameters = json!({"\u{e000}": 1, "\u{10000}": {"b": 1, "a": 2}, "z": "${x}"});
    let (call, out) = act("error", "call_directive", json!({"directive": "d", "parameters": parameters}));
    assert_eq!(out, []);
    let Rendered::Map(members) = param(&call.unwrap(), "parameters").clone() else { panic!() };
    let keys: Vec<&str> = members.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["z", "\u{10000}", "\u{e000}"]);
    assert_eq!(members[1].1, constant(json!({"a": 2, "b": 1})));
}

#[test]
fn templates() {
    let payload = json!({
        "whole": "${event.limit_code}",
        "default": "${limit_code ?? 'none'}",
        "text": "code ${limit_code}!",
        "plain": "just text",
        "escaped": "$${x}",
        "empty": "",
        "list": [1, "${limit_max}"],
        "deep": {"${limit_code}": {"b": "x"}},
    });
    let (emit, out) = act("limit", "emit_event", json!({"event_type": "t", "payload": payload}));
    assert_eq!(codes(&out), [N0606]);
    let Rendered::Map(members) = param(&emit.unwrap(), "payload").clone() else { panic!() };
    let at = |name: &str| members.iter().find(|(key, _)| key == name).unwrap().1.clone();
    assert_eq!(at("whole"), Rendered::Slot(merged("limit_code"), None));
    let none: Value = value(json!("none"));
    assert_eq!(at("default"), Rendered::Slot(merged("limit_code"), Some(none)));
    let slot = Rendered::Slot(merged("limit_code"), None);
    assert_eq!(at("text"), Rendered::Text(vec![constant(json!("code ")), slot, constant(json!("!"))]));
    assert_eq!(at("plain"), constant(json!("just text")));
    assert_eq!(at("escaped"), constant(json!("${x}")));
    assert_eq!(at("empty"), constant(json!("")));
    assert_eq!(
        at("list"),
        Rendered::Seq(vec![constant(json!(1)), Rendered::Slot(merged("limit_max"), None)])
    );
    assert_eq!(at("deep"), constant(json!({"${limit_code}": {"b": "x"}})), "keys are no templates");
}

#[test]
fn literal_actions_have_no_templates() {
    let mut literal = action("fail", json!({"error_message": "${x"}));
    literal.templates = false;
    let (checked, out) = check(vec![hook(&["error"], None, literal)]);
    assert_eq!(out, []);
    assert_eq!(param(&checked.hooks[0].events[0].action, "error_message"), &constant(json!("${x")));
}

#[test]
fn errors_of_types_and_keys() {
    let table: &[(&str, serde_json::Value, &[Code])] = &[
        ("retri", json!({}), &[E0406]),
        ("retry", json!({"max_atempts": 1}), &[E0407]),
        ("abort", json!({"reason": "x"}), &[E0407]),
        ("retry", json!({"max_attempts": "3"}), &[E0409]),
        ("retry", json!({"max_attempts": 1.5}), &[E0409]),
        ("retry", json!({"max_attempts": 2.0}), &[]),
        ("retry", json!({"max_attempts": 0}), &[E0409]),
        ("retry", json!({"max_attempts": null}), &[E0409]),
        ("retry", json!({"max_attempts": "${x}"}), &[]),
        ("retry", json!({"max_attempts": "${x ?? 2}"}), &[]),
        ("retry", json!({"max_attempts": "${x ?? 'two'}"}), &[E0409]),
        ("retry", json!({"max_attempts": "${x} times"}), &[E0409]),
        ("retry", json!({"max_attempts": ["${x}"]}), &[E0409]),
        ("retry", json!({"max_attempts": "${error.message}"}), &[W0418]),
        ("retry", json!({"backoff_policy": "fixd", "delay": 1}), &[E0409]),
        ("retry", json!({"backoff_policy": "fixed"}), &[E0408]),
        ("retry", json!({"backoff_policy": "fixed", "delay": 5}), &[]),
        ("retry", json!({"backoff_policy": "${x}"}), &[]),
        ("suspend", json!({}), &[E0408]),
        ("suspend", json!({"suspend_reason": "budget"}), &[]),
        ("call_directive", json!({"directive": "d", "parameters": {"a": "${$..x}"}}), &[]),
        ("retry", json!({"max_attempts": "${$..x}"}), &[E0409]),
        ("fail", json!({"error_message": "${$.tags[*] ?? 'none'}"}), &[E0409]),
        ("call_directive", json!({"directive": "d", "parameters": {"a": "x ${$..x}"}}), &[E0305]),
        ("call_directive", json!({"directive": "${"}), &[E0304]),
        ("fail", json!({"error_message": "${error.mesage}"}), &[W0416]),
        ("run", json!({"command": "echo ${error.message}"}), &[E0307]),
        ("run", json!({"command": "${error.message}"}), &[E0307]),
        ("run", json!({"command": "echo $${HOME}"}), &[]),
        ("run", json!({"argv": ["echo", "${error.message}"]}), &[]),
        ("run", json!({"argv": ["sh", "-c", "echo ${error.message}"]}), &[E0307]),
        ("run", json!({"argv": ["/bin/bash", "-o", "pipefail", "-lc", "${error.message}"]}), &[E0307]),
        ("run", json!({"argv": ["timeout", "5", "python3.12", "-c", "${error.message}"]}), &[E0307]),
        ("run", json!({"argv": ["node", "--eval", "${error.message}"]}), &[E0307]),
        ("run", json!({"argv": ["pwsh", "-Command", "echo", "${error.message}"]}), &[E0307]),
        ("run", json!({"argv": ["perl", "${error.message}"]}), &[E0307]),
        ("run", json!({"argv": ["${error.message}", "x"]}), &[E0307]),
        ("run", json!({"argv": ["sh", "-c", "echo \"$1\"", "_", "${error.message}"]}), &[]),
        ("run", json!({"argv": ["python3", "check.py", "-c", "${error.message}"]}), &[]),
        ("run", json!({"command": "sh", "args": ["-c", "echo ${error.message}"]}), &[E0307]),
        ("run", json!({"command": "./check", "args": ["-c", "${error.message}"]}), &[]),
        ("run", json!({"command": "env", "args": ["-i", "${error.message}"]}), &[E0307]),
        ("run", json!({"command": "env", "args": "${$..x}"}), &[E0307]),
        ("run", json!({"command": "./check", "args": "${$..x}"}), &[]),
        ("run", json!({"argv": ["sed", "1p", "${error.message}"]}), &[E0312]),
        ("run", json!({"argv": ["sed", "1p", "${error.message}"], "trusted_args": [2]}), &[]),
        ("run", json!({"argv": ["sh", "-c", "${error.message}"], "trusted_args": [2]}), &[]),
        ("run", json!({"argv": ["sh", "-c", "${error.message}"], "trusted_args": [1]}), &[E0311, E0307]),
        ("run", json!({"argv": ["${error.message}"], "trusted_args": [0]}), &[E0311, E0307]),
        ("run", json!({"argv": ["./x", "${error.message}"], "trusted_args": [-1]}), &[E0311]),
        ("run", json!({"argv": ["./x", "${error.message}"], "trusted_args": 1}), &[E0409]),
        ("run", json!({"command": "sh", "args": ["-c", "${error.message}"], "trusted_args": [2]}), &[]),
        ("run", json!({"argv": ["./x"], "cwd": "${error.message}"}), &[E0307]),
        ("run", json!({"argv": ["/bin/x"], "cwd": "${error.message}"}), &[]),
        ("run", json!({"argv": ["x"], "cwd": "${error.message}"}), &[]),
        ("run", json!({"argv": ["sh", "x.sh"], "cwd": "${error.message}"}), &[E0307]),
        ("run", json!({"command": "./x.sh", "cwd": "${error.message}"}), &[E0307]),
        ("run", json!({"command": "./x.sh", "args": ["a"], "cwd": "${error.message}"}), &[E0307]),
        ("run", json!({"command": "ls && timeout 5 sh x.sh", "cwd": "${error.message}"}), &[E0307]),
        ("run", json!({"command": "\"$ROOT\"/x.sh && npm test", "cwd": "${error.message}"}), &[]),
        ("run", json!({"command": "ls", "shell": "./sh", "cwd": "${error.message}"}), &[E0307]),
        ("run", json!({"command": "ls", "env": "${error}"}), &[E0307]),
        ("script", json!({"file": "${error.message}"}), &[E0307]),
        ("run", json!({"command": "x", "shell": "${error.message}"}), &[E0307]),
        ("run", json!({"command": "x", "env": {"BASH_ENV": "${error.message}"}}), &[E0307]),
        ("run", json!({"command": "x", "env": {"LD_PRELOAD": "${error.message}"}}), &[E0307]),
        ("run", json!({"command": "x", "env": {"MESSAGE": "${error.message}", "PATH": "/bin"}}), &[]),
        ("run", json!({}), &[E0408]),
        ("run", json!({"argv": ["echo"], "command": "echo"}), &[E0403]),
    ];
    for (kind, params, expected) in table {
        let (action, out) = act("error", kind, params.clone());
        assert_eq!(codes(&out), *expected, "{kind} {params}: {out:#?}");
        assert_eq!(action.is_none(), out.iter().any(Diagnostic::is_error), "{kind} {params}");
    }
}

#[test]
fn programs_that_read_arguments_as_code() {
    let read = |argv: &str| {
        let words: Vec<String> = argv.split(' ').map(|word| word.replace('@', "${error.message}")).collect();
        let out = act("error", "run", json!({"argv": words})).1;
        out.iter().any(|reported| matches!(reported.code, E0307 | E0312))
    };
    for argv in [
        "su -c @",
        "su root -c @",
        "runuser -u bob --command=@",
        "ssh h @",
        "watch @",
        "watch -n 5 echo @",
        "parallel echo ::: @",
        "script -qc @ log",
        "awk @ file",
        "gawk -v a=b @",
        "awk -e @",
        "sed @ file",
        "sed -n -e @",
        "sed s/a/@/ file",
        "sed --expression=@",
        "find . -exec @ ;",
        "find . -name x -exec sh -c @ ;",
        "git -c core.pager=@ log",
        "git -C dir -c @ log",
        "git @",
        "psql -c @",
        "psql db --command @",
        "mysql -e @",
        "sqlite3 db @",
        "eval @",
        "sudo su -c @",
        "sudo @",
        "env -- @",
        "xargs @",
        "timeout 5 ssh h @",
    ] {
        assert!(read(argv), "{argv}");
    }
    for argv in [
        "git commit -m @",
        "git -C @ status",
        "awk {print} @",
        "awk -f x.awk -- @",
        "awk -v a=@ {print}",
        "sed -i s/a/b/ -- @",
        "sed -e s/a/b/ -- @",
        "find . -name @",
        "find . -exec grep @ {} ;",
        "psql -d @",
        "env A=@ ./check",
        "sudo ./check @",
    ] {
        assert!(!read(argv), "{argv}");
    }
}

#[test]
fn programs_far_behind_the_first() {
    let reported = |argv: &[&str]| {
        let argv = serde_json::to_string(argv).unwrap();
        let text = format!(
            "wrappers: [{{name: run-in, operands: 1}}]\n\
             hooks: [{{event: PreToolUse, action: {{type: run, argv: {argv}}}}}]"
        );
        codes(&built::built(&[("hooks.yaml", &text)], Dialect::HooksYaml, None).0.diagnostics)
    };
    // Declared wrappers nest as deep as those of the tables.
    for name in ["env", "run-in"] {
        let argv = |times: usize| {
            let wrapper: &[&str] = if name == "env" { &["env"] } else { &["run-in", "web"] };
            [&wrapper.repeat(times), &["./check", "${cwd}"][..]].concat()
        };
        assert_eq!(reported(&argv(32)), [], "{name}");
        assert_eq!(reported(&argv(33)), [E0312], "{name}");
    }
    // An interpreter after any number of words of an unknown program.
    let words = [&["./sandbox"][..], &["x"; 100], &["sh", "-c", "${cwd}"]].concat();
    assert_eq!(reported(&words), [E0307]);
}

/// `hookc run` translates the names of events, and asks no model, unless it stands in for the agent.
#[test]
fn the_program_that_executes_a_policy_reports_no_errors_of_its_agent() {
    let reported = |text: &str, dialect, hosts: Hosts| {
        let mut sources = Sources::new();
        let input = Input::new(sources.add("policy", text)).with_dialect(dialect);
        let compiled = compile(&mut sources, &[input], &Options::default().hosts(hosts));
        compiled.diagnostics.iter().map(|found| (found.code, found.severity)).collect::<Vec<_>>()
    };
    let settings = r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "prompt", "prompt": "Is it safe?"}]}]}}"#;
    let handler = |hosts: &Hosts| reported(settings, Dialect::Settings, hosts.clone());
    let mut hosts = Hosts::from_agents(agents::by_name("claude"));
    assert_eq!(handler(&hosts), [], "the agent asks the model");
    hosts.runs_settings = true;
    assert_eq!(handler(&hosts), [(E0431, Severity::Error)]);
    hosts.advisory = true;
    assert_eq!(handler(&hosts), [(E0431, Severity::Warning)]);

    let declared = "events: {BeforeTool: {}}\nhooks: [{event: BeforeTool, action: {type: abort}}]";
    let mut gemini = Hosts::from_agents(agents::by_name("gemini"));
    let declared = |hosts: &Hosts| reported(declared, Dialect::HooksYaml, hosts.clone());
    assert_eq!(declared(&gemini), [(E0428, Severity::Error)]);
    gemini.advisory = true;
    assert_eq!(declared(&gemini), []);
}

#[test]
fn suggestions() {
    let help = |kind: &str, params| act("error", kind, params).1[0].help.clone().unwrap();
    assert_eq!(help("retri", json!({})), "did you mean `retry`?");
    assert_eq!(help("retry", json!({"max_atempts": 1})), "did you mean `max_attempts`?");
    assert_eq!(help("retry", json!({"backoff_policy": "fixd"})), "did you mean `fixed`?");
    assert_eq!(help("abort", json!({"x": 1})), "`abort` has no parameters");
    assert_eq!(
        help("suspend", json!({})),
        "add `suspend_reason`: one of `limit`, `error`, `budget`, `approval`"
    );
}

#[test]
fn fields_of_a_hook() {
    let plain = || hook(&["error"], None, action("abort", json!({})));
    let mut builtin = plain();
    builtin.section = Section::Builtin;
    builtin.enabled = Some(Spanned::new(false, span(0..1)));
    builtin.priority = Some(Spanned::new(Number("1.5".into()), span(0..1)));
    let mut out = Diagnostics::new();
    let own = policy(vec![plain(), builtin]);
    let checked = check::check(&own, Some(Layer::Project), &vocabulary(), &mut out);
    assert_eq!(out, []);
    let layers: Vec<_> = checked.hooks.iter().map(|hook| (hook.layer, hook.enabled)).collect();
    assert_eq!(layers, [(Layer::Project, true), (Layer::Builtin, false)]);
    assert_eq!(checked.hooks[1].priority, Number("1.5".into()));
    assert_eq!(check(vec![plain()]).0.hooks[0].layer, Layer::Directive);

    let mut bad = plain();
    bad.id = Some(named("error#1"));
    bad.priority = Some(Spanned::new(Number("1e10001".into()), span(0..1)));
    let (checked, out) = check(vec![bad.clone()]);
    assert_eq!((checked.hooks.len(), codes(&out)), (0, vec![E0210, E0308]));
    bad.priority = None;
    let mut reported = Diagnostics::from_iter([Diagnostic::new(E0210, span(0..7), "told by a front end")]);
    check::check(&policy(vec![bad]), None, &vocabulary(), &mut reported);
    assert_eq!(reported.len(), 1);
}

#[test]
fn hooks_with_an_error_in_a_quantifier_are_left_out() {
    for (text, expected) in [
        ("some(tag in tags: tag.label > 'a')", E0402),
        ("some(tag in tags: every(other in tags: other.label =~ '('))", E0404),
    ] {
        let (checked, out) = check(vec![hook(&["gate"], Some(cond(text)), action("abort", json!({})))]);
        assert_eq!((checked.hooks.len(), codes(&out).first()), (0, Some(&expected)), "{text}");
    }
}

/// Time is linear in the hooks, with any errors.
#[test]
fn many_hooks() {
    let many = hookc_corpus::effort(20_000, 1_000);
    let hooks = (0..many).map(|n| {
        let text = format!("limit_cod == {n} and event.limit_code == 'x{n}' and name =~ '^r{n}.*x'");
        hook(
            &[&format!("limt{n}"), "limit"],
            Some(cond(&text)),
            action("retry", json!({"max_attempts": "${x}"})),
        )
    });
    let (checked, out) = check(hooks.collect());
    assert_eq!(checked.hooks.len(), many);
    assert_eq!(out.reported(), 4 * many + 1, "two a hook at each of two events, and one note on `event.`");
}
