//! Linking: layers, replacement, labels, order, strategies.

use crate::linked;

use hookc_compiler::ir::{Checked, CheckedHook};
use hookc_compiler::link::{Linked, link};
use hookc_schema::tree::{Family, Layer};
use hookc_schema::value::Number;
use hookc_schema::vocab::Strategy;
use hookc_schema::{Code, Diagnostic, Diagnostics, Spanned};
use linked::{at_event, checked, hook, span};

fn run(policies: Vec<Checked>) -> (Linked, Diagnostics) {
    let mut out = Diagnostics::new();
    let linked = link(policies, &mut out);
    (linked, out)
}

/// `event: labels in rank order`, a line per event.
fn shown(linked: &Linked) -> String {
    let event = |event: &hookc_compiler::link::LinkedEvent| {
        let labels: Vec<&str> = event.hooks.iter().map(|hook| hook.label.as_str()).collect();
        format!("{}: {}", event.name, labels.join(" "))
    };
    linked.events.iter().map(event).collect::<Vec<_>>().join("\n")
}

/// A policy from `id@layer` words, priority after `^`, `!` for disabled; all at `error`. An empty
/// id means none.
fn policy(source: u32, hooks: &str) -> Checked {
    let parse = |(at, word): (usize, &str)| -> CheckedHook {
        let enabled = !word.ends_with('!');
        let word = word.trim_end_matches('!');
        let (word, priority) = word.split_once('^').unwrap_or((word, "0"));
        let (id, layer) = word.split_once('@').unwrap_or((word, "directive"));
        let mut new = hook(Some(id).filter(|id| !id.is_empty()), "error", span(source, at as u32));
        new.layer = match layer {
            "managed" => Layer::Managed,
            "project" => Layer::Project,
            "user" => Layer::User,
            "builtin" => Layer::Builtin,
            _ => Layer::Directive,
        };
        new.priority = Number(priority.into());
        new.enabled = enabled;
        new
    };
    checked(hooks.split_whitespace().enumerate().map(parse).collect())
}

fn shipped(hooks: &str) -> Checked {
    Checked { shipped: true, ..policy(99, hooks) }
}

fn codes(diagnostics: &[Diagnostic]) -> Vec<Code> {
    diagnostics.iter().map(|d| d.code).collect()
}

#[test]
fn order_is_managed_then_priority_then_layer_then_writing() {
    let files = vec![
        policy(0, "a@user b@project^1 c@directive d@managed^-5 e@builtin"),
        policy(1, "f@directive g@managed h@builtin^2 i@user^1"),
        shipped("s@builtin t@builtin^9"),
    ];
    let (linked, out) = run(files);
    assert_eq!(codes(&out), []);
    assert_eq!(shown(&linked), "error: g d t h b i c f a e s");
}

#[test]
fn nearer_layers_replace_and_disable() {
    let cases = [
        ("a@project", "a@user", "error: a"),
        ("a@user", "a@project b@user", "error: a b"),
        ("a@project! b", "a@user", "error: b"),
        ("a@project", "a@user!", "error: a"),
        ("a@builtin", "b", "error: b a"),
    ];
    for (first, second, expected) in cases {
        let (linked, out) = run(vec![policy(0, first), policy(1, second)]);
        assert_eq!(codes(&out), [], "{first} | {second}");
        assert_eq!(shown(&linked), expected, "{first} | {second}");
    }
}

#[test]
fn the_nearer_hook_is_the_one_that_stays() {
    let (linked, _) = run(vec![policy(0, "a@user"), policy(1, "a@project"), shipped("a@builtin")]);
    assert_eq!(linked.events[0].hooks.len(), 1);
    assert_eq!(linked.events[0].hooks[0].layer, Layer::Project);
}

#[test]
fn builtin_hooks_replace_only_shipped_ones() {
    let (linked, out) = run(vec![policy(0, "a@builtin^1"), shipped("a@builtin b@builtin")]);
    assert_eq!(codes(&out), []);
    assert_eq!(shown(&linked), "error: a b");
    assert_eq!(linked.events[0].hooks[0].span, span(0, 0));
    let (linked, out) = run(vec![policy(0, "a@builtin!"), shipped("a@builtin b@builtin")]);
    assert_eq!((codes(&out), shown(&linked).as_str()), (vec![], "error: b"));
    let (_, out) = run(vec![policy(0, "a@builtin"), policy(1, "a@builtin")]);
    assert_eq!(codes(&out), [Code::E0501]);
}

#[test]
fn a_hook_at_several_events_is_replaced_as_one() {
    let mut far = hook(Some("a"), "error", span(1, 0));
    far.layer = Layer::User;
    far.events.push(at_event("limit", span(1, 1)));
    let (linked, _) = run(vec![policy(0, "a"), checked(vec![far])]);
    assert_eq!(shown(&linked), "error: a");
}

#[test]
fn a_duplicate_id_in_a_layer_shows_both_spans() {
    let (_, out) = run(vec![policy(0, "a b"), policy(1, "c a@project a")]);
    assert_eq!(codes(&out), [Code::E0501]);
    let places: Vec<_> = out[0].labels.iter().map(|label| label.span).collect();
    assert_eq!(places, [span(1, 2), span(0, 0)]);
    let (_, out) = run(vec![policy(0, "a a a@user a@user")]);
    assert_eq!(codes(&out), [Code::E0501, Code::E0501]);
}

#[test]
fn ids_of_policies_that_do_not_belong_together_are_kept_apart() {
    let apart = |hooks: &[&str]| {
        let policies = hooks.iter().enumerate().map(|(group, hooks)| {
            let source = u32::try_from(group).unwrap();
            Checked { group, ..policy(source, hooks) }
        });
        run(policies.collect())
    };
    for (hooks, expected) in [
        (["a b", "a c"], "error: a b a#2 c"),
        (["a! b", "a"], "error: b a#2"),
        (["a", "a!"], "error: a"),
        (["a@user b", "a@project"], "error: b a"),
        (["a@user!", "a@user!"], ""),
    ] {
        let (linked, out) = apart(&hooks);
        assert_eq!((codes(&out), shown(&linked).as_str()), (vec![], expected), "{hooks:?}");
    }
    let (linked, out) = apart(&["a", "a a", "a"]);
    assert_eq!((codes(&out), shown(&linked).as_str()), (vec![Code::E0501], "error: a a#2 a#3"));
    let (_, out) = apart(&["a@managed", "a", "a"]);
    assert_eq!(codes(&out), [Code::E0502, Code::E0502]);
    let policies = vec![policy(0, "a"), Checked { group: 1, ..policy(1, "a") }, shipped("a@builtin")];
    let (linked, out) = run(policies);
    assert_eq!((codes(&out), shown(&linked).as_str()), (vec![], "error: a a#2"));
}

#[test]
fn managed_hooks_stay() {
    for (file, word) in [("a", "replaced"), ("a@builtin!", "disabled")] {
        let (linked, out) = run(vec![policy(0, file), policy(1, "a@managed")]);
        assert_eq!(codes(&out), [Code::E0502], "{file}");
        assert!(out[0].message.contains(word), "{}", out[0].message);
        assert_eq!(linked.events[0].hooks[0].layer, Layer::Managed);
    }
}

#[test]
fn labels_count_per_event_name_and_survive_disabling() {
    let mut both = hook(None, "limit", span(0, 7));
    both.events.insert(0, at_event("error", span(0, 8)));
    let mut agent = at_event("error", span(0, 9));
    agent.family = Family::Agent;
    both.events.push(agent);
    let mut file = policy(0, "@user a @project! @user");
    file.hooks.push(both);
    let (linked, out) = run(vec![file, policy(1, "@directive")]);
    assert_eq!(codes(&out), []);
    assert_eq!(shown(&linked), "error: a error#4 error#6 error#1 error#3\nlimit: limit#1\nerror: error#5");
}

#[test]
fn an_event_listed_twice_has_the_hook_once() {
    let mut twice = hook(Some("a"), "error", span(0, 0));
    twice.events.push(at_event("error", span(0, 1)));
    let (linked, _) = run(vec![checked(vec![twice])]);
    assert_eq!(shown(&linked), "error: a");
}

#[test]
fn two_files_must_agree_about_a_strategy() {
    let declares = |source: u32, strategy| Checked {
        strategies: vec![(Family::Thread, Spanned::new("error".to_owned(), span(source, 0)), strategy)],
        ..policy(source, "@user")
    };
    let (linked, out) = run(vec![declares(0, Strategy::All), policy(1, "b"), declares(2, Strategy::All)]);
    assert_eq!(codes(&out), []);
    assert_eq!(linked.events[0].strategy, Strategy::All);
    let (_, out) = run(vec![declares(0, Strategy::All), declares(1, Strategy::First)]);
    assert_eq!(codes(&out), [Code::E0503]);
    let places: Vec<_> = out[0].labels.iter().map(|label| label.span).collect();
    assert_eq!(places, [span(1, 0), span(0, 0)]);
    let (linked, _) = run(vec![policy(0, "a")]);
    assert_eq!(linked.events[0].strategy, Strategy::First);
}

#[test]
fn events_ascend_by_family_and_name() {
    let at = |event: &str, family| {
        let mut new = hook(None, event, span(0, 0));
        new.events[0].family = family;
        new
    };
    let hooks = [("b", Family::Agent), ("z", Family::Thread), ("a", Family::Agent), ("c", Family::Thread)];
    let (linked, _) = run(vec![checked(hooks.map(|(event, family)| at(event, family)).into())]);
    let names: Vec<&str> = linked.events.iter().map(|event| event.name.as_str()).collect();
    assert_eq!(names, ["c", "z", "a", "b"]);
}

#[test]
fn a_hundred_thousand_hooks_are_quick() {
    let words: Vec<String> = (0..100_000).map(|at| format!("h{at}@user^{}", at % 100)).collect();
    let nearer: Vec<String> = (0..50_000).map(|at| format!("h{}@project", at * 2)).collect();
    let (linked, out) = run(vec![policy(0, &words.join(" ")), policy(1, &nearer.join(" "))]);
    assert_eq!(codes(&out), []);
    assert_eq!(linked.events[0].hooks.len(), 100_000);
}
