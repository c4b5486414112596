//! The index of all codes as a page (`docs/diagnostics.md`).

use std::fmt::Write;

use super::code::STAGES;

/// The index as Markdown, with links to the pages.
#[must_use]
pub fn markdown() -> String {
    let mut out = String::from(
        "# Diagnostics\n\n\
         Every code that hookc reports, with a link to its page. In a terminal:\n\n\
         ```sh\nhookc explain-code E0401\n```\n\n\
         A diagnostic has a code, a message, the location with a label, and usually help that says what to write. \
         `E` is an error, `W` a warning, `N` a note. A number is never reused. The [glossary](glossary.md) defines \
         the words.\n\n\
         This page is generated from `schema/src/diag/code.rs`; `BLESS=1 cargo test -p hookc-schema` refreshes it.\n",
    );
    for (stage, codes) in STAGES {
        let _ = write!(out, "\n## {stage}\n\n| code | severity | about |\n|---|---|---|\n");
        for code in *codes {
            let (name, severity) = (code.name(), code.severity().name());
            let _ = writeln!(out, "| [{name}](../schema/codes/{name}.md) | {severity} | {} |", code.title());
        }
    }
    out
}
