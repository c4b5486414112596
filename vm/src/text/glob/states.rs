//! Matches any glob by walking the set of all states along the text: every character visits every
//! state at most once, so the time is at most the product of both lengths.

use hookc_base::text::Case;

use super::GlobError;
use super::token::{Class, Token};
use crate::text::fold::fold_char;

/// An instruction. The first four consume a character; the loops may stay.
#[derive(Clone, Copy, Debug)]
enum Inst<'p> {
    Char(char),
    One,
    Class(Class<'p>),
    /// `*`, `**`, `**/`: stay, or continue with the next instruction.
    Star,
    Deep,
    Folders,
    /// Continue with the next instruction and with this one.
    Fork(usize),
    /// Continue at this instruction.
    Jump(usize),
}

/// Whether the text matches; an invalid pattern matches nothing.
pub(super) fn matches(pattern: &str, text: &str, case: Case) -> bool {
    compile(pattern, case).is_ok_and(|program| Set::new(&program, case).walk(text))
}

/// Braces that are open: the last fork, and the jumps to their end.
struct Open {
    fork: usize,
    jumps: Vec<usize>,
}

fn compile(pattern: &str, case: Case) -> Result<Vec<Inst<'_>>, GlobError> {
    let mut program = Vec::with_capacity(pattern.len());
    let mut open = Vec::<Open>::new();
    super::each_token(pattern, |token| match token {
        Token::Open => {
            open.push(Open { fork: program.len(), jumps: Vec::new() });
            program.push(Inst::Fork(0));
        }
        Token::Comma => {
            let Some(braces) = open.last_mut() else { return };
            braces.jumps.push(program.len());
            program.push(Inst::Jump(0));
            aim(&mut program, braces.fork, Inst::Fork);
            braces.fork = program.len();
            program.push(Inst::Fork(0));
        }
        Token::Close => {
            let Some(braces) = open.pop() else { return };
            // The fork of the last alternative has no second branch: it continues with the next
            // instruction.
            let after = braces.fork.saturating_add(1);
            if let Some(inst) = program.get_mut(braces.fork) {
                *inst = Inst::Jump(after);
            }
            braces.jumps.iter().for_each(|jump| aim(&mut program, *jump, Inst::Jump));
        }
        Token::Char(c) => program.push(Inst::Char(if case.is_ignored() { fold_char(c) } else { c })),
        Token::One => program.push(Inst::One),
        Token::Class(class) => program.push(Inst::Class(class)),
        Token::Star => program.push(Inst::Star),
        Token::Deep => program.push(Inst::Deep),
        Token::Folders => program.push(Inst::Folders),
    })?;
    Ok(program)
}

/// Sets the target of the instruction at `at` to the current end of the program.
fn aim<'p>(program: &mut [Inst<'p>], at: usize, make: fn(usize) -> Inst<'p>) {
    let end = program.len();
    if let Some(inst) = program.get_mut(at) {
        *inst = make(end);
    }
}

/// The states after the text that was read.
struct Set<'a> {
    program: &'a [Inst<'a>],
    case: Case,
    /// States after the character.
    next: Vec<usize>,
    /// Per state, the step that last entered it.
    entered: Vec<usize>,
    step: usize,
    stack: Vec<usize>,
}

impl<'a> Set<'a> {
    fn new(program: &'a [Inst<'a>], case: Case) -> Self {
        let entered = vec![0; program.len().saturating_add(1)];
        Self { program, case, next: Vec::new(), entered, step: 0, stack: Vec::new() }
    }

    fn walk(mut self, text: &str) -> bool {
        let mut chars = text.chars();
        let mut fresh = true;
        let mut entering = vec![0];
        loop {
            let c = chars.next();
            let folded = if self.case.is_ignored() { c.map(fold_char) } else { c };
            self.step = self.step.saturating_add(1);
            self.next.clear();
            for state in entering.drain(..) {
                self.enter(state, fresh, c, folded);
            }
            if c.is_none() || self.next.is_empty() {
                return c.is_none() && !self.next.is_empty();
            }
            fresh = c == Some('/');
            std::mem::swap(&mut entering, &mut self.next);
        }
    }

    /// Enters a state and all states reachable without a character, and advances them over the next
    /// character `c`. `fresh`: the text so far is empty or ends in `/`. At the end of the text, the
    /// end of the program is next.
    fn enter(&mut self, state: usize, fresh: bool, c: Option<char>, folded: Option<char>) {
        self.stack.push(state);
        while let Some(state) = self.stack.pop() {
            match self.entered.get_mut(state) {
                Some(entered) if *entered < self.step => *entered = self.step,
                _ => continue,
            }
            let after = state.saturating_add(1);
            let program = self.program;
            let goes = match program.get(state) {
                Some(Inst::Char(x)) => Some(*x) == folded,
                Some(Inst::One) => c.is_some_and(|c| c != '/'),
                Some(Inst::Class(class)) => c.is_some_and(|c| class.has(c, self.case)),
                Some(Inst::Star) => self.stay(state, c.is_some_and(|c| c != '/'), true),
                Some(Inst::Deep) => self.stay(state, c.is_some(), true),
                Some(Inst::Folders) => self.stay(state, c.is_some(), fresh),
                Some(Inst::Jump(target)) => self.lead(&[*target]),
                Some(Inst::Fork(target)) => self.lead(&[*target, after]),
                None => c.is_none(),
            };
            if goes {
                self.next.push(after);
            }
        }
    }

    /// Continues with other states, without a character.
    fn lead(&mut self, states: &[usize]) -> bool {
        self.stack.extend(states);
        false
    }

    /// Stays at a star, and continues after it without a character.
    fn stay(&mut self, state: usize, stays: bool, passes: bool) -> bool {
        if passes {
            self.stack.push(state.saturating_add(1));
        }
        if stays {
            self.next.push(state);
        }
        false
    }
}
