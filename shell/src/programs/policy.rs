//! Programs that policies describe, in the notation of the shipped ones and with the same checks.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use super::draft::{Table, Value, Wrong, read};
use super::interpreters::without_version;
use super::model::{If, Row, Values};
use super::notation::Fault;
use super::shape::{Shaped, shape};
use super::variables::{Content, content};
use super::{
    ByName, Program, escapes, has_program, is_described, program, regexes, same_program, without_system,
};
use crate::Wrapper;
use crate::limits::SHELL_REGEXES;

/// A program that a policy describes.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// Its name.
    pub name: String,
    /// What the policy says about it.
    pub table: Table,
}

/// The programs that policies describe, and those that they declare as wrappers. They add to the shipped ones, and
/// change none.
#[derive(Clone, Debug, Default)]
pub struct Programs {
    declared: Option<Arc<Declared>>,
}

#[derive(Debug)]
struct Declared {
    wrappers: Vec<Wrapper>,
    described: Vec<Described>,
    by_name: ByName<&'static Program>,
}

impl Programs {
    /// No programs but the shipped ones.
    pub const SHIPPED: Self = Self { declared: None };

    /// These programs. Those that have a shipped row are without effect.
    ///
    /// # Errors
    /// What is wrong with the tables of programs.
    pub fn new(wrappers: Vec<Wrapper>, described: Vec<Described>) -> Result<Self, Vec<Wrong>> {
        if wrappers.is_empty() && described.is_empty() {
            return Ok(Self::SHIPPED);
        }
        let mut wrong = Vec::new();
        let (mut by_name, mut count) = (ByName::default(), 0);
        for wrapper in wrappers.iter().filter(|wrapper| !is_described(&wrapper.name)) {
            wrong.extend(add(&mut by_name, Row::from_wrapper(wrapper), is_described));
        }
        for program in &described {
            match Row::from_table(&program.name, &program.table) {
                Ok(row) => {
                    count += row.regexes();
                    wrong.extend(add(&mut by_name, row, has_program));
                }
                Err(faults) => wrong.extend(faults),
            }
            if count > SHELL_REGEXES {
                return Err(vec![too_many_regexes(&program.name)]);
            }
        }
        match wrong.is_empty() {
            true => Ok(Self { declared: Some(Arc::new(Declared { wrappers, described, by_name })) }),
            false => Err(wrong),
        }
    }

    /// Whether these are the programs of the same policies.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.declared.as_ref().map(Arc::as_ptr) == other.declared.as_ref().map(Arc::as_ptr)
    }

    /// The programs that policies declare as wrappers.
    #[must_use]
    pub fn wrappers(&self) -> &[Wrapper] {
        self.declared.as_ref().map(|declared| declared.wrappers.as_slice()).unwrap_or_default()
    }

    /// The programs that policies describe.
    #[must_use]
    pub fn described(&self) -> &[Described] {
        self.declared.as_ref().map(|declared| declared.described.as_slice()).unwrap_or_default()
    }

    /// What the value of a variable of the environment is, if it is code.
    pub(crate) fn variable<'n>(&self, name: &'n str) -> Option<Content<'n>> {
        let declared = self.declared.iter().flat_map(|declared| declared.by_name.values());
        let roles = declared.filter_map(|program| Some((program.row.variable(name)?, program.kind)));
        let first = roles.map(|(role, kind)| Content::from_role(role, kind)).next();
        first.or_else(|| content(name))
    }

    /// The program of a name, without its directory: one of these, or a shipped one.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&'static Program> {
        let Some(declared) = &self.declared else { return program(name) };
        let exact = declared.by_name.get(name).copied();
        exact
            .or_else(|| program(name))
            .or_else(|| declared.by_name.get(without_version(without_system(name))).copied())
            .or_else(|| declared.by_name.get(without_version(&super::name(name))).copied())
    }

    /// The names of the first program of the row that a program of a name has.
    pub(crate) fn same_program(&self, name: &str) -> Vec<&'static str> {
        match &self.declared {
            None => same_program(name).collect(),
            Some(_) => self.find(name).into_iter().flat_map(|program| program.row.same_program()).collect(),
        }
    }
}

impl Default for &Programs {
    fn default() -> Self {
        static SHIPPED: Programs = Programs::SHIPPED;
        &SHIPPED
    }
}

/// Adds a row under each of its names that no shipped row has.
fn add(by_name: &mut ByName<&'static Program>, row: Row, is_shipped: fn(&str) -> bool) -> Option<Wrong> {
    let path = row.name().to_owned();
    let Some(program) = kept(row) else {
        let what = Fault::new("there are too many programs of policies", "describe fewer programs");
        return Some(Wrong { path, key: String::new(), what });
    };
    for name in program.row.names().filter(|name| !is_shipped(name)) {
        by_name.entry(name).or_insert(program);
    }
    None
}

/// Programs of policies that one process keeps. They stay until it ends, because the commands of lines refer to them,
/// and equal ones are kept once.
const KEPT: usize = 1 << 16;

/// The program of a row. The rows of equal programs are one.
fn kept(row: Row) -> Option<&'static Program> {
    static ROWS: LazyLock<Mutex<HashMap<&'static Row, &'static Program>>> = LazyLock::new(Mutex::default);
    let mut rows = ROWS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(program) = rows.get(&row) {
        return Some(program);
    }
    if rows.len() >= KEPT {
        return None;
    }
    let row: &'static Row = Box::leak(Box::new(row));
    let program: &'static Program = Box::leak(Box::new(Program::new(row)));
    rows.insert(row, program);
    Some(program)
}

impl Row {
    /// The row of a program that a policy describes.
    ///
    /// # Errors
    ///
    /// Reports all that is wrong with the table, and a program that has a row already: policies add programs, and change none.
    pub fn from_policy(name: &str, table: &Table) -> Result<Self, Vec<Wrong>> {
        let row = Self::from_table(name, table)?;
        let known: Vec<Wrong> =
            row.names().filter(|name| has_program(name)).map(|known| known_program(name, known)).collect();
        if known.is_empty() { Ok(row) } else { Err(known) }
    }

    /// The row of the table of a program.
    ///
    /// # Errors
    /// Reports all that is wrong with the table.
    pub fn from_table(name: &str, table: &Table) -> Result<Self, Vec<Wrong>> {
        let mut wrong = Vec::new();
        let draft = read(name, name, table, &mut wrong);
        let row = Self::from(shape(&draft, &mut wrong));
        match row.regexes() > SHELL_REGEXES {
            true => wrong.push(too_many_regexes(name)),
            false => row.check_regexes(name, &mut wrong),
        }
        if wrong.is_empty() { Ok(row) } else { Err(wrong) }
    }

    /// How many regexes it and its subcommands have.
    #[must_use]
    pub fn regexes(&self) -> usize {
        let escapes = self.text("escapes").map_or(0, |list| list.lines().count());
        let conditions: usize = self.ifs().iter().map(|one| one.regexes().count()).sum();
        escapes + conditions + self.subs().iter().map(Self::regexes).sum::<usize>()
    }

    /// Reports regexes that cannot be read.
    fn check_regexes(&self, path: &str, wrong: &mut Vec<Wrong>) {
        let mut report = |key: &str, what| {
            wrong.push(Wrong { path: path.to_owned(), key: key.to_owned(), what });
        };
        if let Some(what) = self.text("escapes").and_then(escapes::check) {
            report("escapes", what);
        }
        let broken = |(_, text): &(&str, &str)| regexes::read(text).is_err();
        for (key, text) in self.ifs().iter().flat_map(If::regexes).filter(broken) {
            let what = format!("`{text}` is no regex, or a very large one");
            report(key, Fault::new(what, "write a regex that some code of the program matches"));
        }
        self.subs().iter().for_each(|sub| sub.check_regexes(&format!("{path}.{}", sub.name()), wrong));
    }

    /// The row of a wrapper: its operands, and a command.
    fn from_wrapper(wrapper: &Wrapper) -> Self {
        let text = |text: String| Value::Text(text);
        let mut operands = "TEXT ".repeat(wrapper.operands);
        operands.push_str("COMMAND...");
        let options: Vec<String> = wrapper.options.iter().map(|option| format!("{option}=TEXT")).collect();
        let mut table: Table =
            vec![("operands".to_owned(), text(operands)), ("rest".to_owned(), text("harmless".to_owned()))];
        table.extend(["stops", "exact"].map(|key| (key.to_owned(), Value::Flag(key == "exact"))));
        if wrapper.has_long_dash() {
            table.push(("long_dash".to_owned(), Value::Flag(true)));
        }
        if !options.is_empty() {
            table.push(("options".to_owned(), text(options.join(" "))));
        }
        let draft = read(&wrapper.name, &wrapper.name, &table, &mut Vec::new());
        Self::from(shape(&draft, &mut Vec::new()))
    }
}

fn too_many_regexes(path: &str) -> Wrong {
    let what = format!("programs of policies have more than {SHELL_REGEXES} regexes");
    let what = Fault::new(what, "write fewer regexes, with `|` between their parts");
    Wrong { path: path.to_owned(), key: String::new(), what }
}

fn known_program(path: &str, name: &str) -> Wrong {
    let what = Fault::new(
        format!("`{name}` has a row already; a policy adds programs, and changes none"),
        "remove the declaration",
    );
    Wrong { path: path.to_owned(), key: String::new(), what }
}

impl From<Shaped> for Row {
    fn from(shaped: Shaped) -> Self {
        let Shaped { names, also, group, same_as, values: texts, ifs, subs } = shaped;
        let ifs = ifs.into_iter().map(|one| If::new(values(one))).collect();
        let subs = subs.into_iter().map(Self::from).collect();
        let [names, also, group, same_as] = [names, also, group, same_as].map(Cow::Owned);
        Self::new(names, also, group, same_as, values(texts), Cow::Owned(ifs), Cow::Owned(subs))
    }
}

fn values(texts: Vec<(&'static str, String)>) -> Values {
    Values::new(texts.into_iter().map(|(key, value)| (key, Cow::Owned(value))).collect())
}
