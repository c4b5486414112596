//! Lints: constant conditions, hidden and repeated hooks.

use crate::support;

use hookc_compiler::link::{Linked, LinkedEvent, LinkedHook};
use hookc_compiler::lint;
use hookc_schema::Code::{self, *};
use hookc_schema::tree::{Family, Layer, Mode};
use hookc_schema::vocab::Strategy;
use hookc_schema::{Diagnostic, Diagnostics};
use serde_json::json;
use support::*;

#[test]
fn constant_conditions() {
    let never = |text: &str| {
        let out = reported("error", cond(text));
        assert_eq!(codes(&out), [W0604], "{text}");
        assert_eq!(
            out[0].notes,
            ["the hook never matches; to disable a hook, write `enabled: false`"],
            "{text}"
        );
    };
    for text in [
        "false",
        "not true",
        "any()",
        "x == 1 and false",
        "x == 1 and not x == 1",
        "x == 1 and x != 1",
        "x == 1 and x == 2",
        "x == 1 and (y == 1 and x == 2)",
        "x == 1 and not (x == 1 or y == 2)",
        "x == 'a' and x == 1",
        "x == null and x == 1",
        "x == null and exists(x)",
        "exists(x) and not exists(x)",
        "not exists(x) and x > 1",
        "not exists(x) and x contains 'a'",
        "not exists(x) and x in [1]",
        "x > 5 and x < 3",
        "x > 5 and x <= 5",
        "x > 1 and x > 5 and x < 4",
        "x < 3 and x == 3.0",
        "x > 3 and x == 'a'",
        "x == 'a' and x > 3",
        "x in [1, 2] and x == 3",
        "x == 3 and x in [1, 2]",
        "x =~ 'a.' and not x =~ 'a.'",
        "x == y and x != y",
        "x == 1e1 and x == 11",
        "x == 'a' nocase and x == 'b' nocase",
        "x == 'A' and x == 'b' nocase",
        "x == 'ab' and x contains 'c'",
        "not x starts_with 'A' nocase and x == 'ab'",
        "x in ['ab', 'b'] and x ends_with 'c'",
        "x glob 'c*' and x in ['ab', 'b']",
        "x == 'ab' and x =~ 'a.c'",
        "x in [1, 2] and x in [3]",
    ] {
        never(text);
    }
    for text in ["x == 1 or x != 1", "x != 1 or x != 2", "not (x == 1 and x == 2)", "all()", "x == 1 or true"]
    {
        let out = reported("error", cond(text));
        assert_eq!(codes(&out), [W0604], "{text}");
        assert_eq!(out[0].notes, ["the hook always matches"], "{text}");
    }
}

#[test]
fn uncertain_claims_are_not_made() {
    for text in [
        "true",
        "x == 1 and y == 2",
        "x == 1 or x == 2",
        "x == 1 and x == 1.0",
        "x == 1e1 and x == 10",
        "x == 'a' nocase and x == 'A'",
        "x == 'a' nocase and x == 'A' nocase and y == 1",
        "x == 'ab' and x contains 'a' and not x starts_with 'b'",
        "x in ['ab', 'b'] and x starts_with 'b'",
        "x > 3 and x < 5",
        "x >= 5 and x <= 5",
        "not x > 5 and not x <= 5",
        "x > 5 or x <= 5",
        "not exists(x) and x == null",
        "not exists(x) and x in [null, 1]",
        "not exists(x) and x == y",
        "not exists(x) and not x contains 'a'",
        "x contains 'a' and x contains 'b'",
        "x in [1, 2] and x in [2, 3]",
        "x == 2 and x in [1, 2.0]",
        "x == {\"a\": 1, \"b\": 2} and x == {\"b\": 2, \"a\": 1.0}",
        "$.event.error.code == '1' and error.code == '2'",
        "x != 1 and x != 2",
    ] {
        assert_eq!(codes_of("error", text), [], "{text}");
    }
}

#[test]
fn a_constant_part_is_reported_at_its_span() {
    let text = "y == 2 or (x == 1 and x == 2)";
    let out = reported("error", cond(text));
    assert_eq!(codes(&out), [W0604]);
    assert_eq!((under(text, &out[0]), out[0].notes.len()), ("x == 2", 0));
    assert_eq!(out[0].labels[1].span, span(11..17));
    let text = "y == 2 and any()";
    assert_eq!(under(text, &reported("error", cond(text))[0]), "any()");
    let mut off = hook(&["error"], Some(cond("false")), action("abort", json!({})));
    off.enabled = Some(hookc_schema::Spanned::new(false, span(0..1)));
    assert_eq!(check(vec![off]).1, [], "a hook that is off is not judged");
}

/// A hook for linking: label, layer, mode, condition, parameter.
type Row<'a> = (&'a str, Layer, Mode, &'a str, &'a str);

fn linked(strategy: Strategy, rows: &[Row<'_>]) -> Diagnostics {
    let hook = |(at, row): (usize, &Row<'_>)| {
        let &(label, layer, mode, text, message) = row;
        let action = action("fail", json!({"error_message": message}));
        let (checked, _) = check(vec![support::hook(&["error"], Some(cond(text)), action)]);
        let event = checked.hooks[0].events[0].clone();
        LinkedHook {
            label: label.to_owned(),
            span: span(at..at + 1),
            layer,
            mode,
            on_error: None,
            on_failure: None,
            cond: event.cond,
            certain: event.certain,
            print: event.print,
            action: event.action,
        }
    };
    let hooks = rows.iter().enumerate().map(hook).collect();
    let event = LinkedEvent { family: Family::Thread, name: "error".to_owned(), strategy, hooks };
    let mut out = Diagnostics::new();
    lint::linked(&Linked { events: vec![event], ..Linked::default() }, &mut out);
    out
}

fn found(strategy: Strategy, rows: &[Row<'_>]) -> Vec<(Code, usize, usize)> {
    let place = |d: &Diagnostic, at: usize| d.labels[at].span.start as usize;
    linked(strategy, rows).iter().map(|d| (d.code, place(d, 0), place(d, 1))).collect()
}

#[test]
fn hidden_hooks() {
    use Layer::{Builtin, Directive, Managed};
    use Mode::{Enforce, Shadow};
    let rows = [
        ("a", Directive, Enforce, "x == 1", ""),
        ("b", Directive, Shadow, "true", ""),
        ("c", Directive, Enforce, "true", ""),
        ("d", Directive, Enforce, "x == 2", ""),
        ("e", Builtin, Enforce, "x == 3", ""),
    ];
    assert_eq!(found(Strategy::First, &rows), [(W0602, 3, 2)]);
    assert_eq!(found(Strategy::All, &rows), []);
    let rows = [("a", Managed, Enforce, "x == 1 or x != 1", ""), ("b", Directive, Shadow, "true", "")];
    assert_eq!(found(Strategy::First, &rows), [(W0602, 1, 0)]);
}

#[test]
fn repeated_hooks() {
    use Layer::{Directive, Project};
    use Mode::{Enforce, Warn};
    let rows = [
        ("a", Directive, Warn, "x == 1", "one"),
        ("b", Directive, Enforce, "x == 1", "two"),
        ("c", Directive, Enforce, "x == 1", "three"),
        ("d", Directive, Enforce, "x == 2", "four"),
        ("e", Project, Enforce, "x == 1", "five"),
        ("f", Project, Enforce, "x == 2", "four"),
    ];
    assert_eq!(found(Strategy::First, &rows), [(W0607, 2, 1)]);
    assert_eq!(found(Strategy::All, &rows), [(W0607, 5, 3)]);
}
