//! Evaluates guards.

use super::command::{CommandPattern, Context};
use super::compiled::{CompiledGuard, Objects};
use super::pattern::choice::Choice;
use super::pattern::machine::Meter;
use super::pattern::path::{Object, Roots};
use super::pattern::reading::Reading;
use super::{Act, Actions, Effect, Kind, Scheme, Verb};

/// What makes a guard true.
#[derive(Clone, Copy, Debug)]
pub(super) enum Witness<'a> {
    /// Part of what the event does is unknown.
    Unknown,
    Command(Act<'a>),
    Effect(Effect<'a>),
}

/// Whether a guard is true of an event. It is if a comparison has too few steps to say: nobody knows that it is false.
pub(super) fn holds(guard: &CompiledGuard, actions: &Actions) -> bool {
    let meter = Meter::default();
    witness(guard, actions, &meter).is_some() || meter.is_spent()
}

pub(super) fn witness<'a>(guard: &CompiledGuard, actions: &'a Actions, meter: &Meter) -> Option<Witness<'a>> {
    let reading = if guard.is_possible { Reading::May } else { Reading::Guard };
    if guard.is_possible && actions.unknown().is_some() {
        return Some(Witness::Unknown);
    }
    let context = Context { actions, meter, reading };
    match (&guard.of, &guard.except) {
        (Objects::Commands(of), Objects::Commands(except)) => {
            if !of.is_empty() && of.mask() & actions.programs == 0 {
                return None;
            }
            let mut commands = actions.commands().filter(|act| act.words().len() > 0);
            commands.find(|act| runs(of, except, *act, context)).map(Witness::Command)
        }
        _ if guard.of.mask() & actions.kind_mask(kinds(guard.verb)) == 0 => None,
        _ => actions.effects().find(|effect| has_effect(guard, effect, context)).map(Witness::Effect),
    }
}

fn runs(
    of: &Choice<CommandPattern>,
    except: &Choice<CommandPattern>,
    act: Act<'_>,
    context: Context<'_>,
) -> bool {
    let matches = |pattern: &CommandPattern, reading| pattern.matches(act, Context { reading, ..context });
    let either =
        |pattern: &CommandPattern, reading| pattern.matches_either(act, Context { reading, ..context });
    (of.is_empty() || of.matches_near(act.keys(), context.reading, &matches))
        && !except.matches(Reading::Permit, &either)
}

fn has_effect(guard: &CompiledGuard, effect: &Effect<'_>, context: Context<'_>) -> bool {
    kinds(guard.verb).contains(&effect.kind)
        && is_by(guard, effect, context)
        && guard.of.has_or_is_empty(effect, context.reading, context)
        && !guard.except.has(effect, Reading::Permit, context)
}

/// Whether the command that causes an effect is one that the guard asks about.
pub(super) fn is_by(guard: &CompiledGuard, effect: &Effect<'_>, context: Context<'_>) -> bool {
    let act = effect.command.and_then(|number| context.actions.command(number));
    let is_one_of = |commands: &Choice<CommandPattern>| {
        act.is_some_and(|act| {
            commands.matches_near(act.keys(), Reading::Guard, &|pattern, reading| {
                pattern.matches(act, Context { reading, ..context })
            })
        })
    };
    (guard.by.is_empty() || is_one_of(&guard.by)) && (guard.not_by.is_empty() || !is_one_of(&guard.not_by))
}

/// The kinds of effects that a verb is about.
pub(super) const fn kinds(verb: Verb) -> &'static [Kind] {
    match verb {
        Verb::Run => &[Kind::Run],
        Verb::Read => &[Kind::Read],
        Verb::Write => &[Kind::Write],
        Verb::Delete => &[Kind::Delete],
        Verb::Change => &[Kind::Write, Kind::Delete],
        Verb::Contact => &[Kind::Contact],
        Verb::Send => &[Kind::Send],
        Verb::Install => &[Kind::Install],
        Verb::Push => &[Kind::Push],
    }
}

impl Objects {
    /// Bits of the keys of the patterns; without patterns all bits, because every object matches.
    fn mask(&self) -> u64 {
        match self {
            Self::Paths(paths) if !paths.is_empty() => paths.mask(),
            _ => u64::MAX,
        }
    }

    /// Whether one of the patterns has the object of an effect.
    pub(super) fn has(&self, effect: &Effect<'_>, reading: Reading, context: Context<'_>) -> bool {
        match self {
            Self::Paths(paths) => {
                let object = object(effect, context.roots());
                paths.matches_near(effect.keys, reading, &|path, reading| {
                    path.has(object, reading, context.meter)
                })
            }
            Self::Names(names) => {
                names.matches(reading, &|name, reading| name.has(effect.object, reading, context.meter))
            }
            Self::Commands(_) => false,
        }
    }

    /// Like `has`; without patterns, every file, host, package or branch is meant.
    pub(super) fn has_or_is_empty(
        &self,
        effect: &Effect<'_>,
        reading: Reading,
        context: Context<'_>,
    ) -> bool {
        match self {
            Self::Paths(paths) if paths.is_empty() => matches!(effect.scheme, Scheme::File | Scheme::Pipe),
            Self::Names(names) if names.is_empty() => true,
            _ => self.has(effect, reading, context),
        }
    }
}

/// The object of an effect, for patterns of paths.
pub(super) const fn object<'a>(effect: &Effect<'a>, roots: Roots<'a>) -> Object<'a> {
    Object { text: effect.object, scheme: effect.scheme, is_tree: effect.is_tree, roots }
}

/// The command that certainly ran successfully if the line did.
pub(super) fn passed<'a>(commands: &Choice<CommandPattern>, actions: &'a Actions) -> Option<Act<'a>> {
    let meter = Meter::default();
    let context = Context { actions, meter: &meter, reading: Reading::Permit };
    let matches = |act: &Act<'_>| {
        commands.matches_near(act.keys(), Reading::Permit, &|pattern, reading| {
            pattern.matches(*act, Context { reading, ..context })
        })
    };
    actions.commands().filter(|act| act.is_required()).find(matches)
}
