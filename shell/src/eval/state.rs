//! What a shell remembers: variables, functions, aliases, its directory.

use std::ops::Deref;
use std::rc::Rc;

use super::super::arena::Arena;
use super::super::token::{Symbol, Token, Words, long, short};
use super::super::tree::Node;
use super::Walk;
use crate::limits;

/// A list that states share until one of them changes it; an empty one needs no memory.
#[derive(Clone, Debug)]
pub(super) struct Shared<T>(Option<Rc<Vec<T>>>);

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Deref for Shared<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0.as_ref().map_or(&[], |items| items.as_slice())
    }
}

impl<T: Clone> Shared<T> {
    /// The list for a change.
    pub(super) fn make_mut(&mut self) -> &mut Vec<T> {
        Rc::make_mut(self.0.get_or_insert_default())
    }

    /// Whether two states share one list.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(ours), Some(other)) => Rc::ptr_eq(ours, other),
            (ours, other) => ours.is_none() && other.is_none(),
        }
    }
}

/// The value of a variable that the line sets.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    Text(Token),
    List(Words),
    Unset,
    Unknown,
    /// Unknown, but [inert](super::super::token::Special::Inert).
    Inert,
}

impl Value {
    pub(super) const fn is_open(self) -> bool {
        matches!(self, Self::Unknown | Self::Inert)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Variable {
    pub(super) name: Symbol,
    pub(super) value: Option<Value>,
    pub(super) exported: bool,
    /// What an assignment makes of it is unknown: it is readonly, or has an attribute such as `-l`.
    pub(super) guarded: bool,
    /// What it gets is evaluated as a number: `declare -i`.
    pub(super) is_integer: bool,
    /// Its subscripts are texts: `declare -A`.
    pub(super) has_keys: bool,
}

impl Variable {
    fn new(name: Symbol) -> Self {
        Self { name, value: None, exported: false, guarded: false, is_integer: false, has_keys: false }
    }

    /// With the attributes that it has after one way or the other. Subscripts are texts only after both.
    fn with_attributes(self, other: Self) -> Self {
        Self {
            exported: self.exported || other.exported,
            guarded: self.guarded || other.guarded,
            is_integer: self.is_integer || other.is_integer,
            has_keys: self.has_keys && other.has_keys,
            ..self
        }
    }

    fn lacks_attributes(self, other: Self) -> bool {
        other.guarded && !self.guarded
            || other.is_integer && !self.is_integer
            || self.has_keys && !other.has_keys
    }
}

/// Stands for the program of a name that is a function only on one of two ways.
pub(super) const PROGRAM: u32 = u32::MAX;

/// The positional parameters.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Args {
    #[default]
    None,
    Known(Words),
    Unknown,
    /// Those of a function that something outside of the line calls.
    Outside,
}

impl Args {
    pub(super) fn is_same(self, other: Self) -> bool {
        match (self, other) {
            (Self::None, Self::None) | (Self::Unknown, Self::Unknown) | (Self::Outside, Self::Outside) => {
                true
            }
            (Self::Known(ours), Self::Known(other)) => ours == other,
            _ => false,
        }
    }
}

/// A directory: its number, and the one that it is if a change failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Place {
    pub(in super::super) dir: Option<u32>,
    pub(in super::super) other: Option<Option<u32>>,
    /// It is one of the two after different ways, neither of which is more likely.
    pub(in super::super) is_either: bool,
}

impl Place {
    pub(super) const fn at(dir: Option<u32>) -> Self {
        Self { dir, other: None, is_either: false }
    }
}

impl Default for Place {
    fn default() -> Self {
        Self::at(Some(0))
    }
}

/// What names mean; most lines set none.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// By name.
    pub(super) variables: Shared<Variable>,
    /// Some variables are other names of variables (`declare -n`), so the value of none is known.
    pub(super) has_references: bool,
    /// The numbers of the functions that a name can be, and [`PROGRAM`].
    pub(super) functions: Shared<(Symbol, u32)>,
    pub(super) aliases: Shared<(Symbol, Option<Token>)>,
    /// Aliases of git.
    pub(super) git: Shared<(Symbol, Token)>,
    /// Functions that child shells get.
    pub(super) exported: Shared<Symbol>,
    /// The directories of `pushd`.
    pub(super) stack: Shared<Option<u32>>,
}

/// The meaning of names if none is set.
const NOTHING: &Names = &Names {
    variables: Shared(None),
    has_references: false,
    functions: Shared(None),
    aliases: Shared(None),
    git: Shared(None),
    exported: Shared(None),
    stack: Shared(None),
};

#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// States share it until one of them changes it.
    names: Option<Rc<Names>>,
    pub(super) args: Args,
    /// `$0`, if it is a word of the line.
    pub(super) zero: Option<Token>,
    pub(super) place: Place,
    pub(super) old: Option<u32>,
    /// The number of the directory, if its path is unknown.
    pub(super) lost: u32,
    /// The descriptors that `exec` has opened.
    pub(super) exec: u32,
    /// The shell prints what it runs: `set -x`.
    pub(super) is_traced: bool,
    /// It exports each variable that is set: `set -a`.
    pub(super) exports_all: bool,
}

impl State {
    pub(super) fn names(&self) -> &Names {
        self.names.as_deref().unwrap_or(NOTHING)
    }

    /// The meaning of names, for a change.
    pub(super) fn names_mut(&mut self) -> &mut Names {
        Rc::make_mut(self.names.get_or_insert_default())
    }

    /// Whether names mean something.
    pub(super) const fn has_names(&self) -> bool {
        self.names.is_some()
    }

    /// A state in which names mean the same, and nothing else is set.
    pub(super) fn of_names(&self) -> Self {
        Self { names: self.names.clone(), ..Self::default() }
    }

    /// Gives names the meaning that they have in another state.
    pub(super) fn take_names(&mut self, other: Self) {
        self.names = other.names;
    }

    /// Whether no name has changed between two states.
    pub(super) fn has_names_of(&self, other: &Self) -> bool {
        match (&self.names, &other.names) {
            (Some(ours), Some(other)) => Rc::ptr_eq(ours, other),
            (ours, other) => ours.is_none() && other.is_none(),
        }
    }

    pub(super) fn get(&self, name: Symbol) -> Option<Value> {
        if self.names().has_references {
            return Some(Value::Unknown);
        }
        let variables = &self.names().variables;
        let at = variables.binary_search_by_key(&name, |variable| variable.name).ok()?;
        variables.get(at)?.value
    }

    pub(super) fn variable(&self, name: Symbol) -> Variable {
        let variables = &self.names().variables;
        let at = variables.binary_search_by_key(&name, |variable| variable.name).ok();
        let variable = at.and_then(|at| variables.get(at)).copied();
        variable.unwrap_or(Variable::new(name))
    }

    /// Whether what a variable gets is evaluated. It can be another name of each integer.
    pub(super) fn is_integer(&self, name: Symbol) -> bool {
        let names = self.names();
        let is_number =
            |variable: &Variable| variable.is_integer && (variable.name == name || names.has_references);
        names.variables.iter().any(is_number)
    }

    pub(super) fn put(&mut self, variable: Variable) {
        let variables = self.names_mut().variables.make_mut();
        match variables.binary_search_by_key(&variable.name, |known| known.name) {
            Ok(at) => {
                if let Some(known) = variables.get_mut(at) {
                    *known = variable;
                }
            }
            Err(at) => variables.insert(at, variable),
        }
    }

    pub(super) fn set(&mut self, name: Symbol, value: Value) {
        let variable = self.variable(name);
        // With too many variables, none of the later ones is known.
        let is_full = self.names().variables.len() >= limits::SHELL_VARIABLES;
        let value = match value {
            _ if variable.guarded && variable.is_integer => Value::Inert,
            Value::Inert if !variable.guarded => value,
            _ if is_full || variable.guarded => Value::Unknown,
            _ => value,
        };
        let exported = variable.exported || self.exports_all;
        self.put(Variable { value: Some(value), exported, ..variable });
    }

    /// Makes a variable unknown, also after each assignment from here on.
    pub(super) fn guard(&mut self, name: Symbol) {
        let variable = self.variable(name);
        self.put(Variable { value: Some(Value::Unknown), guarded: true, ..variable });
    }

    /// Sets a variable that child processes get.
    pub(super) fn export(&mut self, name: Symbol, value: Value) {
        self.set(name, value);
        let variable = self.variable(name);
        self.put(Variable { exported: true, ..variable });
    }

    /// Gives every variable that the line sets this value.
    pub(super) fn set_all(&mut self, value: Value) {
        if self.names.is_none() {
            return;
        }
        for variable in self.names_mut().variables.make_mut() {
            variable.value = Some(value);
        }
    }

    /// The variables that were set since another state, also to the same value.
    pub(super) fn reassigned(&self, before: &Self) -> Vec<Symbol> {
        if self.has_names_of(before) {
            return Vec::new();
        }
        let is_other =
            |variable: &&Variable| is_reassigned(variable.value, before.variable(variable.name).value);
        self.names().variables.iter().filter(is_other).map(|variable| variable.name).collect()
    }

    /// The variables that were set or exported since another state.
    pub(super) fn set_since<'s>(&'s self, before: &'s Self) -> impl Iterator<Item = &'s Variable> {
        let (now, earlier) = (&self.names().variables, &before.names().variables);
        let now: &[Variable] = if now.is_same(earlier) { &[] } else { now };
        let mut rest = earlier.iter().peekable();
        now.iter().filter(move |variable| {
            while rest.next_if(|other| other.name < variable.name).is_some() {}
            rest.peek().is_none_or(|other| {
                other.name != variable.name
                    || other.exported != variable.exported
                    || is_reassigned(variable.value, other.value)
            })
        })
    }

    /// What a child process sees.
    pub(super) fn child(&mut self, arena: &Arena) {
        (self.is_traced, self.exports_all) = (false, false);
        if self.names.is_none() {
            return;
        }
        // Most shells ignore the one that they get.
        if let Some(name) = arena.known_symbol("IFS").filter(|name| self.variable(*name).exported) {
            self.set(name, Value::Unknown);
        }
        let hidden = self.names().variables.iter().any(|one| !one.exported);
        let names = self.names_mut();
        if hidden {
            names.variables.make_mut().retain(|one| one.exported);
        }
        // Of the shells, only bash gets them.
        let exported = names.exported.clone();
        if names.functions.iter().any(|(one, _)| exported.contains(one)) {
            let functions = names.functions.make_mut();
            functions.retain(|(one, number)| exported.contains(one) && *number != PROGRAM);
            functions.extend(exported.iter().map(|one| (*one, PROGRAM)));
        } else {
            names.functions = Shared::default();
        }
        names.aliases = Shared::default();
    }
}

/// Whether a variable got a value, also an equal one.
fn is_reassigned(ours: Option<Value>, other: Option<Value>) -> bool {
    match (ours, other) {
        (Some(Value::Text(ours)), Some(Value::Text(other))) => ours.start() != other.start(),
        (Some(Value::List(ours)), Some(Value::List(other))) => ours != other,
        (Some(Value::Unset), Some(Value::Unset)) | (None, None) => false,
        (Some(Value::Unknown), Some(Value::Unknown)) | (Some(Value::Inert), Some(Value::Inert)) => false,
        _ => true,
    }
}

fn same(a: Option<Value>, b: Option<Value>, arena: &Arena) -> bool {
    let equal = |a: Token, b: Token| arena.text(a) == arena.text(b) && arena.marks(a) == arena.marks(b);
    match (a, b) {
        (None, None) | (Some(Value::Unset), Some(Value::Unset)) => true,
        (Some(Value::Unknown), Some(Value::Unknown)) | (Some(Value::Inert), Some(Value::Inert)) => true,
        (Some(Value::Text(a)), Some(Value::Text(b))) => equal(a, b),
        (Some(Value::List(a)), Some(Value::List(b))) => {
            a == b || {
                let (a, b) = (arena.words(a), arena.words(b));
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(*a, *b))
            }
        }
        _ => false,
    }
}

/// The functions that names are after two ways; a name without a function on one of them is its
/// program too.
fn merged_functions(ours: &[(Symbol, u32)], theirs: &[(Symbol, u32)]) -> Vec<(Symbol, u32)> {
    let mut functions = ours.to_vec();
    functions.extend(theirs.iter().filter(|function| !ours.contains(function)));
    let lacks = |list: &[(Symbol, u32)], name: Symbol| !list.iter().any(|(ours, _)| *ours == name);
    let mut programs: Vec<(Symbol, u32)> = Vec::new();
    for (name, _) in &functions {
        let program = (*name, PROGRAM);
        if (lacks(ours, *name) || lacks(theirs, *name))
            && !functions.contains(&program)
            && !programs.contains(&program)
        {
            programs.push(program);
        }
    }
    functions.append(&mut programs);
    functions
}

impl Walk {
    /// The state after two ways that lead here; whether the current one has changed.
    pub(super) fn merge(&mut self, other: &State) -> bool {
        let joins = self.state.place.dir != other.place.dir;
        let is_either = joins || self.state.place.is_either || other.place.is_either;
        let changed = self.merge_failed(other);
        std::mem::replace(&mut self.state.place.is_either, is_either) != is_either || changed
    }

    /// Like `merge`, after a command that may have failed: its directory is that after success.
    pub(super) fn merge_failed(&mut self, failed: &State) -> bool {
        let changed = !self.state.has_names_of(failed) && self.merge_names(failed);
        self.state.is_traced |= failed.is_traced;
        self.state.exports_all |= failed.exports_all;
        let changed = self.merge_descriptors(failed) || changed;
        self.merge_place(failed) || changed
    }

    fn merge_names(&mut self, other: &State) -> bool {
        let theirs = other.names();
        let is_same = self.state.names().variables.is_same(&theirs.variables);
        let mut changed = !is_same && self.merge_variables(other);
        let ours = self.state.names().clone();
        if theirs.has_references && !ours.has_references {
            self.state.names_mut().has_references = true;
        }
        if !theirs.functions.is_same(&ours.functions) {
            let new = merged_functions(&ours.functions, &theirs.functions);
            changed |= new.len() > ours.functions.len();
            *self.state.names_mut().functions.make_mut() = new;
        }
        if !theirs.aliases.is_same(&ours.aliases) {
            let count = ours.aliases.len().saturating_add(theirs.aliases.len());
            self.steps += count.saturating_mul(theirs.aliases.len()) / 16;
            let before = ours.aliases.len();
            theirs.aliases.iter().for_each(|(name, text)| self.define_alias(*name, *text));
            changed |= self.state.names().aliases.len() > before;
        }
        let git: &[(Symbol, Token)] = if theirs.git.is_same(&ours.git) { &[] } else { &theirs.git };
        self.steps += ours.git.len().saturating_mul(git.len()) / 16;
        let is_new = |(name, text): &&(Symbol, Token)| {
            let is_equal = |(ours, other): &(Symbol, Token)| {
                ours == name && self.arena.text(*other) == self.arena.text(*text)
            };
            !ours.git.iter().any(is_equal)
        };
        let git: Vec<(Symbol, Token)> = git.iter().filter(is_new).copied().collect();
        if !git.is_empty() {
            self.state.names_mut().git.make_mut().extend(git);
            changed = true;
        }
        changed
    }

    fn merge_variables(&mut self, other: &State) -> bool {
        let (ours, theirs) = (&self.state.names().variables, &other.names().variables);
        self.steps += ours.len() + theirs.len();
        let names: Vec<Symbol> = ours.iter().chain(theirs.iter()).map(|ours| ours.name).collect();
        let mut changed = false;
        for name in names {
            let (ours, theirs) = (self.state.variable(name), other.variable(name));
            if !same(ours.value, theirs.value, &self.arena) {
                // What the line has not set was unknown before.
                let known = match ours.value {
                    None => {
                        let is_name = |ours: &str| self.arena.known_symbol(ours) == Some(name);
                        ["IFS", "HOME", "PWD"].into_iter().any(is_name)
                    }
                    Some(value) => !value.is_open(),
                };
                let inert = self.is_inert(ours.value) && self.is_inert(theirs.value);
                changed |= known || !inert && matches!(ours.value, Some(Value::Inert));
                let value = Some(if inert { Value::Inert } else { Value::Unknown });
                self.state.put(Variable { value, ..ours.with_attributes(theirs) });
            } else if ours.lacks_attributes(theirs) {
                self.state.put(ours.with_attributes(theirs));
            }
        }
        changed
    }

    fn merge_place(&mut self, other: &State) -> bool {
        let changed = !matches!(self.state.args, Args::Unknown) && !self.state.args.is_same(other.args);
        if changed {
            self.state.args = Args::Unknown;
        }
        if self.state.zero.map(Token::start) != other.zero.map(Token::start) {
            self.state.zero = None;
        }
        let (ours, theirs) = (self.state.place, other.place);
        if ours == theirs {
            return changed;
        }
        let places = [ours.other, Some(theirs.dir), theirs.other];
        let mut others = places.into_iter().flatten().filter(|dir| *dir != ours.dir);
        let new = match others.next() {
            None => ours,
            Some(one) if others.all(|other| other == one) => Place { other: Some(one), ..ours },
            Some(_) => Place { other: Some(None), ..ours },
        };
        self.state.place = new;
        changed || new != ours
    }

    /// The directory is one of unknown path.
    pub(super) fn forget_cwd(&mut self) {
        self.lost += 1;
        (self.state.place, self.state.lost) = (Place::at(None), self.lost);
    }

    /// Every variable that the line sets has an unknown value from here on.
    pub(super) fn forget(&mut self) {
        self.state.set_all(Value::Unknown);
        self.forget_cwd();
    }

    pub(super) fn define(&mut self, name: Symbol, body: &Rc<Node>) {
        let is_body = |(_, number): &&(Symbol, u32)| {
            let known = self.functions.get(long(*number));
            known.is_some_and(|(known, _)| Rc::ptr_eq(known, body))
        };
        // In a loop it is the same one each time.
        let known =
            self.state.names().functions.iter().filter(|(function, _)| *function == name).find(is_body);
        let number = known.map_or(short(self.functions.len()), |(_, number)| *number);
        if known.is_none() {
            self.functions.push((body.clone(), false));
        }
        let functions = self.state.names_mut().functions.make_mut();
        functions.retain(|(function, _)| *function != name);
        functions.push((name, number));
    }
}
