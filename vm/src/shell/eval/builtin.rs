//! Builtins that change what the shell remembers.

use super::super::arena::{Range, Special, Symbol, Token, Words, long, short, within};
use super::super::read::is_identifier;
use super::arithmetic::is_evaluated;
use super::command::{Start, Starter};
use super::state::{Args, PROGRAM, Place, State, Value, Variable};
use super::{Done, Flow, Trap, Walk, is_zsh_table, names_table};
use crate::paths;

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
    fn of(builtin: &str) -> Self {
        Self {
            exports: builtin == "export",
            is_local: !matches!(builtin, "export" | "readonly"),
            is_readonly: builtin == "readonly",
            is_outer: false,
            changes: false,
            refers: builtin == "nameref",
            of_functions: false,
            is_uncertain: false,
            is_plain_local: builtin == "local",
            has_other_options: false,
        }
    }

    fn add(&mut self, builtin: &str, options: &str) {
        let declares = !matches!(builtin, "export" | "readonly");
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

/// The names of the options of bash.
const OPTIONS: [&str; 27] = [
    "allexport",
    "braceexpand",
    "emacs",
    "errexit",
    "errtrace",
    "functrace",
    "hashall",
    "histexpand",
    "history",
    "ignoreeof",
    "interactive-comments",
    "keyword",
    "monitor",
    "noclobber",
    "noexec",
    "noglob",
    "nolog",
    "notify",
    "nounset",
    "onecmd",
    "physical",
    "pipefail",
    "posix",
    "privileged",
    "verbose",
    "vi",
    "xtrace",
];

/// Those by which a line means something else.
const REREADING: [&str; 3] = ["keyword", "histexpand", "history"];

/// Words that a shell reads as commands of its own, unless they are aliases.
const RESERVED: [&str; 21] = [
    "!", "[[", "]]", "{", "}", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for",
    "function", "if", "select", "then", "time", "until", "while",
];

impl Walk {
    pub(super) fn builtin(&mut self, at: usize, name: Token, words: Words) -> Done<Flow> {
        self.reads_names(name, words)?;
        if !self.is_bash && self.is_of_bash(name, words) {
            return self.perhaps(|walk| walk.builtin_of_bash(at, name, words));
        }
        self.builtin_of_bash(at, name, words)
    }

    /// Whether a shell other than bash may not have a builtin, or not with these options.
    fn is_of_bash(&self, name: Token, words: Words) -> bool {
        let option = self.arena.word(words, 1).map_or("", |word| self.arena.text(word));
        match self.arena.text(name) {
            "declare" | "typeset" | "let" | "source" | "pushd" | "popd" | "mapfile" | "readarray"
            | "shopt" | "compgen" | "enable" | "print" | "emulate" | "repeat" | "nameref" => true,
            "local" | "export" | "readonly" => option.starts_with(['-', '+']) && option != "--",
            "printf" => option.starts_with("-v"),
            _ => false,
        }
    }

    fn builtin_of_bash(&mut self, at: usize, name: Token, words: Words) -> Done<Flow> {
        match self.arena.text(name) {
            ":" | "true" => return Ok(Flow::Ok),
            "cd" | "chdir" => return Ok(self.change(at, words, false)),
            "pushd" => return Ok(self.change(at, words, true)),
            "popd" => {
                let top = self.state.names_mut().stack.make_mut().pop();
                self.state.place = Place::at(top.flatten().filter(|_| words.len == 1));
                self.moves();
            }
            // What is a builtin changes, in bash and in zsh.
            "enable" | "disable" if words.len > 1 => self.opaque(0),
            "export" | "readonly" | "declare" | "typeset" | "local" | "nameref" => {
                let name = self.arena.text(name).to_owned();
                self.declare(&name, words)?;
            }
            "unset" => self.unset(words),
            "set" => self.set(words),
            "shift" => self.shift(words),
            "mapfile" | "readarray" => self.read_lines(at, name, words)?,
            "compgen" => self.complete(at, words)?,
            // The name then starts another file; `hash NAME=FILE` is one of zsh.
            "hash" => {
                let (options, names) = self.own_options(words, "p");
                let is_file = |word: &Token| self.arena.text(*word).contains('=');
                if options.iter().any(|(letter, _)| *letter == 'p') || names.iter().any(is_file) {
                    self.opaque(0);
                }
            }
            "read" => {
                let (options, names) = self.own_options(words, "adinNptu");
                let array = options.iter().filter(|(letter, _)| *letter == 'a').filter_map(|(_, name)| *name);
                let all: Vec<Token> = array.chain(names).collect();
                if all.is_empty() {
                    self.unknown_name("REPLY");
                }
                all.into_iter().for_each(|name| self.unknown_variable(name));
            }
            "getopts" => {
                ["OPTARG", "OPTIND"].into_iter().for_each(|name| self.unknown_name(name));
                self.operands(words).into_iter().for_each(|name| self.unknown_variable(name));
            }
            "unfunction" | "unhash" => {
                for name in self.operands(words) {
                    let name = self.arena.text(name).to_owned();
                    let name = self.arena.symbol(&name);
                    self.unset_function(name, false);
                }
            }
            "functions" | "add-zsh-hook" | "sched" if words.len > 1 => self.opaque(0),
            "fc" => {
                let options = self.own_options(words, "").0;
                if options.iter().any(|(letter, _)| matches!(letter, 's' | 'e')) {
                    self.opaque(1);
                }
            }
            "integer" | "float" => {
                let names = self.operands(words);
                names.into_iter().for_each(|name| self.unknown_variable(name));
            }
            // Builtins of zsh that set variables.
            "vared" | "getln" | "sysread" | "zformat" | "strftime" | "zstat" | "zparseopts" | "zselect" => {
                let names = self.operands(words);
                names.into_iter().for_each(|name| self.unknown_variable(name));
            }
            "wait" | "print" => {
                if self.arena.text(name) == "print" && self.is_code_of_print(words) {
                    self.opaque(1);
                }
                let takes = if self.arena.text(name) == "wait" { "p" } else { "vuC" };
                for (letter, name) in self.own_options(words, takes).0 {
                    if let Some(name) = name.filter(|_| matches!(letter, 'p' | 'v')) {
                        self.unknown_variable(name);
                    }
                }
            }
            "printf" => self.print_to_variable(words),
            "emulate" => {
                for (_, code) in self.own_options(words.skip(1), "c").0 {
                    if let Some(code) = code {
                        self.code(Some(at), code, "emulate", None)?;
                    }
                }
            }
            // `repeat 3 { CODE }` of zsh.
            "repeat" if self.arena.words(words).iter().any(|word| self.arena.text(*word) == "{") => {
                self.opaque(1);
            }
            "eval" => {
                let mut args = words.skip(1);
                if self.arena.word(args, 0).is_some_and(|word| self.arena.text(word) == "--") {
                    args = args.skip(1);
                }
                if let Some(code) = self.join(args).filter(|_| args.len > 0) {
                    self.code(Some(at), code, "eval", None)?;
                }
            }
            "source" | "." => self.source(at, name, words)?,
            "alias" => self.alias(words),
            "unalias" => self.unalias(words),
            "trap" => {
                let all = self.operands(words);
                if let Some(code) = all.first().copied().filter(|_| words.len > 2) {
                    let is_exit = |word: &Token| matches!(self.arena.text(*word), "EXIT" | "0");
                    let is_last = all.len() > 1 && all.iter().skip(1).all(is_exit);
                    self.traps.push(Trap { code, via: self.via, names: self.state.of_names(), is_last });
                    let outer = self.state.clone();
                    self.name_unknown();
                    let before = self.state.clone();
                    self.lasting += 1;
                    self.code(Some(at), code, "trap", None)?;
                    self.lasting -= 1;
                    let after = std::mem::replace(&mut self.state, outer);
                    self.guard_changed(&before, &after);
                }
            }
            "break" | "continue" => {
                let state = self.state.clone();
                self.breaks.iter_mut().for_each(|breaks| breaks.push(state.clone()));
                self.breaks.iter_mut().for_each(|breaks| breaks.truncate(64));
            }
            "return" => {
                let state = self.state.clone();
                if let Some(returns) = self.returns.last_mut() {
                    returns.push(state);
                }
            }
            _ => {}
        }
        Ok(Flow::Same)
    }

    /// Guards the variables that code has changed which runs again at any time. If it changes the directory, that
    /// is unknown.
    fn guard_changed(&mut self, before: &State, after: &State) {
        if before.place != after.place {
            self.state.place = Place::at(None);
        }
        after.reassigned(before).into_iter().for_each(|name| self.state.guard(name));
    }

    /// Gives variables with unknown values a text, so that an assignment of another unknown value is seen.
    fn name_unknown(&mut self) {
        let is_unknown = |own: &&Variable| matches!(own.value, Some(Value::Unknown));
        let all: Vec<Variable> = self.state.names().variables.iter().filter(is_unknown).copied().collect();
        for own in all {
            let text = self.unknown("$");
            self.state.put(Variable { value: Some(Value::Text(text)), ..own });
        }
    }

    /// Whether zsh runs what `print` gets: `-z` puts it where the next line is read, and `-P` expands it.
    fn is_code_of_print(&mut self, words: Words) -> bool {
        let (options, operands) = self.own_options(words, "vuC");
        let has = |letter: char| options.iter().any(|(own, _)| *own == letter);
        let is_expanded = |word: &Token| {
            let text = self.arena.text(*word);
            !self.arena.is_known(*word) || text.contains("$(") || text.contains('`') || text.contains("${")
        };
        has('z') || has('P') && operands.iter().any(is_expanded)
    }

    /// `mapfile -C CODE NAME`
    fn read_lines(&mut self, at: usize, name: Token, words: Words) -> Done<()> {
        let (options, names) = self.own_options(words, "dnOsuCc");
        for (_, code) in options.into_iter().filter(|(letter, _)| *letter == 'C') {
            let Some(code) = code else { continue };
            // A number and the line are added to it.
            let marks = self.arena.marks(code).to_vec();
            let code = format!("{} 0 \"$0\"", self.arena.text(code));
            let code = self.arena.push(&code, &marks, true);
            let label = format!("{} -C", self.arena.text(name));
            self.repeat(&mut |walk| walk.code(Some(at), code, &label, None))?;
        }
        if names.is_empty() {
            self.unknown_name("MAPFILE");
        }
        names.into_iter().for_each(|name| self.unknown_variable(name));
        Ok(())
    }

    /// `compgen -C CODE`, `compgen -F FUNCTION`, `compgen -W WORDS`
    fn complete(&mut self, at: usize, words: Words) -> Done<()> {
        for (letter, value) in self.own_options(words, "AoPSXGCFW").0 {
            let Some(value) = value else { continue };
            let text = self.arena.text(value);
            match letter {
                'C' => self.apart(|walk| walk.code(Some(at), value, "compgen -C", None))?,
                'F' => {
                    let words = self.arena.list(&[value]);
                    self.repeat(&mut |walk| walk.started(words, "compgen -F", Starter::Shell, true))?;
                }
                // These words are expanded once more.
                'W' if text.contains("$(") || text.contains('`') || !self.arena.is_known(value) => {
                    self.opaque(1)
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The name and the last word in front of the format, if it is `printf -v NAME FORMAT`.
    pub(super) fn variable_of_printf(&mut self, words: Words) -> Option<(Token, Words)> {
        let option = self.arena.word(words, 1)?;
        let length = self.arena.text(option).len();
        match self.arena.text(option).strip_prefix("-v")? {
            "" => Some((self.arena.word(words, 2)?, words.skip(2))),
            _ => Some((self.arena.slice(option, 2, length), words.skip(1))),
        }
    }

    fn print_to_variable(&mut self, words: Words) {
        let Some((name, own)) = self.variable_of_printf(words) else { return };
        let output = self.literal_output("printf", own, Range::default());
        self.unknown_variable(name);
        let name = self.arena.literal(name).filter(|name| is_identifier(name)).map(str::to_owned);
        if let (Some(text), Some(name)) = (output, name) {
            let name = self.arena.symbol(&name);
            self.state.set(name, Value::Text(text));
        }
    }

    fn unset(&mut self, words: Words) {
        let (options, names) = self.own_options(words, "");
        let has = |letter: char| options.iter().any(|(own, _)| *own == letter);
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
    fn unset_function(&mut self, name: Symbol, is_certain: bool) {
        if !self.state.names().functions.iter().any(|(own, _)| *own == name) {
            return;
        }
        let functions = self.state.names_mut().functions.make_mut();
        if is_certain {
            functions.retain(|(own, _)| *own != name);
        } else if !functions.contains(&(name, PROGRAM)) {
            functions.push((name, PROGRAM));
        }
    }

    fn unalias(&mut self, words: Words) {
        let (options, names) = self.own_options(words, "");
        if options.iter().any(|(letter, _)| *letter != 'a') && !self.state.names().aliases.is_empty() {
            self.opaque(0);
        }
        if !options.is_empty() || !names.iter().all(|name| self.arena.is_known(*name)) {
            self.state.names_mut().aliases = super::state::Shared::default();
            return;
        }
        for name in names {
            if let Some(name) = self.arena.known_symbol(self.arena.text(name)) {
                self.state.names_mut().aliases.make_mut().retain(|(own, _)| *own != name);
            }
        }
    }

    /// The options of a builtin with their values, and its operands. Options in `takes` have a value.
    fn own_options(&mut self, words: Words, takes: &str) -> (Vec<(char, Option<Token>)>, Vec<Token>) {
        let (mut options, mut next) = (Vec::new(), 1);
        while let Some(word) = self.arena.word(words, next) {
            let text = self.arena.text(word).to_owned();
            let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.is_empty()) else { break };
            next += 1;
            if letters == "-" {
                break;
            }
            for (at, letter) in letters.char_indices() {
                if !takes.contains(letter) {
                    options.push((letter, None));
                    continue;
                }
                let from = 1 + at + letter.len_utf8();
                let value = if from < text.len() {
                    Some(self.arena.slice(word, from, text.len()))
                } else {
                    next += 1;
                    self.arena.word(words, next - 1)
                };
                options.push((letter, value));
                break;
            }
        }
        (options, self.arena.words(words.skip(next)).to_vec())
    }

    /// A variable that a builtin sets although the line does not name it.
    pub(super) fn unknown_name(&mut self, name: &str) {
        if let Some(name) = self.arena.known_symbol(name) {
            self.state.set(name, Value::Unknown);
        }
    }

    /// The words behind the options.
    fn operands(&self, words: Words) -> Vec<Token> {
        let all = self.arena.words(words.skip(1)).iter();
        all.filter(|word| !self.arena.text(**word).starts_with('-')).copied().collect()
    }

    fn unknown_variable(&mut self, word: Token) {
        match self.arena.literal(word).map(str::to_owned) {
            Some(text) => {
                if names_table(&text) || text.contains('[') && is_zsh_table(&text) {
                    self.opaque(0);
                }
                let name: String =
                    text.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
                let name = self.arena.symbol(&name);
                self.state.set(name, Value::Unknown);
            }
            None => self.forget(),
        }
    }

    /// `export`, `readonly`, `declare`, `typeset`, `local`.
    fn declare(&mut self, name: &str, words: Words) -> Done<()> {
        let mut kind = Declaration::of(name);
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
            self.opaque(0);
        }
        if self.arena.marks(word).iter().any(|mark| mark.kind.is_open() && long(mark.at) < end) {
            self.forget();
            return Ok(());
        }
        if kind.refers {
            if is_evaluated(text.get(end..).and_then(|value| value.strip_prefix('=')).unwrap_or_default()) {
                self.opaque(1);
            }
            self.state.names_mut().has_references = true;
            return Ok(());
        }
        if kind.has_other_options || kind.is_uncertain && length.is_some() {
            let name = self.arena.symbol(name);
            self.state.guard(name);
            return Ok(());
        }
        if kind.of_functions {
            if kind.exports {
                let name = self.arena.symbol(name);
                self.state.names_mut().exported.make_mut().push(name);
            }
            return Ok(());
        }
        if kind.changes {
            self.calculate(word)?;
        }
        let is_of_all = kind.is_plain_local;
        let symbol = self.arena.symbol(name);
        let mut variable = self.state.variable(symbol);
        if kind.is_local
            && let Some(locals) = self.locals.last_mut()
        {
            let is_new = !locals.iter().any(|own| own.name == symbol);
            // In ksh, `typeset` can set the variable outside of the function.
            let value = if self.is_bash || is_of_all { variable.value } else { Some(Value::Unknown) };
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
            variable.value = Some(if unknown { Value::Unknown } else { Value::Text(value) });
            if !appends {
                let name = self.arena.slice(word, 0, end);
                self.code_of_variables(None, &[(name, value)])?;
            }
        } else if kind.changes {
            variable.value = Some(Value::Unknown);
        }
        variable.guarded |= kind.changes || kind.is_readonly || kind.is_outer;
        self.state.put(variable);
        // The variable outside of the functions changes too, or instead.
        if kind.is_outer {
            let outer = self.locals.iter_mut().flatten().filter(|own| own.name == symbol);
            outer.for_each(|own| own.value = Some(Value::Unknown));
        }
        Ok(())
    }

    /// `set`. With an invalid option, the positional parameters stay, unless it is one of another shell.
    fn set(&mut self, words: Words) {
        let (mut from, mut is_certain, mut ends) = (1, true, false);
        while let Some(word) = self.arena.word(words, from) {
            let text = self.arena.text(word).to_owned();
            let Some(letters) = text.strip_prefix(['-', '+']) else {
                // An unknown word can be an option.
                is_certain = is_certain && self.arena.is_known_at(word, 0) && self.arena.is_one(word);
                break;
            };
            from += 1;
            is_certain &= self.arena.is_known(word);
            if matches!(text.as_str(), "--" | "-" | "+") {
                ends = text == "--";
                is_certain &= text != "+";
                break;
            }
            for letter in letters.chars() {
                match letter {
                    'o' => {
                        let name = self.arena.word(words, from).map(|word| self.arena.text(word).to_owned());
                        from += u32::from(name.is_some());
                        let name = name.unwrap_or_default();
                        is_certain &= name.is_empty() || OPTIONS.contains(&name.as_str());
                        if REREADING.contains(&name.as_str()) {
                            self.opaque(1);
                        }
                    }
                    // Assignments anywhere in a command, and the history.
                    'k' | 'H' => self.opaque(1),
                    // The elements of an array, in ksh and zsh.
                    'A' => {
                        is_certain = false;
                        if let Some(name) = self.arena.word(words, from) {
                            self.unknown_variable(name);
                        }
                    }
                    letter => is_certain &= "abefhmnptuvxBCEPT".contains(letter),
                }
            }
        }
        if ends || from < words.len {
            self.state.args = if is_certain { Args::Known(words.skip(from)) } else { Args::Unknown };
        }
    }

    /// A file whose code this shell runs.
    fn source(&mut self, at: usize, name: Token, words: Words) -> Done<()> {
        let first = self.arena.word(words, 1).map_or("", |word| self.arena.text(word)).to_owned();
        if first.starts_with('-') && !matches!(first.as_str(), "-" | "--") {
            // `source -p PATH FILE`
            self.opaque(1);
        }
        let words = words.skip(if first == "--" { 2 } else { 1 });
        let Some(script) = self.arena.word(words, 0) else { return Ok(()) };
        let origins = self.origins_of(script);
        if !origins.is_empty() {
            self.runs(Some(at), &origins);
            self.opaque(1);
            return Ok(());
        }
        let outer = self.state.args;
        if words.len > 1 {
            // dash keeps its own.
            self.state.args = if self.is_bash { Args::Known(words.skip(1)) } else { Args::Unknown };
        }
        let name = self.arena.text(name).to_owned();
        self.returns.push(Vec::new());
        self.script(at, &name, script, None)?;
        for state in self.returns.pop().unwrap_or_default() {
            self.merge(&state);
        }
        self.state.args = outer;
        Ok(())
    }

    fn shift(&mut self, words: Words) {
        let count = match self.arena.word(words, 1) {
            _ if words.len > 2 => None,
            Some(word) => self.arena.literal(word).and_then(|text| text.parse::<u32>().ok()),
            None => Some(1),
        };
        self.state.args = match (self.state.args, count) {
            (Args::Known(own), Some(count))
                if !self.arena.words(own.take(count)).iter().all(|word| self.arena.is_one(*word)) =>
            {
                Args::Unknown
            }
            (Args::Known(own), Some(count)) if count <= own.len => Args::Known(own.skip(count)),
            (own @ Args::None, _) => own,
            (own @ Args::Known(_), Some(_)) if self.is_bash => own,
            _ => Args::Unknown,
        };
    }

    fn alias(&mut self, words: Words) {
        // Other options are invalid, or those of zsh.
        let is_valid = self.own_options(words, "").0.iter().all(|(letter, _)| *letter == 'p');
        for at in 1..words.len {
            let Some(word) = self.arena.word(words, at) else { continue };
            let text = self.arena.text(word).to_owned();
            // Those of zsh that are words other than the first, and ends of files.
            if text.starts_with('-') && text.contains(['g', 's']) {
                self.opaque(0);
            }
            let Some(length) = text.find('=') else {
                if !self.arena.is_known(word) {
                    self.opaque(0);
                }
                continue;
            };
            let name = text.get(..length).unwrap_or_default();
            if RESERVED.contains(&name) {
                self.opaque(0);
            }
            let name = self.arena.symbol(name);
            let value = self.arena.slice(word, length + 1, text.len());
            let value = (is_valid && self.arena.is_known(word)).then_some(value);
            self.state.names_mut().aliases.make_mut().push((name, value));
        }
    }

    /// Whether a relative directory may be one in a directory of `CDPATH`.
    fn is_searched(&self, at: usize, word: Token) -> bool {
        let text = self.arena.text(word);
        let first = text.split('/').next().unwrap_or_default();
        if matches!(first, "" | "." | ".." | "~") {
            return false;
        }
        let env = self.commands.get(at).map(|seen| within(&self.settings, seen.env)).unwrap_or_default();
        env.iter().any(|(name, _)| self.arena.text(*name) == "CDPATH")
            || ["CDPATH", "cdpath"].into_iter().any(|name| {
                let name = self.arena.known_symbol(name);
                name.is_some_and(|name| !matches!(self.state.variable(name).value, None | Some(Value::Unset)))
            })
    }

    /// A change of the directory sets variables.
    fn moves(&mut self) {
        if self.state.has_names() {
            ["PWD", "OLDPWD"].into_iter().for_each(|name| {
                let symbol = self.arena.known_symbol(name);
                if symbol.is_some_and(|symbol| self.state.variable(symbol).value.is_some()) {
                    self.unknown_name(name);
                }
            });
        }
    }

    /// Whether bash changes the directory to the one operand.
    fn is_plain_change(&mut self, words: Words, pushes: bool) -> bool {
        if words.len <= 2
            && self.arena.word(words, 1).is_none_or(|word| !self.arena.text(word).starts_with('-'))
        {
            return true;
        }
        let (options, operands) = self.own_options(words, "");
        let allowed = if pushes { "" } else { "LPe@" };
        options.iter().all(|(letter, _)| allowed.contains(*letter)) && operands.len() <= 1
    }

    fn change(&mut self, at: usize, words: Words, pushes: bool) -> Flow {
        let all = self.arena.words(words.skip(1));
        let is_option = |text: &str| text.len() > 1 && text.starts_with(['-', '+']);
        let target = all.iter().find(|word| !is_option(self.arena.text(**word))).copied();
        let before = self.state.clone();
        let old = self.state.place.dir;
        let dir = match target {
            None if pushes => None,
            // An invalid option, `pushd -n`, or what only zsh does with two operands.
            _ if !self.is_plain_change(words, pushes) => None,
            None => {
                let home = self.text("~");
                let home = self.at_home(home);
                self.moved(home)
            }
            Some(word) if self.arena.text(word) == "-" => before.old,
            Some(word) if self.is_searched(at, word) => None,
            Some(word) => self.moved(word),
        };
        if pushes {
            self.state.names_mut().stack.make_mut().push(old);
        }
        self.state.old = old;
        self.moves();
        let is_relative = target.is_some_and(|word| !self.arena.text(word).starts_with(['/', '~']));
        self.state.place = Place { is_either: is_relative && before.place.is_either, ..Place::at(dir) };
        let other = before.place.other;
        // From either of two directories, a relative change leads to two.
        if let (Some(other), Some(word)) = (other, target.filter(|_| is_relative)) {
            let now = std::mem::replace(&mut self.state.place, Place::at(other));
            let dir = self.moved(word);
            self.state.place = Place { other: (dir != now.dir).then_some(dir), ..now };
        }
        Flow::Split(before)
    }

    /// The directory that a word is.
    pub(super) fn moved(&mut self, word: Token) -> Option<u32> {
        if !self.arena.is_known(word) || self.arena.has(word, |kind| kind == Special::Glob) {
            return None;
        }
        let text = self.copy_text(word);
        let dir = self.directory_of(&text);
        self.reuse(text);
        dir
    }

    fn directory_of(&mut self, text: &str) -> Option<u32> {
        // A resolved path is its own target.
        let old = if text.starts_with('/') { self.recent(text) } else { None };
        if old.is_some() {
            return old;
        }
        let mut path = self.spare_text();
        let base = match self.state.place.dir {
            Some(dir) => self.dirs.get(long(dir))?.as_str(),
            None if text.starts_with(['/', '~']) => "",
            None => return None,
        };
        paths::resolve(base, text, &mut path)?;
        let old = self.recent(&path);
        if old.is_some() {
            self.reuse(path);
            return old;
        }
        self.dirs.push(path);
        Some(short(self.dirs.len() - 1))
    }

    /// The number of a directory, if it is one of the last ones.
    fn recent(&self, path: &str) -> Option<u32> {
        let at = self.dirs.iter().rev().take(8).position(|own| own == path)?;
        Some(short(self.dirs.len() - 1 - at))
    }

    /// A command that another one starts.
    pub(super) fn started(&mut self, words: Words, label: &str, starter: Starter, more: bool) -> Done<()> {
        let outer = self.push_via(label);
        let wants = std::mem::take(&mut self.wants_output);
        self.nested(|walk| walk.run(words, Start { more, ..Start::by(starter) }))?;
        self.wants_output = wants;
        self.via = outer;
        Ok(())
    }
}
