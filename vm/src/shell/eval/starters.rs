//! What shells, interpreters, `parallel` and `git` do with their arguments.

use super::super::arena::{Token, Words, short};
use super::super::tables::Program;
use super::arguments::Call;
use super::command::Starter;
use super::{Done, Walk};
impl Walk {
    pub(super) fn shell(&mut self, at: usize, name: &str, words: Words, call: &Call, more: bool) -> Done<()> {
        for load in &call.loads {
            let origins = self.origins_of(*load);
            if !origins.is_empty() {
                self.runs(Some(at), &origins);
                self.opaque(1);
            }
        }
        let first = self.operands_of_call(call).first().copied();
        if call.first_is_code {
            let Some((place, code)) = first else {
                if more {
                    self.opaque(1);
                }
                return Ok(());
            };
            let args = words.skip(place + 2);
            return self.code(Some(at), code, &format!("{name} -c"), Some(args));
        }
        let reads = self.arena.words(words).iter().any(|word| self.arena.text(*word) == "-s");
        match first {
            Some((_, script)) if !reads => {
                let origins = self.origins_of(script);
                if !origins.is_empty() {
                    self.runs(Some(at), &origins);
                    self.opaque(1);
                }
                if matches!(self.arena.text(script), "-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0") {
                    self.input_is_code(at, name, true)?;
                }
            }
            _ if more => self.opaque(1),
            _ => self.input_is_code(at, name, true)?,
        }
        Ok(())
    }

    pub(super) fn interpreter(
        &mut self,
        at: usize,
        program: &'static Program,
        name: &str,
        words: Words,
        call: &Call,
    ) -> Done<()> {
        let Some(row) = program.row() else { return Ok(()) };
        if call.module {
            if let Some(first) = call.command {
                return self.started(words.skip(first), &format!("{name} -m"), Starter::Program, false);
            }
            return Ok(());
        }
        let first = self.operands_of_call(call).first().map(|(_, word)| *word);
        let is_code = !row.operands.starts_with("data");
        let code = call.codes.iter().map(|(code, _)| *code).chain(call.loads.iter().copied());
        for word in code.chain(first.filter(|_| is_code)).collect::<Vec<_>>() {
            let origins = self.origins_of(word);
            if !origins.is_empty() {
                self.runs(Some(at), &origins);
                self.opaque(1);
            }
        }
        let stdin =
            first.is_none() || first.is_some_and(|word| matches!(self.arena.text(word), "-" | "/dev/stdin"));
        if row.operands.starts_with("script") && stdin && !call.coded {
            self.input_is_code(at, name, false)?;
        }
        Ok(())
    }

    /// `parallel COMMAND ::: ARGUMENTS`: its words are a line of code.
    pub(super) fn parallel(&mut self, at: usize, name: &str, words: Words) -> Done<()> {
        let all = self.arena.words(words.skip(1)).to_vec();
        let takes = |text: &str| {
            matches!(
                text,
                "-j" | "--jobs"
                    | "-a"
                    | "--arg-file"
                    | "-I"
                    | "-C"
                    | "--colsep"
                    | "-n"
                    | "-N"
                    | "-L"
                    | "-S"
                    | "--delay"
                    | "--timeout"
                    | "--joblog"
                    | "--results"
                    | "--retries"
                    | "-P"
                    | "--halt"
                    | "--tmpdir"
            )
        };
        let (mut from, mut end) = (0, all.len());
        while let Some(word) = all.get(from) {
            let text = self.arena.text(*word);
            if !text.starts_with('-') || text.len() < 2 {
                break;
            }
            from += if takes(text) { 2 } else { 1 };
        }
        if let Some(at) = all.iter().position(|word| self.arena.text(*word).starts_with(":::")) {
            end = at;
        }
        let own = all.get(from..end).unwrap_or_default();
        if own.is_empty() {
            if end < all.len() {
                self.opaque(1);
                return Ok(());
            }
            return self.input_is_code(at, name, true);
        }
        let own = self.arena.list(own);
        let own = self.replaced(own, "{}");
        let starts_shell = self.join(own);
        if let Some(code) = starts_shell {
            let known = self.arena.is_known(code);
            let opaque = self.opaque;
            let first = self.commands.len();
            self.code(Some(at), code, name, Some(Words::default()))?;
            self.commands.iter_mut().skip(first).for_each(|seen| seen.more = true);
            // Its unknown parts are arguments, which it quotes.
            if !known {
                self.opaque = opaque;
            }
        }
        Ok(())
    }

    /// Aliases of git on the line, and options that are code.
    pub(super) fn git(&mut self, at: usize, words: Words, call: &Call) -> Done<()> {
        let sub = call.sub.map_or("", |sub| self.arena.text(sub));
        let is_plain = call.codes.is_empty() && call.git.is_empty() && self.state.names().git.is_empty();
        if is_plain && !matches!(sub, "bisect" | "submodule" | "config") {
            return Ok(());
        }
        for (code, option) in &call.codes {
            if option != "-c" {
                self.code(Some(at), *code, &format!("git {option}"), Some(Words::default()))?;
            }
        }
        let sub = call.sub.map(|sub| self.arena.text(sub).to_owned()).unwrap_or_default();
        let mut alias = None;
        for setting in &call.git {
            let Some((key, value)) = self.setting(*setting) else { continue };
            let key = self.arena.text(key).to_ascii_lowercase();
            if key.strip_prefix("alias.").is_some_and(|name| name.eq_ignore_ascii_case(&sub)) {
                alias = Some(value);
            } else if matches!(
                key.as_str(),
                "core.sshcommand"
                    | "core.pager"
                    | "core.editor"
                    | "sequence.editor"
                    | "core.fsmonitor"
                    | "diff.external"
                    | "credential.helper"
                    | "core.askpass"
            ) {
                let text = self.arena.text(value);
                let skip = usize::from(text.starts_with('!'));
                let length = text.len();
                if !matches!(
                    text,
                    "" | "true" | "false" | "cat" | "store" | "cache" | "osxkeychain" | "manager"
                ) {
                    let code = self.arena.slice(value, skip, length);
                    self.code(Some(at), code, "git -c", Some(Words::default()))?;
                }
            }
        }
        self.git_sub(at, &sub, words, call)?;
        if alias.is_none()
            && !self.state.names().git.is_empty()
            && let Some(symbol) = self.arena.known_symbol(&sub)
        {
            let aliases = &self.state.names().git;
            alias = aliases.iter().rev().find(|(own, _)| *own == symbol).map(|(_, value)| *value);
        }
        match alias {
            Some(alias) => self.git_alias(at, alias, words, call),
            None => Ok(()),
        }
    }

    /// Subcommands that start something, or define what does.
    fn git_sub(&mut self, at: usize, sub: &str, words: Words, call: &Call) -> Done<()> {
        let all = self.operands_of_call(call);
        let is_first = |text: &str| all.first().is_some_and(|(_, word)| self.arena.text(*word) == text);
        match sub {
            "bisect" if is_first("run") => {
                if let Some((at, _)) = all.get(1).copied() {
                    self.started(words.skip(at), "git bisect", Starter::Program, false)?;
                }
            }
            "submodule" if is_first("foreach") => {
                let all: Vec<Token> = all.iter().skip(1).map(|(_, word)| *word).collect();
                let all = self.arena.list(&all);
                if let Some(code) = self.join(all).filter(|_| all.len > 0) {
                    self.code(Some(at), code, "git submodule", Some(Words::default()))?;
                }
            }
            "config" => {
                let is_alias = |word: Token| {
                    self.arena.text(word).get(..6).is_some_and(|start| start.eq_ignore_ascii_case("alias."))
                };
                let key = all.iter().position(|(_, word)| is_alias(*word));
                if let Some(at) = key
                    && let (Some((_, key)), Some((_, value))) =
                        (all.get(at).copied(), all.get(at + 1).copied())
                {
                    let name = self.arena.text(key).get(6..).unwrap_or_default().to_owned();
                    let name = self.arena.symbol(&name);
                    self.state.names_mut().git.make_mut().push((name, value));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn git_alias(&mut self, at: usize, alias: Token, words: Words, call: &Call) -> Done<()> {
        if !self.arena.is_known(alias) {
            self.opaque(1);
        }
        let text = self.arena.text(alias).to_owned();
        let place = call.sub.and_then(|sub| {
            let sub = self.arena.text(sub);
            self.arena.words(words).iter().position(|word| self.arena.text(*word) == sub)
        });
        let behind = words.skip(short(place.unwrap_or_default() + 1));
        let rest: Vec<String> = self.arena.words(behind).iter().map(|word| self.quoted(*word)).collect();
        let code = match text.strip_prefix('!') {
            Some(code) => format!("{code} {}", rest.join(" ")),
            None => format!("git {text} {}", rest.join(" ")),
        };
        let outer = std::mem::take(&mut self.state.names_mut().git);
        let code = self.text(&code);
        self.code(Some(at), code, "git alias", Some(Words::default()))?;
        self.state.names_mut().git = outer;
        Ok(())
    }
}
