//! `parallel`, which fills its arguments into code.

use super::super::Opaque;
use super::super::token::{Token, Words};
use super::arguments::Arguments;
use super::state::Value;
use super::{Done, Walk};

/// More arguments than these are unknown ones.
const MOST: usize = 16;

/// The variable that stands for an argument in the code.
const WHOLE: &str = "__argument";

/// The variable that stands for a part of an argument, or for what is not an argument.
const PART: &str = "__part";

/// Options with which one command gets several arguments.
const SEVERAL: [&str; 10] =
    ["n", "max-args", "N", "max-replace-args", "L", "l", "m", "xargs", "X", "max-lines"];

/// Options with which the arguments are the input of the command.
const PIPES: [&str; 4] = ["pipe", "spreadstdin", "pipepart", "pipe-part"];

impl Walk {
    /// `parallel COMMAND ::: ARGUMENTS`: its words are code, in which `{}` is an argument. Without a
    /// command, the arguments are code.
    pub(super) fn parallel(&mut self, at: usize, name: &str, call: &Arguments) -> Done<()> {
        let operands: Vec<Token> = self.operands_of_call(call).iter().map(|(_, word)| *word).collect();
        let is_source = |word: &Token| matches!(self.arena.text(*word), ":::" | ":::+" | "::::" | "::::+");
        let end = operands.iter().position(is_source).unwrap_or(operands.len());
        let command = operands.get(..end).unwrap_or_default();
        let mut sources = operands.get(end..).unwrap_or_default();
        let has_sources = !sources.is_empty();
        let is_one = sources.iter().filter(|word| is_source(word)).count() == 1
            && sources.first().is_some_and(|word| self.arena.text(*word) == ":::");
        let trimmed: Vec<Token>;
        sources = if is_one { sources.get(1..).unwrap_or_default() } else { &[] };
        if self.has_flag(at, &["trim"]) {
            trimmed = sources.iter().map(|word| self.trimmed(*word)).collect();
            sources = &trimmed;
        }
        let is_known = !sources.is_empty()
            && sources.len() <= MOST
            && sources.iter().all(|word| self.arena.literal(*word).is_some());
        let is_sem = name == "sem";
        if command.is_empty() {
            if is_known {
                for code in sources {
                    self.code(Some(at), *code, name, Some(Words::default()))?;
                }
            } else if has_sources || self.has_flag(at, &["a", "arg-file"]) {
                self.opaque(Opaque::Code);
            } else if !is_sem {
                self.input_is_code(at, name, true)?;
            }
            return Ok(());
        }
        let quotes = self.has_flag(at, &["q", "quote"]);
        let appends = !is_sem && !self.has_flag(at, &PIPES);
        let is_single = is_known && !self.has_flag(at, &SEVERAL);
        let values = if is_single { sources.to_vec() } else { vec![self.unknown("{}")] };
        let code = self.template(command, quotes, appends, call);
        let outer = self.state.of_names();
        for value in values {
            self.state.take_names(outer.of_names());
            let (whole, part) = (self.arena.symbol(WHOLE), self.arena.symbol(PART));
            self.state.export(whole, Value::Text(value));
            let unknown = self.unknown("{}");
            self.state.export(part, Value::Text(unknown));
            self.code(Some(at), code, name, Some(Words::default()))?;
        }
        self.state.take_names(outer);
        Ok(())
    }

    /// A word without whitespace at its ends.
    fn trimmed(&mut self, word: Token) -> Token {
        let text = self.arena.text(word);
        let (start, end) = (text.len() - text.trim_start().len(), text.trim_end().len());
        self.arena.slice(word, start, end.max(start))
    }

    /// Whether a command has one of these flags.
    pub(super) fn has_flag(&self, at: usize, names: &[&str]) -> bool {
        let Some(seen) = self.commands.get(at) else { return false };
        let flags = super::super::token::within(&self.flags, seen.flags);
        flags.iter().any(|flag| names.contains(&flag.name.text(&self.arena)))
    }

    /// The code of a command, with variables for its placeholders.
    fn template(&mut self, command: &[Token], quotes: bool, appends: bool, call: &Arguments) -> Token {
        let mut text = String::new();
        for word in command {
            if !text.is_empty() {
                text.push(' ');
            }
            if quotes {
                text.push_str(&self.quoted(*word));
            } else {
                text.push_str(self.arena.text(*word));
            }
            if !self.arena.is_known(*word) {
                self.opaque(Opaque::Code);
            }
        }
        let placeholder = call.replaces.map(|word| self.arena.text(word));
        let (mut code, has_any) = filled(&text, placeholder);
        if appends && !has_any {
            code.push_str(&variable(WHOLE, None));
            code.insert(text.len(), ' ');
        }
        self.text(&code)
    }
}

/// A variable where a quote is open.
fn variable(name: &str, quote: Option<char>) -> String {
    match quote {
        None => format!("\"${{{name}}}\""),
        Some('"') => format!("${{{name}}}"),
        Some(_) => format!("'\"${{{name}}}\"'"),
    }
}

/// Code with variables for `{}`, `{.}`, `{2}` and similar; whether there are any.
fn filled(text: &str, marker: Option<&str>) -> (String, bool) {
    let (mut code, mut quote, mut has_any) = (String::with_capacity(text.len()), None, false);
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let found = match marker.filter(|marker| !marker.is_empty() && rest.starts_with(marker)) {
            Some(marker) => Some((marker.len(), WHOLE)),
            None if char == '{' => placeholder(rest),
            None => None,
        };
        if let Some((length, name)) = found {
            code.push_str(&variable(name, quote));
            has_any = true;
            rest = rest.get(length..).unwrap_or_default();
            continue;
        }
        code.push(char);
        rest = rest.get(char.len_utf8()..).unwrap_or_default();
        match (char, quote) {
            ('\'' | '"', None) => quote = Some(char),
            (_, Some(open)) if open == char => quote = None,
            ('\\', None | Some('"')) => {
                if let Some(next) = rest.chars().next() {
                    code.push(next);
                    rest = rest.get(next.len_utf8()..).unwrap_or_default();
                }
            }
            _ => {}
        }
    }
    (code, has_any)
}

/// The length of the placeholder at the start of a text, and the variable for it.
fn placeholder(text: &str) -> Option<(usize, &'static str)> {
    if text.starts_with("{=") {
        return text.find("=}").map(|at| (at + 2, PART));
    }
    let inner = text.get(1..text.find('}')?)?;
    match inner {
        "" | "1" => Some((inner.len() + 2, WHOLE)),
        _ if inner.bytes().all(|byte| byte.is_ascii_digit() || b"./#%+-".contains(&byte)) => {
            Some((inner.len() + 2, PART))
        }
        _ => None,
    }
}
