//! Compares commands with patterns.

use super::sequence::Sequence;
use super::{CommandPattern, Flag, FlagPlace, FlagTest, Name, Operand, Program, Simple, Value};
use crate::HoleKind;
use crate::effects::pattern::choice::Choice;
use crate::effects::pattern::glob::{Case, Glob};
use crate::effects::pattern::machine::{Match, Meter};
use crate::effects::pattern::path::{Object, PathPattern, Roots};
use crate::effects::pattern::reading::Reading;
use crate::effects::{Act, ActOperand, Actions, Scheme, Text};
use crate::programs::interpreters::without_version;
use crate::programs::{Row, without_request, without_system};

/// What a comparison needs besides the command and the pattern.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Context<'a> {
    pub(in super::super) actions: &'a Actions,
    pub(in super::super) meter: &'a Meter,
    pub(in super::super) reading: Reading,
}

impl<'a> Context<'a> {
    pub(in super::super) fn roots(self) -> Roots<'a> {
        Roots { project: self.actions.project(), cwd: self.actions.cwd() }
    }

    fn text(self, glob: &Glob, text: Text<'_>) -> bool {
        glob.matches(text, self.reading.how(), self.reading.case(), self.meter)
    }

    pub(super) fn name(self, glob: &Glob, text: &str, case: Case) -> bool {
        glob.matches(Text::literal(text), Match::Certain, case, self.meter)
    }

    fn path(self, pattern: &PathPattern, text: Text<'_>) -> bool {
        let object = Object { text, scheme: Scheme::File, is_tree: false, roots: self.roots() };
        pattern.has(object, self.reading, self.meter)
    }

    /// Whether a command can have words that the line does not show.
    pub(super) fn is_open(self, act: Act<'_>) -> bool {
        self.reading.how() == Match::Possible && has_open_word(act)
    }
}

/// Whether a word of a command can be a flag, or several words: one with unknown text, which a shell splits, or one that
/// starts with a wildcard.
pub(super) fn has_open_word(act: Act<'_>) -> bool {
    let is_open =
        |word: Text<'_>| word.holes.iter().any(|hole| hole.from == 0 || hole.kind == HoleKind::Text);
    act.has_more() || act.words().skip(1).any(is_open)
}

impl CommandPattern {
    /// Whether a command matches: for a pattern with a pipe, one that gets the output of another one.
    pub(in super::super) fn matches(&self, act: Act<'_>, context: Context<'_>) -> bool {
        let Some(sides) = self.sides() else { return false };
        let test = |simple: &Simple, reading| simple.matches(act, Context { reading, ..context });
        sides.to.matches_near(act.keys(), context.reading, &test)
            && sides.from.as_ref().is_none_or(|from| context.gets(act, from))
    }

    /// Whether a command is on either side of a pattern.
    pub(in super::super) fn matches_either(&self, act: Act<'_>, context: Context<'_>) -> bool {
        let is_harmless = |side: &Choice<Simple>| {
            side.matches_near(act.keys(), context.reading, &|simple, reading| {
                simple.matches(act, Context { reading, ..context })
                    && (reading != Reading::Permit || act.is_plain() || simple.covers_words(act, context))
            })
        };
        let Some(sides) = self.sides() else { return false };
        match &sides.from {
            None => is_harmless(&sides.to),
            Some(from) => {
                is_harmless(&sides.to) && context.gets(act, from)
                    || is_harmless(from) && context.gives(act, &sides.to)
            }
        }
    }

    /// The first pattern of one command that matches.
    pub(in super::super) fn find(&self, act: Act<'_>, context: Context<'_>) -> Option<&Simple> {
        let test = |simple: &Simple, reading| simple.matches(act, Context { reading, ..context });
        let sides = self.sides()?;
        let found = sides.to.find_near(act.keys(), context.reading, &test)?;
        sides.from.as_ref().is_none_or(|from| context.gets(act, from)).then_some(found)
    }
}

impl Context<'_> {
    fn gets(self, act: Act<'_>, from: &Choice<Simple>) -> bool {
        self.actions.commands().any(|other| {
            from.matches_near(other.keys(), self.reading, &|simple, reading| {
                simple.matches(other, Context { reading, ..self })
            }) && super::flows::flows(self.actions, other, act)
        })
    }

    fn gives(self, act: Act<'_>, to: &Choice<Simple>) -> bool {
        self.actions.commands().any(|other| {
            to.matches_near(other.keys(), self.reading, &|simple, reading| {
                simple.matches(other, Context { reading, ..self })
            }) && super::flows::flows(self.actions, act, other)
        })
    }
}

impl Simple {
    pub(super) fn matches(&self, act: Act<'_>, context: Context<'_>) -> bool {
        let has_first_word = self.first_words & act.facts.first_words != 0;
        let programs = || self.programs.iter().filter(|program| program.keys & act.facts.keys.mask() != 0);
        has_first_word
            && programs().next().is_some()
            && self.flags_match(act, context)
            && programs().any(|program| {
                program.name.matches(act, context) && self.operands_match(program, act, context)
            })
            && self.passed_match(act, context)
            && self.env.iter().all(|(name, value)| {
                act.environment().any(|(actual, text)| {
                    context.name(name, actual, Case::Respected)
                        && value.matches(context.reading, &|value, _| value.matches(text, context))
                })
            })
            && self.regexes.iter().all(|regex| {
                context.is_open(act)
                    || regex.iter().any(|regex| {
                        act.words()
                            .skip(1)
                            .any(|word| regex.is_in(word.text).unwrap_or(context.reading.is_wide()))
                    })
            })
    }

    /// Whether the command has the flags in front of the operands, and neither flags nor operands that it must not have.
    fn flags_match(&self, act: Act<'_>, context: Context<'_>) -> bool {
        let is_first = |test: &&FlagTest| test.place == FlagPlace::First;
        self.flags.iter().filter(is_first).all(|test| {
            test.flags.iter().any(|flag| flag.is_in(act, 0, test.is_after_verb, context))
                || context.is_open(act)
        }) && self.not_flags.iter().filter(is_first).all(|test| {
            let certain = Context { reading: Reading::Guard, ..context };
            let reading = if context.reading.is_permit() { context } else { certain };
            let is_there = test.flags.iter().any(|flag| flag.is_in(act, 0, test.is_after_verb, reading));
            !is_there && (context.reading != Reading::Permit || !has_open_word(act))
        }) && self.not_operands.iter().all(|operand| {
            let reading = if context.reading == Reading::Permit { Reading::Exclude } else { Reading::Guard };
            let other = Context { reading, ..context };
            !act.operands()
                .any(|actual| operand.matches(reading, &|operand, _| operand.matches(actual, other)))
        })
    }

    /// Whether the subcommand and the operands match: by canonical names, or as they are written.
    fn operands_match(&self, program: &Program, act: Act<'_>, context: Context<'_>) -> bool {
        let rest = self.operands.get(self.verb_words..).unwrap_or_default();
        let canonical = |verb| Sequence { verb, rest, known: 0, words: act.canonical() };
        let written =
            Sequence { verb: &[], rest: &self.operands, known: self.verb_words, words: act.written() };
        program.verbs.iter().any(|verb| self.sequence_matches(&canonical(verb), act, context))
            || self.sequence_matches(&written, act, context)
    }

    fn sequence_matches(&self, sequence: &Sequence<'_>, act: Act<'_>, context: Context<'_>) -> bool {
        let Some((used, operands)) = sequence.align(act, context) else { return false };
        let Sequence { verb, rest, .. } = sequence;
        let operand = |glob: &Glob| Choice::new(vec![Operand::Text(glob.clone())]);
        let first: Vec<Choice<Operand>> = verb.get(used..).unwrap_or_default().iter().map(operand).collect();
        self.ordered(&first, rest.get(operands..).unwrap_or_default(), act, context)
    }

    /// Whether operands of a command match those of the pattern in their order.
    fn ordered(
        &self,
        first: &[Choice<Operand>],
        rest: &[Choice<Operand>],
        act: Act<'_>,
        context: Context<'_>,
    ) -> bool {
        if context.is_open(act) {
            return true;
        }
        let anchored =
            self.anchored.and_then(|at| (at + first.len() + rest.len()).checked_sub(self.operands.len()));
        let count = first.len() + rest.len();
        let mut operands = act.operands().enumerate().peekable();
        let mut next = 0;
        for (at, expected) in first.iter().chain(rest).enumerate() {
            // What permits leaves no gaps: `npm run lint` is not `npm run evil lint`.
            let is_tight = context.reading == Reading::Permit || anchored == Some(at);
            let is_last = self.is_closed && at + 1 == count;
            let total = operands.len();
            let found = operands.find(|(number, actual)| {
                let is_place = (!is_tight || *number == next) && (!is_last || number + 1 == next + total);
                is_place && expected.matches(context.reading, &|operand, _| operand.matches(*actual, context))
            });
            let Some((number, _)) = found else { return false };
            next = number + 1;
        }
        !self.is_closed || operands.next().is_none()
    }

    /// Whether the words of a command that the pattern does not have are harmless.
    pub(in super::super) fn covers_words(&self, act: Act<'_>, context: Context<'_>) -> bool {
        let takes_each =
            |operand: &Choice<Operand>| operand.iter().any(|operand| matches!(operand, Operand::Each));
        if self.operands.iter().any(takes_each) {
            return true;
        }
        let has_flag = |name: &str| {
            let is_it = |flag: &Flag| flag.has_name(name, context);
            self.flags.iter().any(|test| test.start(act, context).is_none() && test.flags.iter().any(is_it))
        };
        let mut flags = act.flags().filter(|flag| !flag.is_alias);
        let is_aliased =
            |at: usize| act.flags().any(|flag| flag.at == at && flag.is_alias && has_flag(flag.name));
        flags.all(|flag| flag.is_listed && !flag.is_code || has_flag(flag.name) || is_aliased(flag.at))
            && !has_open_word(act)
            && (act.row().is_some() || act.operands().all(|actual| self.has_operand(actual, context)))
    }

    fn has_operand(&self, actual: ActOperand<'_>, context: Context<'_>) -> bool {
        self.operands
            .iter()
            .any(|operand| operand.matches(context.reading, &|operand, _| operand.matches(actual, context)))
    }

    /// Whether an operand of the pattern is a literal text.
    pub(in super::super) fn has_word(&self, word: &str) -> bool {
        let has = |operand: &Operand| matches!(operand, Operand::Text(glob) if glob.literal() == Some(word));
        self.operands.iter().any(|operand| operand.iter().any(has))
    }

    /// Whether an operand of the pattern is the path of a file.
    pub(in super::super) fn has_path(&self, path: Text<'_>, context: Context<'_>) -> bool {
        let has = |operand: &Operand| matches!(operand, Operand::Path(pattern) if pattern.is_literal() && context.path(pattern, path));
        self.operands.iter().any(|operand| operand.iter().any(has))
    }

    /// Whether the pattern names the program by its path.
    pub(in super::super) fn has_program_path(&self, act: Act<'_>, context: Context<'_>) -> bool {
        let is_path =
            |program: &Program| matches!(&program.name, Name::Path(_)) && program.name.matches(act, context);
        self.programs.iter().any(is_path)
    }
}

impl Name {
    /// The name is compared in its [`spellings`](crate::programs::spellings) alone, which are the keys of a command.
    fn matches(&self, act: Act<'_>, context: Context<'_>) -> bool {
        match self {
            Self::Path(pattern) => {
                // `bash x.sh` starts `./x.sh`, too.
                let script = act.script().filter(|_| context.reading.is_wide());
                [act.path(), script].into_iter().flatten().any(|path| context.path(pattern, path))
            }
            Self::Name { glob, row } => act.name().is_some_and(|name| {
                let case = context.reading.case();
                let is_other_name = |row: &Row| {
                    row.is_program(name) && glob.literal().is_some_and(|asked| row.is_program(asked))
                };
                context.name(glob, name, case)
                    || row.is_some_and(|row| context.reading.is_wide() || row.is("versions"))
                        && context.name(glob, without_version(name), case)
                    || context.reading.is_wide()
                        && (context.name(glob, without_system(name), case)
                            || context.name(glob, without_request(name), case)
                            || row.is_some_and(is_other_name)
                            || row.is_some_and(|row| row.is("gnu"))
                                && name.strip_prefix('g').is_some_and(|name| context.name(glob, name, case)))
            }),
        }
    }
}

impl Flag {
    fn has_name(&self, name: &str, context: Context<'_>) -> bool {
        context.name(&self.name, name, Case::Respected) || self.letters.iter().any(|letter| letter == name)
    }

    /// Whether a command has it in one of its words from one of them on.
    pub(super) fn is_in(
        &self,
        act: Act<'_>,
        start: usize,
        is_after_verb: bool,
        context: Context<'_>,
    ) -> bool {
        let is_there = |name: &dyn Fn(&str) -> bool| {
            act.flags().filter(|flag| flag.at >= start).any(|flag| {
                let is_off = |value: Text<'_>| value.as_literal().is_some_and(crate::arguments::is_false);
                let is_value = || match (&self.value, flag.value) {
                    (None, value) => !value.is_some_and(is_off),
                    (Some(expected), Some(value)) => expected.matches(value, context),
                    (Some(_), None) => false,
                };
                // The program does not take a flag of the subcommand; its group can.
                let is_elsewhere = || {
                    is_after_verb
                        && flag.is_global
                        && act.row().is_some_and(|row| row.read_options().flag(flag.name).is_some())
                };
                name(flag.name) && is_value() && !is_elsewhere()
            })
        };
        is_there(&|name| context.name(&self.name, name, Case::Respected))
            || self.letters.len() > 1 && self.letters.iter().all(|letter| is_there(&|name| name == letter))
    }
}

impl Value {
    pub(super) fn matches(&self, text: Text<'_>, context: Context<'_>) -> bool {
        match self {
            Self::Text(glob) => context.text(glob, text),
            Self::Regex(regex) => {
                let is_open = context.reading.how() == Match::Possible && !text.holes.is_empty();
                is_open || regex.is_in(text.text).unwrap_or(context.reading.is_wide())
            }
        }
    }
}

impl Operand {
    /// Whether it cannot be the name of a subcommand.
    pub(super) const fn is_no_verb(&self) -> bool {
        matches!(self, Self::Path(_) | Self::Variable(_) | Self::Regex(_))
    }

    fn matches(&self, actual: ActOperand<'_>, context: Context<'_>) -> bool {
        match self {
            Self::Each => true,
            Self::Text(glob) => context.text(glob, actual.word),
            Self::Path(pattern) => context.path(pattern, actual.path),
            Self::Variable(glob) => actual.word.holes.iter().any(|gap| {
                let variable = variable(actual.word.source(gap));
                variable.is_some_and(|name| context.name(glob, name, context.reading.case()))
            }),
            Self::Regex(regex) => regex.is_in(actual.word.text).unwrap_or(context.reading.is_wide()),
        }
    }
}

/// The variable of an expansion: `X` of `$X` and `${X%.c}`.
fn variable(source: &str) -> Option<&str> {
    let rest = source.strip_prefix('$')?;
    let rest = rest.strip_prefix('{').unwrap_or(rest);
    let end =
        rest.bytes().position(|byte| byte != b'_' && !byte.is_ascii_alphanumeric()).unwrap_or(rest.len());
    rest.get(..end).filter(|name| !name.is_empty())
}
