//! Decoding: a value against its table.

use super::report::{Style, missing, misspelt};
use super::table::{Key, Object, Others, Rule, Type};
use crate::span::Spanned;
use crate::value::{Kind, Member, Number, Text, Value};
use crate::{Code, Diagnostic, Diagnostics};

/// The members of an object, sorted by its table.
#[derive(Clone, Debug)]
pub struct Fields<'v> {
    object: &'static Object,
    /// Each key as written, and whether its value is of its type.
    found: Vec<(&'static Key, &'v Member, bool)>,
    /// Keys that the table does not list.
    pub others: Vec<&'v Member>,
}

impl Object {
    /// Decodes a value. Wrong types, unknown keys and missing ones are
    /// reported; `None` if the value is not an object.
    pub fn read<'v>(
        &'static self,
        value: &'v Value,
        style: Style,
        out: &mut Diagnostics,
    ) -> Option<Fields<'v>> {
        self.read_as(self.what, value, style, out)
    }

    /// As [`Self::read`], for an object that has a name of its own.
    pub fn read_as<'v>(
        &'static self,
        what: &str,
        value: &'v Value,
        style: Style,
        out: &mut Diagnostics,
    ) -> Option<Fields<'v>> {
        style.mapping(value, what, out).map(|members| {
            let start = out.len();
            let mut fields = self.sort(what, members, style, out);
            self.required(what, value, &mut fields, start, out);
            fields
        })
    }

    fn sort<'v>(
        &'static self,
        what: &str,
        members: &'v [Member],
        style: Style,
        out: &mut Diagnostics,
    ) -> Fields<'v> {
        let mut fields =
            Fields { object: self, found: Vec::with_capacity(members.len()), others: Vec::new() };
        for member in members {
            match self.key(&member.key.node) {
                Some(key) => {
                    let sound = key.takes(&member.value, style, out);
                    fields.found.push((key, member, sound));
                }
                None => {
                    if self.others == Others::Unknown {
                        let mut new = self.unknown(what, &member.key);
                        if let Some(help) = self.instead(&member.key.node, &member.value) {
                            (new.help, new.fix) = (Some(help), None);
                        }
                        out.push(new);
                    }
                    fields.others.push(member);
                }
            }
        }
        fields
    }

    /// Reports missing keys, except those that a misspelled key was probably intended for. Where unknown
    /// keys are no errors, such a key is reported here, not by the dialect.
    fn required(
        &self,
        what: &str,
        value: &Value,
        fields: &mut Fields<'_>,
        start: usize,
        out: &mut Diagnostics,
    ) {
        for key in self.keys {
            let lacks = key.needed.is_some() && !fields.has(key.name);
            if !lacks || misspelled(out.get(start..).unwrap_or(&[]), key.name) {
                continue;
            }
            let meant = fields.others.iter().position(|other| self.near(&other.key.node) == Some(key.name));
            match meant.filter(|_| self.others == Others::Open) {
                Some(at) => {
                    let other = fields.others.remove(at);
                    out.push(misspelt(&other.key, what, key.name));
                }
                None => out.push(key.missing(value, what)),
            }
        }
        for rule in self.rules {
            match rule {
                Rule::AnyOf(keys, help) => {
                    let reported = out.get(start..).unwrap_or(&[]);
                    let first = keys
                        .first()
                        .filter(|_| !keys.iter().any(|key| fields.has(key) || misspelled(reported, key)));
                    out.extend(first.map(|key| missing(value, what, key).help(*help)));
                }
                Rule::OneOf(keys) => fields.exclusive(what, keys, out),
                Rule::Own(_) => {}
            }
        }
    }
}

/// Whether an unknown key among `reported` was most likely intended as `key`.
#[must_use]
pub fn misspelled(reported: &[Diagnostic], key: &str) -> bool {
    let meant = |new: &Diagnostic| new.fix.as_ref().is_some_and(|fix| fix.replacement == key);
    reported.iter().any(|new| new.code == Code::E0201 && meant(new))
}

impl Key {
    /// The diagnostic for an object that lacks it.
    #[must_use]
    pub fn missing(&self, value: &Value, what: &str) -> Diagnostic {
        let new = missing(value, what, self.name);
        match self.needed.or(self.help) {
            Some(help) => new.help(help),
            None => new,
        }
    }

    /// Whether it takes a value; if not, this is reported.
    pub fn takes(&self, value: &Value, style: Style, out: &mut Diagnostics) -> bool {
        if self.nullable && value.kind == Kind::Null {
            return true;
        }
        if !self.is.fits(value) {
            out.push(style.wrong_key(self, value));
            return false;
        }
        match self.is {
            Type::Filled(label, help) => self.filled(value, (label, help), style, out),
            Type::Count => self.whole(value, style, out),
            Type::Word(words) if value.as_str().is_some_and(|text| words.has(text)) => true,
            Type::Word(words) => style.one_of(value, &self.what(), &words.names(), out).is_some(),
            Type::List(Type::Text, each) => {
                let Kind::Seq(items) = &value.kind else { return true };
                let texts = items.iter().filter(|item| style.text(item, each, out).is_some());
                texts.count() == items.len()
            }
            _ => true,
        }
    }

    fn filled(
        &self,
        value: &Value,
        (label, help): (&str, &str),
        style: Style,
        out: &mut Diagnostics,
    ) -> bool {
        let blank = value.as_str().is_some_and(|text| text.trim().is_empty());
        if blank {
            let new = style.wrong_value(value, format!("{} is empty", self.what()));
            out.push(new.with_label(label).help(help));
        }
        !blank
    }

    fn whole(&self, value: &Value, style: Style, out: &mut Diagnostics) -> bool {
        let Kind::Num(number) = &value.kind else { return true };
        let whole = number.0.bytes().all(|byte| byte.is_ascii_digit());
        if !whole {
            let new = style.wrong_value(value, format!("{} cannot be {}", self.what(), number.0));
            out.push(new.with_label("not a whole number").help("write a whole number, such as 3"));
        }
        whole
    }
}

impl Type {
    /// Whether a value is of this type, what is inside it left out.
    pub(super) fn fits(self, value: &Value) -> bool {
        match self {
            Self::Any | Self::Own(_) => true,
            Self::Text | Self::Filled(..) => matches!(value.kind, Kind::Str(_)),
            Self::Bool => matches!(value.kind, Kind::Bool(_)),
            Self::Number | Self::Count => matches!(value.kind, Kind::Num(_)),
            // What is wrong with it names the words.
            Self::Word(_) => true,
            Self::List(..) => matches!(value.kind, Kind::Seq(_)),
            Self::Map(_) | Self::Object(_) => matches!(value.kind, Kind::Map(_)),
            Self::Either(all) => all.iter().any(|kind| kind.fits(value)),
        }
    }
}

impl<'v> Fields<'v> {
    /// Whether a key was written, well or not.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.found.iter().any(|(key, ..)| key.name == name)
    }

    /// The keys whose values are of their types, in order of writing.
    pub fn sound(&self) -> impl Iterator<Item = (&'static Key, &'v Member)> + '_ {
        self.found.iter().filter(|(.., sound)| *sound).map(|(key, member, _)| (*key, *member))
    }

    /// The member of a key whose value is of its type, and not a `null` that
    /// says nothing. The last one, where a notation has it twice.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&'v Member> {
        // A key that the table lacks is reported as unknown wherever it is written; who reads it is mistaken.
        debug_assert!(self.object.key(name).is_some(), "{} has no key {name}", self.object.what);
        let mut last = self.found.iter().rev();
        let (key, member, sound) = last.find(|(key, ..)| key.name == name)?;
        let nothing = key.nullable && member.value.kind == Kind::Null;
        (*sound && !nothing).then_some(*member)
    }

    /// Its value.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&'v Value> {
        self.member(name).map(|member| &member.value)
    }

    /// Its string.
    #[must_use]
    pub fn string(&self, name: &str) -> Option<Spanned<String>> {
        let value = self.value(name)?;
        Some(Spanned::new(value.as_str()?.to_owned(), value.span))
    }

    /// Its string, and the positions of its bytes in the source.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<Spanned<Text>> {
        let value = self.value(name)?;
        match &value.kind {
            Kind::Str(text) => Some(Spanned::new(text.clone(), value.span)),
            _ => None,
        }
    }

    /// Its boolean.
    #[must_use]
    pub fn boolean(&self, name: &str) -> Option<Spanned<bool>> {
        let value = self.value(name)?;
        match value.kind {
            Kind::Bool(truth) => Some(Spanned::new(truth, value.span)),
            _ => None,
        }
    }

    /// Its number.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<Spanned<Number>> {
        let value = self.value(name)?;
        match &value.kind {
            Kind::Num(number) => Some(Spanned::new(number.clone(), value.span)),
            _ => None,
        }
    }

    /// The meaning of its word.
    #[must_use]
    pub fn word<T: Copy>(&self, name: &str, words: &[(&'static str, T)]) -> Option<Spanned<T>> {
        let value = self.value(name)?;
        let text = value.as_str()?;
        let (_, meaning) = words.iter().find(|(word, _)| *word == text)?;
        Some(Spanned::new(*meaning, value.span))
    }

    /// The items of its list; none if it is not there.
    #[must_use]
    pub fn items(&self, name: &str) -> &'v [Value] {
        match self.value(name).map(|value| &value.kind) {
            Some(Kind::Seq(items)) => items,
            _ => &[],
        }
    }

    /// The members of its object; none if it is not there.
    #[must_use]
    pub fn members(&self, name: &str) -> &'v [Member] {
        match self.value(name).map(|value| &value.kind) {
            Some(Kind::Map(members)) => members,
            _ => &[],
        }
    }

    /// Reports the second of several keys that exclude each other.
    fn exclusive(&self, what: &str, keys: &[&str], out: &mut Diagnostics) {
        let mut written = self.found.iter().filter(|(key, ..)| keys.contains(&key.name));
        let Some((first, ..)) = written.next() else { return };
        for (key, member, _) in written.filter(|(key, ..)| key.name != first.name) {
            let message = format!("{what} with `{}` has no key `{}`", first.name, key.name);
            let new = Diagnostic::new(Code::E0201, member.key.span, message);
            out.push(new.with_label("extra").help("remove one of the two"));
        }
    }
}
