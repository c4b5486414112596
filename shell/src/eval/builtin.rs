//! Builtins that change what the shell remembers.

use super::super::Opaque;
use super::super::read::is_identifier;
use super::super::token::{Range, Token, Words};
use super::command::Starter;
use super::state::{Args, Place, State, Value, Variable};
use super::written::Runner;
use super::{Done, Flow, Trap, Walk, is_zsh_table, names_table};

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

/// Those by which a shell prints what it runs.
pub(super) const TRACING: [&str; 2] = ["verbose", "xtrace"];

/// Those by which a line means something else.
const REREADING: [&str; 3] = ["keyword", "histexpand", "history"];

impl Walk {
    pub(super) fn builtin(&mut self, at: usize, name: Token, words: Words) -> Done<Flow> {
        self.reads_names(name, words)?;
        if !self.frame.is_bash && self.is_of_bash(name, words) {
            return self.maybe(|walk| walk.builtin_of_bash(at, name, words));
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
            // What is a builtin changes, in bash and in zsh, whose modules have some of their own.
            "enable" | "disable" | "zmodload" if words.len > 1 => self.opaque(Opaque::Name),
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
            "hash" => self.hash(words),
            "read" => {
                let (options, names) = self.own_options(words, "adinNptu");
                let array = options.iter().filter(|(letter, _)| *letter == 'a').filter_map(|(_, name)| *name);
                let operands: Vec<Token> = array.chain(names).collect();
                self.reads(at, &options, "REPLY", &operands);
            }
            "getopts" => self.get_options(words),
            "unfunction" | "unhash" => {
                for name in self.operands(words) {
                    let name = self.arena.text(name).to_owned();
                    let name = self.arena.symbol(&name);
                    self.unset_function(name, false);
                }
            }
            "functions" | "add-zsh-hook" | "sched" if words.len > 1 => self.opaque(Opaque::Name),
            "fc" => {
                let options = self.own_options(words, "").0;
                if options.iter().any(|(letter, _)| matches!(letter, 's' | 'e')) {
                    self.opaque(Opaque::Code);
                }
            }
            "integer" | "float" => {
                for name in self.operands(words) {
                    self.evaluate(name)?;
                    self.unknown_variable(name);
                }
            }
            // Builtins of zsh that set variables.
            "vared" | "getln" | "sysread" | "zformat" | "strftime" | "zstat" | "zparseopts" | "zselect" => {
                let names = self.operands(words);
                names.into_iter().for_each(|name| self.unknown_variable(name));
            }
            "wait" | "print" => self.wait_or_print(name, words),
            "printf" => self.print_to_variable(words)?,
            "emulate" => {
                for (_, code) in self.own_options(words.skip(1), "c").0 {
                    if let Some(code) = code {
                        self.code(Some(at), code, "emulate", None)?;
                    }
                }
            }
            // `repeat 3 { CODE }` of zsh.
            "repeat" if self.arena.words(words).iter().any(|word| self.arena.text(*word) == "{") => {
                self.opaque(Opaque::Code);
            }
            "eval" => self.eval(at, words)?,
            "source" | "." => self.source(at, name, words)?,
            "alias" => self.alias(words),
            "unalias" => self.unalias(words),
            "trap" => self.trap(at, words)?,
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

    /// `trap`: code that can run after each later command.
    fn trap(&mut self, at: usize, words: Words) -> Done<()> {
        let operands = self.operands(words);
        if let Some(code) = operands.first().copied().filter(|_| words.len > 2) {
            let is_exit = |word: &Token| matches!(self.arena.text(*word), "EXIT" | "0");
            let is_last = operands.len() > 1 && operands.iter().skip(1).all(is_exit);
            self.traps.push(Trap { code, via: self.frame.via, names: self.state.of_names(), is_last });
            let (before, after) = self.forked(|walk| {
                walk.name_unknown();
                let before = walk.state.clone();
                let run = |walk: &mut Self| walk.code(Some(at), code, "trap", None);
                walk.with_pipe(walk.pipe, |walk| walk.lasting(true, run))?;
                Ok(before)
            })?;
            self.guard_changed(&before, &after);
        }
        Ok(())
    }

    /// `getopts`.
    fn get_options(&mut self, words: Words) {
        let is_outside = matches!(self.state.args, Args::None | Args::Outside) && words.len < 4;
        if is_outside {
            self.open_name("OPTARG", Value::Inert);
        } else {
            self.unknown_name("OPTARG");
        }
        self.open_name("OPTIND", Value::Inert);
        // A letter, or `?`.
        self.operands(words).into_iter().for_each(|name| self.open_variable(name, Value::Inert));
    }

    /// `wait` and `print`, which can set a variable.
    fn wait_or_print(&mut self, name: Token, words: Words) {
        if self.arena.text(name) == "print" && self.is_code_of_print(words) {
            self.opaque(Opaque::Code);
        }
        let takes = if self.arena.text(name) == "wait" { "p" } else { "vuC" };
        for (letter, name) in self.own_options(words, takes).0 {
            match (letter, name) {
                // The number of a process.
                ('p', Some(name)) => self.open_variable(name, Value::Inert),
                ('v', Some(name)) => self.unknown_variable(name),
                _ => {}
            }
        }
    }

    /// `eval`.
    fn eval(&mut self, at: usize, words: Words) -> Done<()> {
        let mut args = words.skip(1);
        if self.arena.word(args, 0).is_some_and(|word| self.arena.text(word) == "--") {
            args = args.skip(1);
        }
        if let Some(code) = self.join(args).filter(|_| args.len > 0) {
            self.required(|walk| walk.code(Some(at), code, "eval", None))?;
        }
        Ok(())
    }

    /// `hash -p` and `hash NAME=FILE`.
    fn hash(&mut self, words: Words) {
        let (options, names) = self.own_options(words, "p");
        let is_file = |word: &Token| self.arena.text(*word).contains('=');
        if options.iter().any(|(letter, _)| *letter == 'p') || names.iter().any(is_file) {
            self.opaque(Opaque::Name);
        }
    }

    /// Guards the variables that code has changed which runs again at any time. If it changes the directory, that
    /// is unknown.
    fn guard_changed(&mut self, before: &State, after: &State) {
        if before.place != after.place {
            self.state.place = Place::at(None);
        }
        self.unstable_args |= !before.args.is_same(after.args);
        after.reassigned(before).into_iter().for_each(|name| self.state.guard(name));
    }

    /// Gives variables with unknown values a text, so that an assignment of another unknown value is seen.
    fn name_unknown(&mut self) {
        let is_open = |variable: &&Variable| variable.value.is_some_and(Value::is_open);
        let open: Vec<Variable> = self.state.names().variables.iter().filter(is_open).copied().collect();
        for variable in open {
            let is_inert = matches!(variable.value, Some(Value::Inert));
            let text = if is_inert { self.inert("$") } else { self.unknown("$") };
            self.state.put(Variable { value: Some(Value::Text(text)), ..variable });
        }
    }

    /// Whether zsh runs what `print` gets: `-z` puts it where the next line is read, and `-P` expands it.
    fn is_code_of_print(&mut self, words: Words) -> bool {
        let (options, operands) = self.own_options(words, "vuC");
        let has = |letter: char| options.iter().any(|(option, _)| *option == letter);
        let is_expanded = |word: &Token| {
            let text = self.arena.text(*word);
            !self.arena.is_known(*word) || text.contains("$(") || text.contains('`') || text.contains("${")
        };
        has('z') || has('P') && operands.iter().any(is_expanded)
    }

    /// `mapfile -C CODE NAME`
    fn read_lines(&mut self, at: usize, name: Token, words: Words) -> Done<()> {
        let (options, names) = self.own_options(words, "dnOsuCc");
        for (_, code) in options.iter().filter(|(letter, _)| *letter == 'C') {
            let Some(code) = *code else { continue };
            // A number and the line are added to it.
            let marks = self.arena.marks(code).to_vec();
            let code = format!("{} 0 \"$0\"", self.arena.text(code));
            let code = self.arena.push(&code, &marks, true);
            let label = format!("{} -C", self.arena.text(name));
            self.repeat(&mut |walk| walk.code(Some(at), code, &label, None))?;
        }
        self.reads(at, &options, "MAPFILE", &names);
        Ok(())
    }

    /// Sets variables, or that of a builtin without names, to what the builtin reads from its input, or from the descriptor
    /// of its `-u`.
    fn reads(&mut self, at: usize, options: &[(char, Option<Token>)], unnamed: &str, names: &[Token]) {
        if names.is_empty() {
            self.unknown_name(unnamed);
        }
        names.iter().for_each(|name| self.unknown_variable(*name));
        self.reads_into(names);
        let descriptor = options.iter().rev().find(|(letter, _)| *letter == 'u').map(|(_, number)| *number);
        let fd = match descriptor {
            None => Some(0),
            Some(number) => number.and_then(|number| self.arena.literal(number)?.parse().ok()),
        };
        let mut read: Vec<String> =
            names.iter().filter_map(|name| self.arena.literal(*name)).map(str::to_owned).collect();
        if names.is_empty() {
            read.push(unnamed.to_owned());
        }
        self.reads_output_into(at, fd, &read);
    }

    /// `compgen -C CODE`, `compgen -F FUNCTION`, `compgen -W WORDS`
    fn complete(&mut self, at: usize, words: Words) -> Done<()> {
        for (letter, value) in self.own_options(words, "AoPSXGCFW").0 {
            let Some(value) = value else { continue };
            let text = self.arena.text(value);
            match letter {
                'C' => self.in_subshell(|walk| walk.code(Some(at), value, "compgen -C", None))?,
                'F' => {
                    let words = self.arena.list(&[value]);
                    self.repeat(&mut |walk| walk.start_inner(words, "compgen -F", Starter::Shell, true))?;
                }
                // These words are expanded once more.
                'W' if text.contains("$(") || text.contains('`') || !self.arena.is_known(value) => {
                    self.opaque(Opaque::Code)
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

    fn print_to_variable(&mut self, words: Words) -> Done<()> {
        let Some((name, own)) = self.variable_of_printf(words) else { return Ok(()) };
        let Some(text) = self.literal_output("printf", own, Range::default()) else {
            self.unknown_variable(name);
            return Ok(());
        };
        self.open_variable(name, Value::Unknown);
        let array = self.arena.text(name).split('[').next().and_then(|name| self.arena.known_symbol(name));
        let name = self.arena.literal(name).filter(|name| is_identifier(name)).map(str::to_owned);
        match name {
            Some(name) => {
                let name = self.arena.symbol(&name);
                self.store(name, Value::Text(text))
            }
            // An element of an array.
            None => {
                let is_integer = array.is_some_and(|name| self.is_integer(name));
                if is_integer { self.evaluate(text) } else { Ok(()) }
            }
        }
    }

    /// The options of a builtin with their values, and its operands. Options in `takes` have a value.
    pub(super) fn own_options(
        &mut self,
        words: Words,
        takes: &str,
    ) -> (Vec<(char, Option<Token>)>, Vec<Token>) {
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
        if self.arena.known_symbol(name).is_some_and(|name| self.is_integer(name)) {
            self.opaque(Opaque::Code);
        }
        self.open_name(name, Value::Unknown);
    }

    /// Sets a variable, even if only arithmetic in a text reads it later.
    pub(super) fn open_name(&mut self, name: &str, value: Value) {
        let name = self.arena.symbol(name);
        self.state.set(name, value);
    }

    /// The words after the options.
    fn operands(&self, words: Words) -> Vec<Token> {
        let rest = self.arena.words(words.skip(1)).iter();
        rest.filter(|word| !self.arena.text(**word).starts_with('-')).copied().collect()
    }

    /// A variable that gets a text that the line does not determine.
    pub(super) fn unknown_variable(&mut self, word: Token) {
        let name = self.arena.text(word).split('[').next().unwrap_or_default().to_owned();
        let name = self.arena.symbol(&name);
        if self.is_integer(name) {
            self.opaque(Opaque::Code);
        }
        self.open_variable(word, Value::Unknown);
    }

    pub(super) fn open_variable(&mut self, word: Token, value: Value) {
        match self.arena.literal(word).map(str::to_owned) {
            Some(text) => {
                if names_table(&text) || text.contains('[') && is_zsh_table(&text) {
                    self.opaque(Opaque::Name);
                }
                let name: String =
                    text.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
                let name = self.arena.symbol(&name);
                self.state.set(name, value);
            }
            None => self.forget(),
        }
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
                        if TRACING.contains(&name.as_str()) {
                            self.state.is_traced = text.starts_with('-');
                        }
                        if name == "allexport" {
                            self.state.exports_all = text.starts_with('-');
                        }
                        if REREADING.contains(&name.as_str()) {
                            self.opaque(Opaque::Code);
                        }
                    }
                    // Assignments anywhere in a command, and the history.
                    'k' | 'H' => self.opaque(Opaque::Code),
                    // The elements of an array, in ksh and zsh.
                    'A' => {
                        is_certain = false;
                        if let Some(name) = self.arena.word(words, from) {
                            self.unknown_variable(name);
                        }
                    }
                    'v' | 'x' => self.state.is_traced = text.starts_with('-'),
                    'a' => self.state.exports_all = text.starts_with('-'),
                    letter => is_certain &= "befhmnptuBCEPT".contains(letter),
                }
            }
        }
        if ends || from < words.len {
            let given = self.arena.words(words.skip(from)).to_vec();
            self.flows_into(None, &given);
            self.state.args = if is_certain { Args::Known(words.skip(from)) } else { Args::Unknown };
        }
    }

    /// A file whose code this shell runs.
    fn source(&mut self, at: usize, name: Token, words: Words) -> Done<()> {
        let first = self.arena.word(words, 1).map_or("", |word| self.arena.text(word)).to_owned();
        if first.starts_with('-') && !matches!(first.as_str(), "-" | "--") {
            // `source -p PATH FILE`
            self.opaque(Opaque::Code);
        }
        let words = words.skip(if first == "--" { 2 } else { 1 });
        let Some(script) = self.arena.word(words, 0) else { return Ok(()) };
        let origins = self.origins_of(script);
        if !origins.is_empty() {
            self.runs(Some(at), &origins);
            if !self.is_setup(script) {
                self.opaque(Opaque::Code);
            }
            return Ok(());
        }
        // Without arguments, the file shares those of this shell.
        let given = (words.len > 1).then(|| words.skip(1));
        let outer = self.state.args;
        if let Some(given) = given {
            // dash keeps its own.
            self.state.args = if self.frame.is_bash { Args::Known(given) } else { Args::Unknown };
        }
        let name = self.arena.text(name).to_owned();
        self.returns.push(Vec::new());
        self.script(at, &name, (script, Runner::Shell), None)?;
        for state in self.returns.pop().unwrap_or_default() {
            self.merge(&state);
        }
        let Some(given) = given else { return Ok(()) };
        // Outside of functions, what the file sets stays.
        self.state.args = match self.state.args {
            Args::Known(own) if own != given => Args::Unknown,
            Args::Unknown if self.frame.is_bash => Args::Unknown,
            _ => outer,
        };
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
            (own @ Args::Known(_), Some(_)) if self.frame.is_bash => own,
            _ => Args::Unknown,
        };
    }
}
