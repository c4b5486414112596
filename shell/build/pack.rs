//! Reads files of rows, checks them, and writes them as constants.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use toml_edit::{DocumentMut, Item, TableLike};

use super::draft::{self, Draft, Table, Value, Wrong};
use super::shape::{Shaped, shape};

/// The constants of all files, or what is wrong with them.
pub(crate) fn pack(files: &[(String, String)]) -> Result<String, Vec<String>> {
    let (mut faults, mut rows) = (Vec::new(), Vec::new());
    let mut names = BTreeMap::<String, String>::new();
    for (file, text) in files {
        let document = match text.parse::<DocumentMut>() {
            Ok(document) => document,
            Err(error) => {
                faults.push(format!("{file}: {error}"));
                continue;
            }
        };
        for (key, item) in document.iter() {
            let mut wrong = Vec::new();
            let Some(program) = item.as_table_like() else {
                faults.push(format!("{file}: `{key}` is no table; write `[{key}]`"));
                continue;
            };
            let draft = draft::read(key, key, &table(key, program, &mut wrong), &mut wrong);
            let row = shape(&draft, &mut wrong);
            for name in row.names.split(' ').chain(row.also.split(' ')).filter(|name| !name.is_empty()) {
                if let Some(other) = names.insert(name.to_owned(), key.to_owned()) {
                    let what = format!("`{name}` is a name of [{other}] too; write it in one table");
                    wrong.push(Wrong { path: key.to_owned(), key: String::new(), what });
                }
            }
            without_source(&draft, &mut wrong);
            faults.extend(wrong.iter().map(|wrong| format!("{file}: {wrong}")));
            rows.push(row);
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut source = String::new();
    let printed: String = rows.iter().map(|row| print(row, &mut source)).collect();
    let count = rows.len();
    let _ = write!(
        source,
        "/// The row of each program.\npub(super) static ROWS: [Row; {count}] = [\n{printed}];\n"
    );
    Ok(source)
}

fn without_source(draft: &Draft, wrong: &mut Vec<Wrong>) {
    if draft.text("source").is_none() {
        let what = "is missing; write `source = [\"PROGRAM VERSION: FILE OR PAGE\"]`".to_owned();
        wrong.push(Wrong { path: draft.key.clone(), key: "source".to_owned(), what });
    }
}

/// The table of a program in a file.
#[allow(dead_code, reason = "tests read single rows")]
pub(crate) fn program(document: &DocumentMut, name: &str) -> Table {
    let found = document.get(name).and_then(Item::as_table_like);
    found.map(|program| table(name, program, &mut Vec::new())).unwrap_or_default()
}

/// A table as rows are read from it.
fn table(path: &str, table: &dyn TableLike, wrong: &mut Vec<Wrong>) -> Table {
    let mut all = Table::new();
    for (key, item) in table.iter() {
        let value = match item {
            Item::Value(value) => match value {
                toml_edit::Value::String(text) => Some(Value::Text(text.value().clone())),
                toml_edit::Value::Boolean(flag) => Some(Value::Flag(*flag.value())),
                toml_edit::Value::Array(list) => {
                    let texts: Option<Vec<_>> =
                        list.iter().map(|one| one.as_str().map(str::to_owned)).collect();
                    texts.map(Value::List)
                }
                toml_edit::Value::InlineTable(inner) => Some(Value::Table(self::table(path, inner, wrong))),
                _ => None,
            },
            Item::Table(inner) => Some(Value::Table(self::table(&format!("{path}.{key}"), inner, wrong))),
            Item::ArrayOfTables(inner) => {
                let each = inner.iter().map(|inner| self::table(path, inner, wrong));
                Some(Value::Tables(each.collect()))
            }
            Item::None => continue,
        };
        match value {
            Some(value) => all.push((key.to_owned(), value)),
            None => wrong.push(Wrong {
                path: path.to_owned(),
                key: key.to_owned(),
                what: "is no text, flag, list of texts or table".to_owned(),
            }),
        }
    }
    all
}

/// A row as an expression. Its lists are constants, which are written before it.
fn print(row: &Shaped, source: &mut String) -> String {
    let Shaped { names, also, group, same_as, values, ifs, subs } = row;
    let ifs = ifs.iter().map(|one| format!("If::new({}), ", packed(one))).collect();
    let ifs = list("If", row.ifs.len(), ifs, source);
    let inner = subs.iter().map(|sub| print(sub, source)).collect();
    let subs = list("Row", subs.len(), inner, source);
    let text = |text: &str| format!("Cow::Borrowed({text:?})");
    let names = [names, also, group, same_as].map(|name| text(name)).join(", ");
    format!("Row::new({names}, {}, {ifs}, {subs}),\n", packed(values))
}

/// A list as an expression.
fn list(of: &str, count: usize, items: String, source: &mut String) -> String {
    if count == 0 {
        return "Cow::Borrowed(&[])".to_owned();
    }
    let number = source.len();
    let _ = writeln!(source, "static L{number}: [{of}; {count}] = [{items}];");
    format!("Cow::Borrowed(&L{number})")
}

/// Values as a constant. A source is for readers of the files.
fn packed(values: &[(&'static str, String)]) -> String {
    let texts = values.iter().filter(|(key, _)| *key != "source");
    let printed: Vec<_> = texts.map(|(key, value)| format!("({key:?}, Cow::Borrowed({value:?}))")).collect();
    format!("Cow::Borrowed(&[{}])", printed.join(", "))
}
