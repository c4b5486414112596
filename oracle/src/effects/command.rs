//! Which commands patterns match.

use super::glob::{Glob, Relation, Wildcards, relate};
use super::guard::{Context, Guard};
use super::list::{Item, PatternsOf, flat, is_regex, items, items_of, regex};
use super::model::{Act, Effect, Flag, Kind, Scheme};
use super::only;
use super::pattern::{Asked, CommandPattern, Pattern, asked, is_path, parse};
use super::place::{anchored, relate_paths};
use super::rows::Row;
use super::table::unversioned;
use super::text::Text;
use super::verb;

/// How strictly a pattern is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// A guard: what certainly matches.
    Certain,
    /// A guard: what possibly matches.
    Possible,
    /// A permit: with respect for case.
    Permit,
}

impl Context<'_> {
    /// The patterns of a list of commands, without those that sets except.
    pub(super) fn commands(&self, list: &[String]) -> Vec<Item> {
        items_of(list, self.sets, PatternsOf::Commands)
    }

    /// Whether some pattern of a list matches a command.
    pub(super) fn matches_some(&self, list: &[Item], act: usize, mode: Mode) -> bool {
        list.iter().any(|item| match item {
            Item::Pattern(text) => parse(text).is_some_and(|pattern| self.matches(&pattern, act, mode)),
            Item::Set { of, except } => {
                self.matches_some(of, act, mode) && !except.iter().any(|item| self.excludes(item, act))
            }
        })
    }

    /// Whether an item of `except` takes a command out.
    pub(super) fn excludes(&self, item: &Item, at: usize) -> bool {
        let Some(act) = self.deeds.commands.get(at) else { return false };
        match item {
            Item::Pattern(text) => parse(text).is_some_and(|pattern| {
                let is_side = |one: &CommandPattern| {
                    self.matches_one(one, act, Mode::Permit)
                        && (act.is_plain || only::words_are_covered(self, act, &[one]))
                };
                match &pattern.from {
                    None => is_side(&pattern.to),
                    Some(from) => {
                        let feeds = |from_at: usize, to_at: usize| {
                            let other = |n: usize| self.deeds.commands.get(n);
                            other(from_at).is_some_and(|act| self.matches_one(from, act, Mode::Permit))
                                && other(to_at)
                                    .is_some_and(|act| self.matches_one(&pattern.to, act, Mode::Permit))
                                && self.flows(from_at, to_at)
                        };
                        let count = self.deeds.commands.len();
                        is_side(&pattern.to) && (0..count).any(|other| feeds(other, at))
                            || is_side(from) && (0..count).any(|other| feeds(at, other))
                    }
                }
            }),
            Item::Set { of, except } => {
                of.iter().any(|item| self.excludes(item, at))
                    && !except.iter().any(|item| self.may_match(item, at))
            }
        }
    }

    fn may_match(&self, item: &Item, at: usize) -> bool {
        self.matches_some(std::slice::from_ref(item), at, Mode::Possible)
    }

    /// Whether a pattern matches a command.
    pub(super) fn matches(&self, pattern: &Pattern, at: usize, mode: Mode) -> bool {
        let Some(act) = self.deeds.commands.get(at) else { return false };
        self.matches_one(&pattern.to, act, mode)
            && pattern.from.as_ref().is_none_or(|from| {
                let feeds = |(number, other): (usize, &Act)| {
                    self.matches_one(from, other, mode) && self.flows(number, at)
                };
                self.deeds.commands.iter().enumerate().any(feeds)
            })
    }

    /// Whether a command gets the output of another one.
    fn flows(&self, from: usize, to: usize) -> bool {
        let (Some(source), Some(target)) = (self.deeds.commands.get(from), self.deeds.commands.get(to))
        else {
            return false;
        };
        let lists = |effect: &Effect| effect.kind == Kind::List && effect.command == Some(from);
        let is_input = source.pipes_to.contains(&to) || target.inputs.contains(&from);
        let is_fed =
            target.runs.contains(&from) || target.files.contains(&from) || is_input && !target.executes;
        let by_starter = target.starter.is_some_and(|starter| {
            starter == from && self.deeds.effects.iter().any(lists)
                || source.pipes_to.contains(&starter) && !target.executes
        });
        is_fed || by_starter
    }

    /// Whether a pattern of one command matches.
    pub(super) fn matches_one(&self, pattern: &CommandPattern, act: &Act, mode: Mode) -> bool {
        let may = mode == Mode::Possible;
        let row = act.name.as_deref().and_then(|name| self.rows.program(name));
        let mut asked = self::asked(pattern, row, false);
        if !is_verb(&asked, act, may) {
            asked = self::asked(pattern, row, true);
        }
        let excluding = if mode == Mode::Permit { Mode::Possible } else { Mode::Certain };
        self.is_program(&pattern.program, act, mode)
            && is_verb(&asked, act, may)
            && pattern.env.iter().all(|(name, value)| {
                let is_set =
                    |(listed, text): &(String, Text)| listed == name && in_mode(value, text, mode).certain;
                act.environment.iter().any(is_set)
            })
            && asked.flags.iter().all(|(is_not, name, value)| {
                let has = has_flag(act, row, name, value.as_deref(), mode);
                // An unknown word can be the flag.
                let can_have = mode == Mode::Permit && act.words.iter().any(Text::can_be_flag);
                if *is_not { !has && !can_have } else { has || may && act.has_hole }
            })
            && self.passes_all(act, &asked, mode)
            && (!asked.no_flags || act.flags.is_empty())
            && (self.are_ordered(&asked, act, mode) || may && act.has_hole)
            && asked
                .operands
                .iter()
                .filter(|word| is_regex(word))
                .all(|word| act.sources.iter().any(|source| is_found(word, source)) || may && act.has_hole)
            && !asked
                .excluded
                .iter()
                .any(|word| (0..act.operands.len()).any(|at| self.is_operand(word, act, at, excluding)))
    }

    fn passes_all(&self, act: &Act, asked: &Asked, mode: Mode) -> bool {
        let operand = act.operands.first().map(|operand| operand.at);
        let is_dashes = |word: &Text| word.literal().as_deref() == Some("--");
        let dashes = act.words.iter().position(is_dashes).map(|at| at + 1);
        // What permits means a flag after `--` alone.
        let none = Some(usize::MAX).filter(|_| mode == Mode::Permit);
        let flags = asked.started.iter().map(|flag| (flag, operand));
        let after = asked.dashed.iter().map(|flag| (flag, dashes.or(none).or(operand)));
        flags.chain(after).all(|((is_not, flag), start)| match (*is_not, mode) {
            (false, Mode::Permit) => self.passes(act, flag, start, mode, true),
            (false, _) => {
                self.passes(act, flag, start, mode, false) || mode == Mode::Possible && act.has_hole
            }
            (true, Mode::Permit) => {
                let start = start.filter(|start| *start < usize::MAX).or(operand);
                !self.passes(act, flag, start, mode, false) && !act.words.iter().any(Text::can_be_flag)
            }
            (true, _) => !self.passes(act, flag, start, Mode::Certain, true),
        })
    }

    /// Whether a command passes a flag on that is after one of its words: to a command that it starts, or to a script. If it
    /// has to be certain, the words count only where no command is started.
    fn passes(&self, act: &Act, flag: &str, start: Option<usize>, mode: Mode, is_certain: bool) -> bool {
        let commands = &self.deeds.commands;
        let by = |act: &Act| act.starter.and_then(|starter| commands.get(starter));
        let is_below = |other: &&Act| {
            std::iter::successors(by(other), |starter| by(starter)).any(|starter| std::ptr::eq(starter, act))
        };
        let has = |other: &Act| {
            let row = other.name.as_deref().and_then(|name| self.rows.program(name));
            let flags = super::pattern::flags(flag, row);
            flags.iter().all(|(name, value)| has_flag(other, row, name, value.as_deref(), mode))
        };
        let Some(start) = start else { return has(act) };
        let late = act.flags.iter().filter(|flag| flag.at >= start).cloned().collect();
        let below: Vec<&Act> = commands.iter().filter(is_below).collect();
        let words = act.words.get(start..).unwrap_or_default();
        let is_words = below.is_empty() || !is_certain;
        has(&Act { flags: late, ..act.clone() })
            || below.into_iter().any(has)
            || is_words && has_word(words, flag, mode, is_certain)
    }

    fn is_program(&self, pattern: &str, act: &Act, mode: Mode) -> bool {
        let fold = |text: &str| if mode == Mode::Permit { text.to_owned() } else { text.to_lowercase() };
        if pattern.contains('/') {
            // `bash x.sh` starts the script, too.
            let script = act.script.as_ref().filter(|_| mode != Mode::Permit);
            let paths = [act.path.as_ref(), script];
            let globs: Vec<String> = anchored(pattern, &self.deeds.anchors, mode != Mode::Permit)
                .iter()
                .map(|glob| fold(glob))
                .collect();
            let path = |path: &Text| if mode == Mode::Permit { path.clone() } else { path.folded() };
            return paths.into_iter().flatten().any(|found| relate_paths(&globs, &path(found)).certain);
        }
        let Some(name) = &act.name else { return false };
        let glob = fold(pattern);
        let names = match mode {
            Mode::Permit => {
                let has_versions = self.rows.program(pattern).is_some_and(|row| row.is("versions"));
                let bare = Some(unversioned(name).to_owned()).filter(|_| has_versions);
                bare.into_iter().chain([name.clone()]).collect()
            }
            _ => self.rows.names(name, pattern),
        };
        names.iter().any(|name| text_relation(&glob, &Text::from(fold(name).as_str())).certain)
    }

    /// Whether the operands of a pattern match some of a command in this order.
    fn are_ordered(&self, asked: &Asked, act: &Act, mode: Mode) -> bool {
        let wanted: Vec<&String> = asked.operands.iter().filter(|word| !is_regex(word)).collect();
        let is_at = |word: &str, at: usize| self.is_operand(word, act, at, mode);
        let is_permit = mode == Mode::Permit;
        let first = if asked.is_anchored || is_permit { Next::Here } else { Next::Later };
        let rest = if is_permit { Next::Here } else { Next::Later };
        fits(&wanted, 0, act.operands.len(), (first, rest, asked.is_closed), &is_at)
    }

    pub(super) fn is_operand(&self, word: &str, act: &Act, at: usize, mode: Mode) -> bool {
        let Some(operand) = act.operands.get(at) else { return false };
        let applies =
            |relation: Relation| if mode == Mode::Possible { relation.possible } else { relation.certain };
        if word.starts_with('@') && self.sets.contains_key(word.get(1..).unwrap_or_default()) {
            let list = items(&[word.to_owned()], self.sets);
            let words = flat(&list);
            return if words.iter().any(|word| is_regex(word)) {
                words.iter().any(|word| is_found(word, &operand.source))
            } else {
                self.is_in_paths(&list, &operand.path, mode)
            };
        }
        if let Some(variable) = word.strip_prefix('$') {
            return operand
                .variables
                .iter()
                .any(|name| text_relation(variable, &Text::from(name.as_str())).certain);
        }
        if is_path(word) {
            return self.is_in_paths(&[Item::Pattern(word.to_owned())], &operand.path, mode);
        }
        applies(in_mode(word, &operand.text, mode))
    }

    /// Whether a path is in a list, as the object of an effect is.
    pub(super) fn is_in_paths(&self, list: &[Item], path: &Text, mode: Mode) -> bool {
        let effect = Effect {
            kind: Kind::Use,
            scheme: Scheme::File,
            object: path.clone(),
            is_tree: false,
            is_implied: false,
            is_assumed: false,
            command: None,
        };
        match mode {
            Mode::Permit => self.in_permit(&effect, list),
            Mode::Certain => self.in_guard(&effect, list, false),
            Mode::Possible => self.in_guard(&effect, list, true),
        }
    }
}

/// Whether a regular expression is found in a text.
fn is_found(pattern: &str, text: &str) -> bool {
    let Some((body, ignores_case)) = regex(pattern) else { return false };
    let expression = regex::RegexBuilder::new(body).case_insensitive(ignores_case).build();
    expression.is_ok_and(|expression| expression.is_match(text))
}

/// Where the next operand of a pattern can be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Here,
    Later,
}

/// Whether words are found in this order. `next` is for the first of them, `then` for the others.
fn fits(
    wanted: &[&String],
    from: usize,
    count: usize,
    (next, then, is_closed): (Next, Next, bool),
    is_at: &dyn Fn(&str, usize) -> bool,
) -> bool {
    let Some((first, rest)) = wanted.split_first() else { return !is_closed || from == count };
    let ends = if next == Next::Here { (from + 1).min(count) } else { count };
    (from..ends).any(|at| is_at(first, at) && fits(rest, at + 1, count, (then, then, is_closed), is_at))
}

fn is_verb(asked: &Asked, act: &Act, may: bool) -> bool {
    let Some(path) = &asked.verb else { return true };
    if act.is_verb_unknown {
        return may;
    }
    let matches = |name: &Vec<String>| {
        name.len() >= path.len()
            && path
                .iter()
                .zip(name)
                .all(|(glob, word)| text_relation(glob, &Text::from(word.as_str())).certain)
    };
    act.verbs.iter().any(matches)
}

/// Whether a command has a flag with such a value.
fn has_flag(act: &Act, row: Option<&Row>, name: &str, value: Option<&str>, mode: Mode) -> bool {
    let names = |flag: &Flag| flag.names.iter().any(|listed| listed == name);
    // The program does not take a flag of the subcommand.
    let is_of_sub = row.and_then(|row| sub(row, act)).is_some_and(|row| {
        let mut names = row.options.iter().flat_map(|options| &options.names);
        names.any(|listed| listed.trim_start_matches('-') == name)
    });
    let is_global = |flag: &Flag| flag.is_global && is_of_sub;
    let off = |text: &Text| matches!(text.literal().as_deref(), Some("false" | "none"));
    act.flags.iter().any(|flag| {
        names(flag)
            && !is_global(flag)
            && match (value, &flag.value) {
                (None, given) => !given.as_ref().is_some_and(off),
                (Some(glob), Some(given)) => in_mode(glob, given, mode).certain,
                (Some(_), None) => false,
            }
    })
}

/// Whether words have a flag of a pattern: whole, or its letters in any of them.
/// If it has to be certain, whole, and in front of `--`.
fn has_word(words: &[Text], flag: &str, mode: Mode, is_certain: bool) -> bool {
    let end = words.iter().position(|word| is_certain && word.literal().as_deref() == Some("--"));
    let words = end.and_then(|end| words.get(..end)).unwrap_or(words);
    let split = |word: &Text| {
        let literal = word.literal()?;
        let (name, value) = match literal.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (literal, None),
        };
        (name.len() > 1 && name.starts_with('-')).then_some((name, value))
    };
    let (asked, expected) = match flag.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (flag, None),
    };
    let bare = |name: &str| name.trim_start_matches('-').to_owned();
    let is_whole = words.iter().enumerate().any(|(at, word)| {
        let Some((name, value)) = split(word) else { return false };
        let has_value = match expected {
            None => !matches!(value.as_deref(), Some("false" | "none")),
            Some(glob) => {
                let value =
                    value.map(|value| Text::from(value.as_str())).or_else(|| words.get(at + 1).cloned());
                value.is_some_and(|value| in_mode(glob, &value, mode).certain)
            }
        };
        has_value && text_relation(&bare(asked), &Text::from(bare(&name).as_str())).certain
    });
    let has_letter = |letter: char| {
        let mut names = words.iter().filter_map(split).map(|(name, _)| name);
        names.any(|name| !name.starts_with("--") && name.contains(letter))
    };
    is_whole
        || !is_certain
            && expected.is_none()
            && !asked.starts_with("--")
            && bare(asked).chars().all(has_letter)
}

/// The row of the subcommand of a command.
fn sub<'r>(row: &'r Row, act: &Act) -> Option<&'r Row> {
    let path: Vec<Option<String>> = act.verbs.first()?.iter().cloned().map(Some).collect();
    verb::find(row, &path)?.row
}

/// How a text relates to a glob; guards ignore case.
fn in_mode(glob: &str, text: &Text, mode: Mode) -> Relation {
    if mode == Mode::Permit {
        return text_relation(glob, text);
    }
    text_relation(&glob.to_lowercase(), &text.folded())
}

fn text_relation(glob: &str, text: &Text) -> Relation {
    relate(&[Glob::new(glob, Wildcards::Texts)], text)
}

/// Whether some command matches a guard of `runs`, and nothing in its `except`.
pub(super) fn runs(context: &Context<'_>, guard: &Guard) -> bool {
    let mode = if guard.is_possible { Mode::Possible } else { Mode::Certain };
    let (of, except) = (context.commands(&guard.of), context.commands(&guard.except));
    let commands = context.deeds.commands.iter().enumerate();
    let mut started = commands.filter(|(_, act)| act.program.is_some());
    started.any(|(at, _)| {
        let is_in = guard.of.is_empty() || context.matches_some(&of, at, mode);
        is_in && !except.iter().any(|item| context.excludes(item, at))
    })
}

/// Whether a command matches that must have succeeded.
pub(super) fn passed(context: &Context<'_>, patterns: &[String]) -> bool {
    let list = context.commands(patterns);
    let mut acts = context.deeds.commands.iter().enumerate().filter(|(_, act)| act.is_required);
    acts.any(|(at, _)| context.matches_some(&list, at, Mode::Permit))
}

/// Whether a command of an effect is in a list after `by`.
pub(super) fn is_by(context: &Context<'_>, patterns: &[String], at: usize) -> bool {
    context.matches_some(&context.commands(patterns), at, Mode::Certain)
}
