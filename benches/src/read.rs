//! Reads policies as text, for `benches/readers`, which compares hookc's front ends with other
//! readers.

use hookc_compiler::{Dialect, Input, Options, compile};
use hookc_schema::diag::render::short;
use hookc_schema::value::Text;
use hookc_schema::{Diagnostics, SourceId, Sources, Span};
use hookc_syntax::front;

/// Reads YAML to a tree of spanned values. Whether it is well-formed.
#[must_use]
pub fn yaml(text: &str) -> bool {
    front::yaml::read(text, SourceId(0), &mut Diagnostics::new()).is_some()
}

/// Reads XML to a tree of spanned elements. Whether it is well-formed.
#[must_use]
pub fn xml(text: &str) -> bool {
    let whole = Span::new(SourceId(0), 0..text.len());
    front::xml::read(&Text::plain(text), whole, &mut Diagnostics::new()).is_some()
}

/// The first error of a hooks file, or of a directive, as a line; `None` if it compiles.
#[must_use]
pub fn error(text: &str, is_xml: bool) -> Option<String> {
    let mut sources = Sources::new();
    let (name, dialect) =
        if is_xml { ("review.xml", Dialect::DirectiveXml) } else { ("hooks.yaml", Dialect::HooksYaml) };
    let source = sources.add(name, text);
    let input = Input::new(source).with_dialect(dialect);
    let done = compile(&mut sources, &[input], &Options::default());
    let first = done.diagnostics.into_iter().find(hookc_schema::Diagnostic::is_error)?;
    Some(short::render(&[first], &sources).lines().next().unwrap_or_default().to_owned())
}

/// The values of a hooks file that compiles, as the JSON text of its first action.
#[must_use]
pub fn action(text: &str) -> Option<String> {
    let mut sources = Sources::new();
    let source = sources.add("hooks.yaml", text);
    let input = Input::new(source).with_dialect(Dialect::HooksYaml);
    let module = hookc_vm::Module::load(compile(&mut sources, &[input], &Options::default()).module?).ok()?;
    let mut scratch = hookc_vm::Scratch::new();
    let event = br#"{"event_type": "PreToolUse"}"#;
    let decision = module.decide(&mut scratch, event, &hookc_vm::DecideOptions::default()).ok()?;
    let mut action = String::new();
    decision.hooks().next()?.render(&mut action).ok()?;
    Some(action)
}
