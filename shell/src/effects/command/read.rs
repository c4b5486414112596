//! Reads patterns of commands.

use super::tokens::{Token, tokens};
use super::{Flag, FlagPlace, FlagTest, Name, Operand, Program, Sides, Simple, Value, keys, verb};
use crate::effects::pattern::braces;
use crate::effects::pattern::choice::Choice;
use crate::effects::pattern::glob::{Glob, Syntax};
use crate::effects::pattern::path::PathPattern;
use crate::effects::pattern::regex::RegexPattern;
use crate::effects::sets::{Fault, Sets, whole};
use crate::effects::{ALTERNATIVES, PatternKind, ProblemKind};
use crate::programs;

/// Reads a pattern.
pub(in super::super) fn read(pattern: &str, sets: Sets<'_>) -> Result<Sides, Fault> {
    let tokens = tokens(pattern);
    let pipes: Vec<usize> =
        (0..tokens.len()).filter(|at| tokens.get(*at).is_some_and(|token| token.text == "|")).collect();
    let side = |tokens: Option<&[Token<'_>]>| side(tokens.unwrap_or_default(), pattern, sets);
    match pipes.as_slice() {
        [] => Ok(Sides { from: None, to: side(Some(&tokens))? }),
        [pipe] => {
            let (from, to) = (side(tokens.get(..*pipe))?, side(tokens.get(pipe + 1..))?);
            Ok(Sides { from: Some(from), to })
        }
        [.., pipe] => {
            let range = tokens.get(*pipe).map_or(0..0, |token| token.at..token.at + 1);
            let kind = ProblemKind::Unreadable("it has more than one ` | `".to_owned());
            Err(Fault { range, in_set: None, kind })
        }
    }
}

/// The word for the program of a command of a pattern.
pub(super) fn program_word<'p>(tokens: &[Token<'p>]) -> Option<Token<'p>> {
    tokens.iter().copied().find(|token| assignment(*token).is_none())
}

/// The names that the program of a command of a pattern can have.
pub(super) fn program_names(token: Token<'_>, sets: Sets<'_>) -> Result<Vec<String>, Fault> {
    let kind = if whole(token.text).is_some() { PatternKind::Command } else { PatternKind::Word };
    let words = Reader::new(sets).words(token.text, token, kind)?;
    let expanded: Option<Vec<_>> = words.iter().map(|word| braces::expand(word, ALTERNATIVES)).collect();
    let too_many = || Fault { kind: ProblemKind::TooMany, ..wrong(token, String::new()) };
    let names = expanded.ok_or_else(too_many)?.concat();
    match names.iter().find(|name| name.contains(char::is_whitespace)) {
        Some(name) => {
            let reason = match whole(token.text) {
                Some(_) => format!(
                    "`{name}` of the set has several words; write them in the pattern, or the set alone"
                ),
                None => "a program has no whitespace; write `* /regex/` for a regular expression".to_owned(),
            };
            Err(wrong(token, reason))
        }
        None if token.text.contains('=') => {
            let reason = "the name of a variable before a program has letters, digits, `_`, `*` and `?`; write a pattern for each name";
            Err(wrong(token, reason.to_owned()))
        }
        None => Ok(names),
    }
}

/// The regular expressions in a pattern.
pub(in super::super) fn regexes(pattern: &str) -> Vec<RegexPattern> {
    let value = |token: &Token<'_>| {
        let word = token.text.trim_start_matches('!');
        RegexPattern::new(word).or_else(|| RegexPattern::new(word.split_once('=')?.1))
    };
    tokens(pattern).iter().filter_map(value).collect()
}

/// Reads one command of a pattern. A set that is all of it is any of its commands.
fn side(tokens: &[Token<'_>], pattern: &str, sets: Sets<'_>) -> Result<Choice<Simple>, Fault> {
    if let [token] = tokens
        && whole(token.text).is_some()
    {
        let make = |command: &str| -> Result<Simple, Fault> {
            let tokens = super::tokens::tokens(command);
            if tokens.iter().any(|token| token.text == "|") {
                return Err(Fault::unreadable(command, "a set with ` | ` cannot be a part of a pattern"));
            }
            Reader::new(sets).simple(&tokens, command)
        };
        let found = sets.choice(&[token.text], PatternKind::Command, &make);
        return found.map(Choice::indexed).map_err(|(_, fault)| moved(fault, *token));
    }
    let simple = Reader::new(sets).simple(tokens, pattern)?;
    let takes_text = |program: &Program| program.name.row().is_some_and(programs::Row::takes_text);
    let is_mixed = simple.programs.iter().any(takes_text) && !simple.programs.iter().all(takes_text);
    if !is_mixed || !tokens.iter().any(|token| has_flag(token.text.trim_start_matches('!'))) {
        // One pattern is compared as fast as its keys.
        return Ok(Choice::new(vec![simple]));
    }
    // `-f` is an operand of `test` and a flag of `rm`.
    let part = |takes_text| Reader { only: Some(takes_text), ..Reader::new(sets) }.simple(tokens, pattern);
    Ok(Choice::new(vec![part(true)?, part(false)?]))
}

fn moved(fault: Fault, token: Token<'_>) -> Fault {
    Fault { range: fault.range.start + token.at..fault.range.end + token.at, ..fault }
}

fn text(glob: &str) -> Glob {
    Glob::new(glob, Syntax::Text)
}

struct Reader<'s> {
    sets: Sets<'s>,
    simple: Simple,
    /// `--` was read.
    is_after_dashes: bool,
    /// Only programs that take options which their rows do not list as operands, or only others.
    only: Option<bool>,
}

impl<'s> Reader<'s> {
    fn new(sets: Sets<'s>) -> Self {
        Self { sets, simple: Simple::default(), is_after_dashes: false, only: None }
    }

    fn simple(mut self, tokens: &[Token<'_>], pattern: &str) -> Result<Simple, Fault> {
        let mut rest = tokens.iter().copied().peekable();
        while let Some((name, value, token)) = rest.peek().and_then(|token| assignment(*token)) {
            let value = self.choice(value, token, PatternKind::Word, &|text| Ok(value_of(text)))?;
            self.simple.env.push((text(name), value));
            rest.next();
        }
        let Some(program) = rest.next() else { return Err(Fault::unreadable(pattern, "it has no program")) };
        let words: Vec<Token<'_>> = rest.collect();
        self.programs(program)?;
        self.verbs(&words)?;
        let mut seen = 0;
        for token in words {
            if token.text == "--" {
                self.is_after_dashes = true;
                continue;
            }
            match token.text.strip_prefix('!') {
                Some(inner) if !inner.is_empty() => {
                    self.negated(Token { at: token.at + 1, text: inner }, seen)?;
                }
                _ if self.asks_flag(token.text) => {
                    let flag = self.flag(token, seen)?;
                    self.simple.flags.push(flag);
                }
                _ => {
                    seen += 1;
                    self.positive(token)?;
                }
            }
        }
        self.simple.first_words = self.simple.first_words();
        Ok(self.simple)
    }

    /// Whether a word has a flag among its alternatives, and the programs do not take it as an operand.
    fn asks_flag(&self, word: &str) -> bool {
        let is_text = |program: &Program| program.name.row().is_some_and(|row| row.is_text(word));
        has_flag(word) && !self.simple.programs.iter().all(is_text)
    }

    /// The alternatives of a word, after braces and sets.
    fn choice<P>(
        &self,
        word: &str,
        token: Token<'_>,
        kind: PatternKind,
        make: &dyn Fn(&str) -> Result<P, Fault>,
    ) -> Result<Choice<P>, Fault> {
        // Braces of regular expressions are their own.
        if RegexPattern::new(word).is_some() {
            return Ok(Choice::new(vec![make(word)?]));
        }
        let start = token.at + (token.text.len() - word.len().min(token.text.len()));
        let found = self.sets.choice(&[word], kind, make);
        found.map_err(|(_, fault)| moved(fault, Token { at: start, ..token }))
    }

    fn words(&self, word: &str, token: Token<'_>, kind: PatternKind) -> Result<Vec<String>, Fault> {
        let words = self.choice(word, token, kind, &|text| Ok(text.to_owned()))?;
        Ok(words.iter().cloned().collect())
    }

    fn programs(&mut self, token: Token<'_>) -> Result<(), Fault> {
        for name in program_names(token, self.sets)? {
            let name = if keys::is_path(&name) {
                Name::Path(PathPattern::new(&name).map_err(|reason| wrong(token, reason))?)
            } else {
                Name::Name {
                    row: self.sets.programs.find(&name).map(|program| program.row),
                    glob: text(&name),
                }
            };
            let takes_text = name.row().is_some_and(programs::Row::takes_text);
            if self.only.is_none_or(|only| only == takes_text) {
                self.simple.programs.push(Program { keys: name.key_bits(), name, verbs: Vec::new() });
            }
        }
        Ok(())
    }

    /// Finds the subcommands that the first words name, for each program.
    fn verbs(&mut self, words: &[Token<'_>]) -> Result<(), Fault> {
        let is_word = |token: &&Token<'_>| !token.text.starts_with('!') && !has_flag(token.text);
        let mut alternatives: Vec<Vec<String>> = Vec::new();
        for token in words.iter().filter(is_word).take(3) {
            if !can_be_verb(token.text) {
                break;
            }
            alternatives.push(self.words(token.text, *token, PatternKind::Word)?);
        }
        let rows = self.simple.programs.iter().filter_map(|program| program.name.row());
        let phrases = phrases(&alternatives);
        let length = |phrase: &Vec<&str>| {
            let lengths = rows.clone().filter_map(|row| Some(verb::find(row, phrase)?.length));
            lengths.max().unwrap_or_default()
        };
        let count = phrases.iter().map(length).max().unwrap_or_default();
        if phrases.len() > ALTERNATIVES {
            let token = words.first().copied().unwrap_or(Token { at: 0, text: "" });
            return Err(Fault { kind: ProblemKind::TooMany, ..wrong(token, String::new()) });
        }
        let phrases = self::phrases(alternatives.get(..count).unwrap_or_default());
        self.simple.verb_words = count;
        for program in self.simple.programs.iter_mut().filter(|_| count > 0) {
            let globs = |phrase: &Vec<&str>| match program.name.row() {
                Some(row) => verb::canonical(row, phrase),
                None => phrase.iter().map(|word| text(word)).collect(),
            };
            program.verbs = phrases.iter().map(globs).collect();
        }
        Ok(())
    }

    fn positive(&mut self, token: Token<'_>) -> Result<(), Fault> {
        let (word, is_anchored) = match token.text.strip_prefix('^') {
            Some(word) if !word.is_empty() => (word, true),
            _ => (token.text, false),
        };
        let operand = self.operand(word, token)?;
        let is_regex = |operand: &Operand| matches!(operand, Operand::Regex(_));
        if operand.iter().all(is_regex) {
            if is_anchored {
                let reason = "`^` is for an operand; a regular expression is found in any word";
                return Err(wrong(token, reason.to_owned()));
            }
            self.simple.regexes.push(only_regexes(&operand));
            return Ok(());
        }
        if is_anchored {
            self.simple.anchored = Some(self.simple.operands.len());
        }
        self.simple.operands.push(operand);
        Ok(())
    }

    fn negated(&mut self, token: Token<'_>, seen: usize) -> Result<(), Fault> {
        match token.text {
            "*" => self.simple.is_closed = true,
            text if self.asks_flag(text) => {
                let flag = self.flag(token, seen)?;
                self.simple.not_flags.push(flag);
            }
            _ => {
                let operand = self.operand(token.text, token)?;
                self.simple.not_operands.push(operand);
            }
        }
        Ok(())
    }

    /// An operand. A set of paths compares paths, whatever its patterns look like.
    fn operand(&self, word: &str, token: Token<'_>) -> Result<Choice<Operand>, Fault> {
        let is_path = whole(word).is_some_and(|name| self.sets.kind(name) == Some(PatternKind::Path));
        let path = |text: &str| PathPattern::new(text).map(Operand::Path);
        let make = |text: &str| -> Result<Operand, Fault> {
            let operand = match text {
                "*" => Ok(Operand::Each),
                _ if is_path => path(text),
                _ => match (RegexPattern::new(text), text.strip_prefix('$')) {
                    (Some(regex), _) => Ok(Operand::Regex(regex)),
                    (_, Some(name)) if !name.is_empty() => Ok(Operand::Variable(self::text(name))),
                    _ if ["/", "./", "~", "**"].iter().any(|start| text.starts_with(start)) => path(text),
                    _ => Ok(Operand::Text(self::text(text))),
                },
            };
            operand.map_err(|reason| Fault::unreadable(text, reason))
        };
        self.choice(word, token, if is_path { PatternKind::Path } else { PatternKind::Word }, &make)
    }

    /// Reads a flag; `seen` counts the words in front of it.
    fn flag(&self, token: Token<'_>, seen: usize) -> Result<FlagTest, Fault> {
        let words = self.words(token.text, token, PatternKind::Word)?;
        if !words.iter().all(|word| is_flag(word)) {
            return Err(wrong(token, "a word is a flag or an operand, not both".to_owned()));
        }
        let flags: Vec<Flag> = words.iter().map(|flag| flag_of(flag)).collect();
        let mut rows = self.simple.programs.iter().filter_map(|program| program.name.row());
        let mut verbs = self.simple.programs.iter().flat_map(|program| &program.verbs);
        let has_verb = verbs.next().is_some();
        let is_own = |flag: &Flag| {
            let name = flag.name.literal().unwrap_or_default();
            rows.any(|row| {
                let phrases = self.simple.programs.iter().flat_map(|program| &program.verbs);
                phrases
                    .filter_map(|phrase| row_of(row, phrase))
                    .any(|row| row.read_options().flag(name).is_some())
            })
        };
        let is_after_verb = seen > 0 && has_verb && flags.iter().any(is_own);
        let place = match seen > self.simple.verb_words {
            _ if self.is_after_dashes => FlagPlace::AfterDashes,
            true => FlagPlace::AfterOperand,
            false => FlagPlace::First,
        };
        Ok(FlagTest { flags, is_after_verb, place })
    }
}

/// The row of a subcommand with canonical words.
pub(super) fn row_of(row: &'static programs::Row, phrase: &[Glob]) -> Option<&'static programs::Row> {
    let words: Option<Vec<&str>> = phrase.iter().map(Glob::literal).collect();
    verb::find(row, &words?).map(|verb| verb.row)
}

impl Name {
    pub(super) const fn row(&self) -> Option<&'static programs::Row> {
        match self {
            Self::Name { row, .. } => *row,
            Self::Path(_) => None,
        }
    }
}

fn wrong(token: Token<'_>, reason: String) -> Fault {
    moved(Fault::unreadable(token.text, reason), token)
}

fn only_regexes(operands: &Choice<Operand>) -> Choice<RegexPattern> {
    let of = operands.iter().filter_map(|operand| match operand {
        Operand::Regex(regex) => Some(regex.clone()),
        _ => None,
    });
    Choice::new(of.collect())
}

/// Every sequence of a word of each list.
fn phrases(lists: &[Vec<String>]) -> Vec<Vec<&str>> {
    let mut phrases: Vec<Vec<&str>> = vec![Vec::new()];
    for list in lists {
        let longer = phrases
            .iter()
            .flat_map(|phrase| list.iter().map(move |word| [phrase.as_slice(), &[word.as_str()]].concat()));
        phrases = longer.take(ALTERNATIVES + 1).collect();
    }
    phrases
}

/// `NAME=value` in front of a program.
fn assignment(token: Token<'_>) -> Option<(&str, &str, Token<'_>)> {
    let (name, value) = token.text.split_once('=')?;
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'*' | b'?');
    let is_variable = !name.is_empty()
        && name.bytes().all(is_name)
        && !name.starts_with(|first: char| first.is_ascii_digit());
    is_variable.then_some((name, value, token))
}

/// Whether a word of a pattern is a flag.
fn is_flag(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-') && word != "--"
}

/// Whether a word of a pattern has a flag among its alternatives.
pub(super) fn has_flag(word: &str) -> bool {
    is_flag(word)
        || word.starts_with('{')
            && braces::expand(word, ALTERNATIVES).is_some_and(|words| words.iter().any(|word| is_flag(word)))
}

/// Whether a word of a pattern can name a subcommand.
fn can_be_verb(word: &str) -> bool {
    let is_other = word.starts_with(['/', '.', '~', '$', '^', '@']) || word.starts_with("**");
    !is_other && !word.contains('@') && RegexPattern::new(word).is_none()
}

fn value_of(value: &str) -> Value {
    RegexPattern::new(value).map_or_else(|| Value::Text(text(value)), Value::Regex)
}

fn flag_of(flag: &str) -> Flag {
    let (name, value) = flag.split_once('=').map_or((flag, None), |(name, value)| (name, Some(value)));
    let letters = match name.strip_prefix("--") {
        Some(_) => Vec::new(),
        None => name.chars().skip(1).map(String::from).collect(),
    };
    Flag { name: text(name.trim_start_matches('-')), letters, value: value.map(value_of) }
}
