//! Templates in the texts of conditions (W0618): `file_path starts_with '${cwd}/src'` compares with the text itself.

use hookc_schema::tree::Op;

use super::fields::holds_anything;
use super::{ANY, Row, Tested, Wrong, rows};

pub(super) const ROWS: &[Row] = rows! {
    W0618 is_literal, ANY, template =>
        "`{part}` is text here: conditions have no templates", "compared character by character";
};

/// How templates are written: what opens them, and what closes them.
const NOTATIONS: [(&str, &str); 2] = [("${", "}"), ("{{", "}}")];

/// Whether a text has no braces of its own: those of regular expressions and of command lines have.
fn is_literal(tested: &Tested<'_>) -> bool {
    tested.leaf.op.node != Op::Regex && !tested.leaf.path.is_command_line() && !holds_anything(&tested.field)
}

/// The first template of a field of the event.
fn template(tested: &Tested<'_>) -> Option<Wrong> {
    let (event, text) = (tested.place?.event?, &*tested.text);
    let (written, path) = NOTATIONS.iter().find_map(|(open, close)| {
        let start = text.find(open)?;
        let inner = text.get(start + open.len()..)?;
        let end = inner.find(close)?;
        let written = text.get(start..start + open.len() + end + close.len())?;
        let path = inner.get(..end)?.trim();
        let first = path.split(['.', '[']).next()?;
        (first == "event" || event.schema.property(first).is_some()).then_some((written, path))
    })?;
    let (left, op) = (&tested.leaf.path.text, tested.op);
    let takes_path = op.takes_path() && !matches!(op, Op::In | Op::Contains);
    let symbol = if takes_path { op.symbol() } else { "==" };
    Some(Wrong::new(
        written,
        match takes_path && text == written {
            true => format!("write `{left} {symbol} {path}`"),
            false => {
                format!("compare with the field, as in `{left} {symbol} {path}`, or write the text itself")
            }
        },
    ))
}
