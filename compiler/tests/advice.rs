//! The help of diagnostics, applied: a fix leaves a valid text, and a proposal of a lint is
//! equivalent at every event.

use hookc_compiler::{Builtin, Compiled, Dialect, Input, Options, compile};
use hookc_corpus::effort;
use hookc_schema::{Code, Diagnostic, Sources};
use hookc_vm::{DecideOptions, Module, Scratch};

fn build(name: &str, text: &str) -> Compiled {
    build_in(&mut Sources::new(), name, text)
}

fn build_in(sources: &mut Sources, name: &str, text: &str) -> Compiled {
    let dialect = Dialect::all().find(|dialect| name.contains(dialect.name()));
    let source = sources.add(name, text);
    let options = Options::default().builtin(Builtin::Never);
    compile(sources, &[Input::new(source).with_dialect(dialect)], &options)
}

/// Errors of notation: nothing could be read.
fn unreadable(reported: &[Diagnostic]) -> bool {
    let stage = |code: Code| code.name()[1..3].to_owned();
    reported.iter().any(|one| one.is_error() && stage(one.code) == "01")
}

#[test]
fn a_fix_leaves_a_text_that_reads_and_takes_its_diagnostic_away() {
    let mut fixes = 0;
    for case in hookc_corpus::cases("reject").unwrap().iter().step_by(effort(1, 4)) {
        for file in case.inputs("input") {
            let text = case.text(file).unwrap();
            let mut sources = Sources::new();
            let compiled = build_in(&mut sources, file, &text);
            for reported in &compiled.diagnostics {
                let Some(fix) = &reported.fix else { continue };
                fixes += 1;
                let mut fixed = text.clone();
                fixed.replace_range(fix.span.range(), &fix.written(&sources));
                let after = build(file, &fixed);
                let why = format!("{}: {reported:?}\n{fixed}\n{:?}", case.name, after.diagnostics);
                assert!(unreadable(&compiled.diagnostics) || !unreadable(&after.diagnostics), "{why}");
                let again = |one: &&Diagnostic| one.code == reported.code && one.span() == reported.span();
                assert_eq!(after.diagnostics.iter().find(again), None, "{why}");
                let errors = |all: &[Diagnostic]| all.iter().filter(|one| one.is_error()).count();
                assert!(!fix.safe || errors(&after.diagnostics) <= errors(&compiled.diagnostics), "{why}");
            }
        }
    }
    assert!(fixes > effort(20, 5), "{fixes}");
}

const FIELDS: &str = "events: {t: {strategy: all, schema: {type: object, properties: {s: {type: string}, n: {type: [string, number, boolean]}, a: {}}}}}\n";

fn policy(when: &str) -> String {
    format!("{FIELDS}hooks:\n  - event: t\n    when: >-\n      {when}\n    action: {{type: continue}}\n")
}

/// The events at which a condition is true.
fn holds(when: &str) -> Vec<usize> {
    let compiled = build("p.yaml", &policy(when));
    let module =
        Module::load(compiled.module.unwrap_or_else(|| panic!("{when}: {:?}", compiled.diagnostics)))
            .unwrap();
    let values = [
        r#""push""#,
        r#""git push x""#,
        r#""PUSH""#,
        r#""xpush""#,
        r#""pushx""#,
        r#""it's""#,
        r#""a.b""#,
        r#""a\\b""#,
        r#""\bpush\b""#,
        r#""\u0008""#,
        r#""K""#,
        r#""k""#,
        "5",
        "5.0",
        "true",
        "null",
        r#"["push"]"#,
        r#"{"push": 1}"#,
        r#""""#,
        r#""a/b""#,
        r#""a\"b""#,
        r#""true""#,
        r#""5""#,
    ];
    // Of the declared types: a lint can rely on them.
    let fits = |field: &str, value: &str| match field {
        "s" => value.starts_with('"'),
        "n" => !value.starts_with(['[', '{']) && value != "null",
        _ => true,
    };
    let all = values.iter().flat_map(|value| ["s", "n", "a"].map(|field| (field, *value)));
    let events = all.filter(|(field, value)| fits(field, value));
    let events = events.map(|(field, value)| format!(r#"{{"event_type":"t","{field}":{value}}}"#));
    let mut scratch = Scratch::default();
    let decide = |(at, event): (usize, String)| {
        let decided = module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default()).unwrap();
        (decided.hooks().count() > 0).then_some(at)
    };
    events.enumerate().filter_map(decide).collect()
}

/// The text in backquotes in the help.
fn proposed(reported: &Diagnostic) -> String {
    reported
        .help
        .as_ref()
        .and_then(|help| help.split('`').nth(1))
        .unwrap_or_else(|| panic!("{reported:?}"))
        .to_owned()
}

#[test]
fn proposals_of_pattern_lints_are_equivalent() {
    let mut seen = 0;
    for field in ["s", "n", "a"] {
        for pattern in [
            "push", "^push", "push$", "^push$", "it's", r"a\.b", r"a\\b", "a/b", "a\"b", "5", "^5$",
            "^true$", "k", "^k$",
        ] {
            let raw = pattern.replace('\'', "''");
            let slashes = pattern.replace('/', "\\/");
            for (when, fold) in [
                (format!("{field} =~ '{raw}'"), false),
                (format!("{field} =~ '{raw}' nocase"), true),
                (format!("{field} =~ /{slashes}/"), false),
                (format!("{field} =~ /{slashes}/i"), true),
            ] {
                let compiled = build("p.yaml", &policy(&when));
                for reported in compiled.diagnostics.iter().filter(|one| one.code == Code::W0603) {
                    seen += 1;
                    let proposed = proposed(reported);
                    assert_eq!(proposed.ends_with(" nocase"), fold, "{when}: {proposed}");
                    assert_eq!(holds(&proposed), holds(&when), "{when}: {proposed}");
                    let Some(fix) = reported.fix.as_ref().filter(|fix| fix.safe) else { continue };
                    let mut fixed = policy(&when);
                    fixed.replace_range(fix.span.range(), &fix.replacement);
                    let fixed = fixed.lines().nth(4).unwrap().trim().to_owned();
                    assert_eq!(holds(&fixed), holds(&when), "{when}: {fixed}");
                }
            }
        }
    }
    assert!(seen > 50, "{seen}");
}

#[test]
fn help_for_lost_backslashes_compiles() {
    for (pattern, event) in [
        (r#""\bpush\b""#, r#""git push x""#),
        (r#""a\tb""#, r#""a\tb""#),
        (r#""it's\n\bx""#, r#""it's\nx""#),
        (r#""[\b]""#, r#""\b""#),
        (r#""\u001b\\[\"0""#, r#""\u001b[\"0""#),
    ] {
        let compiled = build("p.yaml", &policy(&format!("s =~ {pattern}")));
        let [reported] = compiled.diagnostics.as_slice() else { panic!("{:?}", compiled.diagnostics) };
        assert_eq!(reported.code, Code::E0309);
        let help: Vec<&str> = reported.help.as_ref().unwrap().split('`').collect();
        for written in [help[1], help[3]] {
            let after = build("p.yaml", &policy(&format!("s =~ {written}")));
            assert!(!after.failed(), "{written}: {:?}", after.diagnostics);
            let module = Module::load(after.module.unwrap()).unwrap();
            let event = format!(r#"{{"event_type":"t","s":{event}}}"#);
            let mut scratch = Scratch::default();
            let decided = module.decide(&mut scratch, event.as_bytes(), &DecideOptions::default()).unwrap();
            assert_eq!(decided.hooks().count(), 1, "{written}: {event}");
        }
    }
}

/// What a help shows as code.
fn shown(help: &str) -> impl Iterator<Item = &str> {
    help.split('`').skip(1).step_by(2)
}

/// A policy around what a help shows, if that is code that can be read by itself.
fn around(code: &str) -> Option<String> {
    let code = code.strip_prefix("when: ").unwrap_or(code);
    let condition =
        [" == ", " != ", " =~ ", " in [", " glob ", " contains ", " starts_with ", " ends_with ", " > "];
    if condition.iter().any(|op| code.contains(op)) || code.starts_with("exists(") {
        let when = serde_json::Value::from(code);
        return Some(format!(
            "hooks:\n  - {{event: PreToolUse, when: {when}, action: {{type: deny, reason: a}}}}\n"
        ));
    }
    if code.starts_with("${") && code.ends_with('}') {
        return Some(format!(
            "hooks:\n  - {{event: PreToolUse, action: {{type: deny, reason: \"{code}\"}}}}\n"
        ));
    }
    let json = code.starts_with(['{', '[']) || code.starts_with('"') && code.contains("\":");
    let yaml = code
        .split_once(": ")
        .is_some_and(|(key, _)| key.chars().all(|c| c.is_alphanumeric() || "-_".contains(c)));
    let item = code.starts_with("- {");
    // `...` means the code of the reader.
    let code = code.replace("\"...\"", "...").replace("...", "\"...\"");
    match (json, yaml, item) {
        (true, ..) if code.starts_with('"') => Some(format!("x: {{{code}}}\nhooks: []\n")),
        (true, ..) => Some(format!("x: {code}\nhooks: []\n")),
        (_, true, _) => Some(format!("x:\n  {code}\nhooks: []\n")),
        (.., true) => Some(format!("x:\n  {code}\nhooks: []\n")),
        _ => None,
    }
}

#[test]
fn code_in_a_help_compiles() {
    let mut count = 0;
    for case in hookc_corpus::cases("reject").unwrap().iter().step_by(effort(1, 4)) {
        for file in case.inputs("input") {
            let text = case.text(file).unwrap();
            for reported in &build(file, &text).diagnostics {
                let help = reported.help.iter().map(String::as_str);
                for (code, policy) in help.flat_map(shown).filter_map(|code| Some((code, around(code)?))) {
                    // A place in a path, a part of a selection, and what the reader is to look for.
                    if code.contains('@')
                        || code.starts_with("where ")
                        || code == "["
                        || code == "[0-9]"
                        || code == "[A-Za-z0-9_]"
                    {
                        continue;
                    }
                    count += 1;
                    let after = build("p.yaml", &policy).diagnostics;
                    let own = |one: &&Diagnostic| one.is_error() && one.code != Code::E0201;
                    let errors: Vec<_> = after.iter().filter(own).collect();
                    assert!(errors.is_empty(), "{}: {code}\n{policy}{errors:?}", case.name);
                }
            }
        }
    }
    assert!(count > effort(30, 7), "{count}");
}
