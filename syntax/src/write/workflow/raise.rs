//! Templates as `{name}`. A workflow can express a placeholder whose missing value stays as
//! written, and any text without a name in braces.

use hookc_schema::Diagnostics;
use hookc_schema::tree::Path;
use hookc_schema::value::{Kind, Member, Text, Value};

use super::LossReason;
use crate::expr::print;
use crate::expr::template::{self, Piece, Template};
use crate::front::workflow;

/// Arguments as a workflow writes them.
pub(super) fn args(value: &Value, templates: bool) -> Result<Value, LossReason> {
    let kind = match &value.kind {
        Kind::Str(text) => Kind::Str(Text::plain(string(value, text, templates)?)),
        Kind::Seq(items) => {
            Kind::Seq(items.iter().map(|item| args(item, templates)).collect::<Result<_, _>>()?)
        }
        Kind::Map(members) => {
            let member = |m: &Member| Ok(Member { key: m.key.clone(), value: args(&m.value, templates)? });
            Kind::Map(members.iter().map(member).collect::<Result<_, LossReason>>()?)
        }
        other => other.clone(),
    };
    Ok(Value::new(kind, value.span))
}

/// A string that a workflow uses literally: it cannot contain a template.
pub(super) fn text(value: &Value, templates: bool) -> Result<String, LossReason> {
    let Kind::Str(text) = &value.kind else { return Ok(String::new()) };
    match read(value, text, templates)?.pieces.as_slice() {
        [] => Ok(String::new()),
        [Piece::Text(text)] => Ok(text.clone()),
        _ => Err((value.span, "only arguments can contain templates".to_owned())),
    }
}

fn read(value: &Value, text: &Text, templates: bool) -> Result<Template, LossReason> {
    if !templates {
        let piece = Some(text.value.clone()).filter(|text| !text.is_empty()).map(Piece::Text);
        return Ok(Template { pieces: piece.into_iter().collect() });
    }
    let unsound = || (value.span, "an invalid template".to_owned());
    template::parse(text, value.span, &mut Diagnostics::new()).ok_or_else(unsound)
}

fn string(value: &Value, text: &Text, templates: bool) -> Result<String, LossReason> {
    let template = read(value, text, templates)?;
    let mut raised = String::new();
    for piece in &template.pieces {
        match piece {
            Piece::Text(text) => raised.push_str(text),
            Piece::Hole { path, default } => {
                let as_written = default.as_ref().and_then(Value::as_str);
                let name = name(path).filter(|name| as_written == Some(name.as_str()));
                raised.push_str(&name.ok_or_else(|| unlike(path))?);
            }
        }
    }
    // The output must parse to the same value.
    let lowered = workflow::lowered(&Text::plain(raised.as_str()));
    let again = read(value, &lowered, true)?;
    match again == template {
        true => Ok(raised),
        false => Err((value.span, "a name in braces would be substituted".to_owned())),
    }
}

/// `{a.b}`, if it can be written so.
fn name(path: &Path) -> Option<String> {
    let text = print::path(path);
    let dotted = text.replace('[', ".").replace(']', "");
    let written = format!("{{{dotted}}}");
    (workflow::is_name(&dotted)).then_some(written)
}

fn unlike(path: &Path) -> LossReason {
    let why = format!(
        "`${{{}}}` is not equivalent to `{{name}}`, which stays in the text if the name is missing",
        path.text
    );
    (path.span, why)
}
