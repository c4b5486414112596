//! What to write instead of a test of a list or an object, mainly of the view, which is never true.

use hookc_schema::tree::{Leaf, Op, Right};
use hookc_schema::vocab::{FieldSchema, Type, ViewMember};
use hookc_syntax::expr::print;

/// What to write instead of a leaf that tests a list or an object as if it were a text.
pub(in crate::check) fn instead(leaf: &Leaf, field: &FieldSchema) -> Option<String> {
    let path = &leaf.path.text;
    let (list, object) = (field.types.has(Type::Array), field.types.has(Type::Object));
    match (field.member, field.items.as_deref()) {
        (Some(ViewMember::Flags), _) if object => Some(format!("name a flag, as in `exists({path}.force)`")),
        (Some(ViewMember::Flags), _) => Some(of_flag(leaf)),
        (Some(ViewMember::Env), _) if object => Some(format!("name a variable, as in `exists({path}.PATH)`")),
        (_, Some(items)) if list && items.view => Some(of_element(leaf, items)),
        (_, Some(items)) if list && items.types.has(Type::String) => Some(of_text(leaf)),
        _ if object && field.view => Some(of_object(path, field)),
        (_, Some(items)) if list => {
            let name = text_member(items)?;
            Some(format!("test a member of each, as in `{}`", each(leaf, "x", name)))
        }
        _ if object => Some(format!("test a member, as in `{path}.{} == 'x'`", text_member(field)?)),
        _ => None,
    }
}

/// A test of the text of a flag.
fn of_flag(leaf: &Leaf) -> String {
    let text = match (leaf.op.node, &leaf.right) {
        (Op::Eq | Op::Ne, Right::Value(value)) => Some(print::literal(&print::json(value))),
        _ => None,
    };
    match text {
        Some(text) => format!("the value of a flag is a text: write `{text}`"),
        None => "the value of a flag is a text, also if it is a number: test it with `=~`".to_owned(),
    }
}

/// A test of each object of a list of the view.
fn of_element(leaf: &Leaf, items: &FieldSchema) -> String {
    let (letter, member) = if items.property("op").is_some() { ("r", "path") } else { ("c", "name") };
    format!("test a member of each, as in `{}`", each(leaf, letter, member))
}

/// A test of a member of each object of a list.
fn each(leaf: &Leaf, letter: &str, member: &str) -> String {
    let path = &leaf.path.text;
    match leaf.path.is_singular() {
        true => format!("some({letter} in {path}: {letter}.{member} == 'x')"),
        false => format!("{path}[*].{member} == 'x'"),
    }
}

/// A declared member that can be a text.
fn text_member(object: &FieldSchema) -> Option<&str> {
    let plain = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let mut texts = object.properties.iter().filter(|(_, member)| member.types.has(Type::String));
    texts.find(|(name, _)| plain(name)).map(|(name, _)| name.as_str())
}

/// A test of each text of a list.
fn of_text(leaf: &Leaf) -> String {
    let path = &leaf.path.text;
    let Right::Value(value) = &leaf.right else { return format!("test the elements of `{path}`") };
    let text = value.as_str().map_or_else(|| print::json(value), print::literal);
    match (leaf.op.node, leaf.path.is_singular()) {
        (Op::Eq | Op::Ne, _) => format!("write `{path} contains {text}`"),
        (op, true) => format!("test each element: `some(x in {path}: x {} {text})`", op.symbol()),
        (op, false) => format!("test each element: `{path}[*] {} {text}`", op.symbol()),
    }
}

/// A test of a member of an object.
fn of_object(path: &str, field: &FieldSchema) -> String {
    if field.property("commands").is_some() {
        return format!("test the commands, as in `some(c in {path}.commands: c.name == 'x')`");
    }
    let has_path = field.property("op").is_some() || field.property("relative").is_some();
    let member = if has_path { "path" } else { "name" };
    format!("test a member, as in `{path}.{member} == 'x'`")
}
