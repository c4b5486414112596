//! The meaning of an option: the word itself, short options in one word, abbreviations.

use hookc_shell::programs::OptionArgument;

use super::call::Call;

/// The effect of an option on its own word and the following ones.
pub(super) enum Read {
    /// It has no argument.
    Done,
    /// Its argument is the rest of its word.
    Rest(OptionArgument, usize),
    /// Its arguments are the following words.
    Next(OptionArgument),
    /// It ends in a template that would continue it.
    Open,
    /// It is unknown.
    Unknown,
}

/// The meaning of an option, by its word.
pub(super) fn read(text: &str, open: bool, call: &mut Call<'_>) -> Read {
    let found = match text.split_once('=') {
        Some((name, _)) if text.starts_with("--") || call.long_dash() => {
            let takes = call.joined(name).or_else(|| call.takes(name)).or_else(|| call.abbreviated(name));
            takes.map(|takes| Read::Rest(takes, name.len() + 1))
        }
        _ if open => None,
        _ => call.takes(text).or_else(|| call.abbreviated(text)).map(|takes| flag(takes, call)),
    };
    if let Some(found) = found {
        return found;
    }
    if call.has_prefix(text) {
        return if open { Read::Rest(OptionArgument::Prefix, text.len()) } else { Read::Done };
    }
    if text.starts_with("--") && text.contains('=') {
        // The following words do not belong to it.
        return if open && !call.is_lenient() { Read::Unknown } else { Read::Done };
    }
    if text.starts_with("--") || call.long_dash() {
        return if open { Read::Open } else { Read::Unknown };
    }
    cluster(text, open, call)
}

fn flag(takes: OptionArgument, call: &mut Call<'_>) -> Read {
    match takes {
        OptionArgument::Nothing
        | OptionArgument::Joined
        | OptionArgument::Digits
        | OptionArgument::Prefix => Read::Done,
        OptionArgument::FirstIsCode => {
            call.first_is_code = true;
            Read::Done
        }
        OptionArgument::AllAreCode => {
            call.all_are_code = true;
            Read::Done
        }
        takes => Read::Next(takes),
    }
}

/// Short options in one word.
fn cluster(text: &str, open: bool, call: &mut Call<'_>) -> Read {
    let dash = text.get(..1).unwrap_or_default();
    let mut rest = text.get(1..).unwrap_or_default();
    if let Some(takes) = call.takes("+").filter(|_| dash == "+") {
        return Read::Rest(takes, 1);
    }
    let digits = call.takes("-") == Some(OptionArgument::Digits);
    while let Some(letter) = rest.chars().next() {
        let behind = rest.get(letter.len_utf8()..).unwrap_or_default();
        let from = text.len() - behind.len();
        let takes = call.takes(&format!("{dash}{letter}"));
        match takes {
            _ if letter.is_ascii_digit() && takes.is_none() && digits => {}
            None => return Read::Unknown,
            Some(OptionArgument::Digits) => {
                rest = behind.trim_start_matches(|c: char| c.is_ascii_digit());
                continue;
            }
            Some(OptionArgument::Joined) => return Read::Rest(OptionArgument::Joined, from),
            Some(takes) => match flag(takes, call) {
                Read::Next(takes) if behind.is_empty() && !open => return Read::Next(takes),
                Read::Next(takes) => return Read::Rest(takes, from),
                _ => {}
            },
        }
        rest = behind;
    }
    if open { Read::Open } else { Read::Done }
}
