//! The renderers: the format of diagnostics, the escaping of hostile text, spans that must not
//! panic, and the cost of large sources.

use hookc_corpus::amount;
use hookc_schema::diag::Fix;
use hookc_schema::diag::render::text::Screen;
use hookc_schema::diag::render::{json, short, summary, text};
use hookc_schema::terminal::is_hostile;
use hookc_schema::{Code, Diagnostic, Severity, SourceId, Sources, Span};
use proptest::prelude::*;

const STYLED: Screen = Screen { is_styled: true, columns: None };

const HOOKS: &str = "hooks:\n  - event: limit\n    condition:\n      path: limit_value\n      op: equls\n      value: 10\n    action: {type: abort}\n";

fn at(source: SourceId, text: &str, part: &str) -> Span {
    let start = text.find(part).unwrap();
    Span::new(source, start..start + part.len())
}

fn sample() -> (Sources, Diagnostic) {
    let mut sources = Sources::new();
    let id = sources.add("hooks.yaml", HOOKS);
    let span = at(id, HOOKS, "equls");
    let diagnostic = Diagnostic::new(Code::E0401, span, "unknown operator `equls`")
        .with_label("unknown")
        .note("the operators are: eq, ne")
        .did_you_mean(Some("eq"), span);
    (sources, diagnostic)
}

#[test]
fn a_diagnostic_for_people() {
    let (sources, diagnostic) = sample();
    let expected = "\
error[E0401]: unknown operator `equls`
 --> hooks.yaml:5:11
  |
5 |       op: equls
  |           ^^^^^ unknown
  |
  = note: the operators are: eq, ne
help: did you mean `eq`?
  |
5 -       op: equls
5 +       op: eq
  |
";
    let found = text::render(&[diagnostic], &sources);
    assert_eq!(found, expected, "\n{found}");
}

#[test]
fn several_spans_in_several_sources() {
    let mut sources = Sources::new();
    let a = sources.add("a.yaml", HOOKS);
    let other = format!("{}hooks:\n  - id: x\n    event: limit\n", "# a line\n".repeat(20));
    let b = sources.add("b.yaml", other.as_str());
    let diagnostic = Diagnostic::new(Code::E0501, at(a, HOOKS, "event: limit"), "two hooks have the id `x`")
        .with_label("the second")
        .also(at(b, &other, "id: x"), "the first")
        .also(at(a, HOOKS, "abort"), "")
        .help("rename one");
    let expected = "\
error[E0501]: two hooks have the id `x`
  --> a.yaml:2:5
   |
 2 |   - event: limit
   |     ^^^^^^^^^^^^ the second
...
 7 |     action: {type: abort}
   |                    -----
   |
  ::: b.yaml:22:5
   |
22 |   - id: x
   |     ----- the first
   |
   = help: rename one
";
    let found = text::render(&[diagnostic], &sources);
    assert_eq!(found, expected, "\n{found}");
}

#[test]
fn a_diagnostic_without_a_span() {
    let found = text::render(
        &[Diagnostic::global(Code::E0703, "too many hooks").note("1 more").help("split it"), sample().1],
        &sample().0,
    );
    assert!(found.starts_with("error[E0703]: too many hooks\n"), "{found}");
    assert!(found.contains("= note: 1 more\n") && found.contains("= help: split it\n\nerror"), "{found}");
}

#[test]
fn a_line_each() {
    let (sources, diagnostic) = sample();
    let global = Diagnostic::global(Code::W0415, "nobody declared \u{1b}[2J`x`\nreally");
    assert_eq!(
        short::render(&[diagnostic, global], &sources),
        "hooks.yaml:5:11: error[E0401]: unknown operator `equls`\n\
         warning[W0415]: nobody declared \u{241b}[2J`x`\u{240a}really\n"
    );
}

#[test]
fn json_for_programs() {
    let (sources, diagnostic) = sample();
    let text = json::render(&[diagnostic.clone(), diagnostic], &sources);
    assert_eq!(text.lines().count(), 2);
    let found: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let start = HOOKS.find("equls").unwrap();
    let place = serde_json::json!({
        "file": "hooks.yaml",
        "start": {"line": 5, "column": 11, "offset": start},
        "end": {"line": 5, "column": 16, "offset": start + 5},
    });
    let with = |more: serde_json::Value| {
        let mut object = place.as_object().unwrap().clone();
        object.extend(more.as_object().unwrap().clone());
        serde_json::Value::Object(object)
    };
    let expected = serde_json::json!({
        "code": "E0401", "severity": "error", "title": "an unknown operator",
        "message": "unknown operator `equls`",
        "labels": [with(serde_json::json!({"text": "unknown"}))],
        "notes": ["the operators are: eq, ne"],
        "help": "did you mean `eq`?",
        "fix": with(serde_json::json!({"replacement": "eq", "safe": false})),
    });
    assert_eq!(found, expected);
}

#[test]
fn a_summary() {
    let of = |codes: &[Code]| summary(&codes.iter().map(|&c| Diagnostic::global(c, "x")).collect::<Vec<_>>());
    assert_eq!(of(&[]), "no problems");
    assert_eq!(of(&[Code::E0101]), "1 error");
    assert_eq!(of(&[Code::E0101, Code::W0415, Code::E0201]), "2 errors, 1 warning");
    assert_eq!(of(&[Code::N0606, Code::N0606]), "2 notes");
}

#[test]
fn colours_only_when_asked_for() {
    let (sources, diagnostic) = sample();
    let diagnostics = [diagnostic];
    assert!(!text::render(&diagnostics, &sources).contains('\u{1b}'));
    let styled = text::render_for(&diagnostics, &sources, STYLED);
    assert!(styled.contains("\u{1b}["));
}

#[test]
fn hostile_text_is_harmless() {
    let evil = "a\u{1b}]0;x\u{7}b\u{202e}c\u{9b}31md\re";
    let source = format!("hooks: {evil}\r\nnext\r\n");
    let mut sources = Sources::new();
    let id = sources.add(format!("dir/{evil}\n.yaml"), source.as_str());
    let other = sources.add(evil, evil);
    let span = Span::new(id, 7..7 + evil.len());
    let mut diagnostic = Diagnostic::new(Code::E0201, span, format!("bad `{evil}`\nsecond line"))
        .with_label(evil)
        .also(Span::new(other, 0..3), evil)
        .note(evil)
        .help(evil);
    for fix in [span, Span::new(other, 0..3)] {
        diagnostic.fix = Some(Fix::certain(fix, evil.to_owned()));
        let diagnostics = [diagnostic.clone()];
        for found in [text::render(&diagnostics, &sources), short::render(&diagnostics, &sources)] {
            let bad = found.chars().find(|&c| is_hostile(c) && c != '\n');
            assert_eq!(bad, None, "{found:?}");
        }
    }
}

#[test]
fn a_long_line_is_shown_in_part_with_true_columns() {
    let count = amount(50_000, 500);
    let line = format!("{}\"wrong\"{}", "\"é\", ".repeat(count), ", 1".repeat(count));
    let at_column = format!("one.json:1:{}", 5 * count + 1);
    let mut sources = Sources::new();
    let id = sources.add("one.json", line.as_str());
    let span = at(id, &line, "\"wrong\"");
    let diagnostic =
        Diagnostic::new(Code::E0203, span, "a string").with_label("here").did_you_mean(Some("1"), span);
    let found = text::render(std::slice::from_ref(&diagnostic), &sources);
    assert!(found.contains(&format!(" --> {at_column}\n")), "{found}");
    assert!(found.contains("^^^^^^^ here") && found.len() < 1500, "{found}");
    let second = Diagnostic::new(Code::E0203, Span::new(id, 0..3), "x").also(span, "there");
    let found = text::render(&[second], &sources);
    assert!(found.contains(&format!("note: {at_column}: there")), "{found}");
    let many = vec![diagnostic; amount(2_000, 20)];
    assert!(text::render(&many, &sources).len() > amount(100_000, 1_000));
}

#[test]
fn a_multi_line_span_is_shown_by_its_first_line() {
    let source = format!("hooks:\n{}", "  - event: limit\n".repeat(amount(5_000, 50)));
    let mut sources = Sources::new();
    let id = sources.add("tall.yaml", source.as_str());
    let diagnostic =
        Diagnostic::new(Code::E0703, Span::new(id, 9..source.len()), "too many").with_label("these");
    let found = text::render(&[diagnostic], &sources);
    assert!(found.contains("2 |   - event: limit\n  |   ^^^^^^^^^^^^^^ these"), "{found}");
    let short = Diagnostic::new(Code::E0703, Span::new(id, 9..44), "two");
    let found = text::render(&[short], &sources);
    assert!(found.lines().count() < 9 && found.contains("| |"), "{found}");
}

#[test]
fn columns_count_characters() {
    let text = format!("ä{}x\n漢字y", "é".repeat(3_000));
    let mut sources = Sources::new();
    let id = sources.add("f", text.as_str());
    assert_eq!(sources.line_col(at(id, &text, "x")), (1, 3002));
    assert_eq!(sources.line_col(at(id, &text, "y")), (2, 3));
    assert_eq!(sources.line_col(Span::new(id, 99_999..99_999)), (2, 4));
    assert_eq!(sources.line_range(id, 2), text.find('漢').unwrap()..text.len());
    assert_eq!(sources.line_range(id, 7), text.len()..text.len());
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z: ]{0,12}",
        Just("\n".to_owned()),
        Just("\r\n".to_owned()),
        Just("\t".to_owned()),
        Just("é漢\u{1f469}\u{200d}\u{1f680}".to_owned()),
        Just("\u{1b}[31m\u{202e}\u{0}\u{feff}".to_owned()),
        Just("x".repeat(amount(1_200, 150))),
        any::<char>().prop_map(String::from),
    ]
}

fn sources() -> impl Strategy<Value = Vec<String>> {
    let text = prop::collection::vec(piece(), 0..amount(40, 6)).prop_map(|pieces| pieces.concat());
    prop::collection::vec(text, 1..3)
}

fn span() -> impl Strategy<Value = Span> {
    let offset = prop_oneof![0u32..200, 0u32..5_000, any::<u32>()];
    let length = prop_oneof![Just(0u32), 0u32..30, 0u32..4_000, any::<u32>()];
    (0u32..3, offset, length).prop_map(|(source, start, length)| Span {
        source: SourceId(source),
        start,
        end: start.saturating_add(length),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: amount(400, 4) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_span_panics(
        texts in sources(),
        spans in prop::collection::vec((span(), piece()), 0..6),
        fix in prop::option::of((span(), piece())),
        severity in prop_oneof![Just(Severity::Note), Just(Severity::Warning), Just(Severity::Error)],
        words in piece(),
    ) {
        let mut sources = Sources::new();
        for text in &texts {
            sources.add(words.as_str(), text.as_str());
        }
        let mut diagnostic = Diagnostic::global(Code::E0101, words.as_str()).note(words.as_str());
        diagnostic.severity = severity;
        for (span, text) in spans {
            diagnostic.labels.push(hookc_schema::diag::Label::new(span, text));
        }
        diagnostic.fix = fix.map(|(span, replacement)| Fix::new(span, replacement));
        let one = [diagnostic];
        let found = text::render(&one, &sources);
        prop_assert!(!found.chars().any(|c| is_hostile(c) && !matches!(c, '\n' | '\t')), "{found:?}");
        prop_assert!(found.ends_with('\n') && !found.ends_with("\n\n"), "{found:?}");
        prop_assert_eq!(short::render(&one, &sources).lines().count(), 1);
        prop_assert_eq!(json::render(&one, &sources).lines().count(), 1);
        let _ = text::render_for(&one, &sources, STYLED);
    }
}
