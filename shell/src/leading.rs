//! The first command of a line, with its words as they are written.

use super::arena::Arena;
use super::token::{Special, Token, long, within};
use super::tree::{Node, Part};
use super::{Problem, read};

/// The first command of a line, for tools that examine how a command is written: the values of
/// variables are unknown to them, their names are not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leading<'t> {
    /// Its assignments and words: without quotes, and with expansions as they are written. Empty
    /// for a compound command (`if`, `(...)`, a function), and if there is no command.
    pub words: Vec<String>,
    /// Whether it has redirections, which are no words.
    pub redirects: bool,
    /// Whether another command can add words: `$(...)`, backticks.
    pub substitutes: bool,
    /// The rest of the line from the operator on. A compound command is part of it.
    pub rest: &'t str,
}

/// Reads the first command of a line; the rest of the line can be invalid.
///
/// ```
/// use hookc_shell::leading;
///
/// let first = leading(r#"A=1 "$DIR/x y".sh 'b c' 2>/dev/null && d"#).unwrap();
/// assert_eq!(first.words, ["A=1", "$DIR/x y.sh", "b c"]);
/// assert!(first.redirects && !first.substitutes);
/// assert_eq!(first.rest, "&& d");
/// ```
///
/// # Errors
/// If the command is invalid, or the line exceeds a limit.
pub fn leading(text: &str) -> Result<Leading<'_>, Problem> {
    let mut arena = Arena::default();
    let (node, start, end) = read::first(text, &mut arena)?;
    let rest = |at: usize| text.get(at..).unwrap_or_default();
    let command = match node {
        Node::Simple(command) => command,
        Node::Nothing => return Ok(Leading::default()),
        _ => return Ok(Leading { rest: rest(start), ..Leading::default() }),
    };
    let assigned = within(&arena.assigns, command.assigns).iter().map(|assign| assign.text);
    let tokens: Vec<Token> = assigned.chain(arena.words(command.words).iter().copied()).collect();
    Ok(Leading {
        words: tokens.iter().map(|token| arena.text(*token).to_owned()).collect(),
        redirects: command.redirects.0 < command.redirects.1,
        substitutes: tokens.iter().any(|token| substitutes(&arena, *token)),
        rest: rest(end),
    })
}

fn substitutes(arena: &Arena, token: Token) -> bool {
    arena.marks(token).iter().any(|mark| {
        let Special::Part { id, .. } = mark.kind else { return false };
        match arena.parts.get(long(id)) {
            Some(Part::Commands(..)) => true,
            Some(Part::Inner(inner) | Part::Subscript(_, inner)) => substitutes(arena, *inner),
            Some(Part::Array(words)) => arena.words(*words).iter().any(|word| substitutes(arena, *word)),
            Some(Part::Parameter(parameter)) => {
                parameter.word.into_iter().chain(parameter.subscript).any(|inner| substitutes(arena, inner))
            }
            None => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::leading;

    #[test]
    fn words_are_as_written() {
        let words = |line: &str| leading(line).unwrap().words;
        assert_eq!(words("a  'b c' \"d \\\"e\" f\\ g ''"), ["a", "b c", "d \"e", "f g", ""]);
        assert_eq!(words("\"$DIR/x y\".sh # why"), ["$DIR/x y.sh"]);
        assert_eq!(words("a >/dev/null b 2>&1 c <x"), ["a", "b", "c"]);
        assert_eq!(words("A=b C=\"$D\" ! e"), ["A=b", "C=$D", "!", "e"]);
        assert_eq!(words("a \"$(b c)\" ${D:-.}/e"), ["a", "$(b c)", "${D:-.}/e"]);
        assert_eq!(words(" # nothing\n"), [""; 0]);
    }

    #[test]
    fn the_rest_starts_with_its_operator() {
        for (line, rest) in [
            ("a && b", "&& b"),
            ("a&&b 'open", "&&b 'open"),
            ("a # && b", ""),
            ("a; b", "; b"),
            ("a\nb", "\nb"),
            ("( a; b )", "( a; b )"),
            (" if a; then b; fi", "if a; then b; fi"),
            ("f() { a; }", "f() { a; }"),
            ("", ""),
        ] {
            assert_eq!(leading(line).map(|first| first.rest), Ok(rest), "{line}");
        }
        assert!(leading("'open").is_err() && leading("&& a").is_err());
    }

    #[test]
    fn substitutions_are_reported() {
        for (line, expected) in
            [("a $(b)", true), ("a `b`", true), ("a ${B:-$(c)}", true), ("a \"$B\" ${C%x}", false)]
        {
            assert_eq!(leading(line).unwrap().substitutes, expected, "{line}");
        }
        assert!(leading("a 2>x").unwrap().redirects && !leading("a").unwrap().redirects);
    }
}
