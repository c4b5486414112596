//! What an installed call does if `hookc` cannot start, is killed, or ends without an answer: it denies.
//!
//! Where the exit status of a hook denies, the call ends with `|| exit 2`. Where the agent ignores it, the call keeps the
//! answer of `hookc` in a variable, and prints one that denies in its place if `hookc` fails without a whole one.

use super::command::{Words, quoted, words};

/// The end of a call at events that exit status 2 denies.
const EXIT: &str = " || exit 2";

/// Around a call whose answer is kept, and around the answer in its place. An answer is an object: one that does not end
/// with `}` was cut off.
const START: &str = "answer=$(";
const MIDDLE: &str = r"); code=$?; case $code:$answer in 0:* | *:*\}) ;; *) code=2; answer=";
const END: &str = r#" ;; esac; printf '%s' "$answer"; exit $code"#;

/// What denies in place of `hookc`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fallback {
    /// Exit status 2.
    ExitStatus,
    /// This answer of the agent, and exit status 2.
    Answer(String),
}

impl Fallback {
    /// A call with this fallback.
    pub(crate) fn wrap(&self, call: &str) -> String {
        match self {
            Self::ExitStatus => format!("{call}{EXIT}"),
            Self::Answer(answer) => format!("{START}{call}{MIDDLE}{}{END}", quoted(answer)),
        }
    }
}

/// A line without its fallback, and the fallback.
pub(crate) fn split(line: &str) -> (&str, Option<Fallback>) {
    let line = line.trim_end();
    with_answer(line).or_else(|| with_exit(line)).map_or((line, None), |(call, found)| (call, Some(found)))
}

fn with_answer(line: &str) -> Option<(&str, Fallback)> {
    let (call, answer) = line.strip_prefix(START)?.strip_suffix(END)?.rsplit_once(MIDDLE)?;
    match words(answer) {
        Words { words, whole: true, .. } => match words.as_slice() {
            [answer] => Some((call, Fallback::Answer(answer.clone()))),
            _ => None,
        },
        _ => None,
    }
}

fn with_exit(line: &str) -> Option<(&str, Fallback)> {
    let Words { open: false, redirects: false, rest: Some(rest), .. } = words(line) else { return None };
    let end = words(rest.strip_prefix("||")?);
    let is_exit = end.whole && end.words == ["exit", "2"];
    let call = line.strip_suffix(rest).filter(|_| is_exit)?;
    Some((call.trim_end(), Fallback::ExitStatus))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_found_in_its_fallback() {
        let answer = Fallback::Answer(r#"{"cancel":true,"why":"it's `x`"}"#.to_owned());
        for call in ["hookc run --host x p", "'/a b/hookc' run \"$R/it's \\\"p\\\"\""] {
            for fallback in [&answer, &Fallback::ExitStatus] {
                assert_eq!(split(&fallback.wrap(call)), (call, Some(fallback.clone())));
            }
        }
        assert_eq!(split("a||exit 2 # x"), ("a", Some(Fallback::ExitStatus)));
        for line in
            ["a", "a || true", "a >x || exit 2", "a $(b) || exit 2", "answer=$(a); exit $?", "make || exit 3"]
        {
            assert_eq!(split(line), (line, None));
        }
    }
}
