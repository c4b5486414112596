//! Programs whose output is in their arguments.

use super::super::programs::If;
use super::super::programs::numbers::{Called, is_counter};
use super::super::read::escaped_text;
use super::super::token::{Mark, Range, Special, Token, Words, long, short, within};
use super::super::tree::{Joint, List};
use super::expand::Found;
use super::{Seen, Target, Walk};

/// What the path of a program that was found by its name starts with.
const SEARCHED: &str = "/$(which ";

impl Walk {
    /// The output of a command, if its words alone determine it.
    pub(super) fn literal_output(&mut self, name: &str, words: Words, redirects: Range) -> Option<Token> {
        let redirects = within(&self.targets, redirects);
        let writes = |target: &Target| !matches!(target.op, "<" | "<<" | "<<-" | "<<<");
        if redirects.iter().any(writes) {
            return None;
        }
        let args = words.skip(1);
        match name {
            "echo" => self.echo(args),
            "printf" => self.printf(args),
            // Which of several redirections is the input depends on their descriptors.
            "cat" if args.len == 0 && redirects.len() == 1 => redirects
                .last()
                .filter(|last| last.fd == 0)
                .and_then(|last| last.body.or((last.op == "<<<").then_some(last.word))),
            "pwd" => match self.directory() {
                Found::Text(text) => Some(text),
                _ => None,
            },
            _ => self.program_file(name, args),
        }
    }

    /// The file of a program that another one finds by its name: `which x`, `command -v x`. Its directory is unknown.
    fn program_file(&mut self, finder: &str, args: Words) -> Option<Token> {
        let row = self.programs.find(finder)?.row;
        let option = match args.len {
            1 => None,
            2 => Some(self.arena.literal(self.arena.word(args, 0)?)?),
            _ => return None,
        };
        let has_option = |condition: &&If| condition.flags("flag").any(|flag| Some(flag) == option);
        let prints = match option {
            None => row.text("prints"),
            Some(_) => row.ifs().iter().filter(has_option).find_map(|condition| condition.text("prints")),
        };
        let name = self.arena.word(args, args.len - 1).filter(|_| prints == Some("program"))?;
        let text = self.arena.text(name);
        if text.is_empty() || text.contains('/') || !self.arena.is_known(name) {
            return Some(name);
        }
        let (text, end) = (format!("{SEARCHED}{text})/{text}"), SEARCHED.len() + text.len() + 1);
        let mark = Mark { at: 1, len: short(end - 1), kind: Special::Unknown };
        Some(self.arena.push(&text, &[mark], true))
    }

    /// The words of a command whose program was found by its name: `$(which x) y` starts `x`.
    pub(super) fn without_search(&mut self, words: Words) -> Words {
        let Some(first) = self.arena.word(words, 0) else { return words };
        let found = self.arena.text(first).strip_prefix(SEARCHED).and_then(|rest| rest.split_once(")/"));
        let name = match found {
            Some((searched, name)) if searched == name && self.is_search(first, name) => name.to_owned(),
            _ => return words,
        };
        let marks = self.origin_marks(first);
        let mut list = vec![self.arena.push(&name, &marks, true)];
        list.extend_from_slice(self.arena.words(words.skip(1)));
        self.arena.list(&list)
    }

    /// Whether only the directory of a found program is unknown in a word. If the line has this text and the output of `which` is
    /// unknown, the origin is at the substitution instead of the start of the word.
    fn is_search(&self, word: Token, name: &str) -> bool {
        let marks = self.arena.marks(word);
        let is_origin = |mark: &&Mark| matches!(mark.kind, Special::Origin(_));
        let directory = Mark { at: 1, len: short(SEARCHED.len() + name.len()), kind: Special::Unknown };
        marks.iter().any(|mark| is_origin(&mark))
            && marks.iter().filter(is_origin).all(|mark| mark.at == 0)
            && marks.iter().filter(|mark| mark.kind.is_open()).eq([&directory])
    }

    /// Whether what a list writes, whose commands are those from `start` on, is nothing but numbers.
    pub(super) fn writes_number(&self, list: &List, start: u32) -> bool {
        if !list.0.iter().skip(1).all(|stage| stage.joint == Joint::Pipe) {
            return false;
        }
        let Some(seen) = self.commands.get(long(start)..).and_then(<[Seen]>::last).filter(|seen| !seen.more)
        else {
            return false;
        };
        let text = |word: Token| self.arena.text(word);
        let Some(program) =
            self.arena.word(seen.words, 0).and_then(|name| self.programs.find(self.arena.literal(name)?))
        else {
            return false;
        };
        let verb = seen.sub.and_then(|sub| program.verb(text(sub)));
        let row = verb.map_or(program.row, |verb| verb.row);
        let flags = within(&self.flags, seen.flags).iter();
        let operands = within(&self.operands, seen.operands).iter();
        let called = Called {
            flags: flags.map(|flag| (flag.name.text(&self.arena), flag.value.map(text))).collect(),
            operands: operands.map(|(_, word)| self.arena.literal(*word)).collect(),
        };
        is_counter(row, &called)
    }

    fn echo(&mut self, args: Words) -> Option<Token> {
        let (mut escapes, mut from) = (false, 0);
        while let Some(option) = self.arena.word(args, from) {
            let text = self.arena.text(option);
            let is_option = text.len() > 1
                && text.starts_with('-')
                && text.bytes().skip(1).all(|byte| matches!(byte, b'n' | b'e' | b'E'));
            if !is_option {
                break;
            }
            escapes |= text.contains('e');
            // Others write the option.
            if !self.frame.is_bash && text.contains(['e', 'E']) {
                return None;
            }
            from += 1;
        }
        let token = self.join(args.skip(from))?;
        if !self.arena.text(token).contains('\\') {
            return Some(token);
        }
        if !escapes {
            // Some shells expand the escapes of every `echo`.
            let mut parts = self.arena.text(token).split('\\').skip(1);
            let is_kept =
                |part: &str| part.starts_with(|next: char| !"\\abcefnrtvxuUE0123456789".contains(next));
            return parts.all(is_kept).then_some(token);
        }
        self.unescaped(token)
    }

    /// A text with its escapes, if all shells have them.
    fn escaped(&self, text: &str) -> Option<String> {
        let is_of_bash = |(at, _): (usize, &str)| {
            let next = text.get(at + 1..).unwrap_or_default();
            next.starts_with(['x', 'u', 'U', 'e', 'E', '\'', '"', '?'])
        };
        if !self.frame.is_bash && text.match_indices('\\').any(is_of_bash) {
            return None;
        }
        escaped_text(text)
    }

    fn unescaped(&mut self, token: Token) -> Option<Token> {
        let text = self.escaped(self.arena.literal(token)?)?;
        let marks = self.origin_marks(token);
        Some(self.arena.push(&text, &marks, true))
    }

    fn origin_marks(&self, token: Token) -> Vec<Mark> {
        let marks = self.arena.marks(token).iter().filter(|mark| matches!(mark.kind, Special::Origin(_)));
        marks.map(|mark| Mark { at: 0, ..*mark }).collect()
    }

    /// Words with spaces between.
    pub(super) fn join(&mut self, words: Words) -> Option<Token> {
        if words.len == 1 {
            return self.arena.word(words, 0);
        }
        let words = self.arena.words(words).to_vec();
        Some(self.join_with(&words, " "))
    }

    /// Joins words with a separator.
    pub(super) fn join_with(&mut self, words: &[Token], separator: &str) -> Token {
        let (mut text, mut marks) = (String::new(), Vec::new());
        for (at, word) in words.iter().enumerate() {
            if at > 0 {
                text.push_str(separator);
            }
            let here = short(text.len());
            marks.extend(self.arena.marks(*word).iter().map(|mark| Mark { at: mark.at + here, ..*mark }));
            text.push_str(self.arena.text(*word));
        }
        self.steps += text.len() / 16;
        self.arena.push(&text, &marks, true)
    }

    fn printf(&mut self, args: Words) -> Option<Token> {
        let format = self.arena.word(args, 0)?;
        let format = self.arena.literal(format).filter(|format| !format.starts_with('-'))?.to_owned();
        // In a format, the zero is the first of three digits of an octal number.
        if format.contains("\\0") {
            return None;
        }
        let (mut text, mut marks, mut next) = (String::new(), Vec::new(), 1);
        let mut rest = format.as_str();
        loop {
            let before = rest.find('%').map_or(rest, |at| rest.get(..at).unwrap_or_default());
            text.push_str(&self.escaped(before)?);
            rest = rest.get(before.len()..).unwrap_or_default();
            if rest.is_empty() {
                break;
            }
            let kind = rest.chars().nth(1)?;
            rest = rest.get(1 + kind.len_utf8()..)?;
            if kind == '%' {
                text.push('%');
                continue;
            }
            if !matches!(kind, 's' | 'd' | 'b') {
                return None;
            }
            if let Some(word) = self.arena.word(args, next) {
                let here = short(text.len());
                let argument = self.arena.text(word);
                // Another text is no number, and one with a zero in front is another number.
                let is_number =
                    argument.bytes().all(|byte| byte.is_ascii_digit()) && !argument.starts_with('0');
                if kind == 'd' && !is_number && argument != "0" && self.arena.is_known(word) {
                    return None;
                }
                if kind == 'b' {
                    text.push_str(&self.escaped(self.arena.literal(word)?)?);
                } else {
                    marks.extend(
                        self.arena.marks(word).iter().map(|mark| Mark { at: mark.at + here, ..*mark }),
                    );
                    text.push_str(argument);
                }
            }
            next += 1;
        }
        // More arguments use the format again.
        (next >= args.len).then(|| self.arena.push(&text, &marks, true))
    }
}
