//! `only`: everything that the event does is listed.

use super::command::Mode;
use super::guard::{Context, Guard, Verb};
use super::list::{Item, items};
use super::model::{Act, Effect, Kind, Scheme};
use super::pattern::{CommandPattern, parse};
use super::text::Text;

/// Whether everything that the event does is listed.
pub(super) fn holds(context: &Context<'_>, guards: &[Guard]) -> bool {
    let deeds = context.deeds;
    let only = Only { context, guards };
    let count = deeds.commands.len();
    !deeds.is_unknown
        && !deeds.is_undeclared
        && (count > 0 || !deeds.effects.is_empty())
        && deeds.variables.iter().all(|(name, is_exported)| context.is_harmless(name, *is_exported))
        && (0..count).all(|at| only.covers(at))
        && deeds.effects.iter().all(|effect| only.permits(effect))
}

struct Only<'a> {
    context: &'a Context<'a>,
    guards: &'a [Guard],
}

/// The kinds of effects that a guard of `only` covers.
fn covered(verb: Verb) -> &'static [Kind] {
    match verb {
        Verb::Run => &[],
        Verb::Read => &[Kind::Read, Kind::Use, Kind::List],
        Verb::Write => &[Kind::Write],
        Verb::Delete => &[Kind::Delete],
        Verb::Change => &[Kind::Write, Kind::Delete],
        Verb::Contact => &[Kind::Contact],
        Verb::Send => &[Kind::Send],
        Verb::Install => &[Kind::Install],
        Verb::Push => &[Kind::Push],
    }
}

impl Only<'_> {
    /// The patterns of `runs` that list a command.
    fn listed(&self, at: usize) -> Vec<CommandPattern> {
        let runs = self.guards.iter().filter(|guard| guard.verb == Verb::Run);
        let mut found = Vec::new();
        for guard in runs {
            let except = self.context.commands(&guard.except);
            if except
                .iter()
                .any(|item| self.context.matches_some(std::slice::from_ref(item), at, Mode::Possible))
            {
                continue;
            }
            let of = if guard.of.is_empty() { vec!["* *".to_owned()] } else { guard.of.clone() };
            self.listing(&self.context.commands(&of), at, &mut found);
        }
        // The first one counts.
        found.truncate(1);
        found
    }

    fn listing(&self, list: &[Item], at: usize, found: &mut Vec<CommandPattern>) {
        for item in list {
            match item {
                Item::Pattern(text) => {
                    let pattern =
                        parse(text).filter(|pattern| self.context.matches(pattern, at, Mode::Permit));
                    found.extend(pattern.map(|pattern| pattern.into_target()));
                }
                Item::Set { of, except } => {
                    let is_out = except.iter().any(|item| {
                        self.context.matches_some(std::slice::from_ref(item), at, Mode::Possible)
                    });
                    if !is_out {
                        self.listing(of, at, found);
                    }
                }
            }
        }
    }

    fn covers(&self, at: usize) -> bool {
        let Some(act) = self.context.deeds.commands.get(at) else { return false };
        if act.program.is_none() {
            // There are only redirections.
            return true;
        }
        let listed = self.listed(at);
        let has_path = act.path.is_none() || listed.iter().any(|pattern| pattern.program.contains('/'));
        let starts_in_project =
            listed.is_empty() || act.is_plain || act.starts.iter().all(|path| self.is_in_project(path));
        let env = act.env.iter().all(|(name, _)| self.context.is_harmless(name, true));
        let patterns: Vec<&CommandPattern> = listed.iter().collect();
        (!listed.is_empty() || act.is_plain)
            && has_path
            && env
            && starts_in_project
            && (act.is_plain || words_are_covered(self.context, act, &patterns))
    }

    fn is_in_project(&self, path: &Text) -> bool {
        self.context.is_in_paths(&[Item::Pattern("./**".to_owned())], path, Mode::Permit)
    }

    fn permits(&self, effect: &Effect) -> bool {
        let context = self.context;
        let has = |guard: &&Guard| {
            let except = items(&guard.except, context.sets);
            let is_in = match effect.scheme {
                Scheme::Posted => true,
                _ => context.in_permit(effect, &context.list(&guard.of)),
            };
            is_in && !context.is_possibly_in(effect, &except)
        };
        if self
            .guards
            .iter()
            .filter(|guard| covered(guard.verb).contains(&effect.kind))
            .any(|guard| has(&guard))
        {
            return true;
        }
        let listed = effect.command.map(|at| self.listed(at)).unwrap_or_default();
        if listed.is_empty() {
            return false;
        }
        match effect.kind {
            Kind::Contact => effect.is_implied,
            Kind::Read | Kind::Use | Kind::List => {
                let is_excepted = |guard: &Guard| {
                    guard.verb == Verb::Read
                        && context.is_possibly_in(effect, &items(&guard.except, context.sets))
                };
                context.in_permit(effect, &[Item::Pattern("./**".to_owned())])
                    && !self.guards.iter().any(is_excepted)
            }
            Kind::Code => {
                let script = effect.object.literal();
                script.is_some_and(|script| listed.iter().any(|pattern| pattern.has_word(&script)))
            }
            _ => false,
        }
    }
}

/// Whether the words of a command that a pattern does not name are harmless.
pub(super) fn words_are_covered(context: &Context<'_>, act: &Act, patterns: &[&CommandPattern]) -> bool {
    patterns.iter().any(|pattern| {
        if pattern.has_word("*") {
            return true;
        }
        let flags = act.flags.iter().all(|flag| {
            !flag.is_unlisted && !flag.is_code || pattern.asks_flag(&flag.names, context.row(act))
        });
        let operands = act.has_row
            || (0..act.operands.len()).all(|at| {
                pattern.plain_operands().iter().any(|word| context.is_operand(word, act, at, Mode::Permit))
            });
        // An unknown word can be an option.
        flags && operands && !act.words.iter().any(Text::can_be_flag) && !act.has_more
    })
}
