//! What a shell remembers: variables, functions, aliases, its directory.

use std::rc::Rc;

use super::super::arena::{Arena, Symbol, Token, Words};
use super::super::tree::Node;
use super::Walk;
use crate::limits;

/// The value of a variable that the line sets.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    Text(Token),
    List(Words),
    Unset,
    Unknown,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Variable {
    pub(super) name: Symbol,
    pub(super) value: Option<Value>,
    pub(super) exported: bool,
}

/// The positional parameters.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Args {
    #[default]
    None,
    Known(Words),
    Unknown,
}

/// A directory: its number, and the one that it is if a change failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Place {
    pub(in super::super) dir: Option<u32>,
    pub(in super::super) other: Option<Option<u32>>,
}

impl Default for Place {
    fn default() -> Self {
        Self { dir: Some(0), other: None }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// By name.
    pub(super) variables: Rc<Vec<Variable>>,
    /// The numbers of the functions that a name can be.
    pub(super) functions: Rc<Vec<(Symbol, u32)>>,
    pub(super) aliases: Rc<Vec<(Symbol, Option<Token>)>>,
    /// Aliases of git.
    pub(super) git: Rc<Vec<(Symbol, Token)>>,
    pub(super) args: Args,
    pub(super) place: Place,
    pub(super) old: Option<u32>,
    pub(super) stack: Rc<Vec<Option<u32>>>,
}

impl State {
    pub(super) fn get(&self, name: Symbol) -> Option<Value> {
        let at = self.variables.binary_search_by_key(&name, |own| own.name).ok()?;
        self.variables.get(at)?.value
    }

    pub(super) fn variable(&self, name: Symbol) -> Variable {
        let at = self.variables.binary_search_by_key(&name, |own| own.name).ok();
        let own = at.and_then(|at| self.variables.get(at)).copied();
        own.unwrap_or(Variable { name, value: None, exported: false })
    }

    pub(super) fn put(&mut self, variable: Variable) {
        let variables = Rc::make_mut(&mut self.variables);
        match variables.binary_search_by_key(&variable.name, |own| own.name) {
            Ok(at) => {
                if let Some(own) = variables.get_mut(at) {
                    *own = variable;
                }
            }
            Err(at) => variables.insert(at, variable),
        }
    }

    pub(super) fn set(&mut self, name: Symbol, value: Value) {
        let exported = self.variable(name).exported;
        // With too many variables, none of the later ones is known.
        let is_full = self.variables.len() >= limits::SHELL_VARIABLES;
        let value = if is_full { Value::Unknown } else { value };
        self.put(Variable { name, value: Some(value), exported });
    }

    /// What a child process sees.
    pub(super) fn child(&mut self) {
        if self.variables.iter().any(|own| !own.exported) {
            Rc::make_mut(&mut self.variables).retain(|own| own.exported);
        }
        self.functions = Rc::default();
        self.aliases = Rc::default();
    }
}

fn same(a: Option<Value>, b: Option<Value>, arena: &Arena) -> bool {
    let equal = |a: Token, b: Token| arena.text(a) == arena.text(b) && arena.marks(a) == arena.marks(b);
    match (a, b) {
        (None, None) | (Some(Value::Unset), Some(Value::Unset)) => true,
        (Some(Value::Unknown), Some(Value::Unknown)) => true,
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

impl Walk<'_> {
    /// The state after two ways that lead here; whether the current one has changed.
    pub(super) fn merge(&mut self, other: &State) -> bool {
        let mut changed = false;
        if !Rc::ptr_eq(&self.state.variables, &other.variables) {
            self.steps += self.state.variables.len() + other.variables.len();
            let names: Vec<Symbol> =
                self.state.variables.iter().chain(other.variables.iter()).map(|own| own.name).collect();
            let special = ["IFS", "HOME", "PWD"].map(|name| self.arena.known_symbol(name));
            for name in names {
                let (own, theirs) = (self.state.variable(name), other.variable(name));
                if !same(own.value, theirs.value, &self.arena) {
                    // What the line has not set was unknown before.
                    let known = match own.value {
                        None => special.contains(&Some(name)),
                        Some(value) => !matches!(value, Value::Unknown),
                    };
                    changed |= known;
                    let exported = own.exported || theirs.exported;
                    self.state.put(Variable { name, value: Some(Value::Unknown), exported });
                }
            }
        }
        let (functions, own) = (other.functions.clone(), self.state.functions.clone());
        if !Rc::ptr_eq(&functions, &own) {
            let new: Vec<_> = functions.iter().filter(|function| !own.contains(function)).copied().collect();
            Rc::make_mut(&mut self.state.functions).extend(new);
        }
        if !Rc::ptr_eq(&self.state.aliases, &other.aliases) {
            let new = other.aliases.iter().copied();
            let old = &self.state.aliases;
            let new: Vec<_> = new.filter(|(name, _)| !old.iter().any(|(own, _)| own == name)).collect();
            Rc::make_mut(&mut self.state.aliases).extend(new);
        }
        let git: Vec<_> = if Rc::ptr_eq(&self.state.git, &other.git) {
            Vec::new()
        } else {
            other.git.iter().skip(self.state.git.len()).copied().collect()
        };
        if !git.is_empty() {
            Rc::make_mut(&mut self.state.git).extend(git);
        }
        self.merge_place(other) || changed
    }

    fn merge_place(&mut self, other: &State) -> bool {
        match (self.state.args, other.args) {
            (Args::None, Args::None) | (Args::Unknown, _) => {}
            (Args::Known(a), Args::Known(b)) if a == b => {}
            _ => self.state.args = Args::Unknown,
        }
        let (own, theirs) = (self.state.place, other.place);
        if own == theirs {
            return false;
        }
        let all = [Some(own.dir), own.other, Some(theirs.dir), theirs.other];
        let mut others: Vec<Option<u32>> = all.into_iter().flatten().filter(|dir| *dir != own.dir).collect();
        others.dedup();
        let new = match others.as_slice() {
            [] => own,
            [one] => Place { dir: own.dir, other: Some(*one) },
            _ => Place { dir: own.dir, other: Some(None) },
        };
        self.state.place = new;
        new != own
    }

    /// Every variable that the line sets has an unknown value from here on.
    pub(super) fn forget(&mut self) {
        for variable in Rc::make_mut(&mut self.state.variables) {
            variable.value = Some(Value::Unknown);
        }
        self.state.place = Place { dir: None, other: None };
    }

    pub(super) fn define(&mut self, name: Symbol, body: &Rc<Node>) {
        let number = super::super::arena::short(self.functions.len());
        self.functions.push((body.clone(), false));
        let functions = Rc::make_mut(&mut self.state.functions);
        functions.retain(|(own, _)| *own != name);
        functions.push((name, number));
    }
}
