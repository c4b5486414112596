//! Real-world repository hooks and skills, and those of the documents, if present: each gives what
//! an independent scan of its lines counts, and every error is understandable to its author.

use crate::built;

use std::path::{Path, PathBuf};

use hookc_compiler::{Compiled, Dialect};
use hookc_schema::tree::print;
use hookc_schema::{Code, Severity};

/// The texts of a directory's files, by path.
fn texts(folder: &Path) -> Vec<(String, String)> {
    let read =
        |path: &PathBuf| Some((path.to_string_lossy().into_owned(), std::fs::read_to_string(path).ok()?));
    hookc_corpus::files(folder).iter().filter_map(read).collect()
}

fn built(name: &str, text: &str, dialect: Dialect) -> (Compiled, String) {
    let (compiled, reported) = built::built(&[(name, text)], dialect, None);
    for new in &compiled.diagnostics {
        assert!(new.severity < Severity::Error || new.help.is_some(), "{name}: {new:?}");
    }
    assert_eq!(compiled.failed(), compiled.module.is_none(), "{name}");
    (compiled, reported)
}

/// Prints the rejected files for inspection: `--nocapture`.
fn show(name: &str, compiled: &Compiled, reported: &str) {
    if compiled.failed() {
        eprintln!("refused: {}\n{reported}", name.rsplit('/').next().unwrap());
    }
}

#[test]
fn repository_hooks() {
    let Some(root) = hookc_corpus::shared() else { return };
    let all = texts(&root.join("wild/system_hooks"));
    for (name, text) in &all {
        let (compiled, reported) = built(name, text, Dialect::Repository);
        show(name, &compiled, &reported);
        // A hook has its event at its left margin.
        let count = text.lines().filter(|line| line.starts_with("event_type:")).count();
        assert_eq!(compiled.policies[0].hooks.len(), count, "{name}\n{reported}");
        assert_eq!(compiled.failed(), count == 0, "{name}\n{reported}");
    }
    assert!(all.len() >= 5, "{}", all.len());
}

/// The fences of one language of a Markdown text.
fn fences<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let open = format!("```{language}\n");
    text.split(open.as_str()).skip(1).filter_map(|part| Some(part.split_once("```")?.0)).collect()
}

/// The document whose text has a title.
fn document(root: &Path, title: &str) -> Option<String> {
    texts(&root.join("seeds")).into_iter().map(|(_, text)| text).find(|text| text.contains(title))
}

#[test]
fn the_hooks_of_the_document_are_true() {
    let Some(root) = hookc_corpus::shared() else { return };
    let Some(text) = document(&root, "# Hooks for AI-Centric Development") else { return };
    let mut seen = Vec::new();
    for block in fences(&text, "yaml") {
        let (compiled, reported) = built(".system/hooks/x.yaml", block, Dialect::Repository);
        if !block.starts_with("id:") {
            assert!(compiled.failed(), "a part of a hook is none:\n{block}\n{reported}");
            continue;
        }
        // Its ids are in snake_case, which causes only a note.
        assert!(compiled.diagnostics.iter().all(|new| new.code == Code::N0256), "{block}\n{reported}");
        let hook = &compiled.policies[0].hooks[0];
        let condition = hook.condition.as_ref().map(print::condition).unwrap_or_default();
        let effects = block.split_once("effects:").map_or(0, |(_, rest)| rest.matches("\n  - ").count());
        assert_eq!(hook.effects.len(), effects);
        seen.push(format!("{} {condition}", hook.events[0].node).trim_end().to_owned());
    }
    assert_eq!(
        seen,
        [
            "PostAbilityCall",
            "PostAbilityCall",
            "PromptSubmit",
            "PreAbilityCall ability_id eq \"edit_file\"",
            "SessionStop $.changed_files[*] glob [\"services/**\",\"apps/**\"]",
        ]
    );
}

#[test]
fn the_skill_of_the_document_is_true() {
    let Some(root) = hookc_corpus::shared() else { return };
    let Some(text) = document(&root, "# Skills Hook System Design") else { return };
    for block in fences(&text, "yaml") {
        let (compiled, reported) = built("my-skill/SKILL.md", block, Dialect::Skill);
        assert!(compiled.diagnostics.is_empty(), "{reported}");
        let events: Vec<_> =
            compiled.policies[0].hooks.iter().map(|hook| hook.events[0].node.as_str()).collect();
        assert_eq!(events, ["pre_execute", "post_execute", "on_error"]);
    }
}

/// The lines between the first two marks, if the text starts with one.
fn front_matter(text: &str) -> Option<Vec<&str>> {
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    (lines.next()?.trim_end() == "---").then(|| lines.take_while(|line| line.trim_end() != "---").collect())
}

/// Hooks by a scan of the lines: under `hooks:`, the script of an own event, or a handler of an
/// agent's event.
fn counted(text: &str) -> usize {
    let Some(lines) = front_matter(text) else { return 0 };
    let hooks = lines.iter().skip_while(|line| line.trim_end() != "hooks:").skip(1);
    let own = ["pre_execute:", "post_execute:", "on_error:", "pre_context:", "post_context:"];
    let is = |line: &&&str| {
        let line = line.trim();
        line == "- type: command" || own.iter().any(|event| line.starts_with(event))
    };
    hooks.take_while(|line| line.starts_with(' ')).filter(is).count()
}

#[test]
fn skills() {
    let Some(root) = hookc_corpus::shared() else { return };
    let all = texts(&root.join("wild/skills"));
    let (mut hooks, mut refused) = (0, Vec::new());
    for (name, text) in &all {
        let (compiled, reported) = built(name, text, Dialect::Skill);
        show(name, &compiled, &reported);
        match compiled.failed() {
            true => refused.push(name.as_str()),
            false => assert_eq!(compiled.policies[0].hooks.len(), counted(text), "{name}\n{reported}"),
        }
        hooks += compiled.policies[0].hooks.len();
        let silent =
            front_matter(text).is_some_and(|lines| !lines.iter().any(|line| line.starts_with("hooks:")));
        let only = [Code::W0262, Code::E0101];
        assert!(
            !silent || compiled.diagnostics.iter().all(|new| only.contains(&new.code)),
            "what is not ours makes no noise: {name}\n{reported}"
        );
    }
    assert!(all.len() >= 40 && hooks >= 10, "{} {hooks}", all.len());
    let bad = |name: &&str| name.contains("/bad_yaml/") || name.contains("kitchen-sink");
    assert!(refused.iter().all(bad), "{refused:#?}");
    assert!(refused.len() >= 9, "{refused:#?}");
}
