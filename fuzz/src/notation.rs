//! Notations: any text is read or has an error within it; JSON is read as by serde_json.

use hookc_schema::value::{Kind, Text, Value};
use hookc_schema::{Diagnostic, Diagnostics, SourceId, Span};
use hookc_syntax::front::{json, toml, xml, yaml};

/// YAML, JSON, XML and TOML.
pub fn notation(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let source = SourceId(0);
    let whole = Span::new(source, 0..text.len());
    let mut out = Diagnostics::new();
    let of_yaml = yaml::read(text, source, &mut out);
    reported(of_yaml.is_some(), &out, text);
    let mut out = Diagnostics::new();
    let of_json = json::read(text, source, &mut out);
    reported(of_json.is_some(), &out, text);
    let has_extensions = !out.is_empty();
    if let (Some(document), false) = (&of_json, has_extensions) {
        alike(&json::last(&document.value), text);
    }
    let mut out = Diagnostics::new();
    reported(toml::read(text, source, &mut out).is_some(), &out, text);
    let mut out = Diagnostics::new();
    let text_of_xml = Text::plain(text);
    reported(xml::read(&text_of_xml, whole, &mut out).is_some(), &out, text);
}

fn reported(is_read: bool, out: &[Diagnostic], text: &str) {
    assert!(is_read || out.iter().any(Diagnostic::is_error), "nothing is read, and no error says why");
    for label in out.iter().flat_map(|diagnostic| &diagnostic.labels) {
        assert!(text.get(label.span.range()).is_some(), "{label:?} lies outside the text");
    }
}

/// serde_json reads the same value, if it reads one: it has limits of its own.
fn alike(value: &Value, text: &str) {
    let theirs = serde_json::from_str::<serde_json::Value>(text.trim_start_matches('\u{feff}'));
    if let Ok(theirs) = theirs {
        assert!(is_same(value, &theirs), "{value:?}\n{theirs:?}");
    }
}

fn is_same(value: &Value, theirs: &serde_json::Value) -> bool {
    use serde_json::Value as Json;
    match (&value.kind, theirs) {
        (Kind::Null, Json::Null) => true,
        (Kind::Bool(own), Json::Bool(theirs)) => own == theirs,
        // A `Number` of serde_json is a float, unless it is whole and small.
        (Kind::Num(own), Json::Number(theirs)) => own.0.parse::<f64>().ok() == theirs.as_f64(),
        (Kind::Str(own), Json::String(theirs)) => own.value == *theirs,
        (Kind::Seq(own), Json::Array(theirs)) => {
            own.len() == theirs.len() && own.iter().zip(theirs).all(|(value, theirs)| is_same(value, theirs))
        }
        (Kind::Map(own), Json::Object(theirs)) => {
            let same = |member: &hookc_schema::value::Member| {
                theirs.get(&member.key.node).is_some_and(|theirs| is_same(&member.value, theirs))
            };
            own.len() == theirs.len() && own.iter().all(same)
        }
        _ => false,
    }
}
