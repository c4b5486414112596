//! What is around the command that is walked.

use super::super::token::{Words, short};
use super::super::tree::{Joint, List, Node, Stage};
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
}
