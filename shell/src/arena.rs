//! The words of a line in one text, and what is special in them.

use std::collections::HashMap;

use super::spare::Spare;
use super::token::{Mark, Range, Special, Symbol, Token, Words, is_json, long, short};
use super::tree::{Assign, Part, Redirect};

/// Everything that the words of a line consist of.
#[derive(Default)]
pub(super) struct Arena {
    text: String,
    /// The length of the line, which is the start of the text.
    line: u32,
    marks: Vec<Mark>,
    words: Vec<Token>,
    /// Where words are in the line.
    spans: Vec<Range>,
    pub(super) parts: Vec<Part>,
    /// The texts of here-documents.
    pub(super) bodies: Vec<Option<Token>>,
    pub(super) assigns: Vec<Assign>,
    pub(super) redirects: Vec<Redirect>,
    symbols: HashMap<Box<str>, Symbol, foldhash::fast::RandomState>,
    /// The names of variables that the shell sets itself, or redirections and `coproc`: their values are unknown. Whether
    /// they are inert.
    pub(super) changing: Vec<(Symbol, bool)>,
    /// The names of variables for which words have a default: `X` of `${X:-y}`.
    pub(super) defaulted: Vec<Token>,
    /// The names of variables that bash makes integers: what they get is evaluated.
    pub(super) integers: Vec<Symbol>,
    /// Memory of readers that the next one uses.
    pub(super) spare: Spare,
    /// How many commands were read.
    pub(super) commands: usize,
    /// A form was read that a shell other than bash reads in another way.
    pub(super) has_bashism: bool,
}

/// Whether a shell sets a variable of this name itself, whatever the line assigns.
fn is_changing(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
        && matches!(
            name,
            "_" | "BASHOPTS"
                | "BASHPID"
                | "BASH_ARGC"
                | "BASH_ARGV"
                | "BASH_ARGV0"
                | "BASH_COMMAND"
                | "BASH_EXECUTION_STRING"
                | "BASH_LINENO"
                | "BASH_MONOSECONDS"
                | "BASH_SOURCE"
                | "BASH_SUBSHELL"
                | "BASH_VERSINFO"
                | "COLUMNS"
                | "COPROC"
                | "COPROC_PID"
                | "DIRSTACK"
                | "EGID"
                | "EPOCHREALTIME"
                | "EPOCHSECONDS"
                | "ERRNO"
                | "EUID"
                | "FUNCNAME"
                | "GID"
                | "GROUPS"
                | "HISTCMD"
                | "LINENO"
                | "LINES"
                | "PIPESTATUS"
                | "PPID"
                | "RANDOM"
                | "SECONDS"
                | "SHELLOPTS"
                | "SHLVL"
                | "SRANDOM"
                | "TTYIDLE"
                | "UID"
                | "USERNAME"
        )
}

/// Whether the value that a shell gives to a variable can be a text of the line.
fn is_text_of_line(name: &str) -> bool {
    matches!(name, "_" | "DIRSTACK" | "FUNCNAME" | "USERNAME")
        || name.starts_with("BASH_") && !matches!(name, "BASH_LINENO" | "BASH_SUBSHELL" | "BASH_VERSINFO")
}

/// Whether bash declares a variable as an integer that a line can assign to: `declare -p` of bash 5.2.
fn is_integer(name: &str) -> bool {
    matches!(name, "BASHPID" | "HISTCMD" | "OPTIND" | "RANDOM" | "SECONDS" | "SRANDOM")
}

impl Arena {
    /// Makes room for a line.
    pub(super) fn reserve(&mut self, bytes: usize) {
        self.text.reserve(bytes * 2 + 64);
        self.words.reserve(bytes / 3 + 8);
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.line = 0;
        self.spans.clear();
        self.marks.clear();
        self.words.clear();
        self.parts.clear();
        self.bodies.clear();
        self.assigns.clear();
        self.redirects.clear();
        self.symbols.clear();
        self.changing.clear();
        self.defaulted.clear();
        self.integers.clear();
        self.commands = 0;
        self.has_bashism = false;
    }

    /// How much it consists of.
    pub(super) fn work(&self) -> usize {
        self.text.len() + self.marks.len() + self.words.len() + self.parts.len()
    }

    pub(super) fn capacity(&self) -> usize {
        self.text.capacity().max(self.words.capacity()).max(self.marks.capacity())
    }

    pub(super) fn size(&self) -> usize {
        self.text.len()
    }

    pub(super) fn push(&mut self, text: &str, marks: &[Mark], quoted: bool) -> Token {
        let token = Token {
            start: short(self.text.len()),
            len: short(text.len()),
            marks: short(self.marks.len()),
            count: short(marks.len()),
            span: 0,
            quoted,
            plain: is_json(text),
        };
        self.text.push_str(text);
        self.marks.extend_from_slice(marks);
        token
    }

    /// Adds the line.
    pub(super) fn add_line(&mut self, text: &str) -> u32 {
        self.line = short(text.len());
        self.add(text)
    }

    /// Notes where a word is in the line.
    pub(super) fn place(&mut self, token: &mut Token, span: Range) {
        if token.start + token.len > self.line || token.len == 0 {
            self.spans.push(span);
            token.span = short(self.spans.len());
        }
    }

    /// Where a word is in the line, with its quotes; of a part of a word, where that word is.
    pub(super) fn span(&self, token: Token) -> Option<Range> {
        if let Some(number) = token.span.checked_sub(1) {
            return self.spans.get(long(number)).copied();
        }
        let (start, end) = (token.start, token.start + token.len);
        if end > self.line || token.len == 0 {
            return None;
        }
        let byte = |at: u32| self.text.as_bytes().get(long(at)).copied();
        let quote = start.checked_sub(1).and_then(byte).filter(|byte| matches!(byte, b'"' | b'\''));
        let is_whole = token.quoted && quote.is_some() && byte(end) == quote;
        Some(if is_whole { (start - 1, end + 1) } else { (start, end) })
    }

    /// Adds a text that words are parts of; where it starts.
    pub(super) fn add(&mut self, text: &str) -> u32 {
        let start = short(self.text.len());
        self.text.push_str(text);
        start
    }

    #[inline]
    pub(super) fn text(&self, token: Token) -> &str {
        let start = long(token.start);
        self.text.get(start..start + long(token.len)).unwrap_or_default()
    }

    /// Bytes of a word as JSON, at most; the quotes and a comma too.
    #[inline]
    pub(super) fn most(&self, token: Token) -> usize {
        3 + if token.plain { long(token.len) } else { 6 * long(token.len) }
    }

    #[inline]
    pub(super) fn marks(&self, token: Token) -> &[Mark] {
        if token.count == 0 {
            return &[];
        }
        let start = long(token.marks);
        self.marks.get(start..start + long(token.count)).unwrap_or_default()
    }

    #[inline]
    pub(super) fn has(&self, token: Token, is_wanted: fn(Special) -> bool) -> bool {
        token.count > 0 && self.marks(token).iter().any(|mark| is_wanted(mark.kind))
    }

    /// Whether a shell gets exactly this text.
    #[inline]
    pub(super) fn is_known(&self, token: Token) -> bool {
        token.count == 0 || !self.has(token, Special::is_open)
    }

    /// The text of a known word without globs.
    #[inline]
    pub(super) fn literal(&self, token: Token) -> Option<&str> {
        let is_known = token.count == 0 || !self.has(token, |kind| kind.is_open() || kind == Special::Glob);
        is_known.then(|| self.text(token))
    }

    /// Whether a byte of a word is in no unknown part.
    pub(super) fn is_known_at(&self, token: Token, at: usize) -> bool {
        let is_in = |mark: &Mark| (long(mark.at)..long(mark.at + mark.len)).contains(&at);
        !self.marks(token).iter().any(|mark| mark.kind.is_open() && is_in(mark))
    }

    /// Whether nothing of a word is known.
    pub(super) fn is_unknown(&self, token: Token) -> bool {
        let covered: u32 =
            self.marks(token).iter().filter(|mark| mark.kind.is_open()).map(|mark| mark.len).sum();
        covered > 0 && covered >= token.len
    }

    /// Whether a word becomes exactly one word, so that the positions after it are known.
    pub(super) fn is_one(&self, token: Token) -> bool {
        !self.has(token, |kind| matches!(kind, Special::Several | Special::Glob))
    }

    /// Whether the last segment of a path in one word is known, whatever is in front of it.
    pub(super) fn has_known_name(&self, token: Token) -> bool {
        let text = self.text(token);
        let Some(slash) = text.rfind('/').filter(|slash| slash + 1 < text.len()) else { return false };
        let is_known = |mark: &Mark| !mark.kind.is_open() || long(mark.at + mark.len) <= slash;
        self.is_one(token) && self.marks(token).iter().all(is_known)
    }

    /// A part of a word; marks that are partly in it are too.
    pub(super) fn slice(&mut self, token: Token, from: usize, to: usize) -> Token {
        let (from, to) = (short(from).min(token.len), short(to).min(token.len));
        if token.count == 0 {
            return Token { start: token.start + from, len: to.saturating_sub(from), ..token };
        }
        let start = short(self.marks.len());
        for at in token.marks..token.marks + token.count {
            let Some(mark) = self.marks.get(long(at)).copied() else { break };
            let (first, last) = (mark.at.max(from), (mark.at + mark.len).min(to));
            if first < last || (mark.len == 0 && mark.at >= from && mark.at <= to) {
                let (at, len) = (first.saturating_sub(from), last.saturating_sub(first));
                self.marks.push(Mark { at, len, kind: mark.kind });
            }
        }
        let count = short(self.marks.len()) - start;
        Token { start: token.start + from, len: to.saturating_sub(from), marks: start, count, ..token }
    }

    #[inline]
    pub(super) fn list(&mut self, words: &[Token]) -> Words {
        let start = short(self.words.len());
        self.words.extend_from_slice(words);
        Words { start, len: short(words.len()) }
    }

    #[inline]
    pub(super) fn words(&self, words: Words) -> &[Token] {
        let start = long(words.start);
        self.words.get(start..start + long(words.len)).unwrap_or_default()
    }

    #[inline]
    pub(super) fn word(&self, words: Words, at: u32) -> Option<Token> {
        if at < words.len { self.words.get(long(words.start + at)).copied() } else { None }
    }

    pub(super) fn symbol(&mut self, name: &str) -> Symbol {
        if let Some(symbol) = self.symbols.get(name) {
            return *symbol;
        }
        let symbol = short(self.symbols.len());
        self.symbols.insert(name.into(), symbol);
        if is_changing(name) {
            self.changing.push((symbol, !is_text_of_line(name)));
        }
        if is_integer(name) {
            self.integers.push(symbol);
        }
        symbol
    }

    /// The name of each symbol.
    pub(super) fn symbol_names(&self) -> HashMap<Symbol, &str> {
        self.symbols.iter().map(|(name, symbol)| (*symbol, &**name)).collect()
    }

    /// The symbol of a name, if anything on the line has that name.
    #[inline]
    pub(super) fn known_symbol(&self, name: &str) -> Option<Symbol> {
        if self.symbols.is_empty() { None } else { self.symbols.get(name).copied() }
    }
}
