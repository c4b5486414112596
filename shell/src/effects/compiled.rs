//! Predicates that can be evaluated.

use super::command::{self, CommandPattern};
use super::pattern::choice::Choice;
use super::pattern::name::NamePattern;
use super::pattern::path::PathPattern;
use super::pattern::regex::{RegexList, RegexPattern};
use super::sets::{Fault, Sets};
use super::{Actions, Guard, List, PatternKind, Predicate, Problem, ProblemKind, Set, Verb, guard, only};
use crate::programs::Programs;

/// A predicate whose patterns are read.
#[derive(Clone, Debug)]
pub struct Compiled {
    pub(super) predicate: Predicate,
    pub(super) sets: Vec<Set>,
    pub(super) programs: Programs,
    pub(super) form: Form,
}

#[derive(Clone, Debug)]
pub(super) enum Form {
    Guard(Box<CompiledGuard>),
    Only(Vec<CompiledGuard>),
    Unknown,
    Mentions(RegexList),
    Passed(Choice<CommandPattern>),
}

#[derive(Clone, Debug)]
pub(super) struct CompiledGuard {
    pub(super) verb: Verb,
    pub(super) is_possible: bool,
    pub(super) of: Objects,
    pub(super) except: Objects,
    pub(super) by: Choice<CommandPattern>,
    pub(super) not_by: Choice<CommandPattern>,
}

/// The patterns of a list of a guard.
#[derive(Clone, Debug)]
pub(super) enum Objects {
    Paths(Choice<PathPattern>),
    Names(Choice<NamePattern>),
    Commands(Choice<CommandPattern>),
}

/// Reads the patterns of a predicate. `sets` are those of the policy, which replace shipped ones of their name;
/// `programs` are those that patterns of commands can name. Regular expressions are compiled when they are first needed; [`check`] compiles them, too.
///
/// # Errors
/// The first pattern that cannot be read.
pub fn compile(predicate: &Predicate, sets: &[Set], programs: &Programs) -> Result<Compiled, Problem> {
    let used: Vec<Set> = predicate.used_sets(sets).into_iter().cloned().collect();
    let reader = Sets { declared: &used, programs };
    let form = match predicate {
        Predicate::Guard(guard) => Form::Guard(Box::new(compile_guard(guard, 0, reader)?)),
        Predicate::Only(guards) => {
            let compiled =
                guards.iter().enumerate().map(|(number, guard)| compile_guard(guard, number, reader));
            Form::Only(compiled.collect::<Result<_, _>>()?)
        }
        Predicate::Unknown => Form::Unknown,
        Predicate::Mentions(texts) => {
            let found = reader.choice(texts, PatternKind::Text, &regex);
            Form::Mentions(RegexList::new(found.map_err(|(at, fault)| problem(0, List::Of, at, fault))?))
        }
        Predicate::Passed(commands) => {
            let found =
                reader.choice(commands, PatternKind::Command, &|pattern| command::read(pattern, reader));
            Form::Passed(found.map_err(|(at, fault)| problem(0, List::Of, at, fault))?.indexed())
        }
    };
    Ok(Compiled { predicate: predicate.clone(), sets: used, programs: programs.clone(), form })
}

/// Like [`compile`], and compiles each regular expression.
///
/// # Errors
/// The first pattern that cannot be read.
pub fn check(predicate: &Predicate, sets: &[Set], programs: &Programs) -> Result<Compiled, Problem> {
    let compiled = compile(predicate, sets, programs)?;
    // Each pattern for itself, so that a problem has its place.
    for (guard, list, patterns) in predicate.lists() {
        let kind = compiled.kind(guard, list);
        for (at, pattern) in patterns.iter().enumerate() {
            let make = |text: &str| -> Result<(), Fault> {
                let regexes = match kind {
                    PatternKind::Text => RegexPattern::new(text).into_iter().collect(),
                    PatternKind::Command => command::regexes(text),
                    _ => Vec::new(),
                };
                regexes
                    .iter()
                    .try_for_each(|regex| regex.check().map_err(|reason| Fault::unreadable(text, reason)))
            };
            let sets = Sets { declared: &compiled.sets, programs };
            sets.choice(&[pattern], kind, &make).map_err(|(_, fault)| problem(guard, list, at, fault))?;
        }
    }
    Ok(compiled)
}

fn problem(guard: usize, list: List, at: usize, fault: Fault) -> Problem {
    Problem { guard, list, at, range: fault.range, in_set: fault.in_set, kind: fault.kind }
}

fn regex(pattern: &str) -> Result<RegexPattern, Fault> {
    let reason = "write a regular expression between slashes: `/text/`, or `/text/i` in any case";
    RegexPattern::new(pattern).ok_or_else(|| Fault::unreadable(pattern, reason))
}

fn compile_guard(guard: &Guard, number: usize, sets: Sets<'_>) -> Result<CompiledGuard, Problem> {
    let objects = |list: List| -> Result<Objects, Problem> {
        let kind = PatternKind::for_list(guard.verb, list);
        let patterns = guard.list(list);
        let found = match kind {
            PatternKind::Path => {
                let path =
                    |text: &str| PathPattern::new(text).map_err(|reason| Fault::unreadable(text, reason));
                sets.choice(patterns, kind, &path).map(|paths| Objects::Paths(paths.indexed()))
            }
            PatternKind::Command => {
                let found = sets.choice(patterns, kind, &|text| command::read(text, sets));
                found.map(|commands| Objects::Commands(commands.indexed()))
            }
            _ => {
                let name = |text: &str| {
                    NamePattern::new(text, kind).map_err(|reason| Fault::unreadable(text, reason))
                };
                sets.choice(patterns, kind, &name).map(Objects::Names)
            }
        };
        found.map_err(|(at, fault)| problem(number, list, at, fault))
    };
    let commands = |list: List| -> Result<Choice<CommandPattern>, Problem> {
        if guard.verb == Verb::Run && !guard.list(list).is_empty() {
            let range = 0..guard.list(list).first().map_or(0, String::len);
            return Err(Problem {
                guard: number,
                list,
                at: 0,
                range,
                in_set: None,
                kind: ProblemKind::NotHere,
            });
        }
        match objects(list)? {
            Objects::Commands(commands) => Ok(commands),
            Objects::Paths(_) | Objects::Names(_) => Ok(Choice::default()),
        }
    };
    Ok(CompiledGuard {
        verb: guard.verb,
        is_possible: guard.is_possible,
        of: objects(List::Of)?,
        except: objects(List::Except)?,
        by: commands(List::By)?,
        not_by: commands(List::NotBy)?,
    })
}

impl Compiled {
    /// The predicate that it was made of.
    #[must_use]
    pub const fn predicate(&self) -> &Predicate {
        &self.predicate
    }

    /// Whether the predicate is true of an event. `passed` does not ask whether the tool was successful.
    #[must_use]
    pub fn holds(&self, actions: &Actions) -> bool {
        match &self.form {
            Form::Guard(compiled) => guard::holds(compiled, actions),
            Form::Only(guards) => only::uncovered(guards, actions).is_none(),
            Form::Unknown => actions.unknown().is_some(),
            Form::Mentions(texts) => actions.texts().any(|text| texts.is_in(text)),
            Form::Passed(commands) => guard::passed(commands, actions).is_some(),
        }
    }

    /// What the patterns of a list are about.
    fn kind(&self, guard: usize, list: List) -> PatternKind {
        match &self.predicate {
            Predicate::Mentions(_) => PatternKind::Text,
            Predicate::Passed(_) => PatternKind::Command,
            predicate => {
                let guard = predicate.guards().get(guard);
                guard.map_or(PatternKind::Text, |guard| PatternKind::for_list(guard.verb, list))
            }
        }
    }
}
