//! Words: their expansions, and the words that they become.

use super::super::token::{Mark, Special, Token, Words, long, short};
use super::super::tree::{List, Name, Op, Part, Shape};
use super::state::{Args, Value};
use super::{Done, Input, Pipe, Walk};
use crate::limits;

/// The longest value that is followed.
pub(super) const LONGEST: usize = 8192;

/// Fields that are being built.
pub(super) struct Fields {
    text: String,
    marks: Vec<Mark>,
    there: bool,
    splits: bool,
    /// A list in quotes had no words.
    vanished: bool,
    done: Vec<Token>,
}

impl Fields {
    fn new(splits: bool) -> Self {
        Self {
            text: String::new(),
            marks: Vec::new(),
            there: false,
            splits,
            vanished: false,
            done: Vec::new(),
        }
    }

    /// Text with the marks that are in it.
    fn add(&mut self, text: &str, from: usize, marks: &[Mark]) {
        let (here, from, to) = (short(self.text.len()), short(from), short(from + text.len()));
        // They are in order.
        let first = marks.partition_point(|mark| mark.at < from);
        let marks_within = marks.iter().skip(first).take_while(|mark| mark.at <= to);
        let marks_within = marks_within
            .filter(|mark| mark.at + mark.len <= to && !matches!(mark.kind, Special::Part { .. }));
        self.marks.extend(marks_within.map(|mark| Mark { at: mark.at - from + here, ..*mark }));
        self.text.push_str(text);
        self.there |= !text.is_empty();
    }

    fn mark(&mut self, text: &str, kind: Special) {
        self.marks.push(Mark { at: short(self.text.len()), len: short(text.len()), kind });
        self.text.push_str(text);
        self.there = true;
    }

    fn origin(&mut self, id: u32) {
        self.marks.push(Mark { at: short(self.text.len()), len: 0, kind: Special::Origin(id) });
    }

    /// The word can be several words, or none.
    fn several(&mut self) {
        self.marks.push(Mark { at: short(self.text.len()), len: 0, kind: Special::Several });
    }

    /// Whether a directory after this text is that directory: at the start of a word, or of a part such as in
    /// `--prefix=~`, or within code.
    fn can_start_directory(&self) -> bool {
        let before = self.text.chars().next_back();
        before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '/' | '.' | '_' | '~' | '-'))
            || self.text.starts_with('-') && !self.text.contains('/')
    }

    fn end(&mut self, walk: &mut Walk, quoted: bool) {
        if self.there || quoted {
            self.done.push(walk.arena.push(&self.text, &self.marks, quoted));
        }
        self.text.clear();
        self.marks.clear();
        self.there = false;
    }

    /// A value without quotes: it is split, and its patterns are marked.
    fn split(&mut self, text: &str, marks: &[Mark], separators: &str, walk: &mut Walk) {
        let (mut at, mut marks) = (0, marks.iter().peekable());
        let mut after_space = false;
        while let Some(char) = text.get(at..).and_then(|rest| rest.chars().next()) {
            let mut open = None;
            while let Some(mark) = marks.next_if(|mark| long(mark.at) <= at) {
                if mark.kind.is_open() {
                    open = Some(*mark);
                } else if mark.len == 0 {
                    self.marks.push(Mark { at: short(self.text.len()), ..*mark });
                }
            }
            if let Some(mark) = open {
                let end = long(mark.at + mark.len).min(text.len());
                self.mark(text.get(at..end).unwrap_or_default(), mark.kind);
                at = end;
                continue;
            }
            match char {
                ' ' | '\t' | '\n' if separators.contains(char) => {
                    after_space |= self.there;
                    self.end(walk, false);
                }
                // Between two of these is a word, which may be empty.
                char if separators.contains(char) => {
                    self.end(walk, !std::mem::take(&mut after_space));
                }
                '*' | '?' | '[' => self.mark(text.get(at..at + 1).unwrap_or_default(), Special::Glob),
                char => {
                    after_space = false;
                    self.text.push(char);
                    self.there = true;
                }
            }
            at += char.len_utf8();
        }
        for mark in marks.filter(|mark| mark.len == 0) {
            self.marks.push(Mark { at: short(self.text.len()), ..*mark });
        }
    }
}

/// The value of an expansion.
pub(super) enum Found {
    Text(Token),
    /// Several words, which stay apart in quotes.
    List(Vec<Token>),
    /// Several words, which are one in quotes.
    Joined(Vec<Token>),
    Nothing,
    /// What is unknown, and the output of which commands it is.
    Unknown(Option<u32>),
    /// Like `Unknown`, but [inert](Special::Inert).
    Inert(Option<u32>),
}

impl Walk {
    /// The words that a word becomes.
    pub(super) fn fields(&mut self, word: Token, out: &mut Vec<Token>) -> Done<()> {
        if !self.arena.has(word, |kind| matches!(kind, Special::Part { .. })) {
            out.push(word);
            return Ok(());
        }
        let mut fields = Fields::new(true);
        self.expand(word, &mut fields)?;
        // A list without words is no word if nothing else is in the quotes.
        let is_list = fields.vanished && self.arena.marks(word).len() == 1;
        fields.end(self, word.quoted && fields.done.is_empty() && !is_list);
        if fields.done.len() > limits::SHELL_WORDS {
            let raw = self.arena.text(word).to_owned();
            out.push(self.unknown(&raw).at_place_of(word));
        } else {
            out.extend(fields.done.iter().map(|field| field.at_place_of(word)));
        }
        Ok(())
    }

    /// The text that a word becomes where words are not split.
    pub(super) fn value(&mut self, word: Token) -> Done<Token> {
        if !self.arena.has(word, |kind| matches!(kind, Special::Part { .. })) {
            return Ok(word);
        }
        let mut fields = Fields::new(false);
        self.expand(word, &mut fields)?;
        if fields.text.len() > LONGEST.max(self.arena.text(word).len() * 2) {
            let raw: String = self.arena.text(word).to_owned();
            return Ok(self.unknown(&raw).at_place_of(word));
        }
        Ok(self.arena.push(&fields.text, &fields.marks, true).at_place_of(word))
    }

    /// Runs the commands in a word.
    pub(super) fn inner(&mut self, word: Token) -> Done<()> {
        self.value(word).map(drop)
    }

    fn expand(&mut self, word: Token, fields: &mut Fields) -> Done<()> {
        let (text, marks) = (self.arena.text(word).to_owned(), self.arena.marks(word).to_vec());
        self.step(1 + text.len() / 16)?;
        let mut at = 0;
        for mark in &marks {
            let Special::Part { id, quoted } = mark.kind else { continue };
            let (start, end) = (long(mark.at), long(mark.at + mark.len));
            if start < at {
                continue;
            }
            fields.add(text.get(at..start).unwrap_or_default(), at, &marks);
            let raw = text.get(start..end).unwrap_or_default();
            at = end;
            let quoted = quoted || !fields.splits;
            let found = self.part(id, raw)?;
            if matches!(found, Found::Unknown(_) | Found::Inert(_))
                && fields.splits
                && (!quoted || self.is_list(id))
            {
                fields.several();
            }
            self.insert(found, raw, quoted, fields)?;
        }
        fields.add(text.get(at..).unwrap_or_default(), at, &marks);
        Ok(())
    }

    fn insert(&mut self, found: Found, raw: &str, quoted: bool, fields: &mut Fields) -> Done<()> {
        match found {
            Found::Nothing => {}
            Found::Unknown(origin) | Found::Inert(origin) => {
                if let Some(origin) = origin {
                    fields.origin(origin);
                }
                let is_inert = matches!(found, Found::Inert(_));
                fields.mark(raw, if is_inert { Special::Inert } else { Special::Unknown });
                // In quotes it is a part of one word.
                if quoted && fields.splits {
                    fields.there = true;
                }
            }
            Found::Text(value) => {
                let (text, marks) = (self.arena.text(value).to_owned(), self.arena.marks(value).to_vec());
                self.step(1 + text.len() / 16)?;
                if text.len() > LONGEST {
                    fields.mark(raw, Special::Unknown);
                } else if text.starts_with('~') && !fields.can_start_directory() {
                    // `/$HOME` is the directory too, and no name within another one.
                    fields.mark(raw, Special::Unknown);
                } else if quoted {
                    let marks: Vec<Mark> =
                        marks.into_iter().filter(|mark| mark.kind != Special::Glob).collect();
                    fields.add(&text, 0, &marks);
                } else {
                    // What else separates can be in the text of a directory.
                    let separators = self.separators().filter(|separators| {
                        !text.contains('~') || separators.trim_matches([' ', '\t', '\n']).is_empty()
                    });
                    if separators.is_none() && fields.splits {
                        fields.several();
                    }
                    match separators {
                        Some(separators) => fields.split(&text, &marks, &separators, self),
                        None => fields.mark(raw, Special::Unknown),
                    }
                }
            }
            Found::Joined(words) if quoted => match self.separators() {
                Some(separators) => {
                    let first: String = separators.chars().take(1).collect();
                    let value = self.join_with(&words, &first);
                    self.insert(Found::Text(value), raw, quoted, fields)?;
                }
                None => fields.mark(raw, Special::Unknown),
            },
            Found::List(words) | Found::Joined(words) => {
                let count = words.len();
                fields.vanished |= count == 0;
                for (at, word) in words.into_iter().enumerate() {
                    self.insert(Found::Text(word), raw, quoted, fields)?;
                    if at + 1 < count {
                        if fields.splits {
                            fields.end(self, quoted);
                        } else {
                            fields.add(" ", 0, &[]);
                        }
                    } else if quoted && fields.splits {
                        fields.there = true;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a part is all words of a list.
    fn is_list(&self, id: u32) -> bool {
        let Some(Part::Parameter(parameter)) = self.arena.parts.get(long(id)) else { return false };
        let subscript_text = parameter.subscript.map(|subscript| self.arena.text(subscript));
        (parameter.name == Name::All || subscript_text == Some("@")) && parameter.op != Op::Length
    }

    /// What separates words; `None` if that is unknown.
    fn separators(&self) -> Option<String> {
        let symbol = self.arena.known_symbol("IFS");
        match symbol.and_then(|symbol| self.value_of(symbol)) {
            None | Some(Value::Unset) => Some(" \t\n".to_owned()),
            Some(Value::Text(text)) => self.arena.literal(text).map(str::to_owned),
            _ => None,
        }
    }

    fn part(&mut self, id: u32, raw: &str) -> Done<Found> {
        match self.arena.parts.get(long(id)).cloned() {
            Some(Part::Parameter(parameter)) => {
                if parameter.op == Op::None && parameter.subscript.is_none() {
                    return Ok(self.lookup(parameter.name));
                }
                self.nested(|walk| walk.parameter(parameter, raw))
            }
            Some(Part::Commands(list, shape)) => self.nested(|walk| walk.substitution(&list, shape)),
            Some(Part::Inner(inner)) => {
                self.nested(|walk| walk.calculate(inner))?;
                Ok(Found::Inert(None))
            }
            Some(Part::Subscript(name, inner)) => {
                let text = self.nested(|walk| walk.value(inner))?;
                if !self.state.variable(name).has_keys {
                    self.evaluate_subscript(text)?;
                }
                Ok(Found::Inert(None))
            }
            Some(Part::Array(words)) => self.nested(|walk| walk.array(words)).map(|(_, found)| found),
            None => Ok(Found::Unknown(None)),
        }
    }

    /// The value of a parameter.
    pub(super) fn lookup(&mut self, name: Name) -> Found {
        match (name, self.args()) {
            (Name::Variable(symbol), _) => match self.value_of(symbol) {
                Some(value) => self.found(value),
                None => self.environment(symbol),
            },
            (Name::Position(0), _) => self.state.zero.map_or(Found::Inert(None), Found::Text),
            (Name::Number, _) | (Name::Position(_) | Name::All | Name::Joined, Args::Outside) => {
                Found::Inert(None)
            }
            (Name::Other, _) => Found::Unknown(None),
            (Name::Position(number), Args::Known(words)) => {
                self.steps += long(number.min(words.len)) / 16;
                self.element(words, number - 1)
            }
            (Name::All, Args::Known(words)) => Found::List(self.arena.words(words).to_vec()),
            (Name::Joined, Args::Known(words)) => Found::Joined(self.arena.words(words).to_vec()),
            // Nobody has set them.
            (Name::All, Args::None) => Found::List(Vec::new()),
            (Name::Joined, Args::None) => Found::Joined(Vec::new()),
            (Name::Position(_), Args::None) => Found::Nothing,
            _ => Found::Unknown(None),
        }
    }

    /// The value that the line gives to a variable, unless the shell or a redirection sets it too.
    pub(super) fn value_of(&self, name: u32) -> Option<Value> {
        match self.arena.changing.iter().find(|(changing, _)| *changing == name) {
            Some((_, is_inert)) => Some(if *is_inert { Value::Inert } else { Value::Unknown }),
            None => self.state.get(name),
        }
    }

    /// The word of a list at a position from 0.
    pub(super) fn element(&self, words: Words, at: u32) -> Found {
        let before = self.arena.words(words.take(at.saturating_add(1)));
        if !before.iter().all(|word| self.arena.is_one(*word)) {
            return Found::Unknown(None);
        }
        self.arena.word(words, at).map_or(Found::Nothing, Found::Text)
    }

    pub(super) fn found(&self, value: Value) -> Found {
        match value {
            Value::Text(text) => Found::Text(text),
            // Without a subscript, it is the first element, or all of them in zsh.
            Value::List(words) if words.len > 1 => self.one_of(words),
            Value::List(words) => self.element(words, 0),
            Value::Unset => Found::Nothing,
            Value::Unknown => Found::Unknown(None),
            Value::Inert => Found::Inert(None),
        }
    }

    /// One of several words.
    pub(super) fn one_of(&self, words: Words) -> Found {
        if self.is_inert(Some(Value::List(words))) { Found::Inert(None) } else { Found::Unknown(None) }
    }

    /// Variables that every shell has.
    fn environment(&mut self, symbol: u32) -> Found {
        let is_named = |walk: &Self, name: &str| walk.arena.known_symbol(name) == Some(symbol);
        if is_named(self, "HOME") {
            return Found::Text(self.text("~"));
        }
        if is_named(self, "IFS") {
            return Found::Text(self.text(" \t\n"));
        }
        if is_named(self, "PWD") {
            return self.directory();
        }
        Found::Inert(None)
    }

    /// The working directory.
    pub(super) fn directory(&mut self) -> Found {
        let place = self.state.place;
        let dir =
            place.dir.filter(|_| place.other.is_none()).and_then(|dir| self.dirs.get(long(dir))).cloned();
        match dir.filter(|dir| dir.starts_with(['/', '~'])) {
            Some(dir) => Found::Text(self.text(&dir)),
            None => Found::Unknown(None),
        }
    }

    fn substitution(&mut self, list: &List, shape: Shape) -> Done<Found> {
        let start = self.here();
        let is_one = list.0.len() == 1;
        let run = |walk: &mut Self| {
            walk.frame.captured |= shape != Shape::Sink;
            walk.frame.is_required = false;
            walk.frame.wants_output = shape == Shape::Output;
            if shape == Shape::Sink {
                // It reads what the command of this word writes, which is not recorded yet.
                let outer = walk.input();
                let input = walk.add_input(Input { from: (start, u32::MAX), outer, ..Input::default() });
                walk.open_input(input);
            } else {
                walk.open_output();
            }
            walk.in_subshell(|walk| walk.list(list))?;
            Ok(walk.output.take().filter(|_| is_one))
        };
        let output = self.with_pipe(0, |walk| walk.scoped(run))?;
        let end = self.here();
        if shape == Shape::Sink {
            let runs = self.commands.iter_mut().skip(long(start)).flat_map(|seen| &mut seen.runs);
            self.sinks.push((start, end));
            runs.filter(|range| **range == (start, u32::MAX)).for_each(|range| *range = (end, end + 1));
        }
        self.origins.push((start, end));
        let origin = short(self.origins.len() - 1);
        let Some(output) = output.filter(|_| shape == Shape::Output) else {
            let is_number = shape == Shape::Output && self.writes_number(list, start);
            return Ok(if is_number { Found::Inert(Some(origin)) } else { Found::Unknown(Some(origin)) });
        };
        let text = self.arena.text(output).trim_end_matches('\n').to_owned();
        let mut marks: Vec<Mark> = self.arena.marks(output).to_vec();
        marks.retain(|mark| long(mark.at + mark.len) <= text.len());
        marks.insert(0, Mark { at: 0, len: 0, kind: Special::Origin(origin) });
        Ok(Found::Text(self.arena.push(&text, &marks, true)))
    }

    /// What writes to the `>(...)` of its words, from a number of [`Walk::sinks`] on, writes to their commands.
    pub(super) fn write_to_sinks(&mut self, from: usize) {
        for (start, end) in self.sinks.drain(from.min(self.sinks.len())..) {
            self.pipes.push(Pipe { start, end, outer: self.pipe });
            self.pipe = short(self.pipes.len() - 1);
        }
    }
}
