//! The programs that policies add: those that they describe, and those that they declare as wrappers. They hold for all
//! policies of a run.

use std::sync::Arc;

use hookc_schema::tree::Policy;
use hookc_schema::value::{Kind, Member, Value};
use hookc_schema::vocab::{Vocabulary, Wrapper};
use toml_edit::{ArrayOfTables, Item, Table};

use crate::effects::{Row, Rows};

/// What policies say about programs.
#[derive(Clone, Debug, Default)]
pub struct Programs {
    /// The wrappers; those of one name are one, with the options of each.
    pub wrappers: Vec<Wrapper>,
    /// Other programs by name, as they are described.
    pub described: Vec<(String, Value)>,
}

impl Programs {
    pub(crate) fn new<'p>(policies: impl Iterator<Item = (&'p Vocabulary, &'p Policy)>) -> Self {
        let mut programs = Self::default();
        for (vocabulary, policy) in policies {
            for wrapper in &vocabulary.wrappers {
                match programs.wrappers.iter_mut().find(|known| known.name.node == wrapper.name.node) {
                    Some(known) => known.options.extend(wrapper.options.iter().cloned()),
                    None => programs.wrappers.push(wrapper.clone()),
                }
            }
            for member in policy.declarations.programs.iter().flat_map(Value::members) {
                let name = &member.key.node;
                if !programs.described.iter().any(|(known, _)| known == name) {
                    programs.described.push((name.clone(), member.value.clone()));
                }
            }
        }
        programs
    }

    /// Adds their rows to the shipped ones, which stay as they are.
    pub(crate) fn added_to(&self, rows: &Arc<Rows>) -> Arc<Rows> {
        if self.wrappers.is_empty() && self.described.is_empty() {
            return Arc::clone(rows);
        }
        let wrappers = self.wrappers.iter().map(|wrapper| Row::read(&wrapper.name.node, &started(wrapper)));
        let described = self.described.iter().map(|(name, value)| Row::read(name, &table(value.members())));
        Arc::new(rows.with(wrappers.chain(described)))
    }
}

/// The table of a wrapper: its operands, and a command. Options that it does not list take no value.
fn started(wrapper: &Wrapper) -> Table {
    let mut table = Table::new();
    let operands = "TEXT ".repeat(wrapper.operands.node) + "COMMAND...";
    let options: Vec<String> = wrapper.options.iter().map(|option| format!("{option}=TEXT")).collect();
    let is_long = |option: &String| !option.starts_with("--") && option.chars().count() > 2;
    let facts = [("stops", false), ("exact", true), ("long_dash", wrapper.options.iter().any(is_long))];
    let texts = [("operands", operands), ("options", options.join(" ")), ("rest", "harmless".to_owned())];
    facts.into_iter().for_each(|(key, fact)| drop(table.insert(key, toml_edit::value(fact))));
    texts.into_iter().for_each(|(key, text)| drop(table.insert(key, toml_edit::value(text))));
    table
}

/// A mapping of a policy as the table that a file of rows would have.
fn table(members: &[Member]) -> Table {
    let item = |member: &Member| match &member.value.kind {
        Kind::Str(text) => Some(toml_edit::value(text.value.as_str())),
        Kind::Bool(fact) => Some(toml_edit::value(*fact)),
        Kind::Map(members) if member.key.node == "if" => Some(conditions([members.as_slice()])),
        Kind::Map(members) => Some(Item::Table(table(members))),
        Kind::Seq(items) => Some(conditions(items.iter().map(Value::members))),
        Kind::Null | Kind::Num(_) => None,
    };
    let mut table = Table::new();
    for member in members {
        item(member).into_iter().for_each(|item| drop(table.insert(&member.key.node, item)));
    }
    table
}

fn conditions<'m>(tables: impl IntoIterator<Item = &'m [Member]>) -> Item {
    let mut list = ArrayOfTables::new();
    tables.into_iter().for_each(|members| list.push(table(members)));
    Item::ArrayOfTables(list)
}
