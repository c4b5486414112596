//! Evaluates `only`: everything that an event does is listed.

use super::command::{CommandPattern, Context, Simple};
use super::compiled::{CompiledGuard, Objects};
use super::guard::{is_by, object};
use super::pattern::machine::Meter;
use super::pattern::path::{Object, PathPattern};
use super::pattern::reading::Reading;
use super::sets::variables;
use super::{Act, Actions, Effect, Kind, Scheme, Text, UnknownCause, Verb};

/// Why `only` is false.
#[derive(Clone, Copy, Debug)]
pub enum Uncovered<'a> {
    /// Part of what the event does is unknown.
    Unknown(UnknownCause),
    /// Nobody declares what the tool does.
    Undeclared,
    /// The event does nothing.
    Nothing,
    /// A variable that can change what programs do.
    Variable(&'a str),
    /// A command that no guard lists, and whose words do not tell all that it does.
    Command(Act<'a>),
    /// A command whose program has a path that no guard lists.
    Path(Act<'a>),
    /// A command with a variable in front of it that can change what it does.
    Setting(Act<'a>, &'a str),
    /// A command with words that its guard does not list: options, unknown words.
    Words(Act<'a>),
    /// A command that does not certainly start in the project.
    Place(Act<'a>),
    /// An effect that no guard lists.
    Effect(Effect<'a>),
}

/// The first thing that no guard covers.
pub(super) fn uncovered<'a>(guards: &[CompiledGuard], actions: &'a Actions) -> Option<Uncovered<'a>> {
    if let Some(cause) = actions.unknown() {
        return Some(Uncovered::Unknown(cause));
    }
    if actions.is_undeclared() {
        return Some(Uncovered::Undeclared);
    }
    if actions.commands().len() == 0 && actions.effects().len() == 0 {
        return Some(Uncovered::Nothing);
    }
    if let Some((name, _)) =
        actions.variables().find(|(name, is_exported)| !variables::is_harmless(name, *is_exported))
    {
        return Some(Uncovered::Variable(name));
    }
    let meter = Meter::default();
    let context = Context { actions, meter: &meter, reading: Reading::Permit };
    let only = Only { guards, context };
    let command = actions.commands().find_map(|act| only.uncovered_command(act));
    command.or_else(|| {
        let mut effects = actions.effects().filter(|effect| effect.kind != Kind::Run);
        effects.find(|effect| !only.permits(effect)).map(Uncovered::Effect)
    })
}

/// The guards of `only`, and the event.
struct Only<'g, 'a> {
    guards: &'g [CompiledGuard],
    context: Context<'a>,
}

impl<'g> Only<'g, '_> {
    fn uncovered_command<'a>(&self, act: Act<'a>) -> Option<Uncovered<'a>> {
        // Redirections without a program.
        if act.words().len() == 0 {
            return None;
        }
        let listed = self.listed(act);
        let is_plain = act.is_plain() && !act.has_unlisted();
        if listed.is_none() && !is_plain {
            return Some(Uncovered::Command(act));
        }
        if act.path().is_some() && !listed.is_some_and(|pattern| pattern.has_program_path(act, self.context))
        {
            return Some(Uncovered::Path(act));
        }
        if let Some((name, _)) = act.env().find(|(name, _)| !variables::is_harmless(name, true)) {
            return Some(Uncovered::Setting(act, name));
        }
        if is_plain {
            return None;
        }
        if !listed.is_some_and(|pattern| pattern.covers_words(act, self.context)) {
            return Some(Uncovered::Words(act));
        }
        (!self.starts_in_project(act)).then_some(Uncovered::Place(act))
    }

    /// The first pattern of `runs` that a command matches.
    fn listed(&self, act: Act<'_>) -> Option<&'g Simple> {
        let context = self.context;
        self.guards.iter().find_map(|guard| {
            let (Objects::Commands(of), Objects::Commands(except)) = (&guard.of, &guard.except) else {
                return None;
            };
            let matches =
                |pattern: &CommandPattern, reading| pattern.matches(act, Context { reading, ..context });
            let found = of.find_near(act.keys(), Reading::Permit, &matches)?;
            if except.matches(Reading::Exclude, &matches) {
                return None;
            }
            found.find(act, context)
        })
    }

    fn starts_in_project(&self, act: Act<'_>) -> bool {
        act.directories()
            .all(|directory| directory.is_some_and(|path| self.is_in_project(Text::literal(path), false)))
    }

    fn is_in_project(&self, text: Text<'_>, is_tree: bool) -> bool {
        let object = Object { text, scheme: Scheme::File, is_tree, roots: self.context.roots() };
        PathPattern::project().has(object, Reading::Permit, self.context.meter)
    }

    fn permits(&self, effect: &Effect<'_>) -> bool {
        if effect.is_assumed {
            return false;
        }
        let context = self.context;
        let is_listed = self.guards.iter().any(|guard| {
            covers(guard.verb, effect.kind)
                && is_by(guard, effect, context)
                && (effect.scheme == Scheme::Text
                    || guard.of.has_or_is_empty(effect, Reading::Permit, context))
                && !guard.except.has(effect, Reading::Exclude, context)
        });
        is_listed || self.permits_by_command(effect)
    }

    /// Whether a listed command does this on its own.
    fn permits_by_command(&self, effect: &Effect<'_>) -> bool {
        let act = effect.command.and_then(|number| self.context.actions.command(number));
        let Some((act, pattern)) = act.and_then(|act| Some((act, self.listed(act)?))) else { return false };
        match effect.kind {
            Kind::Contact => effect.is_implied,
            Kind::Read | Kind::Use | Kind::List => {
                let object = object(effect, self.context.roots());
                let mut reads = self.guards.iter().filter(|guard| guard.verb == Verb::Read);
                effect.scheme == Scheme::File
                    && self.is_in_project(object.text, object.is_tree)
                    && !reads.any(|guard| guard.except.has(effect, Reading::Exclude, self.context))
            }
            Kind::Code => {
                effect.object.as_literal().is_some_and(|script| pattern.has_word(script))
                    || pattern.has_path(effect.object, self.context)
                    || act.path() == Some(effect.object)
            }
            _ => false,
        }
    }
}

/// Whether guards of a verb permit effects of a kind.
const fn covers(verb: Verb, kind: Kind) -> bool {
    match verb {
        Verb::Run => false,
        Verb::Read => matches!(kind, Kind::Read | Kind::Use | Kind::List),
        Verb::Write => matches!(kind, Kind::Write),
        Verb::Delete => matches!(kind, Kind::Delete),
        Verb::Change => matches!(kind, Kind::Write | Kind::Delete),
        Verb::Contact => matches!(kind, Kind::Contact),
        Verb::Send => matches!(kind, Kind::Send),
        Verb::Install => matches!(kind, Kind::Install),
        Verb::Push => matches!(kind, Kind::Push),
    }
}
