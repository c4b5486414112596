//! The texts that a simple regular expression matches.

use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{
    AssertionKind, Ast, ClassPerlKind, ClassSet, ClassSetItem, GroupKind, RepetitionKind,
};

/// Any text, also none.
pub(super) const ANY: char = '\u{1}';
/// The start of the text.
pub(super) const START: char = '\u{2}';
/// The end of the text.
pub(super) const END: char = '\u{3}';
/// The boundary of a word.
pub(super) const BOUNDARY: char = '\u{5}';

/// The most texts.
const MAX_TEXTS: usize = 16;

/// The texts that a regular expression finds, with [`ANY`], [`START`] and [`END`]; `None` if it has other
/// parts. Whitespace, and what separates commands, is a space.
pub(super) fn texts(regex: &str) -> Option<Vec<String>> {
    if has_class_of_letters(regex) {
        return None;
    }
    of_part(&Parser::new().parse(regex.strip_prefix("(?i)").unwrap_or(regex)).ok()?)
}

/// Whether a class has a letter or a digit, `[a-z]`, and so no texts; without a parser, because many expressions have one.
fn has_class_of_letters(regex: &str) -> bool {
    let (mut in_class, mut is_escaped) = (false, false);
    for next in regex.bytes() {
        match next {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'[' => in_class = true,
            b']' => in_class = false,
            _ if in_class && next.is_ascii_alphanumeric() => return true,
            _ => {}
        }
    }
    false
}

/// Like [`texts`], for names with dots: a `.` that is not repeated is one.
pub(super) fn texts_of_names(regex: &str) -> Option<Vec<String>> {
    let mut written = String::new();
    let (mut is_escaped, mut in_class) = (false, false);
    let mut rest = regex.chars().peekable();
    while let Some(next) = rest.next() {
        let is_repeated = matches!(rest.peek(), Some('*' | '+' | '?' | '{'));
        if next == '.' && !is_escaped && !in_class && !is_repeated {
            written.push('\\');
        }
        written.push(next);
        in_class = !is_escaped && (in_class && next != ']' || next == '[') || is_escaped && in_class;
        is_escaped = next == '\\' && !is_escaped;
    }
    texts(&written)
}

/// The recursion depth is limited by the parser.
fn of_part(ast: &Ast) -> Option<Vec<String>> {
    let one = |text: char| Some(vec![text.to_string()]);
    let texts = match ast {
        Ast::Empty(_) => vec![String::new()],
        Ast::Literal(literal) => one(literal.c)?,
        Ast::Assertion(assertion) => match assertion.kind {
            AssertionKind::StartLine | AssertionKind::StartText => one(START)?,
            AssertionKind::EndLine | AssertionKind::EndText => one(END)?,
            AssertionKind::WordBoundary => one(BOUNDARY)?,
            _ => return None,
        },
        Ast::ClassPerl(class) if class.kind == ClassPerlKind::Space && !class.negated => one(' ')?,
        Ast::ClassBracketed(class) if !class.negated && is_separator(&class.kind) => one(' ')?,
        Ast::Group(group) => match &group.kind {
            GroupKind::NonCapturing(flags) if !flags.items.is_empty() => return None,
            GroupKind::CaptureName { .. } => return None,
            _ => of_part(&group.ast)?,
        },
        Ast::Repetition(repetition) => {
            let is_dot = matches!(*repetition.ast, Ast::Dot(_));
            let atom = if is_dot { one(ANY)? } else { of_part(&repetition.ast)? };
            match repetition.op.kind {
                RepetitionKind::ZeroOrOne if repetition.greedy && !is_dot => {
                    [atom, vec![String::new()]].concat()
                }
                RepetitionKind::ZeroOrMore | RepetitionKind::OneOrMore if is_dot || atom == [" "] => atom,
                _ => return None,
            }
        }
        Ast::Alternation(alternation) => {
            alternation.asts.iter().map(of_part).collect::<Option<Vec<_>>>()?.concat()
        }
        Ast::Concat(concat) => concat.asts.iter().try_fold(vec![String::new()], |starts, part| {
            let ends = of_part(part)?;
            let joined = starts.iter().flat_map(|start| ends.iter().map(move |end| format!("{start}{end}")));
            Some(joined.collect::<Vec<_>>()).filter(|texts| texts.len() <= MAX_TEXTS)
        })?,
        _ => return None,
    };
    (texts.len() <= MAX_TEXTS).then_some(texts)
}

/// Whether a class has what separates words and commands, and nothing else.
fn is_separator(class: &ClassSet) -> bool {
    let is_item = |item: &ClassSetItem| match item {
        ClassSetItem::Literal(literal) => matches!(literal.c, ' ' | ';' | '&' | '|' | '(' | '`'),
        ClassSetItem::Perl(class) => class.kind == ClassPerlKind::Space && !class.negated,
        _ => false,
    };
    match class {
        ClassSet::Item(ClassSetItem::Union(union)) => union.items.iter().all(is_item),
        ClassSet::Item(item) => is_item(item),
        ClassSet::BinaryOp(_) => false,
    }
}

/// The whole texts that a regular expression of plain alternatives matches, `^(Write|Edit)$`, and whether it matches no
/// other text.
pub(crate) fn alternatives(regex: &str) -> Option<(Vec<String>, bool)> {
    let texts = texts(regex)?;
    let is_whole = |text: &String| text.starts_with(START) && text.ends_with(END);
    let is_exact = texts.iter().all(is_whole) && !regex.starts_with("(?i)");
    let plain = |text: &String| text.trim_matches([START, END, BOUNDARY]).to_owned();
    let texts: Vec<String> = texts.iter().map(plain).collect();
    let is_plain = |text: &String| !text.is_empty() && !text.contains([ANY, START, END, BOUNDARY, ' ']);
    texts.iter().all(is_plain).then_some((texts, is_exact))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(regex: &str) -> Option<Vec<String>> {
        let show = |text: String| {
            text.replace(ANY, "..").replace(START, "<").replace(END, ">").replace(BOUNDARY, "/")
        };
        Some(texts(regex)?.into_iter().map(show).collect())
    }

    #[test]
    fn simple_expressions_are_texts() {
        for (regex, expected) in [
            (r"^git\s+push", &["<git push"][..]),
            (r"\bgit push\b.*--force", &["/git push/..--force"]),
            (r"(^|[;&|]\s*)rm -rf", &["<rm -rf", "  rm -rf"]),
            (r"^(Write|Edit)$", &["<Write>", "<Edit>"]),
            (r"\.env$", &[".env>"]),
            (r"pushe?d", &["pushed", "pushd"]),
            (r"(?i)drop", &["drop"]),
        ] {
            assert_eq!(
                shown(regex),
                Some(expected.iter().map(|text| (*text).to_owned()).collect()),
                "{regex}"
            );
        }
    }

    #[test]
    fn an_expression_with_a_class_of_letters_has_no_texts() {
        const PARTS: [&str; 9] = ["[", "]", "a", ";", "^", "\\", "s", "|", "&"];
        const LENGTH: u32 = 5;
        let mut known = 0;
        for number in 0..PARTS.len().pow(LENGTH) {
            let part = |at: u32| PARTS[number / PARTS.len().pow(at) % PARTS.len()];
            let regex: String = (0..LENGTH).map(part).collect();
            if !has_class_of_letters(&regex) {
                continue;
            }
            let parsed = Parser::new().parse(&regex);
            known += usize::from(parsed.is_ok());
            assert_eq!(parsed.ok().and_then(|ast| of_part(&ast)), None, "{regex}");
        }
        assert!(known > 500, "{known}");
        assert_eq!(shown(r"[\s;&]x"), Some(vec![" x".to_owned()]));
    }

    #[test]
    fn dots_of_names_are_texts() {
        let shown = |regex: &str| {
            let show = |text: String| text.replace(ANY, "..").replace([START, END], "|");
            Some(texts_of_names(regex)?.into_iter().map(show).collect::<Vec<_>>())
        };
        assert_eq!(shown(".env"), Some(vec![".env".to_owned()]));
        assert_eq!(shown(r"\.env$"), Some(vec![".env|".to_owned()]));
        assert_eq!(shown(r"docs.example.com/.*x"), Some(vec!["docs.example.com/..x".to_owned()]));
        assert_eq!(shown("[.]env"), None);
        assert_eq!(shown(r"\\.env"), Some(vec![r"\.env".to_owned()]));
    }

    #[test]
    fn others_are_not() {
        for regex in [r"a.c", r"[a-z]+", r"\d", r"a{2}", r"(?=x)", r"x+", "(", "a|b)", r"(?P<n>x)", "*"] {
            assert_eq!(shown(regex), None, "{regex}");
        }
        let names = vec!["Write".to_owned(), "Edit".to_owned()];
        assert_eq!(alternatives("Write|Edit"), Some((names.clone(), false)));
        assert_eq!(alternatives("^(Write|Edit)$"), Some((names, true)));
        assert_eq!(alternatives("mcp__.*"), None);
    }
}
