//! The values of options.

use std::borrow::Cow;

use hookc_shell::programs::OptionArgument;

use super::call::Call;
use super::scan::{Risk, Scan, Word};
use super::variables;

impl<'a> Scan<'a> {
    /// The values of an option: one joined to it, the others after it.
    pub(super) fn values<'w>(
        &mut self,
        takes: OptionArgument,
        option: &str,
        (joined, behind): (Option<Word<'a>>, &'w [Word<'a>]),
        call: &mut Call<'_>,
    ) -> Option<&'w [Word<'a>]> {
        let own = joined.is_some();
        let (value, rest) = match joined {
            Some(value) => (Some(value), behind),
            None => behind.split_first().map_or((None, behind), |(value, rest)| (Some(value.clone()), rest)),
        };
        let at = value.as_ref().filter(|value| value.open).map(|value| value.at);
        match takes {
            OptionArgument::Data(count @ 2..) => return Some(rest.get(count - 1..).unwrap_or_default()),
            OptionArgument::Code | OptionArgument::LastCode => {
                if let Some(at) = at {
                    self.report(Some(at), call.name, Risk::Code);
                }
                call.coded = true;
                call.done = takes == OptionArgument::LastCode;
            }
            OptionArgument::Program => {
                if let Some(at) = at {
                    self.report(Some(at), call.name, Risk::Loaded(option.to_owned()));
                }
            }
            OptionArgument::Folder => {
                if let Some(at) = at {
                    call.folder = Some(Some(at));
                }
            }
            OptionArgument::Variable => {
                if let Some(value) = value {
                    self.variable(&value, call);
                }
            }
            OptionArgument::NameAndValue => {
                let (name, second) = (value, rest.first());
                let named = name.as_ref().filter(|name| !name.open).map(|name| name.text.clone());
                let named = named.unwrap_or_default();
                for word in name.iter().chain(second).filter(|word| word.open) {
                    if named.is_empty() || variables::loads(&named) {
                        self.report(Some(word.at), call.name, Risk::Variable(named.to_string()));
                    }
                }
                return Some(rest.get(1..).unwrap_or_default());
            }
            OptionArgument::Words => return self.split(value, rest, call),
            OptionArgument::Module => {
                let rest = if own { behind } else { rest };
                let inner = value.into_iter().chain(rest.iter().cloned()).collect();
                self.start(inner, call);
                return None;
            }
            OptionArgument::Command => {
                let ends = |word: &Word<'_>| !word.open && matches!(&*word.text, ";" | "+");
                let end = behind.iter().position(ends).unwrap_or(behind.len());
                let inner = behind.get(..end).unwrap_or_default().to_vec();
                self.start(inner, call);
                return Some(behind.get(end + 1..).unwrap_or_default());
            }
            OptionArgument::Prefix => {
                if let Some(at) = at {
                    self.report(Some(at), call.name, Risk::Loaded(option.to_owned()));
                }
            }
            OptionArgument::Data(_)
            | OptionArgument::Joined
            | OptionArgument::Digits
            | OptionArgument::Nothing
            | OptionArgument::FirstIsCode
            | OptionArgument::AllAreCode => {}
        }
        Some(if own { behind } else { rest })
    }

    /// `env -S`: several words in one, before the others.
    fn split<'w>(
        &mut self,
        value: Option<Word<'a>>,
        rest: &'w [Word<'a>],
        call: &Call<'_>,
    ) -> Option<&'w [Word<'a>]> {
        let value = value?;
        if value.open {
            self.report(Some(value.at), call.name, Risk::Code);
        }
        let plain = !value.open && !value.text.contains(['"', '\'', '\\', '$', '#']);
        if !plain {
            self.taint(rest, call.name, "-S");
            return None;
        }
        let name = Word { at: value.at, text: Cow::Owned(call.name.to_owned()), open: false };
        let words = value.text.split_ascii_whitespace();
        let words = words.map(|text| Word { at: value.at, text: Cow::Owned(text.to_owned()), open: false });
        let all = [name].into_iter().chain(words).chain(rest.iter().cloned()).collect();
        self.start(all, call);
        None
    }

    pub(super) fn variable(&mut self, word: &Word<'a>, call: &Call<'_>) {
        let text = word.text.trim_start_matches('=');
        let name = text.split('=').next().unwrap_or_default();
        if word.open && (name.len() == text.len() || variables::loads(name)) {
            self.report(Some(word.at), call.name, Risk::Variable(name.to_owned()));
        }
    }
}
