//! Rows of programs, from the files in `shell/data/programs`.

use std::collections::BTreeMap;

use toml_edit::{DocumentMut, Item, Table};

use super::list::{SetSource, Sets};

/// A program, or one of its subcommands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The programs that it is about, of one word each, or the subcommands, of one or more.
    pub names: Vec<Vec<String>>,
    /// Other names of the first one.
    pub also: Vec<Vec<String>>,
    /// Its options.
    pub options: Vec<Options>,
    /// What its operands are; none if nothing is known about them.
    pub operands: Option<Vec<Slot>>,
    /// What operands after `--` are.
    pub after: Option<Vec<Slot>>,
    /// What changes it.
    pub ifs: Vec<If>,
    /// Values of other keys.
    pub texts: BTreeMap<String, String>,
    /// Keys that are true.
    pub facts: BTreeMap<String, bool>,
    /// Its subcommands.
    pub subs: Vec<Row>,
}

/// Names of one option, and what it takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Its names, with dashes.
    pub names: Vec<String>,
    /// The roles of its values.
    pub roles: Vec<String>,
    /// Its value is in one word with it.
    pub is_joined: bool,
    /// Its name continues with the value.
    pub is_prefix: bool,
    /// It takes all words up to `;` or `+`.
    pub takes_command: bool,
    /// The words after its value are arguments of the code or module.
    pub is_last: bool,
    /// What else it does.
    pub attributes: Vec<String>,
}

/// A place for operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// What they are.
    pub role: String,
    /// Any number of them.
    pub is_many: bool,
    /// None, if an option has this role.
    pub is_optional: bool,
}

/// What some words of a command change about its row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct If {
    /// One of these flags is there.
    pub flag: Vec<Vec<String>>,
    /// None of these is.
    pub unless: Vec<Vec<String>>,
    /// A word with one of these globs is there.
    pub words: Vec<String>,
    /// The first operand has one of these globs, and none of those after `!`.
    pub first: Vec<String>,
    /// There is neither an operand nor a flag.
    pub is_nothing: bool,
    /// With two operands, what they are.
    pub two: Option<Vec<Slot>>,
    /// Each expression matches this regular expression.
    pub expr: Option<String>,
    /// No expression matches this one.
    pub expr_not: Option<String>,
    /// What it sets.
    pub row: Row,
}

/// Reads the rows of a file.
///
/// # Errors
/// If it is no TOML.
pub fn programs(text: &str) -> Result<Vec<Row>, String> {
    let document: DocumentMut = text.parse().map_err(|error| format!("{error}"))?;
    let tables = document.iter().filter_map(|(key, item)| Some((key, item.as_table()?)));
    Ok(tables.map(|(key, table)| row(key, &whole(table, document.as_table()))).collect())
}

/// A table of a file with the keys of the table that it is like.
fn whole(table: &Table, file: &Table) -> Table {
    let text = |key: &str| table.get(key).and_then(Item::as_str).unwrap_or_default();
    let base = text("like").split('.').try_fold(file, |table, key| table.get(key)?.as_table());
    let mut taken = base.map(|base| whole(base, file)).unwrap_or_default();
    let without = text("without").split_whitespace().chain(["names", "also", "source"]);
    without.for_each(|key| drop(taken.remove(key)));
    join(&mut taken, table, file);
    taken
}

fn join(taken: &mut Table, written: &Table, file: &Table) {
    for (key, item) in written.iter().filter(|(key, _)| !matches!(*key, "like" | "without")) {
        match (taken.get_mut(key).and_then(Item::as_table_mut), item) {
            (Some(taken), Item::Table(inner)) => join(taken, &whole(inner, file), file),
            (None, Item::Table(inner)) => drop(taken.insert(key, Item::Table(whole(inner, file)))),
            _ => drop(taken.insert(key, item.clone())),
        }
    }
}

/// Reads sets of patterns.
///
/// # Errors
/// If the text is no valid TOML.
pub fn sets(text: &str) -> Result<Sets, String> {
    let document: DocumentMut = text.parse().map_err(|error| format!("{error}"))?;
    let list = |table: &Table, key: &str| {
        let items = table.get(key).and_then(Item::as_array).into_iter().flatten();
        items.filter_map(|item| item.as_str().map(str::to_owned)).collect()
    };
    let set = |table: &Table| SetSource { of: list(table, "of"), except: list(table, "except") };
    let tables = document.iter().filter_map(|(key, item)| Some((key.to_owned(), set(item.as_table()?))));
    Ok(tables.collect())
}

fn row(key: &str, table: &Table) -> Row {
    let mut row = Row { names: vec![words(key)], ..Row::default() };
    for (name, item) in table {
        match (name, item) {
            ("if", Item::ArrayOfTables(tables)) => row.ifs = tables.iter().map(condition).collect(),
            (_, Item::Table(inner)) => row.subs.push(self::row(name, inner)),
            _ => set(&mut row, name, item),
        }
    }
    row
}

fn set(row: &mut Row, name: &str, item: &Item) {
    if let Some(fact) = item.as_bool() {
        row.facts.insert(name.to_owned(), fact);
    }
    let Some(text) = item.as_str() else { return };
    match name {
        "names" => row.names = paths(text),
        // Next to a name of several words, it is one too.
        "also" if row.names.iter().any(|name| name.len() > 1) => {
            row.also = text.split('|').map(words).collect()
        }
        "also" => row.also = paths(text),
        "options" => row.options = text.split_whitespace().map(options).collect(),
        "operands" => row.operands = Some(slots(text)),
        "after" => row.after = Some(slots(text)),
        _ => drop(row.texts.insert(name.to_owned(), text.to_owned())),
    }
}

/// Whether a text has one of some globs, and none of those after `!`.
pub(super) fn has_glob(globs: &[String], text: &str) -> bool {
    let matches = |glob: &str| super::list::is_text(glob, text);
    let (not, globs): (Vec<_>, Vec<_>) = globs.iter().partition(|glob| glob.starts_with('!'));
    globs.iter().any(|glob| matches(glob)) && !not.iter().any(|glob| matches(glob.trim_start_matches('!')))
}

fn condition(table: &Table) -> If {
    let text = |name: &str| table.get(name).and_then(Item::as_str);
    let groups = |name: &str| {
        let groups = text(name).unwrap_or_default().split_whitespace();
        groups.map(|group| group.split('/').map(str::to_owned).collect()).collect()
    };
    let mut inner = Row::default();
    for (name, item) in table {
        set(&mut inner, name, item);
    }
    If {
        flag: groups("flag"),
        unless: groups("unless"),
        words: text("words")
            .map(|words| words.split(['|', ' ']).map(str::to_owned).collect())
            .unwrap_or_default(),
        first: text("first").map(words).unwrap_or_default(),
        is_nothing: table.get("nothing").and_then(Item::as_bool) == Some(true),
        two: text("two").map(slots),
        expr: text("expr").map(str::to_owned),
        expr_not: text("expr_not").map(str::to_owned),
        row: inner,
    }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// Names of one word each, or with `|` between them of several.
fn paths(text: &str) -> Vec<Vec<String>> {
    if text.contains('|') {
        text.split('|').map(words).collect()
    } else {
        text.split_whitespace().map(words).collect()
    }
}

fn slots(text: &str) -> Vec<Slot> {
    let slot = |word: &str| {
        let is_many = word.ends_with("...");
        let word = word.trim_end_matches("...");
        let is_optional = word.ends_with('?');
        Slot { role: word.trim_end_matches('?').to_owned(), is_many, is_optional }
    };
    text.split_whitespace().map(slot).collect()
}

/// `-o/--output=WRITE:attribute`, `-n[=TEXT]`, `x*=CODE`
fn options(text: &str) -> Options {
    let (names, rest) = match text.find('=') {
        Some(at) => (text.get(..at).unwrap_or_default(), text.get(at + 1..).unwrap_or_default()),
        None => (text.split(':').next().unwrap_or_default(), ""),
    };
    let attributes = if rest.is_empty() { text.split(':').skip(1) } else { rest.split(':').skip(1) };
    let attributes = attributes.map(str::to_owned).collect();
    let is_joined = names.ends_with('[');
    let is_prefix = names.ends_with('*');
    let values = rest.split(':').next().unwrap_or_default().trim_end_matches(']');
    let (takes_command, is_last) = (values.ends_with(';'), values.ends_with("..."));
    let values = values.trim_end_matches("...").trim_end_matches(';');
    Options {
        names: names.trim_end_matches(['[', '*']).split('/').map(str::to_owned).collect(),
        roles: values.split(',').filter(|role| !role.is_empty()).map(str::to_owned).collect(),
        is_joined,
        is_prefix,
        takes_command,
        is_last,
        attributes,
    }
}

impl Row {
    /// The row of the table of a program.
    #[must_use]
    pub fn read(name: &str, table: &Table) -> Self {
        row(name, table)
    }

    /// Its names of one word.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.names.iter().chain(&self.also).filter_map(|name| match name.as_slice() {
            [word] => Some(word.as_str()),
            _ => None,
        })
    }

    /// Whether options end at its first operand.
    pub(super) fn stops(&self) -> bool {
        let starts = |slot: &Slot| match slot.role.as_str() {
            "LINE" => slot.is_many,
            role => matches!(role, "COMMAND" | "SCRIPT"),
        };
        self.facts.get("stops").copied().unwrap_or_else(|| match &self.operands {
            Some(slots) => slots.iter().any(starts),
            None => true,
        })
    }

    /// Whether a word with a dash is an operand: the row takes options that it does not list as text.
    pub(super) fn takes_text(&self, word: &str) -> bool {
        let name = word.split('=').next().unwrap_or(word);
        let letter: String = name.chars().take(2).collect();
        let matches_option = |listed: &String| match letter.as_str() {
            "--" => listed.starts_with(name),
            _ => *listed == name || *listed == letter,
        };
        self.text("rest") == Some("text")
            && !self.options.iter().any(|options| options.names.iter().any(matches_option))
    }

    /// Whether nothing is known about its arguments.
    pub(super) fn says_nothing(&self) -> bool {
        self.operands.is_none() && self.options.is_empty() && self.subs.is_empty() && self.facts.is_empty()
    }

    /// The row without its subcommands.
    #[must_use]
    pub fn alone(&self) -> Self {
        Self {
            names: self.names.clone(),
            also: self.also.clone(),
            options: self.options.clone(),
            operands: self.operands.clone(),
            after: self.after.clone(),
            ifs: self.ifs.clone(),
            texts: self.texts.clone(),
            facts: self.facts.clone(),
            subs: Vec::new(),
        }
    }

    /// Whether a key is true.
    #[must_use]
    pub fn is(&self, fact: &str) -> bool {
        self.facts.get(fact) == Some(&true)
    }

    /// The value of a key.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.texts.get(key).map(String::as_str)
    }

    /// The words of a key.
    #[must_use]
    pub fn list(&self, key: &str) -> Vec<String> {
        self.text(key).map(words).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_read() {
        let text = "[npm]\noptions = \"-C/--prefix=DIR -g/--global --dry-run:dry -n[=TEXT] -x=TEXT,READ -e=CODE...\"\n\
                    [npm.install]\nalso = \"i add\"\noperands = \"TEXT? PACKAGE...\"\n\
                    [[npm.install.if]]\nflag = \"-x -y/--yes\"\nplain = true\n";
        let rows = programs(text).unwrap();
        let [npm] = rows.as_slice() else { panic!("{rows:?}") };
        let roles: Vec<_> = npm.options.iter().map(|option| option.roles.join(" ")).collect();
        assert_eq!(roles, ["DIR", "", "", "TEXT", "TEXT READ", "CODE"]);
        assert_eq!(npm.options[0].names, ["-C", "--prefix"]);
        assert_eq!(npm.options[2].attributes, ["dry"]);
        assert!(npm.options[3].is_joined && npm.options[5].is_last);
        let install = &npm.subs[0];
        assert_eq!((install.names.len(), &install.also[1]), (1, &vec!["add".to_owned()]));
        assert_eq!(
            install.operands.as_ref().unwrap()[1],
            Slot { role: "PACKAGE".into(), is_many: true, is_optional: false }
        );
        assert_eq!(install.ifs[0].flag, [vec!["-x".to_owned()], vec!["-y".into(), "--yes".into()]]);
        assert!(install.ifs[0].row.is("plain"));
    }
}
