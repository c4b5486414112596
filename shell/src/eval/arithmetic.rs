//! Texts that bash evaluates as numbers: which code and which variables they touch. What they result in is never known.
//!
//! A name in such a text stands for the value of the variable, which is evaluated too, and a substitution in a subscript
//! runs: `x='a[$(y)]'; echo $((x))` runs `y`. So code that is known is followed, and a text that the line takes from
//! elsewhere (the output of a program, a file, what `read` reads) is opaque unless it is a number. Values of variables that
//! the line does not set are taken for numbers.

use std::collections::HashSet;

use super::super::Opaque;
use super::super::read;
use super::super::token::{Special, Symbol, Token, Words, long};
use super::state::{Args, Value};
use super::{Done, Walk};

/// Texts that one expression can contain by the values of variables.
const EXPRESSIONS: usize = 64;

/// Operators of `[[ ]]` with numbers on both sides.
const NUMBERS: [&str; 6] = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

/// Operators before the name of a variable.
const NAMES: [&str; 2] = ["-v", "-R"];

/// Whether a text has a substitution that runs if it is evaluated: in a subscript, if it is not one itself.
fn has_code(text: &str, is_subscript: bool) -> bool {
    let from = if is_subscript { Some(0) } else { text.find('[') };
    let inner = from.and_then(|at| text.get(at..)).unwrap_or_default();
    inner.contains("$(") || inner.contains("${") || inner.contains('`')
}

/// What is between two operators of an expression.
struct Operand<'t> {
    /// The first name in it.
    name: &'t str,
    at: usize,
    /// Whether an operator sets it.
    is_set: bool,
    /// Whether it is a variable by its name: not `$x`, whose value is the name.
    is_written: bool,
}

/// The operands with a name, in order; also those whose name is the value of another variable.
fn operands(text: &str) -> impl Iterator<Item = Operand<'_>> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut from = 0;
    let operands_found = std::iter::from_fn(move || {
        let start = from + text.get(from..)?.bytes().position(is_name)?;
        let rest = text.get(start..)?;
        let len = rest.bytes().position(|byte| !is_name(byte)).unwrap_or(rest.len());
        from = start + len;
        let (before, name) = (text.get(..start)?.trim_end(), rest.get(..len)?);
        let rest = after_subscript(rest.get(len..)?);
        let is_set = before.ends_with("++") || before.ends_with("--") || is_assignment(rest);
        Some(Operand { name, at: start, is_set, is_written: !before.ends_with(['$', '{']) })
    });
    let is_number = |operand: &Operand<'_>| operand.name.starts_with(|c: char| c.is_ascii_digit());
    operands_found.filter(move |operand| !operand.is_written || !is_number(operand))
}

/// Most characters of a subscript whose end is searched for.
const SUBSCRIPT: usize = 200;

/// What follows a name and its subscript, or the end of an expansion; an assignment if it is not
/// found.
fn after_subscript(rest: &str) -> &str {
    let rest = rest.trim_start().trim_start_matches(['}', ')', '`']).trim_start();
    if !rest.starts_with('[') {
        return rest;
    }
    let mut depth = 0_usize;
    let mut near = rest.char_indices().take(SUBSCRIPT);
    let end = near.find(|(_, c)| {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    });
    end.and_then(|(at, _)| rest.get(at + 1..)).map_or("=", str::trim_start)
}

/// Whether a text begins with an operator that sets what is before it.
fn is_assignment(text: &str) -> bool {
    if text.starts_with("++") || text.starts_with("--") {
        return true;
    }
    let operator = text.trim_start_matches("<<").trim_start_matches(">>");
    let operator = if operator.len() == text.len() {
        text.strip_prefix(['+', '-', '*', '/', '%', '&', '^', '|']).unwrap_or(text)
    } else {
        operator
    };
    operator.starts_with('=') && !operator.starts_with("==")
}

impl Walk {
    /// Expands an expression, and evaluates it.
    pub(super) fn calculate(&mut self, expression: Token) -> Done<()> {
        let text = self.value(expression)?;
        self.evaluate(text)
    }

    /// A text reaches arithmetic.
    pub(super) fn evaluate(&mut self, text: Token) -> Done<()> {
        self.evaluate_all(text, false)
    }

    /// A text is a subscript.
    pub(super) fn evaluate_subscript(&mut self, text: Token) -> Done<()> {
        self.evaluate_all(text, true)
    }

    fn evaluate_all(&mut self, text: Token, is_subscript: bool) -> Done<()> {
        let (mut texts, mut names, mut at) = (vec![text], HashSet::default(), 0);
        while let Some(text) = texts.get(at).copied() {
            if at == EXPRESSIONS {
                self.opaque(Opaque::Code);
                break;
            }
            self.evaluate_one(text, is_subscript && at == 0, &mut texts, &mut names)?;
            at += 1;
        }
        Ok(())
    }

    /// Evaluates a text; the values of the variables in it are added to the texts, and their names to the names.
    fn evaluate_one(
        &mut self,
        token: Token,
        is_subscript: bool,
        texts: &mut Vec<Token>,
        names: &mut HashSet<Symbol, foldhash::fast::RandomState>,
    ) -> Done<()> {
        let text = self.arena.text(token).to_owned();
        self.step(1 + text.len() / 16)?;
        if self.arena.has(token, Special::may_be_code) {
            self.opaque(Opaque::Code);
        }
        let known = self.known_text(token);
        if has_code(&known, is_subscript) {
            self.follow(&known)?;
        }
        for Operand { name, at, is_set, is_written } in operands(&text) {
            let is_known = known.get(at..).is_some_and(|rest| rest.starts_with(name));
            if is_known && !is_written && name.starts_with(|c: char| c.is_ascii_digit()) {
                self.evaluate_position(texts);
            } else if is_known
                && let Some(symbol) = self.arena.known_symbol(name)
                && names.insert(symbol)
            {
                self.evaluate_variable(symbol, texts);
            }
            match (is_set, is_written) {
                (true, true) => {
                    let name = self.arena.symbol(name);
                    self.state.set(name, Value::Inert);
                }
                (true, false) => self.state.set_all(Value::Unknown),
                (false, _) => {}
            }
        }
        Ok(())
    }

    fn evaluate_variable(&mut self, name: Symbol, texts: &mut Vec<Token>) {
        let value = self.value_of(name);
        if self.is_inert(value) {
            return;
        }
        match value {
            Some(Value::Text(text)) => texts.push(text),
            Some(Value::List(words)) => texts.extend_from_slice(self.arena.words(words)),
            Some(Value::Unknown) => self.opaque(Opaque::Code),
            Some(Value::Unset | Value::Inert) | None => {}
        }
    }

    /// A positional parameter in a text that is evaluated: `let 'x[$1]'`.
    fn evaluate_position(&mut self, texts: &mut Vec<Token>) {
        match self.state.args {
            Args::Known(words) => texts.extend_from_slice(self.arena.words(words)),
            Args::Unknown => self.opaque(Opaque::Code),
            Args::None | Args::Outside => {}
        }
    }

    /// Runs the substitutions in a text. What they write is evaluated too.
    fn follow(&mut self, text: &str) -> Done<()> {
        self.opaque(Opaque::Code);
        match read::read_expansions(text, self.depth, &mut self.arena) {
            Ok(token) => self.nested(|walk| walk.inner(token)),
            Err(_) => Ok(()),
        }
    }

    /// The text of a word with spaces in the place of its unknown parts.
    fn known_text(&self, token: Token) -> String {
        let text = self.arena.text(token);
        let (mut known, mut from) = (String::with_capacity(text.len()), 0);
        for mark in self.arena.marks(token).iter().filter(|mark| mark.kind.is_unknown()) {
            let (start, end) = (long(mark.at), long(mark.at + mark.len));
            known.push_str(text.get(from..start).unwrap_or_default());
            known.extend(std::iter::repeat_n(' ', end.saturating_sub(from.max(start))));
            from = from.max(end);
        }
        known.push_str(text.get(from..).unwrap_or_default());
        known
    }

    /// The words of a text that a declaration makes an array: `declare -a x='($(y))'`.
    pub(super) fn evaluate_elements(&mut self, text: Token) -> Done<()> {
        if self.arena.has(text, Special::may_be_code) {
            self.opaque(Opaque::Code);
        }
        let known = self.known_text(text);
        let is_code = ["$(", "${", "`", "<(", ">("].into_iter().any(|code| known.contains(code));
        if is_code { self.follow(&known) } else { Ok(()) }
    }

    /// A text is the name of a variable: its subscript is evaluated.
    pub(super) fn evaluate_name(&mut self, name: Token) -> Done<()> {
        if self.arena.has(name, Special::may_be_code) {
            self.opaque(Opaque::Code);
        }
        let text = self.arena.text(name);
        match (text.find('['), text.len()) {
            (Some(at), length) => {
                let subscript = self.arena.slice(name, at, length);
                self.evaluate(subscript)
            }
            (None, _) => Ok(()),
        }
    }

    /// The arguments of a builtin that are names or expressions: bash runs a substitution in a subscript although it is
    /// quoted, as in `test -v 'a[$(x)]'`.
    pub(super) fn reads_names(&mut self, name: Token, words: Words) -> Done<()> {
        let names = match self.arena.text(name) {
            "let" => {
                let expressions = self.arena.words(words.skip(1)).to_vec();
                return expressions.into_iter().try_for_each(|word| self.evaluate(word));
            }
            "printf" => self.variable_of_printf(words).map(|(name, _)| name).into_iter().collect(),
            "[" | "test" => {
                let arguments = self.arena.words(words);
                let names = arguments.iter().zip(arguments.iter().skip(1));
                let names = names.filter(|(operator, _)| NAMES.contains(&self.arena.text(**operator)));
                names.map(|(_, name)| *name).collect()
            }
            "read" => self.own_options(words, "adinNptu").1,
            "wait" => {
                let options = self.own_options(words, "p").0.into_iter();
                options.filter(|(letter, _)| *letter == 'p').filter_map(|(_, name)| name).collect()
            }
            "unset" => self.arena.words(words.skip(1)).to_vec(),
            "declare" | "local" | "typeset" => {
                let declarations = self.arena.words(words.skip(1)).to_vec();
                declarations.into_iter().map(|word| self.declared_name(word)).collect()
            }
            _ => return Ok(()),
        };
        names.into_iter().try_for_each(|word| self.evaluate_name(word))
    }

    /// What is before the `=`.
    fn declared_name(&mut self, word: Token) -> Token {
        let text = self.arena.text(word);
        // Those in a subscript are operators.
        let is_end = |at: usize| {
            let before = text.get(..at).unwrap_or_default();
            let is_after = before.trim_end_matches('+').ends_with(']') || !before.contains('[');
            is_after && self.arena.is_known_at(word, at)
        };
        let end = text.match_indices('=').map(|(at, _)| at).find(|at| is_end(*at)).unwrap_or(text.len());
        self.arena.slice(word, 0, end)
    }

    /// The words of `[[ ]]`, whose numbers are expressions.
    pub(super) fn test(&mut self, words: Words) -> Done<()> {
        let mut words_of_test = Vec::new();
        for at in 0..words.len {
            if let Some(word) = self.arena.word(words, at) {
                words_of_test.push(self.value(word)?);
            }
        }
        for (at, operator) in words_of_test.iter().enumerate() {
            let (before, after) =
                (at.checked_sub(1).and_then(|at| words_of_test.get(at)), words_of_test.get(at + 1));
            match self.arena.text(*operator) {
                "=~" => {
                    let is_inert = before.is_some_and(|text| self.is_inert(Some(Value::Text(*text))));
                    let value = if is_inert { Value::Inert } else { Value::Unknown };
                    ["BASH_REMATCH", "MATCH", "match"]
                        .into_iter()
                        .for_each(|name| self.open_name(name, value));
                }
                text if NAMES.contains(&text) => {
                    after.into_iter().try_for_each(|name| self.evaluate_name(*name))?;
                }
                text if NUMBERS.contains(&text) => {
                    before.into_iter().chain(after).try_for_each(|number| self.evaluate(*number))?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl Walk {
    /// Whether evaluating a value touches no code and no variable.
    pub(super) fn is_inert(&self, value: Option<Value>) -> bool {
        let is_number = |text: Token| {
            let is_part = |byte: u8| byte.is_ascii_digit() || b" +-*/%.,:".contains(&byte);
            !self.arena.has(text, Special::may_be_code) && self.known_text(text).bytes().all(is_part)
        };
        match value {
            Some(Value::Text(text)) => is_number(text),
            Some(Value::List(words)) => self.arena.words(words).iter().all(|word| is_number(*word)),
            Some(Value::Unknown) => false,
            Some(Value::Inert | Value::Unset) | None => true,
        }
    }

    /// Whether bash evaluates what a variable gets.
    pub(super) fn is_integer(&self, name: Symbol) -> bool {
        self.arena.integers.contains(&name) || self.state.is_integer(name)
    }

    /// Gives a variable a value.
    pub(super) fn store(&mut self, name: Symbol, value: Value) -> Done<()> {
        let value = self.as_number(name, value)?;
        self.state.set(name, value);
        Ok(())
    }

    /// Gives an element of an array a value.
    pub(super) fn store_element(&mut self, name: Symbol, value: Token) -> Done<()> {
        let is_inert = self.is_inert(self.state.get(name)) && self.is_inert(Some(Value::Text(value)));
        self.as_number(name, Value::Text(value))?;
        self.state.set(name, if is_inert { Value::Inert } else { Value::Unknown });
        Ok(())
    }

    /// The value that a variable gets, which is evaluated if the variable is an integer.
    pub(super) fn as_number(&mut self, name: Symbol, value: Value) -> Done<Value> {
        if !self.is_integer(name) {
            return Ok(value);
        }
        match value {
            Value::Text(text) => self.evaluate(text)?,
            Value::List(words) => {
                self.arena.words(words).to_vec().into_iter().try_for_each(|word| self.evaluate(word))?;
            }
            Value::Unknown => self.opaque(Opaque::Code),
            Value::Unset => return Ok(value),
            Value::Inert => {}
        }
        Ok(Value::Inert)
    }
}
