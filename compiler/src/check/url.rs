//! Globs that no URL with a path matches (W0622).

use hookc_schema::tree::{Leaf, Op};
use hookc_schema::{Code, Diagnostic};
use hookc_vm::format::text::glob;

use super::Cx;
use crate::fields::{URL, of_host};

/// Reports the globs of a leaf about a URL that match none with a path.
pub(super) fn check(leaf: &Leaf, cx: &mut Cx<'_>) {
    if leaf.op.node != Op::Glob || leaf.path.last_name().as_deref() != Some(URL) {
        return;
    }
    for (item, text) in leaf.texts() {
        if !never_matches(text) {
            continue;
        }
        let what = "this glob is false for a URL with a `/` where it has `*`, or after it";
        let new = Diagnostic::new(Code::W0622, item.span, what).with_label("`*` stops at a slash");
        cx.report_once(new.help(format!("write `{}`", of_host(&leaf.path.text, text))));
    }
}

/// Whether a glob is false for `https://HOST/a/b`, for each host.
fn never_matches(glob: &str) -> bool {
    let ends = |text: &str| text.ends_with("**") || !text.ends_with('*') && text.contains('/');
    match glob.split_once("://") {
        Some((_, rest)) => !ends(rest) || rest.ends_with('/') && rest.matches('/').count() == 1,
        None => !glob.starts_with("**") || glob::stars(glob).iter().any(|star| star + 1 == glob.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::never_matches;

    #[test]
    fn globs_that_no_url_with_a_path_matches() {
        for glob in [
            "*.example.com/*",
            "*.example.com/**",
            "example.com/**",
            "https://*.example.com",
            "https://*example.com*",
            "https://example.com/*",
            "https://example.com/",
            "*://example.com/*",
            "**example.com*",
        ] {
            assert!(never_matches(glob), "{glob}");
        }
        for glob in [
            "https://*.example.com/**",
            "**/*.pdf",
            "https://example.com/a/*.pdf",
            "**example.com**",
            "*://*/**",
        ] {
            assert!(!never_matches(glob), "{glob}");
        }
    }
}
