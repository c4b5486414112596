//! Which words are in values that the walk does not know: `read X <<< "$Y"`.

use super::super::token::{Mark, Special, Symbol, Token, long, short, within};
use super::Walk;
use super::state::Value;
use crate::limits;

/// What separates the words of a line.
const SPACE: [char; 2] = [' ', '\t'];

/// A word in the value of a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flow {
    /// The variable; none for the positional parameters.
    pub(crate) name: Option<Symbol>,
    pub(crate) word: Token,
}

impl Walk {
    /// Notes the words in the value of a variable; of too many, only the first ones.
    pub(super) fn flows_into(&mut self, name: Option<Symbol>, words: &[Token]) {
        let room = limits::SHELL_VARIABLES.saturating_sub(self.flows.len());
        let marked = words.iter().filter(|word| word.is_marked()).take(room);
        self.flows.extend(marked.map(|word| Flow { name, word: *word }));
        self.steps += words.len();
    }

    /// Notes what a builtin reads into variables.
    pub(super) fn reads_into(&mut self, names: &[Token]) {
        let input = self.inputs.get(long(self.input())).copied().filter(|_| self.input() > 0);
        let Some(input) = input else { return };
        let mut words: Vec<Token> = input.text.into_iter().collect();
        for seen in within(&self.commands, input.from) {
            words.extend_from_slice(self.arena.words(seen.words));
        }
        for name in names {
            let name = self.arena.text(*name).to_owned();
            let name = self.arena.symbol(&name);
            self.flows_into(Some(name), &words);
        }
    }

    /// Notes which commands print what a builtin, a command of its own, reads into variables: those before it in a pipe, or
    /// itself if it reads a file, which a redirection around it can open.
    pub(super) fn reads_output_into(&mut self, at: usize, names: &[Token]) {
        let Some(input) = self.inputs.get(long(self.input())).copied() else { return };
        let stream = self.commands.get(at).and_then(|seen| self.stream(seen, 0));
        let range = match input.from {
            (from, to) if from < to && to <= short(self.commands.len()) => (from, to),
            _ if stream.is_some_and(|target| target.op == "<") => (short(at), short(at + 1)),
            _ => return,
        };
        self.origins.push(range);
        let origin = Mark { at: 0, len: 0, kind: Special::Origin(short(self.origins.len() - 1)) };
        for name in names {
            let Some(text) = self.arena.literal(*name).map(str::to_owned) else { continue };
            let symbol = self.arena.symbol(&text);
            if self.state.get(symbol).is_some_and(|value| matches!(value, Value::Unknown)) {
                let raw = format!("${text}");
                let unknown = Mark { at: 0, len: short(raw.len()), kind: Special::Unknown };
                let value = self.arena.push(&raw, &[origin, unknown], true);
                self.state.set(symbol, Value::Text(value));
            }
        }
    }

    /// The text that a builtin reads, if it is known and nothing can have read from it, also in an earlier pass of a loop.
    fn known_input(&mut self, at: usize) -> Option<String> {
        let number = long(self.input());
        let input = self.inputs.get_mut(number)?;
        let is_taken = std::mem::replace(&mut input.is_taken, true);
        let is_first = !is_taken && input.outer == 0 && (at..=at + 1).contains(&long(input.opened));
        let text = self.arena.literal(input.text.filter(|_| is_first)?)?;
        (!text.contains('\\')).then(|| text.to_owned())
    }

    /// The words of the first line of a known input.
    fn known_line(&mut self, at: usize) -> Option<String> {
        let is_set = |name| self.state.get(name).is_some();
        // `IFS=: read X Y`
        let has_settings =
            self.commands.get(at).is_none_or(|seen| !within(&self.settings, seen.env).is_empty());
        let has_separators = has_settings || self.arena.known_symbol("IFS").is_some_and(is_set);
        let text = self.known_input(at).filter(|_| !has_separators)?;
        Some(text.lines().next().unwrap_or_default().trim_matches(SPACE).to_owned())
    }

    /// Gives variables the words of a line that is known: `read X Y <<< TEXT`.
    pub(super) fn reads_words_into(&mut self, at: usize, names: &[Token]) {
        let Some(line) = self.known_line(at) else { return };
        let mut rest = line.as_str();
        for (number, name) in names.iter().enumerate() {
            let is_last = number + 1 == names.len();
            let (word, next) = rest.split_once(SPACE).filter(|_| !is_last).unwrap_or((rest, ""));
            rest = next.trim_start_matches(SPACE);
            let value = Value::Text(self.arena.push(word, &[], true));
            self.gets(*name, value);
        }
        self.steps += line.len();
    }

    /// Makes the words of a known line the elements of an array: `read -a X <<< TEXT`.
    pub(super) fn reads_elements_into(&mut self, at: usize, name: Token) {
        let Some(line) = self.known_line(at) else { return };
        self.get_elements(name, line.split_whitespace().collect());
    }

    /// Makes known lines the elements of an array: `mapfile -t X <<< TEXT`.
    pub(super) fn reads_lines_into(&mut self, at: usize, name: Token) {
        let Some(text) = self.known_input(at) else { return };
        self.get_elements(name, text.lines().collect());
    }

    fn get_elements(&mut self, name: Token, texts: Vec<&str>) {
        self.steps += texts.iter().map(|text| text.len()).sum::<usize>();
        if texts.len() <= limits::SHELL_WORDS {
            let words: Vec<Token> = texts.into_iter().map(|text| self.arena.push(text, &[], true)).collect();
            let words = self.arena.list(&words);
            self.gets(name, Value::List(words));
        }
    }

    fn gets(&mut self, name: Token, value: Value) {
        let is_name = |name: &&str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if let Some(name) = self.arena.literal(name).filter(is_name).map(str::to_owned) {
            let symbol = self.arena.symbol(&name);
            self.state.set(symbol, value);
        }
    }
}
