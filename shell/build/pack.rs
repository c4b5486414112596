//! Reads files of rows, checks them, and writes them as one text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use toml_edit::{DocumentMut, Item, TableLike};

use super::draft::{self, Draft, Table, Value, Wrong};
use super::hash::hash;
use super::like;
use super::notation::Fault;
use super::shape::{Shaped, shape};

/// The constants of all files, or what is wrong with them.
pub(crate) fn pack(files: &[(String, String)]) -> Result<String, Vec<String>> {
    let (mut faults, mut rows) = (Vec::new(), Vec::new());
    let read: Vec<_> = files.iter().filter_map(|(file, text)| read(file, text, &mut faults)).collect();
    let mut names = BTreeMap::<String, String>::new();
    for file in &read {
        for (key, value) in &file.programs {
            let (Value::Table(written), mut wrong) = (value, Vec::new()) else { continue };
            let whole = like::expand(key, written, &file.programs, &mut wrong);
            let draft = draft::read(key, key, &whole, &mut wrong);
            let row = shape(&draft, &mut wrong);
            for name in self::names(&row) {
                if let Some(other) = names.insert(name.to_owned(), key.to_owned()) {
                    let what =
                        Fault::new(format!("`{name}` is a name of [{other}] too"), "write it in one table");
                    wrong.push(Wrong { path: key.to_owned(), key: String::new(), what });
                }
            }
            without_source(&draft, &mut wrong);
            if file.starts_code {
                not_plain(&draft, key, &mut wrong);
            }
            faults.extend(wrong.iter().map(|wrong| format!("{}: {wrong}", file.name)));
            rows.push(row);
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut source = Packed::new(&rows).source();
    let _ = writeln!(source, "pub(super) const ENDINGS: &str = {:?};", endings(&rows));
    let mut listed: Vec<_> =
        rows.iter().flat_map(|row| variables(row, row.names.split(' ').next().unwrap_or_default())).collect();
    listed.sort_unstable();
    listed.dedup_by_key(|(name, ..)| *name);
    let (globs, names): (Vec<_>, Vec<_>) = listed.into_iter().partition(|(name, ..)| name.contains('*'));
    for (constant, listed) in [("VARIABLES", names), ("VARIABLE_GLOBS", globs)] {
        let length = listed.len();
        let _ =
            writeln!(source, "pub(super) static {constant}: [(&str, &str, &str); {length}] = {listed:?};");
    }
    Ok(source)
}

/// A file of programs.
struct File<'f> {
    name: &'f str,
    /// Whether its programs start code of the project.
    starts_code: bool,
    programs: Table,
}

/// Reads the tables of a file; `None` if it is not TOML.
fn read<'f>(name: &'f str, text: &str, faults: &mut Vec<String>) -> Option<File<'f>> {
    let document = match text.parse::<DocumentMut>() {
        Ok(document) => document,
        Err(error) => {
            faults.push(format!("{name}: {error}"));
            return None;
        }
    };
    let starts_code = document.get(STARTS_CODE).and_then(Item::as_bool).unwrap_or_default();
    let mut programs = Table::new();
    for (key, item) in document.iter().filter(|(key, _)| *key != STARTS_CODE) {
        let mut wrong = Vec::new();
        match item.as_table_like() {
            Some(program) => programs.push((key.to_owned(), Value::Table(table(key, program, &mut wrong)))),
            None => faults.push(format!("{name}: `{key}` is no table; write `[{key}]`")),
        }
        faults.extend(wrong.iter().map(|wrong| format!("{name}: {wrong}")));
    }
    Some(File { name, starts_code, programs })
}

/// The key of a file whose programs start code of the project: `make`, `cargo test`.
const STARTS_CODE: &str = "starts_code";

/// Reports what is plain in a row of a program that starts code of the project.
fn not_plain(draft: &Draft, path: &str, wrong: &mut Vec<Wrong>) {
    let is_plain = |(key, value): &(&str, String)| *key == "plain" && value == "true";
    if draft.ifs.iter().flatten().chain(&draft.values).any(is_plain) {
        let what =
            Fault::new("is in a file of programs that start code of the project", "no row of it is plain");
        wrong.push(Wrong { path: path.to_owned(), key: "plain".to_owned(), what });
    }
    draft.subs.iter().for_each(|sub| not_plain(sub, &format!("{path}.{}", sub.key), wrong));
}

/// The endings of all scripts.
fn endings(rows: &[Shaped]) -> String {
    let values = rows.iter().flat_map(|row| &row.values);
    let mut endings: Vec<&str> =
        values.filter(|(key, _)| *key == "endings").flat_map(|(_, value)| value.split(' ')).collect();
    endings.sort_unstable();
    endings.dedup();
    endings.join(" ")
}

/// The variables of the environment of a row with what their values are, and the program.
fn variables<'r>(row: &'r Shaped, program: &'r str) -> Vec<(&'r str, &'r str, &'r str)> {
    let values = row.values.iter().filter(|(key, _)| *key == "variables");
    let tokens = values.flat_map(|(_, value)| value.split(' ')).filter_map(|token| token.split_once('='));
    let listed = tokens.map(|(name, role)| (name, role, program));
    listed.chain(row.subs.iter().flat_map(|sub| variables(sub, program))).collect()
}

fn without_source(draft: &Draft, wrong: &mut Vec<Wrong>) {
    let what = match draft.text("source") {
        None => "is missing",
        Some(sources) if sources.lines().any(|source| !source.contains(": ")) => "names no file or page",
        Some(_) => return,
    };
    let what = Fault::new(what, "write `source = [\"PROGRAM VERSION: FILE OR PAGE\"]`");
    wrong.push(Wrong { path: draft.key.clone(), key: "source".to_owned(), what });
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
                what: Fault::new("has another type", "write a text, a flag, a list of texts or a table"),
            }),
        }
    }
    all
}

/// Rows as one text, and where they are in it.
struct Packed {
    text: String,
    starts: Vec<usize>,
    /// The start and length of each name in the text, and the number of its row.
    names: Vec<(usize, usize, usize)>,
    /// Numbers of names, from 1 on, by the hash of the name.
    slots: Vec<usize>,
}

impl Packed {
    fn new(rows: &[Shaped]) -> Self {
        let count = rows.iter().map(|row| names(row).count()).sum::<usize>();
        let slots = vec![0; (4 * count).next_power_of_two()];
        let mut packed = Self { text: String::new(), starts: Vec::new(), names: Vec::new(), slots };
        for (number, row) in rows.iter().enumerate() {
            let start = packed.text.len();
            packed.starts.push(start);
            packed.row(row);
            for name in names(row) {
                // The names are at the start of a row.
                let at = packed.text.get(start..).and_then(|text| position(text, name)).expect("its names");
                packed.names.push((start + at, name.len(), number));
                let (count, number) = (packed.slots.len(), packed.names.len());
                let (before, after) = packed.slots.split_at_mut(hash(name) % count);
                let free = after.iter_mut().chain(before).find(|slot| **slot == 0);
                *free.expect("a table with free slots") = number;
            }
        }
        packed
    }

    fn put(&mut self, text: &str) {
        assert!(!text.contains('\t'), "a text of a row has a tab");
        self.text.push_str(text);
        self.text.push('\t');
    }

    fn row(&mut self, row: &Shaped) {
        for text in [&row.names, &row.also, &row.group, &row.same_as] {
            self.put(text);
        }
        self.values(&row.values);
        self.put(&row.ifs.len().to_string());
        row.ifs.iter().for_each(|one| self.values(one));
        self.put(&row.subs.len().to_string());
        row.subs.iter().for_each(|sub| self.row(sub));
    }

    /// A source is for readers of the files.
    fn values(&mut self, values: &[(&'static str, String)]) {
        let texts = || values.iter().filter(|(key, _)| *key != "source");
        self.put(&texts().count().to_string());
        texts().for_each(|(key, value)| {
            self.put(key);
            self.put(value);
        });
    }

    fn source(&self) -> String {
        let Self { text, starts, names, slots } = self;
        let list =
            |name: &str, of: &str, count, list: String| format!("static {name}: [{of}; {count}] = {list};\n");
        [
            format!("static TEXT: &str = {text:?};\n"),
            list("STARTS", "u32", starts.len(), format!("{starts:?}")),
            list("NAMES", "(u32, u16, u16)", names.len(), format!("{names:?}")),
            list("SLOTS", "u16", slots.len(), format!("{slots:?}")),
        ]
        .concat()
    }
}

fn names(row: &Shaped) -> impl Iterator<Item = &str> {
    row.names.split(' ').chain(row.also.split(' ')).filter(|name| !name.is_empty())
}

/// Where a word is in texts that spaces and tabs separate.
fn position(text: &str, word: &str) -> Option<usize> {
    let mut words = text.split([' ', '\t']);
    let found = words.find(|found| *found == word)?;
    Some(found.as_ptr().addr() - text.as_ptr().addr())
}
