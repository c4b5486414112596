//! `like = "docker"`: a table takes over the keys and subcommands of another one, except those that `without` names.

use super::draft::{Table, Value, Wrong};
use super::notation::Fault;

/// Keys that a table never takes over.
const KEPT: [&str; 3] = ["names", "also", "source"];

/// The longest chain of tables that are like one another.
const DEPTH: usize = 8;

/// A table of the programs of a file, with all that it takes over. Its keys replace those that it takes over, and its
/// subcommands are joined with those of the same name.
pub(crate) fn expand(path: &str, table: &Table, programs: &Table, wrong: &mut Vec<Wrong>) -> Table {
    Expansion { programs, depth: DEPTH }.table(path, table, wrong)
}

#[derive(Clone, Copy)]
struct Expansion<'p> {
    programs: &'p Table,
    /// How many more tables the chain can have.
    depth: usize,
}

impl Expansion<'_> {
    fn table(self, path: &str, table: &Table, wrong: &mut Vec<Wrong>) -> Table {
        let is_written = |key: &str, value: &Value| !is_text(value) || !matches!(key, "like" | "without");
        let written = table.iter().filter(|(key, value)| is_written(key, value));
        let written = written.map(|(key, value)| match value {
            Value::Table(inner) => {
                (key.clone(), Value::Table(self.table(&format!("{path}.{key}"), inner, wrong)))
            }
            value => (key.clone(), value.clone()),
        });
        let written: Table = written.collect();
        match self.taken_over(path, table, wrong) {
            Ok(Some(mut taken)) => {
                join(&mut taken, written);
                taken
            }
            Ok(None) => written,
            Err((key, what)) => {
                wrong.push(Wrong { path: path.to_owned(), key: key.to_owned(), what });
                written
            }
        }
    }

    /// What a table takes over; none without `like`.
    fn taken_over(
        self,
        path: &str,
        table: &Table,
        wrong: &mut Vec<Wrong>,
    ) -> Result<Option<Table>, (&'static str, Fault)> {
        let without: Vec<&str> =
            text(table, "without").unwrap_or_default().split_ascii_whitespace().collect();
        let Some(like) = text(table, "like") else {
            let useless =
                || ("without", Fault::new("has no effect without `like`", "write the keys that it has"));
            return if without.is_empty() { Ok(None) } else { Err(useless()) };
        };
        let unknown =
            || Fault::new(format!("`{like}` is not a table"), "write its path, `like = \"docker.run\"`");
        let base = find(self.programs, like).ok_or_else(|| ("like", unknown()))?;
        let circle =
            || Fault::new(format!("`{like}` is like [{path}], or has it"), "write one of them in full");
        let is_within = path.strip_prefix(like).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        let depth = self.depth.checked_sub(1).filter(|_| !is_within).ok_or_else(|| ("like", circle()))?;
        let mut taken = Self { depth, ..self }.table(like, base, wrong);
        if let Some(key) = without.iter().find(|key| taken.iter().all(|(known, _)| known != **key)) {
            return Err(("without", Fault::new(format!("[{like}] has no `{key}`"), "remove the word")));
        }
        taken.retain(|(key, _)| !KEPT.contains(&key.as_str()) && !without.contains(&key.as_str()));
        Ok(Some(taken))
    }
}

/// Replaces values, and joins tables.
fn join(known: &mut Table, written: Table) {
    for (key, value) in written {
        match (known.iter_mut().find(|(other, _)| *other == key), value) {
            (Some((_, Value::Table(known))), Value::Table(inner)) => join(known, inner),
            (Some((_, known)), value) => *known = value,
            (None, value) => known.push((key, value)),
        }
    }
}

/// The table at a path: `docker.run`.
fn find<'t>(tables: &'t Table, path: &str) -> Option<&'t Table> {
    tables.iter().find_map(|(key, value)| match (path.strip_prefix(key.as_str())?, value) {
        ("", Value::Table(table)) => Some(table),
        (rest, Value::Table(table)) => find(table, rest.strip_prefix('.')?),
        _ => None,
    })
}

fn is_text(value: &Value) -> bool {
    matches!(value, Value::Text(_))
}

fn text<'t>(table: &'t Table, key: &str) -> Option<&'t str> {
    table.iter().find_map(|(known, value)| match value {
        Value::Text(text) if known == key => Some(text.as_str()),
        _ => None,
    })
}
