//! Builtins that declare and remove variables, functions and aliases.

use super::super::Opaque;
use super::super::token::{Special, Symbol, Token, Words, long};
use super::state::{PROGRAM, Value, Variable};
use super::{Done, Walk, is_zsh_table, names_table};

/// What a builtin does with the variables that it names.
#[derive(Clone, Copy)]
struct Declaration {
    exports: bool,
    is_local: bool,
    is_readonly: bool,
    /// `-g`: the variable outside of all functions.
    is_outer: bool,
    /// Later values are changed: `-i`, `-l`, `-u`, `-c`.
    changes: bool,
    is_integer: bool,
    /// `-a`, `-A`
    is_array: bool,
    has_keys: bool,
    /// `-n`: the variable is another name of a variable.
    refers: bool,
    /// `-f`: the names are those of functions.
    of_functions: bool,
    /// It does not set what it names, or a shell does something else with it: `-p`, `-F`, `local` outside of
    /// functions.
    is_uncertain: bool,
    /// It is `local`.
    is_plain_local: bool,
    /// An option that is invalid in bash, or that takes an attribute back.
    has_other_options: bool,
}

impl Declaration {
    fn for_builtin(builtin: &str) -> Self {
        Self {
            exports: builtin == "export",
            is_local: !matches!(builtin, "export" | "readonly"),
            is_readonly: builtin == "readonly",
            is_outer: false,
            changes: false,
            is_integer: false,
            is_array: false,
            has_keys: false,
            refers: builtin == "nameref",
            of_functions: false,
            is_uncertain: false,
            is_plain_local: builtin == "local",
            has_other_options: false,
        }
    }

    fn add(&mut self, builtin: &str, options: &str) {
        let declares = !matches!(builtin, "export" | "readonly");
        self.is_integer |= declares && options.contains('i');
        self.is_array |= options.contains(['a', 'A']);
        self.has_keys |= options.contains('A');
        for option in options.chars() {
            match option {
                'x' if declares => self.exports = true,
                'r' if declares => self.is_readonly = true,
                'g' if declares => (self.is_local, self.is_outer) = (false, true),
                'i' | 'l' | 'u' | 'c' if declares => self.changes = true,
                // For `export`, it takes the attribute back.
                'n' if declares => self.refers = true,
                'a' if builtin != "export" => {}
                't' if declares => {}
                'f' => self.of_functions = true,
                'p' => self.is_uncertain = true,
                'F' if declares => (self.of_functions, self.is_uncertain) = (true, true),
                // Some versions do not have `-A`.
                'A' if builtin != "export" => self.is_uncertain = true,
                _ => self.has_other_options = true,
            }
        }
    }
}

/// Words that a shell reads as commands of its own, unless they are aliases.
const RESERVED: [&str; 21] = [
    "!", "[[", "]]", "{", "}", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for",
    "function", "if", "select", "then", "time", "until", "while",
];

/// Whether a shell reads a word at the start of a command as one of its keywords.
#[must_use]
pub fn is_keyword(word: &str) -> bool {
    RESERVED.contains(&word)
}

impl Walk {
    /// `export`, `readonly`, `declare`, `typeset`, `local`.
    pub(super) fn declare(&mut self, name: &str, words: Words) -> Done<()> {
        let mut kind = Declaration::for_builtin(name);
        kind.is_uncertain = name == "local" && self.locals.is_empty();
        let mut first = 1;
        while let Some(word) = self.arena.word(words, first) {
            let Some(options) = self.arena.text(word).strip_prefix(['-', '+']) else { break };
            first += 1;
            if self.arena.text(word) == "--" {
                break;
            }
            kind.add(name, options);
            kind.has_other_options |= self.arena.text(word).starts_with('+') || !self.arena.is_known(word);
        }
        for at in first..words.len {
            let Some(word) = self.arena.word(words, at) else { continue };
            let text = self.arena.text(word).to_owned();
            self.declare_one(kind, word, &text)?;
        }
        Ok(())
    }

    fn declare_one(&mut self, kind: Declaration, word: Token, text: &str) -> Done<()> {
        let length = text.find('=');
        let end = length.unwrap_or(text.len());
        let name = text.get(..end).unwrap_or_default();
        let (name, appends) = name.strip_suffix('+').map_or((name, false), |name| (name, true));
        let is_table =
            text.get(length.map_or(0, |length| length + 1)..).is_some_and(|value| value.starts_with('('));
        if names_table(text) || (is_table || name.contains('[')) && is_zsh_table(name) {
            self.opaque(Opaque::Name);
        }
        if self.arena.marks(word).iter().any(|mark| mark.kind.is_open() && long(mark.at) < end) {
            self.forget();
            return Ok(());
        }
        let value = length.map(|at| self.arena.slice(word, at + 1, text.len()));
        if let Some(value) = value {
            self.evaluate_declared(kind, name, value)?;
        }
        if kind.refers {
            if let Some(value) = value {
                self.evaluate_name(value)?;
            }
            self.state.names_mut().has_references = true;
            return Ok(());
        }
        if kind.has_other_options || kind.is_uncertain && length.is_some() {
            let name = self.arena.symbol(name);
            self.state.guard(name);
            let declared = self.state.variable(name);
            let (is_integer, has_keys) =
                (declared.is_integer || kind.is_integer, declared.has_keys || kind.has_keys);
            self.state.put(Variable { is_integer, has_keys, ..declared });
            return Ok(());
        }
        if kind.of_functions {
            if kind.exports {
                let name = self.arena.symbol(name);
                self.state.names_mut().exported.make_mut().push(name);
            }
            return Ok(());
        }
        let is_of_all = kind.is_plain_local;
        let symbol = self.arena.symbol(name);
        let mut variable = self.state.variable(symbol);
        if kind.is_local
            && let Some(locals) = self.locals.last_mut()
        {
            let is_new = !locals.iter().any(|declared| declared.name == symbol);
            // In ksh, `typeset` can set the variable outside of the function.
            let value = if self.frame.is_bash || is_of_all { variable.value } else { Some(Value::Unknown) };
            locals.push(Variable { value, ..variable });
            // Shells differ in whether it keeps the value.
            if is_new && matches!(variable.value, Some(Value::Text(_) | Value::List(_))) {
                variable.value = Some(Value::Unknown);
            }
        }
        variable.exported |= kind.exports;
        if let Some(at) = length {
            let value = self.arena.slice(word, at + 1, text.len());
            let value = self.at_home(value);
            if name == "HOME" {
                self.forget_home();
            }
            let is_array = text.get(at + 1..).is_some_and(|value| value.starts_with('('));
            let unknown = appends
                || name.contains('[')
                || is_array
                || variable.guarded
                || kind.changes
                || kind.is_outer;
            let is_number = variable.is_integer || kind.is_integer;
            variable.value = Some(match unknown {
                _ if is_number => Value::Inert,
                true => Value::Unknown,
                false => Value::Text(value),
            });
            if !appends {
                let name = self.arena.slice(word, 0, end);
                self.code_of_variables(None, &[(name, value)])?;
            }
        } else if kind.changes {
            variable.value = Some(if kind.is_integer { Value::Inert } else { Value::Unknown });
        }
        variable.is_integer |= kind.is_integer;
        variable.has_keys |= kind.has_keys;
        variable.guarded |= kind.changes || kind.is_readonly || kind.is_outer;
        self.state.put(variable);
        // The variable outside of the functions changes too, or instead.
        if kind.is_outer {
            let outer = self.locals.iter_mut().flatten().filter(|declared| declared.name == symbol);
            outer.for_each(|declared| declared.value = Some(Value::Unknown));
        }
        Ok(())
    }

    /// What a declaration evaluates of the value: a number, or in quotes the elements of an array.
    fn evaluate_declared(&mut self, kind: Declaration, name: &str, value: Token) -> Done<()> {
        let name = name.split('[').next().unwrap_or_default();
        let symbol = self.arena.symbol(name);
        if kind.is_integer || self.is_integer(symbol) {
            return self.evaluate(value);
        }
        if !kind.is_array && !matches!(self.state.variable(symbol).value, Some(Value::List(_))) {
            return Ok(());
        }
        let is_known = self.arena.is_known_at(value, 0);
        match self.arena.text(value).starts_with('(') {
            true if is_known => self.evaluate_elements(value)?,
            // Without quotes, all of it is one part of the word.
            true => {}
            false if !is_known && self.arena.has(value, Special::may_be_code) => self.opaque(Opaque::Code),
            false => {}
        }
        Ok(())
    }

    pub(super) fn unset(&mut self, words: Words) {
        let (options, names) = self.own_options(words, "");
        let has = |letter: char| options.iter().any(|(option, _)| *option == letter);
        let (variables, functions) = (has('v'), has('f'));
        let is_valid =
            options.iter().all(|(letter, _)| matches!(letter, 'v' | 'f')) && !(variables && functions);
        for word in names {
            if !is_valid {
                if let Some(name) = self.arena.literal(word).map(str::to_owned) {
                    let name = self.arena.symbol(&name);
                    self.unset_function(name, false);
                }
                self.unknown_variable(word);
                continue;
            }
            match self.arena.literal(word).map(str::to_owned) {
                // An element of an array.
                Some(name) if name.contains('[') => self.unknown_variable(word),
                Some(name) => {
                    let name = self.arena.symbol(&name);
                    let is_variable =
                        matches!(self.state.variable(name).value, Some(Value::Text(_) | Value::List(_)));
                    if !functions {
                        self.state.set(name, Value::Unset);
                    }
                    if functions || !variables && !is_variable {
                        self.unset_function(name, functions);
                    }
                }
                None => self.forget(),
            }
        }
    }

    /// Without `-f`, the name can be that of a variable that the line does not know, so that the function stays.
    pub(super) fn unset_function(&mut self, name: Symbol, is_certain: bool) {
        if !self.state.names().functions.iter().any(|(function, _)| *function == name) {
            return;
        }
        let functions = self.state.names_mut().functions.make_mut();
        if is_certain {
            functions.retain(|(function, _)| *function != name);
        } else if !functions.contains(&(name, PROGRAM)) {
            functions.push((name, PROGRAM));
        }
    }

    /// What is read with the line itself still has the alias.
    pub(super) fn unalias(&mut self, words: Words) {
        let is_other = self.own_options(words, "").0.iter().any(|(letter, _)| *letter != 'a');
        if is_other && !self.state.names().aliases.is_empty() {
            self.opaque(Opaque::Name);
        }
    }

    pub(super) fn alias(&mut self, words: Words) {
        // Other options are invalid, or those of zsh.
        let is_valid = self.own_options(words, "").0.iter().all(|(letter, _)| *letter == 'p');
        for at in 1..words.len {
            let Some(word) = self.arena.word(words, at) else { continue };
            let text = self.arena.text(word).to_owned();
            // Those of zsh that are words other than the first, and ends of files.
            if text.starts_with('-') && text.contains(['g', 's']) {
                self.opaque(Opaque::Name);
            }
            let Some(length) = text.find('=') else {
                if !self.arena.is_known(word) {
                    self.opaque(Opaque::Name);
                }
                continue;
            };
            let name = text.get(..length).unwrap_or_default();
            if RESERVED.contains(&name) {
                self.opaque(Opaque::Name);
            }
            let name = self.arena.symbol(name);
            let value = self.arena.slice(word, length + 1, text.len());
            let value = (is_valid && self.arena.is_known(word)).then_some(value);
            self.define_alias(name, value);
        }
    }
}
