//! Programs that a policy describes, and a command line with one. Each line up to an empty one is a key of the row, a tab and
//! its value; `push.options` is a key of a subcommand, `if.flag` one of the last `if`, and `if` alone starts another one. The
//! rest is the command line, whose program is `frob`.

use hookc_shell::effects::Actions;
use hookc_shell::programs::draft::{Table, Value};
use hookc_shell::programs::{Described, Programs};

use super::effects::{bounded, gathered};

/// The keys of a row.
fn table(lines: &str) -> Table {
    let mut table = Table::new();
    for line in lines.lines() {
        let (key, value) = line.split_once('\t').unwrap_or((line, ""));
        let value = match value {
            "true" | "false" => Value::Flag(value == "true"),
            _ if value.contains('\r') => Value::List(value.split('\r').map(str::to_owned).collect()),
            _ => Value::Text(value.to_owned()),
        };
        insert(&mut table, key, value);
    }
    table
}

/// Sets a key, which a policy has once.
fn insert(table: &mut Table, path: &str, value: Value) {
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let known = table.iter_mut().find(|(key, _)| key == first).map(|(_, value)| value);
    match (known, rest) {
        (Some(Value::Table(inner)), Some(rest)) => insert(inner, rest, value),
        (Some(Value::Tables(all)), Some(rest)) => {
            all.last_mut().into_iter().for_each(|last| insert(last, rest, value.clone()))
        }
        (Some(Value::Tables(all)), None) => all.push(Table::new()),
        (None, _) if first == "if" => {
            let mut inner = Table::new();
            rest.into_iter().for_each(|rest| insert(&mut inner, rest, value.clone()));
            table.push((first.to_owned(), Value::Tables(vec![inner])));
        }
        (None, Some(rest)) => {
            let mut inner = Table::new();
            insert(&mut inner, rest, value);
            table.push((first.to_owned(), Value::Table(inner)));
        }
        (None, None) => table.push((first.to_owned(), value)),
        (Some(_), _) => {}
    }
}

/// The keys in the opposite order.
fn reversed(table: &Table) -> Table {
    let value = |value: &Value| match value {
        Value::Table(inner) => Value::Table(reversed(inner)),
        Value::Tables(all) => Value::Tables(all.iter().map(reversed).collect()),
        other => other.clone(),
    };
    table.iter().rev().map(|(key, member)| (key.clone(), value(member))).collect()
}

/// What a line does with a program of this row; none if something is wrong with the row.
fn seen(table: Table, line: &str) -> Option<String> {
    let described = vec![Described { name: "frob".to_owned(), table }];
    let programs = match Programs::new(Vec::new(), described) {
        Ok(programs) => programs,
        Err(wrong) => {
            assert!(!wrong.is_empty(), "rejected without a reason");
            return None;
        }
    };
    let mut actions = Actions::default();
    gathered(None, line, &programs, &mut actions);
    bounded(&actions);
    let acts: Vec<_> =
        actions.commands().map(|act| (act.is_plain(), act.has_unlisted(), act.is_required())).collect();
    Some(format!("{:?} {acts:?} {:?}", actions.effects().collect::<Vec<_>>(), actions.unknown()))
}

/// The row of a program, and a command line.
pub fn programs(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (lines, line) = text.split_once("\n\n").unwrap_or((text, "frob -x a --out=b push c"));
    let table = table(lines);
    let first = seen(table.clone(), line);
    assert_eq!(first, seen(reversed(&table), line), "the order of the keys changes the meaning");
}
