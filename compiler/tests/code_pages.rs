//! The examples of the code pages (`schema/codes/`): where the first fence is
//! a whole source it gives the code, and the others give no error.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(clippy::string_slice, reason = "tests")]

use hookc_compiler::{Dialect, Hosts, Input, Options, compile};
use hookc_schema::agent;
use hookc_schema::diag::{ALL_CODES, render};
use hookc_schema::{Code, Diagnostic, Sources};

/// Codes that compiling one source under its own dialect never tells.
const ELSEWHERE: &[Code] = &[Code::E0003, Code::E0004, Code::E0005, Code::W0267, Code::E0417, Code::W0244];

#[test]
fn the_examples_of_the_code_pages_are_true() {
    let mut wrong = Vec::new();
    for &code in ALL_CODES {
        for (at, (language, text)) in fences(code.page()).into_iter().enumerate() {
            let Some((sources, found)) = diagnostics(language, &text) else { continue };
            let reported = found.iter().any(|d| d.code == code);
            let others = found.iter().any(|d| d.code != code && d.is_error());
            if reported != (at == 0 && !ELSEWHERE.contains(&code)) || (others && at > 0) {
                let shown = render::text::render(&found, &sources);
                wrong.push(format!("{code}, example {}:\n{text}\n{shown}", at + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a source of a fence's language gives; `None` for what is no source.
fn diagnostics(language: &str, text: &str) -> Option<(Sources, Vec<Diagnostic>)> {
    let (name, dialect) = match language {
        "yaml" => ("hooks.yaml", Dialect::HooksYaml),
        "yaml repository" => ("hook.yaml", Dialect::Repository),
        "markdown skill" => ("SKILL.md", Dialect::Skill),
        "json hooks" => ("hooks.json", Dialect::Settings),
        "json" => ("settings.json", Dialect::Settings),
        "yaml workflow" => ("workflow.yaml", Dialect::Workflow),
        "xml" => ("directive.xml", Dialect::DirectiveXml),
        "markdown" => ("directive.md", Dialect::DirectiveXml),
        // `json gemini`: the hooks file of an agent; `yaml for codex`: a policy for it.
        _ => match language.split_once(' ')? {
            ("json", name) => ("hooks.json", Dialect::ALL.iter().copied().find(|one| one.name() == name)?),
            ("yaml", host) if host.starts_with("for ") => ("hooks.yaml", Dialect::HooksYaml),
            _ => return None,
        },
    };
    let host = language.strip_prefix("yaml for ").and_then(agent::of);
    let hosts = Hosts { agents: host.into_iter().collect(), ..Hosts::default() };
    let mut sources = Sources::new();
    let source = sources.add(name, text);
    let inputs = [Input { source, dialect: Some(dialect), layer: None }];
    let compiled = compile(&mut sources, &inputs, &Options { hosts, ..Options::default() });
    Some((sources, compiled.diagnostics))
}

/// Languages and texts of the fences of a page.
fn fences(page: &str) -> Vec<(&str, String)> {
    let mut fences = Vec::new();
    let mut open: Option<(&str, &str, String)> = None;
    for line in page.lines() {
        match &mut open {
            Some((mark, _, _)) if line == *mark => {
                fences.extend(open.take().map(|(_, language, text)| (language, text)));
            }
            Some((_, _, text)) => *text += &format!("{line}\n"),
            None if line.starts_with("```") => {
                let language = line.trim_start_matches('`');
                open = Some((&line[..line.len() - language.len()], language, String::new()));
            }
            None => {}
        }
    }
    fences
}
