//! Regular expressions with misplaced alternatives (W0653): `[rm|dd]` is one character, and in `^rm|dd$` each anchor
//! belongs to one alternative.

use std::convert::Infallible;

use hookc_schema::value::Value;
use hookc_schema::{Code, Diagnostic};
use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{AssertionKind, Ast, ClassBracketed, Visitor, visit};

use crate::lint::text::is_between_letters;

/// Reports the first mistake of a valid pattern.
pub(crate) fn alternatives(value: &Value, pattern: &str) -> Option<Diagnostic> {
    if !pattern.contains('|') || !pattern.contains(['[', '^']) {
        return None;
    }
    let ast = Parser::new().parse(pattern).ok()?;
    half_anchored(value, pattern, &ast).or_else(|| {
        let class = visit(&ast, Classes { pattern, found: None }).ok()??;
        let inner = class.trim_matches(['[', ']']);
        let what = format!("`{class}` is one character of these");
        let new = Diagnostic::new(Code::W0653, value.span, what).with_label("not one of several words");
        Some(new.help(format!("write `({inner})` for one of the words")))
    })
}

/// `^a|b$`
fn half_anchored(value: &Value, pattern: &str, ast: &Ast) -> Option<Diagnostic> {
    let Ast::Alternation(alternation) = ast else { return None };
    let (first, last) = (Ends::new(alternation.asts.first()?), Ends::new(alternation.asts.last()?));
    if !first.start || first.end || last.start || !last.end {
        return None;
    }
    let inner = pattern.strip_prefix('^').and_then(|rest| rest.strip_suffix('$'));
    let what = "`^` is about the first alternative only, and `$` about the last";
    let new = Diagnostic::new(Code::W0653, value.span, what).with_label("`|` separates them first");
    Some(match inner {
        Some(inner) => new.help(format!("write `^({inner})$`")),
        None => new.help("put the alternatives in parentheses: `^(a|b)$`"),
    })
}

/// Which ends of the text an alternative is about.
struct Ends {
    start: bool,
    end: bool,
}

impl Ends {
    fn new(ast: &Ast) -> Self {
        let parts = match ast {
            Ast::Concat(concat) => concat.asts.as_slice(),
            other => std::slice::from_ref(other),
        };
        let is_assertion = |part: Option<&Ast>, kind: AssertionKind| matches!(part, Some(Ast::Assertion(found)) if found.kind == kind);
        let mut visible = parts.iter().filter(|part| !matches!(part, Ast::Flags(_)));
        Self {
            start: is_assertion(visible.next(), AssertionKind::StartLine),
            end: is_assertion(parts.last(), AssertionKind::EndLine),
        }
    }
}

/// Finds a class with a `|` between letters or digits.
struct Classes<'p> {
    pattern: &'p str,
    found: Option<&'p str>,
}

impl<'p> Classes<'p> {
    fn judge(&mut self, class: &ClassBracketed) {
        let text = self.pattern.get(class.span.start.offset..class.span.end.offset).unwrap_or_default();
        if self.found.is_none() && text.match_indices('|').any(|(at, _)| is_between_letters(text, at)) {
            self.found = Some(text);
        }
    }
}

impl<'p> Visitor for Classes<'p> {
    type Output = Option<&'p str>;
    type Err = Infallible;

    fn finish(self) -> Result<Self::Output, Self::Err> {
        Ok(self.found)
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), Self::Err> {
        if let Ast::ClassBracketed(class) = ast {
            self.judge(class);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::alternatives;
    use hookc_schema::Span;
    use hookc_schema::value::Value;

    #[test]
    fn misplaced_alternatives() {
        let found = |pattern: &str| alternatives(&Value::string(pattern, Span::default()), pattern).is_some();
        for pattern in ["[rm -rf|dd]", "x[a|b]y", "^rm|dd$", "^a|b|c$", "(?i)^a|b$", "([sudo|doas]) x"] {
            assert!(found(pattern), "{pattern}");
        }
        for pattern in [
            "[;&|]",
            "(rm|dd)",
            "^(rm|dd)$",
            "^rm|^dd",
            "rm$|dd$",
            "^rm$|^dd$",
            "^rm |sudo",
            "[|a]",
            "[a-z]|b",
            "a|b",
            "^a$|b$",
        ] {
            assert!(!found(pattern), "{pattern}");
        }
    }
}
