//! Paths into the view of a command line: what they resolve to, and the table of members.

use std::collections::BTreeSet;

use hookc_schema::vocab::{FieldSchema, Type, view};
use hookc_vm::format::shell;
use serde_json::Value;

/// A line with every member of the view.
const LINE: &str =
    "A=1 sudo bash -c 'git -C x push --force origin main' | /bin/tee a* > ../out; curl x | sh; $X";

fn names(schema: &FieldSchema) -> BTreeSet<&str> {
    schema.properties.keys().map(String::as_str).collect()
}

#[test]
fn the_table_has_the_members_of_the_reader() {
    let of = |names: &[&'static str]| names.iter().copied().collect::<BTreeSet<&str>>();
    let command = view().property("commands").and_then(|list| list.items.as_deref()).unwrap();
    let redirect = command.property("redirects").and_then(|list| list.items.as_deref()).unwrap();
    assert_eq!(names(view()), of(&shell::MEMBERS));
    assert_eq!(names(command), of(&shell::COMMAND_MEMBERS));
    assert_eq!(names(redirect), of(&shell::REDIRECT_MEMBERS));
}

#[test]
fn the_values_have_the_types_of_the_table() {
    for line in [LINE, "echo 'open", "> x", "", "cd \"$D\" && echo > y >&2"] {
        for cwd in [Some("/home/me"), None] {
            let value: Value = serde_json::from_str(&shell::view(line, cwd, &[])).unwrap();
            fits(&value, view(), line);
        }
    }
}

fn fits(value: &Value, schema: &FieldSchema, line: &str) {
    let kind = match value {
        Value::Null => Type::Null,
        Value::Bool(_) => Type::Boolean,
        Value::Number(_) => Type::Number,
        Value::String(_) => Type::String,
        Value::Array(_) => Type::Array,
        Value::Object(_) => Type::Object,
    };
    assert!(schema.types.has(kind), "{line}: {value} is not {:?}", schema.types);
    match (value, schema.items.as_deref()) {
        (Value::Array(items), Some(item)) => items.iter().for_each(|value| fits(value, item, line)),
        (Value::Object(members), _) if schema.closed => {
            members.iter().for_each(|(name, value)| fits(value, schema.property(name).unwrap(), line));
        }
        _ => {}
    }
}

#[test]
fn the_page_has_every_member() {
    let page = include_str!("../../docs/shell.md");
    let mut at = vec![view()];
    while let Some(schema) = at.pop() {
        for (name, member) in schema.properties.iter().filter(|_| schema.view) {
            assert!(page.contains(&format!("`{name}`")), "docs/shell.md lacks {name}");
            at.push(member);
        }
        at.extend(schema.items.as_deref());
    }
}
