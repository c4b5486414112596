//! What is around the command that is walked.

use super::super::token::{Words, short};
use super::super::tree::{Joint, List, Node, Stage};
use super::state::State;
use super::{Done, Walk};

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    /// The program that starts it: a number of [`Walk::vias`].
    pub(super) via: u32,
    /// The command whose arguments are followed.
    pub(super) starting: Option<u32>,
    /// The descriptors that the redirections around it have opened.
    pub(super) scope: u32,
    /// A substitution takes its output.
    pub(super) captured: bool,
    /// Its output is asked for.
    pub(super) wants_output: bool,
    /// The code is read by bash; otherwise, by a shell that may be another one.
    pub(super) is_bash: bool,
    /// What runs it succeeds only if it does: its line, or the command whose arguments are followed.
    pub(super) is_required: bool,
    /// A pipeline fails if one of its commands does.
    pub(super) has_pipefail: bool,
}

impl Walk {
    /// Runs `inner` with a copy of the frame, which ends with it.
    pub(super) fn framed<T>(&mut self, inner: impl FnOnce(&mut Self) -> Done<T>) -> Done<T> {
        let outer = self.frame;
        let done = inner(self)?;
        self.frame = outer;
        Ok(done)
    }

    /// Runs `inner` as what decides whether the command around it succeeds.
    pub(super) fn required<T>(&mut self, inner: impl FnOnce(&mut Self) -> Done<T>) -> Done<T> {
        self.framed(|walk| {
            walk.frame.is_required = true;
            inner(walk)
        })
    }

    /// Runs `inner`, which can fail although what is around it succeeds.
    pub(super) fn optional<T>(&mut self, inner: impl FnOnce(&mut Self) -> Done<T>) -> Done<T> {
        self.framed(|walk| {
            walk.frame.is_required = false;
            inner(walk)
        })
    }

    /// Whether code starts with `set -o pipefail`, or the shell that runs it has that option, and it says no more about it.
    pub(super) fn sets_pipefail(&self, list: &List, text: &str, shell: Option<usize>) -> bool {
        const OPTION: &str = "pipefail";
        let sets = |words: Words| {
            let words: Vec<Option<&str>> =
                self.arena.words(words).iter().map(|word| self.arena.literal(*word)).collect();
            words.windows(2).any(|pair| match pair {
                [Some(option), Some(OPTION)] => option.starts_with('-') && option.ends_with('o'),
                _ => false,
            })
        };
        if !text.contains(OPTION) {
            let shell = shell.and_then(|at| self.commands.get(at));
            let Some(words) = shell.map(|shell| shell.words) else { return false };
            let code = self.arena.words(words).iter().position(|word| self.arena.text(*word) == text);
            return sets(words.take(short(code.unwrap_or_default())));
        }
        let Some(Stage { node: Node::Simple(simple), negated: false, background: false, .. }) =
            list.0.first()
        else {
            return false;
        };
        let is_piped = list.0.get(1).is_some_and(|stage| stage.joint == Joint::Pipe);
        !is_piped
            && self.is_named(simple.words, &["set"])
            && sets(simple.words)
            && text.matches(OPTION).count() == 1
    }

    /// Runs `inner` without a reader of its output.
    pub(super) fn without_output<T>(&mut self, inner: impl FnOnce(&mut Self) -> Done<T>) -> Done<T> {
        self.framed(|walk| {
            walk.frame.wants_output = false;
            inner(walk)
        })
    }

    /// Runs `inner` with a frame that ends with it. The output of the last command is that before it.
    pub(super) fn scoped<T>(&mut self, inner: impl FnOnce(&mut Self) -> Done<T>) -> Done<T> {
        let output = self.output.take();
        let done = self.framed(inner)?;
        self.output = output;
        Ok(done)
    }

    /// Runs `inner` with a pipeline that ends with it: an `exec` in it does not redirect what comes after it.
    pub(super) fn with_pipe<T>(&mut self, pipe: u32, inner: impl FnOnce(&mut Self) -> Done<T>) -> Done<T> {
        let outer = std::mem::replace(&mut self.pipe, pipe);
        let done = inner(self)?;
        self.pipe = outer;
        Ok(done)
    }

    /// Runs `inner` with a copy of the state, and returns what that became.
    pub(super) fn forked<T>(&mut self, inner: impl FnOnce(&mut Self) -> Done<T>) -> Done<(T, State)> {
        let outer = self.state.clone();
        let done = inner(self)?;
        Ok((done, std::mem::replace(&mut self.state, outer)))
    }

    /// Runs `inner`, after which the directory is that before it.
    pub(super) fn in_directory<T>(&mut self, inner: impl FnOnce(&mut Self) -> Done<T>) -> Done<T> {
        let (place, lost) = (self.state.place, self.state.lost);
        let done = inner(self)?;
        (self.state.place, self.state.lost) = (place, lost);
        Ok(done)
    }

    /// Runs `inner` as code that can run again.
    pub(super) fn repeated<T>(&mut self, inner: impl FnOnce(&mut Self) -> Done<T>) -> Done<T> {
        self.repeats += 1;
        let done = inner(self)?;
        self.repeats -= 1;
        if self.repeats == 0 {
            // What ran in it is over, unless it goes on.
            self.ran.retain(|(_, is_lasting)| *is_lasting);
        }
        Ok(done)
    }

    /// Runs `inner` as code that goes on while the line does, if `lasts`.
    pub(super) fn lasting<T>(&mut self, lasts: bool, inner: impl FnOnce(&mut Self) -> Done<T>) -> Done<T> {
        self.lasting += u32::from(lasts);
        let done = inner(self)?;
        self.lasting -= u32::from(lasts);
        Ok(done)
    }
}
