//! Questions on a terminal: on standard error, one line each, repeated until the answer is valid.
//! Without a terminal, a missing value is wrong usage.

use std::io::{self, BufRead, IsTerminal, Write};

use hookc_schema::terminal::escape;

use crate::exit::Failure;

/// A value from a flag.
pub(crate) struct Question<'q> {
    /// The flag, without its dashes.
    pub(crate) flag: &'q str,
    /// The question.
    pub(crate) text: &'q str,
    /// The allowed values of the flag, for the message about a missing one.
    pub(crate) takes: String,
    /// The meaning of an empty answer.
    pub(crate) default: Option<String>,
}

/// The source of answers, if any.
pub(crate) struct Asker {
    terminal: Option<(Box<dyn BufRead>, Box<dyn Write>)>,
    /// Whether a question that no one can answer has its default.
    takes_defaults: bool,
}

impl Asker {
    pub(crate) fn new() -> Self {
        let terminal = io::stdin().is_terminal() && io::stderr().is_terminal();
        let streams = || -> (Box<dyn BufRead>, Box<dyn Write>) {
            (Box::new(io::BufReader::new(io::stdin())), Box::new(io::stderr()))
        };
        Self { terminal: terminal.then(streams), takes_defaults: false }
    }

    /// Without a terminal: each question has its default.
    pub(crate) fn silent() -> Self {
        Self { terminal: None, takes_defaults: true }
    }

    /// Whether a user can answer.
    pub(crate) fn asks(&self) -> bool {
        self.terminal.is_some()
    }

    /// The value of the flag, or an answer, that `check` accepts.
    pub(crate) fn value<T>(
        &mut self,
        question: &Question<'_>,
        given: Option<&str>,
        check: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, Failure> {
        let flag = question.flag;
        match given.map(|text| (text, check(text))) {
            Some((_, Ok(value))) => return Ok(value),
            Some((text, Err(why))) => match &mut self.terminal {
                Some((_, out)) => writeln!(out, "`--{flag} {}`: {}", escape(text), escape(&why))?,
                None => return Err(Failure::usage(format!("`--{flag} {text}`: {why}"))),
            },
            None => {}
        }
        loop {
            let answer = self.line(question)?;
            match check(&answer) {
                Ok(value) => return Ok(value),
                Err(why) => self.say(&why)?,
            }
        }
    }

    fn say(&mut self, why: &str) -> Result<(), Failure> {
        if let Some((_, out)) = &mut self.terminal {
            writeln!(out, "  {}", escape(why))?;
        }
        Ok(())
    }

    fn line(&mut self, question: &Question<'_>) -> Result<String, Failure> {
        let missing =
            || Failure::usage(format!("`--{}` is missing: write {}", question.flag, question.takes));
        let Some((input, out)) = &mut self.terminal else {
            let default = question.default.clone().filter(|_| self.takes_defaults);
            return default.ok_or_else(missing);
        };
        match &question.default {
            Some(default) if !default.is_empty() => write!(out, "{} [{}]: ", question.text, escape(default))?,
            _ => write!(out, "{}: ", question.text)?,
        }
        out.flush()?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Err(missing());
        }
        let line = line.trim();
        Ok(match &question.default {
            Some(default) if line.is_empty() => default.clone(),
            _ => line.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question() -> Question<'static> {
        Question {
            flag: "event",
            text: "event",
            takes: "a name".to_owned(),
            default: Some("stop".to_owned()),
        }
    }

    fn known(text: &str) -> Result<String, String> {
        if ["stop", "go"].contains(&text) { Ok(text.to_owned()) } else { Err(format!("unknown `{text}`")) }
    }

    fn asker(lines: &'static str) -> Asker {
        Asker { terminal: Some((Box::new(lines.as_bytes()), Box::new(io::sink()))), takes_defaults: false }
    }

    #[test]
    fn asks_until_the_answer_will_do() {
        assert_eq!(asker("went\ngo\n").value(&question(), None, known).unwrap(), "go");
        assert_eq!(asker("\n").value(&question(), None, known).unwrap(), "stop");
        assert_eq!(asker("go\n").value(&question(), Some("gone"), known).unwrap(), "go");
        assert_eq!(asker("").value(&question(), Some("stop"), known).unwrap(), "stop");
        assert!(asker("went\n").value(&question(), None, known).is_err());
    }

    #[test]
    fn without_a_terminal_the_flag_is_named() {
        let mut nobody = Asker { terminal: None, takes_defaults: false };
        let missing = nobody.value(&question(), None, known).unwrap_err().to_string();
        assert_eq!(missing, "`--event` is missing: write a name");
        let wrong = nobody.value(&question(), Some("gone"), known).unwrap_err().to_string();
        assert_eq!(wrong, "`--event gone`: unknown `gone`");
    }
}
