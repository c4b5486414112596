//! The texts required by a regular expression.

use hookc_base::ProbeTag;
use hookc_base::text::Case;
use regex_syntax::ParserBuilder;
use regex_syntax::hir::literal::{ExtractKind, Extractor, Seq};
use regex_syntax::hir::{Hir, HirKind, Look};

use super::witness::Required;

/// The number of alternatives that are worth searching for: with more, a hook is in more postings
/// than it saves.
const MOST: usize = 64;

/// Characters of a class that are worth separating: a letter in both cases, but not ten digits.
const CLASS: usize = 4;

/// Sets of texts: every match of the pattern contains a text of each set, with the kind of probe
/// for each text.
pub(super) fn required(pattern: &str, case: Case) -> Vec<Required> {
    let mut found = Vec::new();
    if let Ok(hir) = ParserBuilder::new().case_insensitive(case.is_ignored()).build().parse(pattern) {
        sets(&hir, &mut found);
    }
    found
}

/// Appends the sets of an expression, those of the whole before those of its parts.
fn sets(hir: &Hir, found: &mut Vec<Required>) {
    found.extend(edges(hir).filter(|texts| texts.len() <= MOST));
    let parts = match hir.kind() {
        HirKind::Concat(parts) => parts.as_slice(),
        HirKind::Capture(capture) => std::slice::from_ref(&*capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => std::slice::from_ref(&*repetition.sub),
        HirKind::Alternation(parts) => {
            found.extend(union(parts).filter(|texts| texts.len() <= MOST));
            &[]
        }
        _ => &[],
    };
    let mut inner = Vec::new();
    parts.iter().for_each(|part| sets(part, &mut inner));
    // The content of a part can be anywhere.
    let anywhere = |texts: Required| texts.into_iter().map(|(_, text)| (ProbeTag::Has, text)).collect();
    found.extend(inner.into_iter().map(anywhere));
}

/// The set whose shortest text is longest, the first of several.
fn longest(sets: Vec<Required>) -> Option<Required> {
    sets.into_iter().rev().max_by_key(shortest)
}

fn union(parts: &[Hir]) -> Option<Required> {
    let best = |part: &Hir| {
        let mut found = Vec::new();
        sets(part, &mut found);
        longest(found)
    };
    let found: Option<Vec<Required>> = parts.iter().map(best).collect();
    let anywhere = |texts: Vec<Required>| {
        texts.into_iter().flatten().map(|(_, text)| (ProbeTag::Has, text)).collect::<Required>()
    };
    found.map(anywhere)
}

/// The length of the shortest text. Without one there is no match, which no text improves on.
fn shortest(texts: &Required) -> usize {
    texts.iter().map(|(_, text)| text.len()).min().unwrap_or(usize::MAX)
}

/// The common prefix, or suffix, of all matches, if that is longer.
fn edges(hir: &Hir) -> Option<Required> {
    let looks = hir.properties();
    let begins = if looks.look_set_prefix().contains(Look::Start) { ProbeTag::Begins } else { ProbeTag::Has };
    let ends = if looks.look_set_suffix().contains(Look::End) { ProbeTag::Ends } else { ProbeTag::Has };
    let extract = |kind: ExtractKind| Extractor::new().kind(kind).limit_class(CLASS).extract(hir);
    let starts = texts(&extract(ExtractKind::Prefix), begins);
    let finishes = texts(&extract(ExtractKind::Suffix), ends);
    match (starts, finishes) {
        (Some(a), Some(b)) => Some(if shortest(&b) > shortest(&a) { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// The literals of a sequence, if they are known, whole characters, and not empty.
fn texts(found: &Seq, kind: ProbeTag) -> Option<Required> {
    let literals = found.literals()?;
    let text =
        |bytes: &[u8]| std::str::from_utf8(bytes).ok().filter(|text| !text.is_empty()).map(str::to_owned);
    literals.iter().map(|literal| Some((kind, text(literal.as_bytes())?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn longest_of(pattern: &str) -> Option<Required> {
        longest(required(pattern, Case::Respected))
    }

    #[test]
    fn the_longest_part() {
        assert_eq!(longest_of("^rm -rf z12[0-9]+$"), Some(vec![(ProbeTag::Begins, "rm -rf z12".to_owned())]));
        assert_eq!(longest_of("[0-9]+needle[a-z]*"), Some(vec![(ProbeTag::Has, "needle".to_owned())]));
        assert_eq!(
            longest_of("foo|bar"),
            Some(vec![(ProbeTag::Has, "foo".to_owned()), (ProbeTag::Has, "bar".to_owned())])
        );
        assert_eq!(longest_of(".*\\.rs$"), Some(vec![(ProbeTag::Ends, ".rs".to_owned())]));
        assert_eq!(longest_of(".*"), None);
        assert_eq!(longest_of("(abc)?"), None);
        assert_eq!(longest_of("x*"), None);
        assert!(longest(required("rm", Case::Ignored)).is_some_and(|texts| texts.len() == 4));
        let texts = required("^deploy +site-7 .*--to=", Case::Respected).concat();
        assert!(texts.contains(&(ProbeTag::Begins, "deploy ".to_owned())));
        assert!(texts.contains(&(ProbeTag::Has, "site-7 ".to_owned())));
    }
}
