//! Limits of sources.

use hookc_compiler::Dialect;
use hookc_schema::limits::DIAGNOSTICS;
use hookc_schema::value::Text;
use hookc_schema::{Code, Diagnostic, Diagnostics, SourceId, Span};
use hookc_syntax::front::{json, toml, xml, yaml};
use hookc_syntax::{expr, limits as syntax};

use super::events::built;
use super::{Row, Test};

const SOURCE: SourceId = SourceId(0);

fn reported(out: &[Diagnostic]) -> Result<(), String> {
    let errors: Vec<&str> = out.iter().filter(|one| one.is_error()).map(|one| one.message.as_str()).collect();
    if errors.is_empty() { Ok(()) } else { Err(errors.join("; ")) }
}

/// The readers of all notations reject a text by its length alone.
fn bytes(size: usize) -> Result<(), String> {
    let text = "\n".repeat(size);
    let mut out = Diagnostics::new();
    yaml::read(&text, SOURCE, &mut out);
    json::read(&text, SOURCE, &mut out);
    toml::read(&text, SOURCE, &mut out);
    assert!(out.len() == 3, "{out:?}");
    let own = reported(&out);
    let of_xml = built(&text, Dialect::DirectiveXml).map(drop);
    own.and(of_xml)
}

fn in_yaml(text: &str) -> Result<(), String> {
    let mut out = Diagnostics::new();
    yaml::read(text, SOURCE, &mut out);
    reported(&out)
}

fn nesting(size: usize) -> Result<(), String> {
    let (open, close) = ("[".repeat(size), "]".repeat(size));
    let text = format!("{open}{close}");
    let mut out = Diagnostics::new();
    json::read(&text, SOURCE, &mut out);
    let of_json = reported(&out);
    let of_yaml = in_yaml(&text);
    let of_lines = in_yaml(&format!("{}x", "- ".repeat(size)));
    let of_xml = in_xml(&format!("{}{}", "<a>".repeat(size), "</a>".repeat(size)));
    let results = [of_json, of_yaml, of_lines, of_xml];
    // All notations have one limit.
    assert!(results.iter().all(|one| one.is_ok() == results[0].is_ok()), "{results:?}");
    results.into_iter().collect()
}

fn aliases(size: usize) -> Result<(), String> {
    // A text that is long enough for the limit of the largest ones.
    in_yaml(&(with_aliases(size) + &"#".repeat(syntax::ALIAS_NODES / syntax::ALIAS_NODES_PER_BYTE)))
}

fn with_aliases(size: usize) -> String {
    let items = vec!["1"; 999].join(", ");
    // A list of 1000 values with its items.
    let uses = vec!["*a"; size].join(", ");
    format!("a: &a [{items}]\nb: [{uses}]\n")
}

fn aliases_of_small(size: usize) -> Result<(), String> {
    in_yaml(&with_aliases(size))
}

fn expression(size: usize) -> Result<(), String> {
    let text = format!("a == 'b'{}", " ".repeat(size - 8));
    let mut out = Diagnostics::new();
    let span = Span::new(SOURCE, 0..text.len());
    expr::when::parse(&Text::plain(text.as_str()), span, &mut out);
    reported(&out)
}

fn in_xml(text: &str) -> Result<(), String> {
    let mut out = Diagnostics::new();
    xml::read(&Text::plain(text), Span::new(SOURCE, 0..text.len()), &mut out);
    reported(&out)
}

fn markup(size: usize) -> Result<(), String> {
    in_xml(&"<".repeat(size))
}

fn attributes(size: usize) -> Result<(), String> {
    let all: String = (0..size).map(|at| format!(" a{at}='x'")).collect();
    in_xml(&format!("<r{all}/>"))
}

fn namespaces(size: usize) -> Result<(), String> {
    let all: String = (0..size).map(|at| format!("<e xmlns:a{at}='x'/>")).collect();
    in_xml(&format!("<r>{all}</r>"))
}

/// How many errors are reported of so many.
fn problems(size: usize) -> Result<(), String> {
    let mut out = Diagnostics::new();
    let text = format!("<r>{}</r>", "&x; ".repeat(size));
    xml::read(&Text::plain(text.as_str()), Span::new(SOURCE, 0..text.len()), &mut out);
    if out.len() == size { Ok(()) } else { Err(format!("{} errors", out.len())) }
}

/// Groups of settings whose handlers repeat a description of so many bytes.
fn copies(size: usize) -> Result<(), String> {
    let handler = r#"{"type": "command", "command": "true"}"#;
    let text = format!(
        r#"{{"hooks": {{"PreToolUse": [{{"matcher": "Bash", "description": "{}", "hooks": [{}]}}]}}}}"#,
        "a".repeat(size),
        vec![handler; 100].join(", ")
    );
    built(&text, Dialect::Settings).map(drop)
}

fn exponent(size: usize) -> Result<(), String> {
    let mut out = Diagnostics::new();
    let text = format!("a > 1e{size}");
    expr::when::parse(&Text::plain(text.as_str()), Span::new(SOURCE, 0..text.len()), &mut out);
    reported(&out)
}

/// How many names are compared until the last unknown alias has a suggestion: each of 500 is compared
/// with all anchors before it.
fn suggestions(size: usize) -> Result<(), String> {
    let anchors = size / 500;
    let names: String = (0..anchors).map(|at| format!("- &a{at}xxxxxxxxxxxxxxxxxxxx 1\n")).collect();
    let unknown = "- *b\n".repeat(499);
    let more: String = (0..size % 500).map(|at| format!("- &m{at} 1\n")).collect();
    let mut out = Diagnostics::new();
    yaml::read(
        &format!("- &near 1\n{}{unknown}{more}- *naer\n", &names[names.find('\n').unwrap() + 1..]),
        SOURCE,
        &mut out,
    );
    assert_eq!(out.reported(), 500);
    let help = out.last().and_then(|last| last.help.clone()).unwrap_or_default();
    if help.contains("did you mean `*near`?") { Ok(()) } else { Err(format!("no suggestion: {help}")) }
}

fn diagnostics(size: usize) -> Result<(), String> {
    let one = |at: usize| Diagnostic::new(Code::W0607, Span::new(SOURCE, at..at), "m");
    let all = (0..size).map(one).collect::<Diagnostics>().finish();
    match all.last() {
        Some(last) if last.code == Code::W0648 => Err(last.message.clone()),
        _ => Ok(()),
    }
}

pub(super) fn rows() -> Vec<Row> {
    let edge = |name, value, at, message| Row("syntax", name, value, Test::Edge(at, message));
    vec![
        Row("syntax", "SOURCE_BYTES", syntax::SOURCE_BYTES, Test::Over(bytes, "larger than 268435456 bytes")),
        edge("NESTING", syntax::NESTING, nesting, "nested deeper than 128"),
        Row(
            "syntax",
            "ALIAS_NODES",
            syntax::ALIAS_NODES,
            Test::Search(aliases, 2000, "aliases expand to more than 1000000 values"),
        ),
        Row(
            "syntax",
            "ALIAS_NODES_AT_LEAST",
            syntax::ALIAS_NODES_AT_LEAST,
            Test::Search(aliases_of_small, 50, "aliases expand to more than 16"),
        ),
        Row(
            "syntax",
            "ALIAS_NODES_PER_BYTE",
            syntax::ALIAS_NODES_PER_BYTE,
            Test::Search(aliases_of_small, 50, "aliases expand to more than 16"),
        ),
        edge("EXPRESSION_BYTES", syntax::EXPRESSION_BYTES, expression, "65536"),
        Row(
            "syntax",
            "XML_MARKUP",
            syntax::XML_MARKUP,
            Test::Over(markup, "more than 16777216 tags or attributes"),
        ),
        edge("XML_ATTRIBUTES", syntax::XML_ATTRIBUTES, attributes, "256 attributes of one element"),
        edge("XML_NAMESPACES", syntax::XML_NAMESPACES, namespaces, "256 namespace declarations"),
        edge("XML_PROBLEMS", syntax::XML_PROBLEMS, problems, "50 errors"),
        Row(
            "syntax",
            "GROUP_COPIES",
            syntax::GROUP_COPIES,
            Test::Search(copies, 1 << 18, "100 handlers each repeat"),
        ),
        edge("EXPONENT", syntax::EXPONENT as usize, exponent, "exponent"),
        edge("SUGGESTIONS", syntax::SUGGESTIONS, suggestions, "no suggestion"),
        Row("schema", "DIAGNOSTICS", DIAGNOSTICS, Test::Edge(diagnostics, "1 more diagnostic is omitted")),
    ]
}
