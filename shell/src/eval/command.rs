//! Simple commands: what is started, and with which words.

use super::super::Opaque;
use super::super::programs;
use super::super::read::{SPECIAL, is_identifier};
use super::super::token::{Mark, Range, Special, Token, Words, long, short, within};
use super::super::tree::Simple;
use super::state::{Args, PROGRAM, Value, Variable};
use super::written::Runner;
use super::{Done, Flow, Seen, Target, Via, Walk};
use crate::limits;
use crate::programs::base_name;

/// What starts a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Starter {
    /// The shell: functions, aliases, builtins, programs.
    Shell,
    /// The shell without its functions.
    Builtin,
    /// Another program.
    Program,
}

/// How a command is started.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    /// Its assignments: a range of [`Walk::settings`].
    pub(super) env: Range,
    /// Its redirections: a range of [`Walk::targets`].
    pub(super) redirects: Range,
    pub(super) starter: Starter,
    /// More arguments follow that are unknown.
    pub(super) more: bool,
}

const fn is_empty((from, to): Range) -> bool {
    from >= to
}

/// Moves elements to the end of a list.
pub(super) fn appended<T>(list: &mut Vec<T>, new: &mut Vec<T>) -> Range {
    let start = short(list.len());
    list.append(new);
    (start, short(list.len()))
}

impl Start {
    pub(super) const fn by(starter: Starter) -> Self {
        Self { env: (0, 0), redirects: (0, 0), starter, more: false }
    }
}

impl Walk {
    pub(super) fn simple(&mut self, simple: &Simple) -> Done<Flow> {
        let sinks = self.sinks.len();
        let words = self.arguments_of(simple)?;
        let words = self.all_at_home(words);
        let (mut env, mut saved, mut names) = ((0, 0), Vec::new(), None);
        if !is_empty(simple.assigns) {
            let is_local = words.len > 0;
            let before = is_local.then(|| self.state.of_names());
            (env, saved) = self.assign(simple.assigns, is_local)?;
            names = before.map(|before| (before, self.state.of_names()));
        }
        let redirects = if is_empty(simple.redirects) { (0, 0) } else { self.targets(simple.redirects)? };
        if words.len == 0 {
            if !is_empty(redirects) {
                let (via, pipe, place) = (self.frame.via, self.pipe, self.state.place);
                self.emit(Seen { redirects, via, pipe, place, ..Seen::default() })?;
                self.remember_targets(self.here(), redirects, None, (place, self.state.lost))?;
            }
            return Ok(if simple.words.len == 0 { Flow::Ok } else { Flow::Same });
        }
        let (scope, pipe) = (self.frame.scope, self.pipe);
        let is_exec = !is_empty(redirects) && self.is_exec_alone(words);
        self.open_targets(redirects, is_exec);
        // Only its own: an `exec` in what it runs, as in `eval`, is for the commands after it.
        let has_sinks = self.sinks.len() > sinks;
        self.write_to_sinks(sinks);
        let (at, place) = (self.commands.len(), (self.state.place, self.state.lost));
        let flow = self.run(words, Start { env, redirects, starter: Starter::Shell, more: false })?;
        self.remember_files(short(at), words, redirects, place)?;
        if !is_empty(env) {
            let settings = within(&self.settings, env).to_vec();
            self.optional(|walk| walk.code_of_variables(Some(at), &settings))?;
        }
        self.frame.scope = scope;
        if has_sinks && !is_exec {
            self.pipe = pipe;
        }
        // A POSIX shell keeps what is in front of these; bash does not.
        let keeps = self.is_named(words, &SPECIAL) || !self.frame.is_bash && self.is_function(words);
        match names {
            // The command has changed none.
            Some((before, after)) if !keeps && self.state.has_names_of(&after) => {
                self.state.take_names(before)
            }
            _ => saved.into_iter().for_each(|variable| {
                let value = if keeps { Some(Value::Unknown) } else { variable.value };
                self.state.put(Variable { value, ..variable });
            }),
        }
        Ok(flow)
    }

    /// Whether the first word is the name of a function.
    fn is_function(&self, words: Words) -> bool {
        let name = self.arena.word(words, 0).and_then(|word| self.arena.known_symbol(self.arena.text(word)));
        name.is_some_and(|name| self.state.names().functions.iter().any(|(function, _)| *function == name))
    }

    /// Whether the first word is one of these names.
    pub(super) fn is_named(&self, words: Words, names: &[&str]) -> bool {
        self.arena.word(words, 0).is_some_and(|word| names.contains(&self.arena.text(word)))
    }

    fn arguments_of(&mut self, simple: &Simple) -> Done<Words> {
        let is_part = |kind: Special| matches!(kind, Special::Part { .. });
        let plain = self.arena.words(simple.words).iter().all(|word| !self.arena.has(*word, is_part));
        if plain {
            self.steps += long(simple.words.len);
            return Ok(simple.words);
        }
        let mut words = Vec::new();
        for at in 0..simple.words.len {
            let Some(word) = self.arena.word(simple.words, at) else { continue };
            let text = self.arena.text(word);
            // `declare -A`
            let is_option = at > 0 && text.starts_with('-') && text.contains('A');
            self.has_keys |=
                is_option && self.is_named(simple.words, &["declare", "local", "readonly", "typeset"]);
            let declares = at > 0
                && self.arena.word(simple.words, 0).is_some_and(|name| {
                    !name.quoted
                        && matches!(
                            self.arena.text(name),
                            "export" | "declare" | "local" | "readonly" | "typeset"
                        )
                });
            if declares && self.is_assignment(word) {
                let value = self.value(word)?;
                if !self.frame.is_bash && self.can_split(word, value) {
                    self.opaque(Opaque::Code);
                }
                words.push(value);
            } else {
                self.fields(word, &mut words)?;
            }
        }
        self.has_keys = false;
        self.step(words.len())?;
        Ok(self.arena.list(&words))
    }

    /// Whether an argument is an assignment, in which words are not split: `x=$y`, but not `"x="$y`.
    fn is_assignment(&self, word: Token) -> bool {
        let text = self.arena.text(word);
        let Some(end) = text.find('=') else { return false };
        let name = text.get(..end).unwrap_or_default();
        let name = name.strip_suffix('+').unwrap_or(name);
        let is_split = self.arena.has(word, |kind| kind == Special::Several);
        !is_split && is_identifier(name.split('[').next().unwrap_or_default())
    }

    /// Whether a shell that splits the values of assignments makes several words of one.
    fn can_split(&self, word: Token, value: Token) -> bool {
        let is_bare = |mark: &Mark| matches!(mark.kind, Special::Part { quoted: false, .. });
        self.arena.marks(word).iter().any(is_bare)
            && self.arena.is_known(value)
            && self.arena.text(value).contains([' ', '\t', '\n', '*', '?', '['])
    }

    pub(super) fn targets(&mut self, redirects: Range) -> Done<Range> {
        // Words with substitutions have redirections too.
        let mut targets = std::mem::take(&mut self.spare.targets);
        for at in redirects.0..redirects.1 {
            let Some(redirect) = self.arena.redirects.get(long(at)).copied() else { break };
            let body = match redirect.body {
                Some(body) => {
                    let body = self.arena.bodies.get(long(body)).copied().flatten();
                    Some(self.value(body.unwrap_or_default())?)
                }
                None => None,
            };
            let word =
                if redirect.op == "<<<" { self.value(redirect.target)? } else { self.file(redirect.target)? };
            let word = self.at_home(word);
            targets.push(Target { op: redirect.op, fd: redirect.fd, word, body, place: self.state.place });
        }
        let range = appended(&mut self.targets, &mut targets);
        self.spare.targets = targets;
        Ok(range)
    }

    /// The one word that names a file.
    fn file(&mut self, target: Token) -> Done<Token> {
        if !self.arena.has(target, |kind| matches!(kind, Special::Part { .. })) {
            return Ok(target);
        }
        let mut words = Vec::new();
        self.fields(target, &mut words)?;
        Ok(match words.as_slice() {
            [word] => *word,
            _ => {
                let raw = self.arena.text(target).to_owned();
                self.unknown(&raw)
            }
        })
    }

    #[inline]
    pub(super) fn emit(&mut self, mut seen: Seen) -> Done<usize> {
        if self.commands.len() >= limits::SHELL_COMMANDS {
            return Err(super::super::Cause::TooManyCommands);
        }
        (seen.scope, seen.exec, seen.captured) = (self.frame.scope, self.state.exec, self.frame.captured);
        (seen.is_traced, seen.is_required) = (self.state.is_traced, self.frame.is_required);
        seen.exports = self.exported();
        self.commands.push(seen);
        Ok(self.commands.len() - 1)
    }

    /// Adds a program that starts the following ones.
    pub(super) fn push_via(&mut self, text: &str) {
        let outer = self.frame.via;
        self.vias.push(Via { outer, text: text.to_owned(), by: self.frame.starting });
        self.frame.via = short(self.vias.len() - 1);
    }

    /// Runs the command of these words.
    pub(super) fn run(&mut self, words: Words, start: Start) -> Done<Flow> {
        self.step(1)?;
        self.output = None;
        let words = self.without_search(words);
        let Some(first) = self.arena.word(words, 0) else { return Ok(Flow::Same) };
        if self.is_unknown_program(first) {
            return self.run_unknown(words, first, start);
        }
        if (self.is_pattern(first) || !self.arena.is_known(first)) && !self.arena.has_known_name(first) {
            self.opaque(Opaque::Name);
        }
        // `- rm` is `rm` to zsh, `=NAME` of zsh is the file of a program, `/proc/self/exe` is that of this one. The last segment of `~`
        // is unknown.
        let text = self.arena.text(first);
        if matches!(text, "~" | "-")
            || text.starts_with('=')
            || text.starts_with("/proc/") && text.ends_with("/exe")
        {
            self.opaque(Opaque::Name);
        }
        if start.starter == Starter::Shell && self.state.has_names() {
            let aliases = self.aliases_of(first);
            if !aliases.is_empty() {
                return self.optional(|walk| walk.run_aliases(&aliases, words, start));
            }
        }
        self.run_named(first, words, start, false)
    }

    /// Runs the command of these words, whose first one is no alias, or may not be one.
    #[inline]
    pub(super) fn run_named(
        &mut self,
        first: Token,
        words: Words,
        start: Start,
        is_alias: bool,
    ) -> Done<Flow> {
        if start.starter == Starter::Shell
            && self.state.has_names()
            && let Some(symbol) = self.arena.known_symbol(self.arena.text(first))
        {
            let names = self.state.names();
            let functions: Vec<u32> = names
                .functions
                .iter()
                .filter(|(function, _)| *function == symbol)
                .map(|(_, at)| *at)
                .collect();
            if functions.contains(&PROGRAM) {
                let program = Start { starter: Starter::Builtin, ..start };
                let (_, ran) = self.forked(|walk| walk.run(words, program))?;
                let flow = self.optional(|walk| walk.call(&functions, words, start))?;
                self.merge(&ran);
                return Ok(flow);
            }
            if !functions.is_empty() {
                return self.optional(|walk| walk.call(&functions, words, start));
            }
        }
        let Start { env, redirects, starter, more } = start;
        let output = if self.frame.wants_output && !is_alias {
            let text = self.copy_text(first);
            let output = self.literal_output(&text, words, redirects);
            self.reuse(text);
            output
        } else {
            None
        };
        let (via, pipe, place, runs) = (self.frame.via, self.pipe, self.state.place, self.origins_of(first));
        let text = self.arena.text(first);
        let start = text.len() - base_name(text).len();
        let program = self.programs.find(text.get(start..).unwrap_or_default());
        let words = program.map_or(words, |program| self.with_variables(program, words));
        let at =
            self.emit(Seen { words, env, via, pipe, runs, redirects, place, more, ..Seen::default() })?;
        let text = self.arena.text(first);
        let name = if start > 0 { self.arena.slice(first, start, text.len()) } else { first };
        if let Some(program) = program
            && program.fills
            && let Some(seen) = self.commands.get_mut(at)
        {
            seen.writer = Some(program);
        }
        let outer = (self.frame.starting.replace(short(at)), self.frame.is_required);
        self.frame.is_required = false;
        if start > 0 {
            let args = if more { Args::Unknown } else { Args::Known(words.skip(1)) };
            let label = self.copy_text(first);
            self.run_written(at, &label, (first, Runner::Itself), Some(args))?;
            self.reuse(label);
        } else if !self.written.is_empty() {
            let args = if more { Args::Unknown } else { Args::Known(words.skip(1)) };
            self.run_searched(at, first, args)?;
        }
        self.arguments(at, program, name, words)?;
        self.dashed_git(first, name, words, more)?;
        let is_builtin = starter != Starter::Program && start == 0;
        let flow = if is_builtin { self.builtin(at, name, words)? } else { Flow::Same };
        (self.frame.starting, self.frame.is_required) = outer;
        let changes = is_builtin && matches!(self.arena.text(name), "cd" | "chdir" | "pushd" | "popd");
        if changes && self.state.place.dir.is_none() {
            self.lost += 1;
            self.state.lost = self.lost;
        }
        self.output = output;
        Ok(flow)
    }

    /// `git-push` is `git push`, also in the directory of the programs of git.
    fn dashed_git(&mut self, first: Token, name: Token, words: Words, more: bool) -> Done<()> {
        let text = self.arena.text(name);
        let Some(sub) = text.strip_prefix("git-") else { return Ok(()) };
        if !programs::has_subcommand("git", sub) && !self.arena.text(first).contains("git-core/") {
            return Ok(());
        }
        let (label, length) = (text.to_owned(), text.len());
        let git = self.text("git");
        let sub = self.arena.slice(name, "git-".len(), length);
        let mut list = vec![git, sub];
        list.extend_from_slice(self.arena.words(words.skip(1)));
        let list = self.arena.list(&list);
        self.start_inner(list, &label, Starter::Program, more)
    }

    /// Whether the program of a word is unknown: `"$DIR/bin/x"` starts `x`.
    fn is_unknown_program(&self, first: Token) -> bool {
        let glob = self.is_pattern(first);
        (glob || self.arena.has(first, Special::is_unknown)) && !self.arena.has_known_name(first)
    }

    fn is_pattern(&self, first: Token) -> bool {
        self.arena.has(first, |kind| kind == Special::Glob) && self.arena.text(first) != "["
    }

    /// A program that is unknown. The word may be empty, or a program that starts the next one.
    fn run_unknown(&mut self, words: Words, first: Token, start: Start) -> Done<Flow> {
        self.framed(|walk| walk.run_after_unknown(words, first, start))?;
        Ok(Flow::Same)
    }

    /// Runs a program that is unknown, and what it may start.
    fn run_after_unknown(&mut self, mut words: Words, mut first: Token, mut start: Start) -> Done<()> {
        loop {
            self.opaque(Opaque::Name);
            let (via, pipe, place, more) = (self.frame.via, self.pipe, self.state.place, start.more);
            let runs = self.origins_of(first);
            let Start { env, redirects, .. } = start;
            let at =
                self.emit(Seen { words, env, via, pipe, runs, redirects, place, more, ..Seen::default() })?;
            self.arguments(at, None, Token::default(), words)?;
            let text = self.arena.text(first);
            let is_whole = |mark: &Mark| mark.kind.is_unknown() && long(mark.len) == text.len();
            let can_be_empty = self.arena.marks(first).iter().any(is_whole);
            let raw = text.to_owned();
            let Some(next) = self.arena.word(words, 1) else { return Ok(()) };
            if !can_be_empty || self.arena.text(next).starts_with('-') {
                return Ok(());
            }
            self.push_via(&raw);
            self.frame.starting = Some(short(at));
            (words, first, start) = (words.skip(1), next, Start::by(Starter::Shell));
            if !self.is_unknown_program(first) {
                return self.run(words, start).map(|_| ());
            }
            self.step(1)?;
        }
    }

    /// Follows a call of a function.
    fn call(&mut self, functions: &[u32], words: Words, start: Start) -> Done<Flow> {
        let before = self.state.clone();
        let mut ends = Vec::new();
        for function in functions {
            let Some((body, called)) = self.functions.get_mut(long(*function)) else { continue };
            *called = true;
            let body = body.clone();
            let active = self.active.iter().filter(|running| *running == function).count();
            if active > 1 {
                // Its commands are there already.
                let (via, pipe, place) = (self.frame.via, self.pipe, self.state.place);
                let name = self.arena.word(words, 0).map(|first| self.arena.text(first));
                let program = name.and_then(|name| self.programs.find(base_name(name)));
                self.emit(Seen { words, via, pipe, place, program, ..Seen::default() })?;
                self.forget();
                continue;
            }
            self.state = before.clone();
            if !self.frame.is_bash {
                // In zsh, it is the name of the function.
                self.state.zero = None;
            }
            let again = active > 0 && words.len > 1;
            let is_inert = self.is_inert(Some(Value::List(words.skip(1))));
            self.state.args = match again {
                true if is_inert => Args::Outside,
                true => Args::Unknown,
                false => Args::Known(words.skip(1)),
            };
            self.active.push(*function);
            self.returns.push(Vec::new());
            self.locals.push(Vec::new());
            self.nested(|walk| walk.node(&body))?;
            for state in self.returns.pop().unwrap_or_default() {
                self.merge(&state);
            }
            for variable in self.locals.pop().unwrap_or_default().into_iter().rev() {
                self.state.put(variable);
            }
            self.active.pop();
            (self.state.args, self.state.zero) = (before.args, before.zero);
            ends.push(self.state.clone());
        }
        for mut end in ends {
            end.args = before.args;
            self.merge(&end);
        }
        self.state.args = before.args;
        if !is_empty(start.redirects) {
            let (via, pipe, place) = (self.frame.via, self.pipe, self.state.place);
            self.emit(Seen { redirects: start.redirects, via, pipe, place, ..Seen::default() })?;
        }
        Ok(Flow::Same)
    }

    /// A word as a shell reads it again; unknown parts as written.
    pub(super) fn quoted(&self, word: Token) -> String {
        let text = self.arena.text(word);
        if self.arena.is_known(word) { format!("'{}'", text.replace('\'', r"'\''")) } else { text.to_owned() }
    }
}
