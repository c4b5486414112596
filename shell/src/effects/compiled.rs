//! Predicates that can be evaluated.

use std::sync::{Arc, OnceLock};

use super::command::{self, CommandPattern};
use super::pattern::choice::Choice;
use super::pattern::name::NamePattern;
use super::pattern::path::PathPattern;
use super::pattern::regex::{RegexList, RegexPattern};
use super::sets::{Fault, Source};
use super::{Actions, Guard, List, PatternKind, Predicate, Problem, ProblemKind, Set, Verb, guard, only};
use crate::programs::Programs;

/// A predicate. Its patterns are read when an event has an effect of its kind, and those of commands when an event has
/// such a command.
#[derive(Clone, Debug)]
pub struct Compiled {
    pub(super) predicate: Predicate,
    pub(super) source: Arc<Source>,
    form: OnceLock<Option<Form>>,
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

/// Reads the patterns of a predicate, but for those of commands, which are read when an event has such a command. `sets` are
/// those of the policy, which replace shipped ones of their name; `programs` are those that patterns of commands can name.
///
/// # Errors
/// The first pattern that cannot be read. [`check`] reports those of commands and regular expressions, too.
pub fn compile(predicate: &Predicate, sets: &[Set], programs: &Programs) -> Result<Compiled, Problem> {
    let Compiled { predicate, source, .. } = Compiled::new(predicate.clone(), sets, programs);
    let form = OnceLock::from(Some(read_form(&predicate, &source)?));
    Ok(Compiled { predicate, source, form })
}

fn read_form(predicate: &Predicate, source: &Arc<Source>) -> Result<Form, Problem> {
    let sets = source.sets();
    Ok(match predicate {
        Predicate::Guard(guard) => Form::Guard(Box::new(compile_guard(guard, 0, source)?)),
        Predicate::Only(guards) => {
            let compiled =
                guards.iter().enumerate().map(|(number, guard)| compile_guard(guard, number, source));
            Form::Only(compiled.collect::<Result<_, _>>()?)
        }
        Predicate::Unknown => Form::Unknown,
        Predicate::Mentions(texts) => {
            let found = sets.choice(texts, PatternKind::Text, &regex);
            Form::Mentions(RegexList::new(found.map_err(|(at, fault)| problem(0, List::Of, at, fault))?))
        }
        Predicate::Passed(patterns) => {
            let found = commands(patterns, source);
            Form::Passed(found.map_err(|(at, fault)| problem(0, List::Of, at, fault))?)
        }
    })
}

/// The patterns of a list of commands.
fn commands(patterns: &[String], source: &Arc<Source>) -> Result<Choice<CommandPattern>, (usize, Fault)> {
    let make = |text: &str| Ok(CommandPattern::new(text, source));
    Ok(source.sets().choice(patterns, PatternKind::Command, &make)?.indexed())
}

/// Like [`compile`], and reads each pattern and regular expression.
///
/// # Errors
/// The first pattern that cannot be read.
pub fn check(predicate: &Predicate, sets: &[Set], programs: &Programs) -> Result<Compiled, Problem> {
    let compiled = compile(predicate, sets, programs)?;
    // Each pattern for itself, so that a problem has its place.
    for (guard, list, patterns) in predicate.lists() {
        let kind = compiled.kind(guard, list);
        for (at, pattern) in patterns.iter().enumerate() {
            let sets = compiled.source.sets();
            let make = |text: &str| -> Result<(), Fault> {
                let regexes = match kind {
                    PatternKind::Text => RegexPattern::new(text).into_iter().collect(),
                    PatternKind::Command => {
                        command::read(text, sets)?;
                        command::regexes(text)
                    }
                    _ => Vec::new(),
                };
                regexes
                    .iter()
                    .try_for_each(|regex| regex.check().map_err(|reason| Fault::unreadable(text, reason)))
            };
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

fn compile_guard(guard: &Guard, number: usize, source: &Arc<Source>) -> Result<CompiledGuard, Problem> {
    let sets = source.sets();
    let objects = |list: List| -> Result<Objects, Problem> {
        let kind = PatternKind::for_list(guard.verb, list);
        let patterns = guard.list(list);
        let found = match kind {
            PatternKind::Path => {
                let path =
                    |text: &str| PathPattern::new(text).map_err(|reason| Fault::unreadable(text, reason));
                sets.choice(patterns, kind, &path).map(|paths| Objects::Paths(paths.indexed()))
            }
            PatternKind::Command => commands(patterns, source).map(Objects::Commands),
            _ => {
                let name = |text: &str| {
                    NamePattern::new(text, kind).map_err(|reason| Fault::unreadable(text, reason))
                };
                sets.choice(patterns, kind, &name).map(Objects::Names)
            }
        };
        found.map_err(|(at, fault)| problem(number, list, at, fault))
    };
    let causes = |list: List| -> Result<Choice<CommandPattern>, Problem> {
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
        by: causes(List::By)?,
        not_by: causes(List::NotBy)?,
    })
}

impl Predicate {
    /// Whether all that it asks about is which commands start.
    pub(super) const fn is_about_commands(&self) -> bool {
        match self {
            Self::Guard(guard) => matches!(guard.verb, Verb::Run),
            Self::Passed(_) => true,
            Self::Only(_) | Self::Unknown | Self::Mentions(_) => false,
        }
    }

    /// Whether it can be true of an event, whatever its patterns are.
    pub(super) fn can_hold(&self, actions: &Actions) -> bool {
        match self {
            Self::Guard(guard) => {
                guard.verb == Verb::Run && actions.commands().len() > 0
                    || guard.is_possible && actions.unknown().is_some()
                    || actions.kind_mask(guard::kinds(guard.verb)) != 0
            }
            Self::Only(_) => actions.unknown().is_none() && !actions.is_undeclared(),
            Self::Unknown => actions.unknown().is_some(),
            Self::Mentions(_) => actions.texts().len() > 0,
            Self::Passed(_) => actions.commands().len() > 0,
        }
    }
}

impl Compiled {
    /// A predicate whose patterns are all read when they are needed. [`is_readable`](Self::is_readable) tells whether they could be.
    #[must_use]
    pub fn new(predicate: Predicate, sets: &[Set], programs: &Programs) -> Self {
        let sets = predicate.used_sets(sets).into_iter().cloned().collect();
        Self { predicate, source: Arc::new(Source::new(sets, programs)), form: OnceLock::new() }
    }

    /// Whether each pattern could be read that was needed so far. If not, what [`holds`](Self::holds) says means nothing.
    #[must_use]
    pub fn is_readable(&self) -> bool {
        self.source.is_readable()
    }

    /// Its patterns; none if one cannot be read.
    pub(super) fn form(&self) -> Option<&Form> {
        let read = || read_form(&self.predicate, &self.source).inspect_err(|_| self.source.fail()).ok();
        self.form.get_or_init(read).as_ref()
    }

    /// The predicate that it was made of.
    #[must_use]
    pub const fn predicate(&self) -> &Predicate {
        &self.predicate
    }

    /// Whether the predicate is true of an event. `passed` does not ask whether the tool was successful.
    #[must_use]
    pub fn holds(&self, actions: &Actions) -> bool {
        let form = if self.predicate.can_hold(actions) { self.form() } else { None };
        form.is_some_and(|form| match form {
            Form::Guard(compiled) => guard::holds(compiled, actions),
            Form::Only(guards) => only::uncovered(guards, actions).is_none(),
            Form::Unknown => actions.unknown().is_some(),
            Form::Mentions(texts) => actions.texts().any(|text| texts.is_in(text)),
            Form::Passed(commands) => guard::passed(commands, actions).is_some(),
        })
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
