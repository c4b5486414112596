//! The texts required by a glob.

use hookc_base::ProbeTag;
use hookc_base::text::Case;

/// A prefix or suffix of every text that a glob matches, with the kind of probe for it: the longer
/// one. `None` if there is neither.
pub(super) fn required(glob: &str, case: Case) -> Option<(ProbeTag, String)> {
    let (begins, ends) = (beginning(glob), ending(glob));
    let (unfolded, folded, text) = if begins.len() >= ends.len() {
        (ProbeTag::Begins, ProbeTag::BeginsFold, begins)
    } else {
        (ProbeTag::Ends, ProbeTag::EndsFold, ends)
    };
    (!text.is_empty()).then(|| (if case.is_ignored() { folded } else { unfolded }, text.to_owned()))
}

/// Up to the first special character.
fn beginning(glob: &str) -> &str {
    let end = glob.find(['*', '?', '[', '{', '\\']).unwrap_or(glob.len());
    glob.get(..end).unwrap_or_default()
}

/// After the last special character; empty if an escape makes that unclear. After `**` a slash may
/// be absent.
fn ending(glob: &str) -> &str {
    if glob.contains('\\') {
        return "";
    }
    let start = glob.rfind(['*', '?', ']', '}', '[', '{']).map_or(0, |at| at.saturating_add(1));
    let end = glob.get(start..).unwrap_or_default();
    match glob.get(..start) {
        Some(before) if before.ends_with("**") => end.strip_prefix('/').unwrap_or(end),
        _ => end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longer_end() {
        let found = |glob| required(glob, Case::Respected);
        assert_eq!(found("src/**/mod.rs"), Some((ProbeTag::Ends, "mod.rs".to_owned())));
        assert_eq!(found("src/*.rs"), Some((ProbeTag::Begins, "src/".to_owned())));
        assert_eq!(found("s*/mod.rs"), Some((ProbeTag::Ends, "/mod.rs".to_owned())));
        assert_eq!(found("**/x"), Some((ProbeTag::Ends, "x".to_owned())));
        assert_eq!(found("*"), None);
        assert_eq!(found("{a,b}c"), Some((ProbeTag::Ends, "c".to_owned())));
        assert_eq!(found(r"a\*b"), Some((ProbeTag::Begins, "a".to_owned())));
        assert_eq!(found("plain"), Some((ProbeTag::Begins, "plain".to_owned())));
        assert_eq!(found("[ab]"), None);
    }
}
