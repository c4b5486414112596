//! Arithmetic: which code and which variables an expression touches. Its value is never known.

use super::super::arena::{Token, Words};
use super::state::Value;
use super::{Done, Walk};

/// Expressions that one expression can contain by the values of variables.
const EXPRESSIONS: usize = 16;

/// Builtins of bash that evaluate names of variables, or arithmetic, in their arguments.
const READERS: [&str; 15] = [
    "[",
    "declare",
    "export",
    "getopts",
    "let",
    "local",
    "mapfile",
    "printf",
    "read",
    "readarray",
    "readonly",
    "test",
    "typeset",
    "unset",
    "wait",
];

/// Operators of `[[ ]]` that read the name of a variable or an expression.
const NUMBERS: [&str; 8] = ["-v", "-R", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

/// What separates names in an expression.
const EXPRESSION: [char; 14] = [' ', '+', '-', '*', '/', '%', '=', '<', '>', '&', '|', '!', ',', '?'];

/// Whether a text begins with a name and a subscript that has a substitution.
pub(super) fn is_evaluated(text: &str) -> bool {
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let subscript = text.split_once('[').filter(|(name, _)| is_name(name));
    subscript.is_some_and(|(_, rest)| rest.contains("$(") || rest.contains("${") || rest.contains('`'))
}

/// What is between two operators of an expression.
struct Operand<'t> {
    /// The first name in it.
    name: &'t str,
    /// Whether an operator sets it.
    is_set: bool,
    /// Whether it is a variable by its name: not `$x`, whose value is the name.
    is_written: bool,
}

/// The operands with a name, in order; also those whose name is the value of another variable.
fn operands(text: &str) -> impl Iterator<Item = Operand<'_>> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut from = 0;
    let all = std::iter::from_fn(move || {
        let start = from + text.get(from..)?.bytes().position(is_name)?;
        let rest = text.get(start..)?;
        let len = rest.bytes().position(|byte| !is_name(byte)).unwrap_or(rest.len());
        from = start + len;
        let (before, name) = (text.get(..start)?.trim_end(), rest.get(..len)?);
        let behind = behind_subscript(rest.get(len..)?);
        let is_set = before.ends_with("++") || before.ends_with("--") || is_assignment(behind);
        Some(Operand { name, is_set, is_written: !before.ends_with(['$', '{']) })
    });
    let is_number = |operand: &Operand<'_>| operand.name.starts_with(|c: char| c.is_ascii_digit());
    all.filter(move |operand| !operand.is_written || !is_number(operand))
}

/// Most characters of a subscript whose end is searched for.
const SUBSCRIPT: usize = 200;

/// What follows a name and its subscript, or the end of an expansion; an assignment if it is not
/// found.
fn behind_subscript(rest: &str) -> &str {
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
    /// The arguments of a builtin that reads names: their subscripts are expressions, and bash runs a
    /// substitution in one although it is quoted: `test -v 'a[$(x)]'`.
    pub(super) fn reads_names(&mut self, name: Token, words: Words) -> Done<()> {
        let (is_let, own) = (self.arena.text(name) == "let", words);
        let words: Vec<Token> = match self.arena.text(name) {
            name if !READERS.contains(&name) => return Ok(()),
            "printf" => self.variable_of_printf(own).map(|(name, _)| name).into_iter().collect(),
            _ => self.arena.words(own.skip(1)).to_vec(),
        };
        for word in words {
            let text = self.arena.text(word);
            let text = text.strip_prefix('-').unwrap_or(text);
            let mut parts = text.split(|c| is_let && EXPRESSION.contains(&c));
            if parts.any(is_evaluated) {
                self.opaque(1);
            }
            if is_let || self.arena.text(word).contains('[') {
                self.calculate(word)?;
            }
        }
        Ok(())
    }

    /// The new value of a variable that may be a number (`declare -i`), and is an expression then.
    pub(super) fn calculate_value(&mut self, value: Value) -> Done<()> {
        if self.is_evaluated(value) {
            self.opaque(1);
        }
        match value {
            Value::Text(text) => self.calculate(text),
            Value::List(words) => {
                self.arena.words(words).to_vec().into_iter().try_for_each(|word| self.calculate(word))
            }
            Value::Unset | Value::Unknown => Ok(()),
        }
    }

    /// Whether a value runs code if bash evaluates it as a number.
    fn is_evaluated(&self, value: Value) -> bool {
        let is = |word: Token| self.arena.text(word).split(EXPRESSION).any(is_evaluated);
        match value {
            Value::Text(text) => is(text),
            Value::List(words) => self.arena.words(words).iter().any(|word| is(*word)),
            Value::Unset | Value::Unknown => false,
        }
    }

    /// Evaluates an expression. bash evaluates the values of variables too: `x='a[$(y)]'; echo $((x))`
    /// runs `y`. Variables that it sets are unknown afterwards.
    pub(super) fn calculate(&mut self, expression: Token) -> Done<()> {
        let mut values = self.state.names().variables.iter().filter_map(|own| own.value);
        if values.any(|value| self.is_evaluated(value)) {
            self.opaque(1);
        }
        let mut texts = vec![self.arena.text(expression).to_owned()];
        let mut at = 0;
        while let Some(text) = texts.get(at).cloned() {
            at += 1;
            self.step(1 + text.len() / 16)?;
            for Operand { name, is_set, is_written } in operands(&text) {
                if texts.len() < EXPRESSIONS {
                    texts.extend(self.expression_of(name));
                }
                match (is_set, is_written) {
                    (true, true) => {
                        let name = self.arena.symbol(name);
                        self.state.set(name, Value::Unknown);
                    }
                    (true, false) => self.state.set_all(Value::Unknown),
                    (false, _) => {}
                }
            }
        }
        Ok(())
    }

    /// The value of a variable, if it is an expression that may set variables.
    fn expression_of(&self, name: &str) -> Option<String> {
        let Some(Value::Text(value)) = self.value_of(self.arena.known_symbol(name)?) else { return None };
        let text = self.arena.text(value);
        text.contains(['=', '+', '-']).then(|| text.to_owned())
    }

    /// Evaluates `((...))`, or the words of `[[ ]]`, whose numbers are expressions.
    pub(super) fn test(&mut self, words: Words) -> Done<()> {
        let all: Vec<Token> = self.arena.words(words).to_vec();
        if all.iter().any(|word| self.arena.text(*word) == "=~") {
            ["BASH_REMATCH", "MATCH", "match"].into_iter().for_each(|name| self.unknown_name(name));
        }
        let mut texts = all.iter().map(|word| self.arena.text(*word));
        let has_numbers = texts.clone().any(|text| NUMBERS.contains(&text));
        if has_numbers && texts.any(|text| text.split(EXPRESSION).any(is_evaluated)) {
            self.opaque(1);
        }
        if has_numbers || all.len() == 1 {
            all.into_iter().try_for_each(|word| self.calculate(word))?;
        }
        Ok(())
    }
}
