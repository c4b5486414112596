//! Real-world workflow files and thread policies, if present: nothing panics, spans are within the
//! text, the hooks are counted as a simple scanner counts them, and each error has been reviewed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use hookc_compiler::{Dialect, Input, Options, compile};
use hookc_schema::diag::render;
use hookc_schema::{Diagnostics, Sources};

/// Hooks read, and the codes of what was reported, with the rendered text.
fn check(name: &str, text: &str, dialect: Dialect) -> (usize, BTreeMap<String, usize>, String) {
    let mut sources = Sources::new();
    let source = sources.add(name, text);
    let input = Input::new(source).with_dialect(dialect);
    let compiled = compile(&mut sources, &[input], &Options::default());
    let mut codes = BTreeMap::new();
    for reported in &compiled.diagnostics {
        *codes.entry(reported.code.to_string()).or_default() += 1;
        for label in &reported.labels {
            assert!(text.get(label.span.range()).is_some(), "{name}: {label:?}");
        }
    }
    let rendered = render::text::render(&compiled.diagnostics, &sources);
    (compiled.policies[0].hooks.len(), codes, rendered)
}

/// The codes with which a file may be rejected, and the reason: each has been reviewed for every
/// file.
const JUDGED: &[(&str, &str)] = &[
    ("E0102", "a key of a schema listing is written twice: both places are shown"),
    ("E0111", "several fragments in one text: the second root and the first are shown"),
    ("E0113", "prose or a diagram, no directive: says what a fence looks like"),
    ("E0201", "a file that classifies errors, a table, or a key with another name: says so"),
    ("E0202", "a hook of an edition in which hooks named no event: says which to write"),
    ("E0203", "a list without its key: says to put `hooks:` before it"),
    ("E0208", "a fragment without its directive: says what to put around it"),
    ("E0302", "arithmetic in a condition: says that conditions do not calculate"),
    ("E0303", "a name alone as condition: says what to write of it"),
];

/// Hooks in a text by a simple scan: list items with `event:`, or `<hook` tags with an event, in
/// the part of the file that is read.
fn hooks_by_look(name: &str, text: &str) -> usize {
    if name.ends_with(".yaml") {
        let starts = |line: &&str| {
            let line = line.trim_start().trim_start_matches("- ");
            line.starts_with("event:")
        };
        return text.lines().filter(starts).count();
    }
    let bare = text.trim_start().starts_with('<') && !text.contains("```");
    let xml = if bare {
        Some(text)
    } else {
        text.split("```xml\n").nth(1).and_then(|part| part.split("```").next())
    };
    let tags = xml.unwrap_or("").matches("<hook ").count();
    let matter = text.split("\n---\n").nth(1).filter(|_| text.starts_with("<!--") || text.starts_with("---"));
    tags + matter.unwrap_or("").lines().filter(|line| line.trim_start().starts_with("event:")).count()
}

/// Hooks of a workflow file by their look: `artifact_id` in list items, and
/// subscriptions.
fn invocations_by_look(text: &str) -> usize {
    let hooks = text.lines().filter(|line| line.trim_start().starts_with("- artifact_id:")).count();
    let sugar = text.lines().find_map(|line| line.strip_prefix("subscribed_artifacts: ["));
    hooks + sugar.map_or(0, |list| list.split(',').count())
}

#[test]
fn thread_policies_are_read_or_rejected_with_a_reason() {
    let Some(root) = hookc_corpus::shared() else { return };
    let mut all = Vec::new();
    all.extend(hookc_corpus::files(&root.join("wild/rye")));
    let (mut read, mut hooks) = (0, 0);
    for path in all {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.strip_prefix(root.join("wild")).unwrap().to_string_lossy().into_owned();
        let dialect = if name.ends_with(".yaml") { Dialect::HooksYaml } else { Dialect::DirectiveXml };
        let (count, codes, rendered) = check(&name, &text, dialect);
        let refused: Vec<_> = codes.keys().filter(|code| code.starts_with('E')).collect();
        for code in &refused {
            assert!(JUDGED.iter().any(|(judged, _)| judged == code), "{name}:\n{rendered}");
        }
        if refused.is_empty() {
            assert_eq!(count, hooks_by_look(&name, &text), "{name}:\n{rendered}");
            read += 1;
            hooks += count;
        } else {
            eprintln!("{name}: refused, {codes:?}");
        }
    }
    assert!(read >= 40 && hooks >= 70, "{read} files read, {hooks} hooks");
}

#[test]
fn workflow_files_are_read_without_noise() {
    let Some(root) = hookc_corpus::shared() else { return };
    let mut all = Vec::new();
    all.extend(hookc_corpus::files(&root.join("wild/workflow")));
    for path in all {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.to_string_lossy().into_owned();
        let (count, codes, rendered) = check(&name, &text, Dialect::Workflow);
        let expected = if name.contains("208_") { invocations_by_look(&text) } else { 0 };
        assert_eq!(count, expected, "{name}:\n{rendered}");
        // The sugar next to its expansion, and a listing with a duplicate key.
        let reported = ["W0276", "W0607", "E0102"];
        assert!(codes.keys().all(|code| reported.contains(&code.as_str())), "{name}:\n{rendered}");
        assert_eq!(codes.contains_key("W0276"), text.contains("equivalent to"), "{name}:\n{rendered}");
    }
}

/// The fences of a language in a text.
fn fences(text: &str, language: &str) -> Vec<String> {
    let open = format!("```{language}\n");
    let parts = text.split(&open).skip(1);
    parts.filter_map(|part| Some(part.split_once("```")?.0.to_owned())).collect()
}

#[test]
fn blocks_of_the_documents_are_true() {
    let Some(root) = hookc_corpus::shared() else { return };
    let mut all = Vec::new();
    all.extend(hookc_corpus::files(&root.join("seeds")));
    let document = |start: &str| {
        let named =
            |path: &&PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(start));
        std::fs::read_to_string(all.iter().find(named).unwrap()).unwrap()
    };
    let threads = document("001_");
    for (block, hooks) in fences(&threads, "yaml").iter().zip([3, 4, 1]) {
        let (count, codes, rendered) = check("hooks.yaml", block, Dialect::HooksYaml);
        assert_eq!(count, hooks, "{rendered}");
        assert!(codes.keys().all(|code| code == "N0606"), "{rendered}");
    }
    for block in fences(&threads, "xml") {
        let (count, codes, rendered) = check("directive.xml", &block, Dialect::DirectiveXml);
        assert_eq!((count, codes.len()), (1, 0), "{rendered}");
    }
    let workflows = fences(&document("004_"), "yaml");
    let mut counts = Vec::new();
    for block in &workflows {
        let (count, codes, rendered) = check("agent.yaml", block, Dialect::Workflow);
        assert!(codes.keys().all(|code| ["W0276", "W0607"].contains(&code.as_str())), "{rendered}");
        counts.push(count);
    }
    assert_eq!(counts, [5, 4]);
    // Both halves of the second block are equivalent.
    let (sugar, written) = workflows[1].split_once("\n\n").unwrap();
    let tree = |text: &str| {
        let mut out = Diagnostics::new();
        let policy = hookc_syntax::front::workflow::read("a", text, hookc_schema::SourceId(0), &mut out);
        assert!(out.is_empty(), "{out:#?}");
        hookc_schema::tree::print::policy(&policy)
    };
    assert_eq!(tree(sugar), tree(written));
}
