//! `env -S TEXT`: the words of a text take the place of the option.

use std::collections::VecDeque;

use super::super::Opaque;
use super::super::programs::OptionArgument;
use super::super::token::{Token, Words};
use super::Walk;
use super::arguments::Arguments;
use super::inner_command::is_variable;
use super::state::Place;

impl Walk {
    /// The command in a text and the words after it, which can start with options and variables.
    pub(super) fn split(&mut self, text: Token, after: Option<Words>, call: &mut Arguments) -> Words {
        let after = after.map_or_else(Vec::new, |after| self.arena.words(after).to_vec());
        let mut rest: VecDeque<Token> = after.into();
        self.prepend(text, &mut rest);
        while let Some(word) = rest.pop_front() {
            let text = self.arena.text(word).to_owned();
            if !self.arena.is_known(word) {
                rest.push_front(word);
                break;
            }
            if text == "--" {
                break;
            }
            if text.starts_with('-') {
                self.split_option(&text, word, &mut rest, call);
            } else if is_variable(call.kind, &text) {
                call.environment.settings.push(word);
            } else {
                rest.push_front(word);
                break;
            }
        }
        self.arena.list(rest.make_contiguous())
    }

    /// Puts the words of a text before the others.
    fn prepend(&mut self, text: Token, rest: &mut VecDeque<Token>) {
        match self.arena.literal(text).and_then(split_words) {
            Some(parts) => {
                for part in parts.iter().rev() {
                    rest.push_front(self.text(part));
                }
            }
            None => {
                let raw = self.arena.text(text).to_owned();
                rest.push_front(self.unknown(&raw));
            }
        }
    }

    /// An option among the words of a text.
    fn split_option(&mut self, text: &str, word: Token, rest: &mut VecDeque<Token>, call: &mut Arguments) {
        if text.starts_with("--") {
            let name = text.split('=').next().unwrap_or_default();
            let takes = call.takes(name).map(|takes| (name, takes));
            let takes = takes.or_else(|| call.program?.options().abbreviated(name));
            let joined =
                (name.len() < text.len()).then(|| self.arena.slice(word, name.len() + 1, text.len()));
            match takes {
                Some((name, takes)) => self.split_value(name, takes, joined, rest, call),
                None => self.opaque(Opaque::Name),
            }
            return;
        }
        if text == "-" {
            call.environment.is_cleared = true;
        }
        for (at, letter) in text.char_indices().skip(1) {
            let name = format!("-{letter}");
            let Some(takes) = call.takes(&name) else {
                self.opaque(Opaque::Name);
                return;
            };
            let end = at + letter.len_utf8();
            let joined = (end < text.len()).then(|| self.arena.slice(word, end, text.len()));
            let is_flag = matches!(takes, OptionArgument::Nothing | OptionArgument::Joined);
            self.split_value(&name, takes, joined.filter(|_| !is_flag), rest, call);
            if !is_flag {
                return;
            }
        }
    }

    fn split_value(
        &mut self,
        name: &str,
        takes: OptionArgument,
        joined: Option<Token>,
        rest: &mut VecDeque<Token>,
        call: &mut Arguments,
    ) {
        let value = match takes {
            OptionArgument::Nothing | OptionArgument::Joined => joined,
            _ => joined.or_else(|| rest.pop_front()),
        };
        match (takes, value) {
            (OptionArgument::Words, Some(text)) => self.prepend(text, rest),
            (OptionArgument::Folder, Some(folder)) => {
                call.directory.set(folder);
                match self.moved(folder) {
                    Some(dir) => self.state.place = Place::at(Some(dir)),
                    None => self.forget_cwd(),
                }
            }
            (_, Some(variable)) if matches!(name, "-u" | "--unset") => call.environment.unset.push(variable),
            _ => call.environment.is_cleared |= matches!(name, "-i" | "--ignore-environment"),
        }
    }
}

/// The words of a text as `env -S` splits it; none if variables or unusual escapes are in it.
fn split_words(text: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match (char, quote) {
            ('\'' | '"', None) => {
                quote = Some(char);
                word.get_or_insert_default();
            }
            (_, Some(open)) if open == char => quote = None,
            ('\\', _) => match chars.next() {
                Some(escaped @ ('\\' | '\'')) => word.get_or_insert_default().push(escaped),
                Some(escaped @ ('"' | '$' | '#')) if quote != Some('\'') => {
                    word.get_or_insert_default().push(escaped);
                }
                _ => return None,
            },
            ('$', Some('"') | None) => return None,
            ('#', None) if word.is_none() => return None,
            (' ' | '\t' | '\n' | '\r', None) => words.extend(word.take()),
            _ => word.get_or_insert_default().push(char),
        }
    }
    words.extend(word);
    Some(words)
}
