//! The roles of operands.

use std::borrow::Cow;
use std::ops::Range;

use super::{Argument, FlagReading, Reading};
use crate::Word;
use crate::programs::{Attribute, OptionArgument, Place, Role};

impl<'w> Reading<'w> {
    /// The places of operands for this command: in front of `--`, and after it.
    pub(super) fn places(&self) -> (Option<Cow<'static, [Place]>>, &'static [Place]) {
        let Some(options) = self.options else { return (None, &[]) };
        let given = self.ifs.iter().rev().find_map(|condition| {
            let two = condition.text("two").and_then(|list| crate::programs::notation::operands(list).ok());
            two.or_else(|| condition.operands())
        });
        let listed = || options.places.as_deref().map(Cow::Borrowed);
        (given.map(Cow::Owned).or_else(listed), &options.after)
    }

    /// The places for the operands of this command in front of `--`, without those that an option gives.
    fn open_places(&self) -> Option<Cow<'static, [Place]>> {
        // The words after the code of `python -c` are its arguments.
        let has_last_code = self.used.iter().any(|option| option.takes == OptionArgument::LastCode);
        let is_open = |place: &Place| {
            let is_optional =
                place.unless_given || has_last_code && matches!(place.role, Role::Script | Role::Expr);
            place.role != Role::Set && !(is_optional && self.is_given(place.role))
        };
        let mut places = self.places().0?;
        if !places.iter().all(is_open) {
            places.to_mut().retain(is_open);
        }
        Some(places)
    }

    /// Whether an option gives what a place is for.
    fn is_given(&self, role: Role) -> bool {
        // What is loaded besides it is not what the place is for.
        let is_main = |role: Role| {
            role.is_code() && role != Role::Setting || matches!(role, Role::Script | Role::Module)
        };
        let gives = |given: Role| given == role || role.starts() && is_main(given);
        self.arguments.iter().any(|argument| argument.flag.is_some() && argument.role.is_some_and(gives))
    }

    pub(super) fn read_operands(&mut self) {
        let (places, (_, after)) = (self.open_places(), self.places());
        // The words after a module are arguments of that.
        let has_module = self.arguments.iter().any(|argument| argument.role == Some(Role::Module));
        let places = if has_module { Some(Cow::Borrowed(&[][..])) } else { self.without_target(places) };
        let is_end = |word: Word<'_>| word.text() == "--" && word.literal().is_some();
        let end = self.command.words().position(is_end).filter(|_| !after.is_empty());
        let is_after = |at: usize| end.is_some_and(|end| at > end);
        let operands = std::mem::take(&mut self.operands);
        let count = operands.iter().filter(|(at, _)| is_after(*at)).count();
        let before = operands.len() - count;
        let all_are_code = self.has_option(Attribute::AllAreCode);
        let first_is_code = self.has_option(Attribute::FirstIsCode);
        let pairs = self.text("pairs").unwrap_or_default();
        for (number, (at, word)) in operands.iter().copied().enumerate() {
            let place = match number.checked_sub(before) {
                Some(number) => place(after, number, count),
                None => places.as_deref().and_then(|places| place(places, number, before)),
            };
            if let Some((role, range)) = pair(pairs, word) {
                self.arguments.push(Argument { role: Some(role), range, ..Argument::new(word, at) });
                continue;
            }
            // `perl -n FILE` opens the file, also if its name is code, and `perl -n SCRIPT` the script.
            let is_file = |place: &Place| matches!(place.role, Role::Read | Role::Edit | Role::Script);
            let is_code = all_are_code && !place.is_some_and(is_file) || first_is_code && number == 0;
            let place = place.filter(|_| !is_code);
            let role = place
                .map(|place| place.role)
                .or(is_code.then_some(Role::Code))
                .or(places.is_some().then_some(Role::Text));
            let scheme = place.and_then(|place| place.scheme);
            self.arguments.push(Argument { role, scheme, ..Argument::new(word, at) });
        }
        self.operands = operands;
    }

    /// Adds the flags that operands imply: `+main` of a push is `--force`.
    pub(super) fn read_signs(&mut self) {
        let Some(signs) = self.text("signs") else { return };
        for (glob, flag) in signs.split(' ').filter_map(|sign| sign.split_once('=')) {
            let operand = self
                .command
                .placed_operands()
                .find(|(_, word)| crate::programs::globs::matches(glob, word.text()));
            let (Some((at, _)), name) = (operand, flag.trim_start_matches('-')) else { continue };
            let option = self.option(name, false);
            let names =
                option.into_iter().flat_map(|option| option.names()).map(|name| name.trim_start_matches('-'));
            for name in names.chain([name].into_iter().filter(|_| option.is_none())) {
                self.flags.push(FlagReading::implied(name, at));
            }
        }
    }

    /// The places for a command in which an option names the directory of copies: all its operands are copied.
    fn without_target(&self, places: Option<Cow<'static, [Place]>>) -> Option<Cow<'static, [Place]>> {
        let has_target = self.arguments.iter().any(|argument| argument.role == Some(Role::Into));
        let mut places = places?;
        let is_target = |place: &Place| place.role == Role::Write && !place.repeats;
        if has_target && places.len() > 1 && places.last().is_some_and(is_target) {
            places.to_mut().pop();
        }
        Some(places)
    }

    /// What an operand after the known ones would be: what `xargs` adds.
    pub(crate) fn next_role(&self) -> Option<Role> {
        let places = self.open_places()?;
        let count = self.operands.len();
        place(&places, count, count + 1).map(|place| place.role)
    }
}

/// The place of an operand of some number: one place can repeat, those after it are for the last operands.
fn place(places: &[Place], number: usize, count: usize) -> Option<&Place> {
    let Some(repeated) = places.iter().position(|place| place.repeats) else { return places.get(number) };
    let following = places.len() - repeated - 1;
    if number < repeated {
        return places.get(number);
    }
    let left = count - number;
    let is_last = left <= following && number >= repeated;
    places.get(if is_last { places.len() - left } else { repeated })
}

/// The role of a word such as `if=FILE` or `TCP:HOST,OPTION`, and where its value is.
fn pair(pairs: &str, word: Word<'_>) -> Option<(Role, Range<usize>)> {
    let text = word.text();
    pairs.split(' ').find_map(|pair| {
        let (name, role) = pair.rsplit_once('=')?;
        let end = text.len();
        let (start, end) = match name.ends_with(':') {
            true => (name.len(), text.find(',').unwrap_or(end)),
            false => (name.len() + 1, end),
        };
        let key = text.get(..start)?;
        let is_named = key.get(..name.len())?.eq_ignore_ascii_case(name);
        let is_pair = is_named && key.ends_with([':', '=']) && start <= end;
        Some((Role::from_name(role).filter(|_| is_pair)?, start..end))
    })
}
