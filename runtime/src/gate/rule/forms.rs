//! The texts of a command that a rule can match.

use hookc_vm::format::shell::{Unit, Word};

use super::wild::units;

/// The maximum number of removed wrappers.
const WRAPPED: usize = 8;

/// Programs that run the command after them: the options with an argument, and the number of words
/// before the command.
const WRAPPERS: [(&str, &[&str], usize); 12] = [
    ("timeout", &["-s", "-k", "--signal", "--kill-after"], 1),
    ("time", &["-f", "-o"], 0),
    ("nice", &["-n"], 0),
    ("nohup", &[], 0),
    ("stdbuf", &["-i", "-o", "-e"], 0),
    ("xargs", &[], 0),
    // For shells themselves.
    ("command", &[], 0),
    ("builtin", &[], 0),
    ("exec", &["-a"], 0),
    ("noglob", &[], 0),
    ("nocorrect", &[], 0),
    ("repeat", &[], 1),
];

/// A command as texts that a rule can match.
#[derive(Default)]
pub(super) struct Forms {
    /// As written, and without each of the wrappers before it.
    pub(super) known: Vec<Vec<Unit>>,
    /// The same for the possible results of expansions, if there are any.
    pub(super) possible: Vec<Vec<Unit>>,
}

impl Forms {
    pub(super) fn add(&mut self, command: &[Word]) {
        let mut words = command;
        for _ in 0..=WRAPPED {
            if words.is_empty() {
                return;
            }
            self.push(words);
            let Some((rest, certain)) = unwrapped(words) else { return };
            if !certain {
                self.possible.push(vec![Unit::Unknown]);
            }
            words = rest;
        }
    }

    fn push(&mut self, words: &[Word]) {
        self.known.push(words.join(&Unit::Char(' ')));
        if words.iter().flatten().any(|unit| !matches!(unit, Unit::Char(_))) {
            self.possible.push(possible(words));
        }
    }
}

/// A command whose unknown words can be empty, or several.
fn possible(words: &[Word]) -> Vec<Unit> {
    let mut text: Vec<Unit> = Vec::new();
    let mut joins = false;
    for word in words {
        let vanishes = !word.is_empty() && word.iter().all(|unit| *unit == Unit::Unknown);
        if joins && !vanishes {
            text.push(Unit::Char(' '));
        }
        // A word that vanishes removes the whitespace before it, or after it at the start.
        joins = !vanishes || !text.is_empty();
        pattern(word, &mut text);
    }
    text
}

/// A word with the expansion of its brackets, one or several characters.
fn pattern(word: &[Unit], text: &mut Vec<Unit>) {
    let mut units = word.iter();
    while let Some(unit) = units.next() {
        match unit {
            Unit::Glob('[') => {
                let rest = units.as_slice();
                match rest.iter().rposition(|unit| *unit == Unit::Char(']')) {
                    Some(end) => {
                        text.push(Unit::Unknown);
                        units = rest.get(end + 1..).unwrap_or_default().iter();
                    }
                    None => text.push(Unit::Char('[')),
                }
            }
            unit => text.push(*unit),
        }
    }
}

/// The command that a wrapper runs, and whether there is no other possibility.
fn unwrapped(words: &[Word]) -> Option<(&[Word], bool)> {
    let (first, mut rest) = words.split_first()?;
    let (name, options, before) = WRAPPERS.iter().find(|(name, ..)| *first == units(name))?;
    let open = |word: &Word| word.contains(&Unit::Unknown);
    let mut certain = true;
    while let Some((option, more)) =
        rest.split_first().filter(|(word, _)| word.first() == Some(&Unit::Char('-')))
    {
        if *name == "xargs" {
            return None;
        }
        certain &= !open(option);
        let takes = options.iter().any(|own| *option == units(own));
        rest = if takes { more.get(1..)? } else { more };
    }
    certain &= !rest.iter().take(before + 1).any(open);
    Some((rest.get(*before..)?, certain))
}

#[cfg(test)]
mod tests {
    use super::Forms;
    use hookc_vm::format::shell::{Unit, read};

    fn shown(text: &str) -> Vec<String> {
        let mut forms = Forms::default();
        read(text).unwrap().commands.iter().for_each(|command| forms.add(&command.words));
        let char = |unit: &Unit| match unit {
            Unit::Char(char) | Unit::Glob(char) => *char,
            Unit::Unknown => '◦',
        };
        let all = forms.known.iter().chain(&forms.possible);
        all.map(|form| form.iter().map(char).collect()).collect()
    }

    #[test]
    fn wrappers_are_removed() {
        let table: [(&str, &[&str]); 12] = [
            ("git push", &["git push"]),
            ("A=1 git push", &["git push"]),
            ("timeout -k 5 30s git push", &["timeout -k 5 30s git push", "git push"]),
            ("nohup nice -n 5 git push", &["nohup nice -n 5 git push", "nice -n 5 git push", "git push"]),
            ("ls | xargs rm", &["ls", "xargs rm", "rm"]),
            ("ls | xargs -n1 rm", &["ls", "xargs -n1 rm"]),
            ("command -p git push", &["command -p git push", "git push"]),
            ("repeat 3 git push", &["repeat 3 git push", "git push"]),
            ("git $X push", &["git ◦ push", "git◦ push"]),
            ("$X git push", &["◦ git push", "◦git push"]),
            ("[g]it x", &["[g]it x", "◦it x"]),
            ("timeout $X push", &["timeout ◦ push", "push", "timeout◦ push", "◦"]),
        ];
        for (text, expected) in table {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
