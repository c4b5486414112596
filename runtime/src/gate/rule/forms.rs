//! The texts of a command that a rule can match.

use hookc_shell::units::{Unit, Word};

/// A command as texts that a rule can match.
#[derive(Default)]
pub(super) struct Forms {
    /// As written.
    pub(super) known: Vec<Vec<Unit>>,
    /// Like `known` for the possible results of expansions, if there are any.
    pub(super) possible: Vec<Vec<Unit>>,
}

impl Forms {
    pub(super) fn add(&mut self, words: &[Word]) {
        self.known.push(words.join(&Unit::Char(' ')));
        if words.iter().flatten().any(|unit| !matches!(unit, Unit::Char(_))) {
            self.possible.push(possible(words));
        }
    }

    /// Adds a command without the directory of its program, if it has one.
    pub(super) fn add_base_name(&mut self, words: &[Word]) {
        if let Some(words) = base_name(words) {
            self.add(&words);
        }
    }
}

/// A command whose program is written with a directory, without the directory.
fn base_name(words: &[Word]) -> Option<Vec<Word>> {
    let (program, arguments) = words.split_first()?;
    let slash = program.iter().rposition(|unit| *unit == Unit::Char('/'))?;
    let base = program.get(slash + 1..).filter(|base| !base.is_empty())?;
    Some(std::iter::once(base.to_vec()).chain(arguments.iter().cloned()).collect())
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

#[cfg(test)]
mod tests {
    use super::Forms;
    use hookc_shell::units::{Unit, read};

    fn shown(text: &str) -> Vec<String> {
        let mut forms = Forms::default();
        read(text).unwrap().commands.iter().for_each(|command| forms.add(&command.words));
        let char = |unit: &Unit| match unit {
            Unit::Char(char) | Unit::Glob(char) => *char,
            Unit::Unknown => '◦',
        };
        let both = forms.known.iter().chain(&forms.possible);
        both.map(|form| form.iter().map(char).collect()).collect()
    }

    #[test]
    fn commands_that_others_start() {
        let table: [(&str, &[&str]); 11] = [
            ("git push", &["git push"]),
            ("A=1 git push", &["git push"]),
            ("timeout -k 5 30s git push", &["timeout -k 5 30s git push", "git push"]),
            ("nohup nice -n 5 git push", &["nohup nice -n 5 git push", "nice -n 5 git push", "git push"]),
            ("ls | xargs -n1 rm", &["ls", "xargs -n1 rm", "rm ◦", "rm◦"]),
            ("sudo sh -c 'rm x'", &["sudo sh -c rm x", "sh -c rm x", "rm x"]),
            ("command -p git push", &["command -p git push", "git push"]),
            ("repeat 3 git push", &["repeat 3 git push", "git push"]),
            ("git $X push", &["git ◦ push", "git◦ push"]),
            ("$X git push", &["◦ git push", "git push", "◦git push"]),
            ("[g]it x", &["[g]it x", "◦it x"]),
        ];
        for (text, expected) in table {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
