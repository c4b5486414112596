//! Dictionaries: the words of each target, from the tables of the code.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use hookc_schema::decode::Object;
use hookc_schema::dialect::xml;
use hookc_schema::publish::Schema;
use hookc_schema::tree::{Op, Quantifier};
use hookc_shell::programs::Row;
use hookc_vm::format::keyword::{Format, Keyword};
use serde_json::Value;

/// Sources with the words of the shell language, which are matched, not listed.
const SHELL: [&str; 2] =
    [include_str!("../../shell/src/read/compound.rs"), include_str!("../../shell/src/read/redirect.rs")];

/// Elements of directive XML.
const ELEMENTS: [&Object; 9] = [
    &xml::HOOK,
    &xml::CONDITION,
    &xml::QUANTIFIED,
    &xml::WRAPPER,
    &xml::EXAMPLE,
    &xml::PARAM,
    &xml::ENTRY,
    &xml::LEGACY_ACTION,
    &xml::BARE,
];

/// The names of programs, subcommands and options.
fn of_row(row: &Row, names: &mut BTreeSet<String>) {
    names.extend(row.names().chain(row.known().map(|(name, _)| name)).map(str::to_owned));
    row.subs().iter().for_each(|sub| of_row(sub, names));
}

/// The words of a target; none for one whose bytes are choices, or whose seeds have its words.
#[must_use]
pub fn words(target: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    match target {
        "decisions" | "schema" | "written" | "module" | "agent_wires" | "partition" | "sessions"
        | "store" | "shared" => {
            return names;
        }
        "shell" | "effects" | "programs" => {
            SHELL.iter().for_each(|text| literals(text, &mut names));
            hookc_shell::programs::rows().for_each(|row| of_row(row, &mut names));
        }
        "when" | "path" | "template" => expressions(&mut names),
        "directive_xml" => {
            expressions(&mut names);
            names
                .extend(ELEMENTS.iter().flat_map(|object| object.keys).map(|key| format!("{}=\"", key.name)));
            names.extend(ELEMENTS.iter().map(|object| format!("<{}", object.name)));
            published([Schema::Hooks], &mut names);
        }
        "event" | "hosts" | "rules" => {
            published(Schema::all().filter(|schema| is_of(*schema, target)), &mut names)
        }
        _ => {
            expressions(&mut names);
            published(Schema::all().filter(|schema| is_of(*schema, target)), &mut names);
        }
    }
    names
}

/// Whether a target reads what a schema describes.
fn is_of(schema: Schema, target: &str) -> bool {
    match target {
        "hooks_yaml" | "layout" | "notation" => schema == Schema::Hooks,
        "settings" => schema == Schema::Agent(hookc_schema::agents::Id::Claude),
        "repository" => schema == Schema::Repository,
        "skill" => schema == Schema::Skill,
        "workflow" => schema == Schema::Workflow,
        "test_file" => schema == Schema::Test,
        "event" | "rules" => schema == Schema::Event,
        "hosts" => matches!(schema, Schema::Event | Schema::Agent(_)),
        _ => matches!(schema, Schema::Agent(_)),
    }
}

fn expressions(names: &mut BTreeSet<String>) {
    names.extend(Op::ALL.iter().flat_map(|op| [op.symbol(), op.as_str()]).map(str::to_owned));
    names.extend(Quantifier::ALL.iter().map(|quantifier| format!("{}(", quantifier.name())));
    names.extend(Keyword::ALL.iter().map(|keyword| keyword.mnemonic().to_owned()));
    names.extend(Format::ALL.iter().map(|format| format.name().to_owned()));
}

/// Keys and values that published schemas name.
fn published(schemas: impl IntoIterator<Item = Schema>, names: &mut BTreeSet<String>) {
    for schema in schemas {
        named(&serde_json::from_str(&schema.text()).unwrap_or_default(), names);
    }
}

fn named(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                match (key.as_str(), value) {
                    ("properties", Value::Object(object)) => names.extend(object.keys().cloned()),
                    ("enum", Value::Array(values)) => {
                        names.extend(values.iter().filter_map(Value::as_str).map(str::to_owned))
                    }
                    ("const", Value::String(text)) => drop(names.insert(text.clone())),
                    _ => {}
                }
                named(value, names);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| named(item, names)),
        _ => {}
    }
}

/// The words of the literals of a source, without those of its documentation.
fn literals(source: &str, names: &mut BTreeSet<String>) {
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    for line in code.take_while(|line| !line.contains("cfg(test)")) {
        let quoted = line.split('"').skip(1).step_by(2);
        names.extend(quoted.flat_map(|text| text.split([' ', '/'])).map(str::to_owned));
    }
}

/// The words as libFuzzer reads them.
#[must_use]
pub fn text(target: &str) -> String {
    let mut out = String::new();
    for word in words(target).iter().filter(|word| (1..60).contains(&word.len())) {
        out.push('"');
        for byte in word.bytes() {
            match byte {
                b' '..=b'~' if byte != b'"' && byte != b'\\' => out.push(char::from(byte)),
                _ => drop(write!(out, "\\x{byte:02x}")),
            }
        }
        out.push_str("\"\n");
    }
    out
}
