//! Templates in the texts of conditions (W0618): `file_path starts_with '${cwd}/src'` compares with the text itself.

use hookc_schema::tree::{Leaf, Op};
use hookc_schema::value::Value;
use hookc_schema::vocab::EventType;
use hookc_schema::{Code, Diagnostic};

use super::Cx;
use super::event::Scope;
use super::plain_text::holds_anything;
use super::view::spelled;

/// How templates are written: what opens them, and what closes them.
const NOTATIONS: [(&str, &str); 2] = [("${", "}"), ("{{", "}}")];

/// Reports the texts of a leaf with a template of a field of the event.
pub(super) fn check(leaf: &Leaf, scope: &Scope, cx: &mut Cx<'_>) {
    let Some(event) = scope.declared.as_ref() else { return };
    let has_template = |(_, text): (_, &str)| NOTATIONS.iter().any(|(open, _)| text.contains(open));
    if !leaf.texts().any(has_template) {
        return;
    }
    let free = leaf.path.is_command_line() || leaf.path.last_name().is_some_and(|name| holds_anything(&name));
    // In a regular expression, `$` and braces are its own.
    if free || leaf.op.node == Op::Regex {
        return;
    }
    for (value, text) in leaf.texts() {
        if let Some((written, path)) = find(text, event) {
            cx.report_once(report(leaf, value, text, (written, path)));
        }
    }
}

/// The first template of a field, and the path in it.
fn find<'t>(text: &'t str, event: &EventType) -> Option<(&'t str, &'t str)> {
    NOTATIONS.iter().find_map(|(open, close)| {
        let start = text.find(open)?;
        let inner = text.get(start + open.len()..)?;
        let end = inner.find(close)?;
        let written = text.get(start..start + open.len() + end + close.len())?;
        let path = inner.get(..end)?.trim();
        let first = path.split(['.', '[']).next()?;
        (first == "event" || event.schema.property(first).is_some()).then_some((written, path))
    })
}

fn report(leaf: &Leaf, value: &Value, text: &str, (written, path): (&str, &str)) -> Diagnostic {
    let what = format!("`{written}` is text here: conditions have no templates");
    let new = Diagnostic::new(Code::W0618, value.span, what).with_label("compared character by character");
    let (left, op) = (&leaf.path.text, leaf.op.node);
    let single = op.takes_path() && !matches!(op, Op::In | Op::Contains);
    new.help(match single {
        true if text == written => format!("write `{left} {} {path}`", spelled(op)),
        true => {
            format!("compare with the field, as in `{left} {} {path}`, or write the text itself", spelled(op))
        }
        false => format!("compare with the field, as in `{left} == {path}`, or write the text itself"),
    })
}
