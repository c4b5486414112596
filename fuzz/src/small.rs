//! The expression languages: any text parses or has diagnostics; the printed form of a parsed text
//! parses to the same tree; the nodes of a path in a value are JSON, at most one if the path is
//! singular.

use hookc_compiler::{check, lookup};
use hookc_schema::tree::Path;
use hookc_schema::value::{Text, TextMap};
use hookc_schema::{Diagnostic, Diagnostics, SourceId, Span};
use hookc_syntax::expr;

fn text(bytes: &[u8]) -> Option<(Text, Span)> {
    let value = std::str::from_utf8(bytes).ok()?.to_owned();
    let span = Span::new(SourceId(0), 0..value.len());
    Some((Text { value, map: TextMap::Shift(0) }, span))
}

fn check_report(parsed: bool, out: &[Diagnostic], span: Span) {
    assert!(parsed || out.iter().any(Diagnostic::is_error), "nothing parsed, and no error says why");
    for label in out.iter().flat_map(|diagnostic| &diagnostic.labels) {
        assert!(label.span.end <= span.end, "{label:?} is after the text");
    }
}

/// A `when` expression.
pub fn when(bytes: &[u8]) {
    let Some((text, span)) = text(bytes) else { return };
    let mut out = Diagnostics::new();
    let parsed = expr::when::parse(&text, span, &mut out);
    check_report(parsed.is_some(), &out, span);
    let Some(cond) = parsed.filter(|_| !out.iter().any(Diagnostic::is_error)) else { return };
    for operators in [expr::print::Operators::Symbols, expr::print::Operators::Words] {
        let printed = expr::print::when(&cond, operators);
        let again =
            expr::when::parse(&Text::plain(printed.as_str()), Span::default(), &mut Diagnostics::new());
        // The printed form can exceed the length limit that the text was within.
        let long = printed.len() > hookc_syntax::limits::EXPRESSION_BYTES;
        assert!(long || again.as_ref() == Some(&cond), "printed as {printed}");
    }
}

/// A path; it is also looked up.
pub fn path(bytes: &[u8]) {
    let Some((text, span)) = text(bytes) else { return };
    let mut out = Diagnostics::new();
    let parsed = expr::path::parse(&text, span, &mut out);
    check_report(parsed.is_some(), &out, span);
    let Some(path) = parsed.filter(|_| !out.iter().any(Diagnostic::is_error)) else { return };
    let printed = expr::print::path(&path);
    let again = expr::path::parse(&Text::plain(printed.as_str()), Span::default(), &mut Diagnostics::new());
    let long = printed.len() > hookc_syntax::limits::EXPRESSION_BYTES;
    assert!(long || again.as_ref() == Some(&path), "printed as {printed}");
    looked_up(&path);
}

/// A value that paths are looked up in.
const VALUE: &str = r#"{"a": [1, {"b": "x", "code": 2.0}, [[]], "é"], "items": {"name": null, "": true}}"#;

fn looked_up(path: &Path) {
    let mut diagnostics = Diagnostics::new();
    check::path(path, &mut diagnostics);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return;
    }
    let mut count = 0_usize;
    let found = lookup::lookup(path, VALUE.as_bytes(), &mut |node| {
        assert!(serde_json::from_str::<serde_json::Value>(node).is_ok(), "{node} is no JSON");
        count += 1;
        count < 1000
    });
    assert!(found.is_err() || !path.is_singular() || count < 2, "a singular path with {count} nodes");
}

/// A template.
pub fn template(bytes: &[u8]) {
    let Some((text, span)) = text(bytes) else { return };
    let mut out = Diagnostics::new();
    let parsed = expr::template::parse(&text, span, &mut out);
    check_report(parsed.is_some(), &out, span);
}
