//! `${name...}`.

use super::super::Opaque;
use super::super::token::{Mark, Special, Token, long, short};
use super::super::tree::{Name, Op, Parameter};
use super::expand::Found;
use super::pattern::Pattern;
use super::state::Value;
use super::{Done, Walk};

impl Walk {
    pub(super) fn parameter(&mut self, parameter: Parameter, raw: &str) -> Done<Found> {
        let found = self.subscripted(parameter)?;
        let word = parameter.word;
        let is_set = match &found {
            Found::Nothing => Some(false),
            Found::Text(text) => (self.arena.is_known(*text)).then(|| !self.arena.text(*text).is_empty()),
            Found::List(all) | Found::Joined(all) => Some(!all.is_empty()),
            Found::Unknown(_) | Found::Inert(_) => None,
        };
        let is_inert = matches!(found, Found::Inert(_));
        // A variable that is set to nothing.
        let is_empty = matches!(&found, Found::Text(_)) && is_set == Some(false);
        match parameter.op {
            Op::None | Op::Demand => self.run_word(word).map(|()| found),
            Op::Default { empty } | Op::Assign { empty } => match is_set {
                Some(true) => self.run_word(word).map(|()| found),
                Some(false) if is_empty && !empty => self.run_word(word).map(|()| found),
                known => {
                    let Some(word) = word else { return Ok(found) };
                    let value = self.value(word)?;
                    let value = match known {
                        Some(_) => value,
                        None => self.default_of(value, raw, is_inert),
                    };
                    if let (Op::Assign { .. }, Name::Variable(name)) = (parameter.op, parameter.name) {
                        let is_element = parameter.subscript.is_some();
                        if is_element && super::is_zsh_table(raw.trim_start_matches(['$', '{'])) {
                            self.opaque(Opaque::Name);
                        }
                        if is_element {
                            self.store_element(name, value)?;
                        } else {
                            self.store(name, Value::Text(value))?;
                        }
                    }
                    Ok(Found::Text(value))
                }
            },
            Op::Alternative { empty } => match is_set {
                Some(false) if !is_empty || empty => self.run_word(word).map(|()| Found::Nothing),
                known => {
                    let Some(word) = word else { return Ok(Found::Nothing) };
                    let value = self.value(word)?;
                    Ok(Found::Text(if known.is_none() { self.guess(value, raw, is_inert) } else { value }))
                }
            },
            Op::Indirect if self.is_each(parameter) => {
                self.run_word(word).map(|()| self.keys(parameter.name))
            }
            Op::Indirect => self.indirect(found, word),
            Op::Prompt => {
                // The value is expanded like a prompt, so it can contain substitutions.
                self.opaque(Opaque::Code);
                self.run_word(word).map(|()| Found::Unknown(None))
            }
            Op::Length => self.run_word(word).map(|()| Found::Inert(None)),
            Op::Other => self.run_word(word).map(|()| Found::Unknown(None)),
            Op::Prefix { .. } | Op::Suffix { .. } | Op::Replace { .. } | Op::Slice | Op::Case { .. } => {
                self.changed(found, parameter)
            }
        }
    }

    /// Whether it is about all elements of an array.
    fn is_each(&self, parameter: Parameter) -> bool {
        parameter.subscript.is_some_and(|subscript| matches!(self.arena.text(subscript), "@" | "*"))
    }

    /// The keys of an array, which are numbers unless it is one of `declare -A`.
    fn keys(&self, name: Name) -> Found {
        match name {
            Name::Variable(name) if !self.state.variable(name).has_keys => Found::Inert(None),
            _ => Found::Unknown(None),
        }
    }

    /// Runs the commands in the word of a parameter.
    fn run_word(&mut self, word: Option<Token>) -> Done<()> {
        word.map_or(Ok(()), |word| self.inner(word))
    }

    fn subscripted(&mut self, parameter: Parameter) -> Done<Found> {
        let Some(subscript) = parameter.subscript else { return Ok(self.lookup(parameter.name)) };
        let text = self.value(subscript)?;
        let Name::Variable(name) = parameter.name else {
            self.evaluate_subscript(text)?;
            return Ok(Found::Unknown(None));
        };
        if !self.state.variable(name).has_keys {
            self.evaluate_subscript(text)?;
        }
        let text = self.arena.literal(text).map(str::to_owned);
        let number = text.as_deref().and_then(number).and_then(|number| u32::try_from(number).ok());
        let value = self.value_of(name);
        if let (Some(Value::List(words)), Some(number)) = (value, number) {
            self.steps += long(number.min(words.len)) / 8;
        }
        let (each, joined) = (self.arena.text(subscript) == "@", self.arena.text(subscript) == "*");
        Ok(match (value, number) {
            (Some(Value::List(words)), _) if each => Found::List(self.arena.words(words).to_vec()),
            (Some(Value::List(words)), _) if joined => Found::Joined(self.arena.words(words).to_vec()),
            // bash counts from 0, and zsh from 1.
            (Some(Value::List(words)), Some(number)) => {
                match (number.checked_sub(1), self.element(words, number)) {
                    (Some(before), Found::Text(element)) => match self.element(words, before) {
                        Found::Text(other) if self.arena.text(element) == self.arena.text(other) => {
                            Found::Text(element)
                        }
                        _ => self.one_of(words),
                    },
                    _ => self.one_of(words),
                }
            }
            // Elements that a builtin has read.
            (Some(Value::Text(text)), _) if self.is_read(text) => Found::Unknown(self.origin_of(text)),
            (Some(Value::Text(text)), number) if each || joined || number == Some(0) => Found::Text(text),
            (Some(Value::Unset), _) if each => Found::List(Vec::new()),
            (Some(Value::Unset), _) => Found::Nothing,
            (Some(Value::List(words)), None) => self.one_of(words),
            (None | Some(Value::Inert), _) => Found::Inert(None),
            _ => Found::Unknown(None),
        })
    }

    /// Whether a value is unknown output of commands.
    fn is_read(&self, value: Token) -> bool {
        !self.arena.is_known(value) && self.origin_of(value).is_some()
    }

    /// The commands whose output is in a value.
    fn origin_of(&self, value: Token) -> Option<u32> {
        self.arena.marks(value).iter().find_map(|mark| match mark.kind {
            Special::Origin(number) => Some(number),
            _ => None,
        })
    }

    /// Words of a list from a position on.
    fn sliced(&self, words: &[Token], parameter: Parameter, word: Option<Token>) -> Found {
        let numbers = word.filter(|_| parameter.op == Op::Slice).and_then(|word| self.arena.literal(word));
        let mut numbers = numbers
            .unwrap_or_default()
            .split(':')
            .map(|text| number(text).and_then(|number| usize::try_from(number).ok()));
        // Positional parameters count from 1; number 0 is the shell.
        let is_args = parameter.name == Name::All || parameter.name == Name::Joined;
        let (from, count) = (numbers.next().flatten(), numbers.next());
        let (Some(from), Some(count)) = (from, count.unwrap_or(Some(usize::MAX))) else {
            let is_empty = words.is_empty() && !is_args;
            return if is_empty { Found::List(Vec::new()) } else { Found::Unknown(None) };
        };
        let mut values = words.to_vec();
        if is_args && from == 0 {
            let Some(zero) = self.state.zero else { return Found::Unknown(None) };
            values.insert(0, zero);
        }
        let (words, from) = (values.as_slice(), if is_args { from.saturating_sub(1) } else { from });
        let before = words.iter().take(from.saturating_add(count));
        let is_whole = from == 0 && count >= words.len();
        if !is_whole && !before.into_iter().all(|word| self.arena.is_one(*word)) {
            return Found::Unknown(None);
        }
        let some: Vec<Token> = words.iter().skip(from).take(count).copied().collect();
        let joins = parameter.name == Name::Joined
            || parameter.subscript.is_some_and(|values| self.arena.text(values) == "*");
        if joins { Found::Joined(some) } else { Found::List(some) }
    }

    /// The value of a variable, or the text that takes its place: `${X:-y}`.
    fn default_of(&mut self, value: Token, raw: &str, inert: bool) -> Token {
        let guess = self.guess(value, raw, inert);
        let name = variable_name(raw.trim_start_matches(['$', '{']));
        if name.is_empty() || self.arena.text(guess) == raw {
            return guess;
        }
        let start = self.arena.add(name);
        self.arena.defaulted.push(Token::new(start, short(name.len()), false, true));
        let kind = Special::Default(short(self.arena.defaulted.len() - 1));
        let mut marks = vec![Mark { at: 0, len: 0, kind }];
        marks.extend_from_slice(self.arena.marks(guess));
        let text = self.arena.text(guess).to_owned();
        self.arena.push(&text, &marks, true)
    }

    /// A text that is only one possibility.
    fn guess(&mut self, value: Token, raw: &str, inert: bool) -> Token {
        let text = self.arena.text(value).to_owned();
        if text.is_empty() {
            return if inert { self.inert(raw) } else { self.unknown(raw) };
        }
        let inert = inert && !self.arena.has(value, Special::may_be_code);
        let marks = self.arena.marks(value).iter().filter(|mark| matches!(mark.kind, Special::Origin(_)));
        let mut guessed: Vec<Mark> = marks.map(|mark| Mark { at: 0, ..*mark }).collect();
        guessed.push(Mark { at: 0, len: short(text.len()), kind: Special::Guess { inert } });
        self.arena.push(&text, &guessed, true)
    }

    fn indirect(&mut self, found: Found, word: Option<Token>) -> Done<Found> {
        self.run_word(word)?;
        let Found::Text(name) = found else { return Ok(Found::Unknown(None)) };
        let Some(name) = self.arena.literal(name).map(str::to_owned) else { return Ok(Found::Unknown(None)) };
        if let Some(at) = name.find('[') {
            let subscript = self.text(name.get(at..).unwrap_or_default());
            self.evaluate(subscript)?;
        }
        Ok(match self.arena.known_symbol(&name).and_then(|name| self.value_of(name)) {
            Some(value) => self.found(value),
            None => Found::Unknown(None),
        })
    }

    /// Whether a part of an inert value, or a changed one, is inert.
    fn stays_inert(&self, op: Op, word: Option<Token>) -> bool {
        let is_plain = |word: Token| self.arena.is_known(word) && !self.arena.text(word).contains(['$', '`']);
        !matches!(op, Op::Replace { .. }) || word.is_none_or(is_plain)
    }

    /// A part of a value, or a changed one.
    fn changed(&mut self, found: Found, parameter: Parameter) -> Done<Found> {
        let word = match parameter.word {
            Some(word) => Some(self.value(word)?),
            None => None,
        };
        if let (Op::Slice, Some(word)) = (parameter.op, word) {
            self.evaluate(word)?;
        }
        let origins = match &found {
            Found::Text(text) => self.arena.marks(*text).to_vec(),
            Found::Inert(origin) if self.stays_inert(parameter.op, word) => return Ok(Found::Inert(*origin)),
            Found::Unknown(origin) | Found::Inert(origin) => return Ok(Found::Unknown(*origin)),
            Found::Nothing => return Ok(Found::Nothing),
            Found::List(words) | Found::Joined(words) => return Ok(self.sliced(words, parameter, word)),
        };
        let Found::Text(text) = found else { return Ok(Found::Unknown(None)) };
        let own_word = word.map(|word| self.arena.text(word)).unwrap_or_default();
        // `${x::=y}` of zsh sets the variable.
        if let (Op::Slice, true, Name::Variable(name)) =
            (parameter.op, own_word.starts_with(":="), parameter.name)
        {
            self.state.set(name, Value::Unknown);
            return Ok(Found::Unknown(None));
        }
        // The text of a directory is after a `~`.
        if own_word.contains('~') || self.arena.text(text).contains('~') {
            return Ok(Found::Unknown(None));
        }
        // Patterns of `extglob`.
        if ["@(", "+(", "?(", "*(", "!("].into_iter().any(|pattern| own_word.contains(pattern)) {
            return Ok(Found::Unknown(None));
        }
        let Some(word) = word.filter(|_| self.arena.is_known(text)) else {
            return Ok(Found::Unknown(None));
        };
        let new = match self.arena.literal(word) {
            Some(word) => apply(self.arena.text(text), parameter.op, word),
            None => {
                let size = self.arena.text(text).len().saturating_mul(self.arena.text(word).len());
                self.step(1 + size / 64)?;
                self.matched(text, parameter.op, word)
            }
        };
        let Some(new) = new else { return Ok(Found::Unknown(None)) };
        let mut marks: Vec<Mark> =
            origins.into_iter().filter(|mark| matches!(mark.kind, Special::Origin(_))).collect();
        marks.iter_mut().for_each(|mark| mark.at = 0);
        self.step(1 + new.len() / 16)?;
        Ok(Found::Text(self.arena.push(&new, &marks, true)))
    }
}

impl Walk {
    /// The text after an operator with a pattern.
    fn matched(&self, text: Token, op: Op, word: Token) -> Option<String> {
        let (text, raw) = (self.arena.text(text), self.arena.text(word));
        let end = match op {
            Op::Replace { .. } => raw.find('/').unwrap_or(raw.len()),
            _ => raw.len(),
        };
        let pattern = Pattern::from_word(&self.arena, word, end)?;
        match op {
            Op::Prefix { longest } => Some(pattern.without_prefix(text, longest)),
            Op::Suffix { longest } => Some(pattern.without_suffix(text, longest)),
            Op::Replace { all } => {
                let to = raw.get(end + 1..).unwrap_or_default();
                let is_slash = |mark: &Mark| raw.get(bytes_of(*mark)) == Some("/");
                // Which slash separates is not known, and `&` is what was found.
                if to.contains('/')
                    || self.arena.marks(word).iter().any(is_slash)
                    || pattern.is_literal()
                    || raw.starts_with(['#', '%'])
                    || to.contains('&')
                {
                    return None;
                }
                pattern.replaced(text, to, all)
            }
            _ => None,
        }
    }
}

/// The name of a variable that a text starts with; empty if it starts with none.
fn variable_name(text: &str) -> &str {
    let is_name = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric();
    let end = text.bytes().position(|byte| !is_name(byte)).unwrap_or(text.len());
    text.get(..end).filter(|name| !name.starts_with(|c: char| c.is_ascii_digit())).unwrap_or_default()
}

/// The bytes of a mark.
fn bytes_of(mark: Mark) -> std::ops::Range<usize> {
    long(mark.at)..long(mark.at + mark.len)
}

/// A decimal number; a zero in front makes it an octal one.
fn number(text: &str) -> Option<i64> {
    let text = text.trim();
    let digits = text.trim_start_matches(['-', '+']);
    if digits.len() > 1 && digits.starts_with('0') { None } else { text.parse().ok() }
}

/// The text after an operator with a literal word.
fn apply(text: &str, op: Op, word: &str) -> Option<String> {
    match op {
        Op::Prefix { .. } => Some(text.strip_prefix(word).unwrap_or(text).to_owned()),
        Op::Suffix { .. } => Some(text.strip_suffix(word).unwrap_or(text).to_owned()),
        Op::Replace { all } => {
            let (from, to) = word.split_once('/').unwrap_or((word, ""));
            // Which slash is quoted is not known, and `&` is what was found.
            if from.is_empty() || to.contains(['/', '&']) {
                return None;
            }
            if !all && from.starts_with(['#', '%']) {
                return None;
            }
            if text.len().saturating_mul(to.len() + 1) > super::expand::LONGEST * 8 {
                return None;
            }
            Some(if all { text.replace(from, to) } else { text.replacen(from, to, 1) })
        }
        Op::Slice => {
            let (from, length) = match word.split_once(':') {
                Some((from, length)) => (from, Some(number(length)?)),
                None => (word, None),
            };
            let count = i64::try_from(text.chars().count()).ok()?;
            let from = number(from)?;
            let from = if from < 0 { count + from } else { from };
            if from < 0 {
                return Some(String::new());
            }
            let end = match length {
                None => count,
                Some(length) if length < 0 => count + length,
                Some(length) => from.saturating_add(length),
            };
            let take = usize::try_from(end - from).unwrap_or_default();
            Some(text.chars().skip(usize::try_from(from).ok()?).take(take).collect())
        }
        Op::Case { upper, all } if word.is_empty() => {
            let change =
                |char: char| if upper { char.to_ascii_uppercase() } else { char.to_ascii_lowercase() };
            Some(text.chars().enumerate().map(|(at, c)| if all || at == 0 { change(c) } else { c }).collect())
        }
        _ => None,
    }
}
