//! The examples of the code pages (`schema/codes/`): the first fence of a page
//! reports the code, and the others report no error.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(clippy::string_slice, reason = "tests")]

use hookc_compiler::{Dialect, Hosts, Input, Options, compile};
use hookc_schema::agents;
use hookc_schema::diag::{ALL_CODES, render};
use hookc_schema::{Code, Diagnostic, Sources};

/// Codes whose first example does not report them when one source is compiled:
/// `cli/tests/code_pages.rs` checks those pages, except `E0703`, `E0802` and `E0999`.
const COMMAND_LINE: &[Code] = &[
    Code::E0001,
    Code::E0002,
    Code::E0003,
    Code::E0004,
    Code::E0005,
    Code::E0006,
    Code::E0103,
    Code::E0104,
    Code::E0258,
    Code::E0259,
    Code::E0306,
    Code::E0417,
    Code::E0502,
    Code::E0503,
    Code::E0703,
    Code::E0801,
    Code::E0802,
    Code::E0803,
    Code::E0999,
    Code::W0244,
    Code::W0267,
];

#[test]
fn examples_of_code_pages_report_their_code() {
    let mut wrong = Vec::new();
    for &code in ALL_CODES {
        for (at, (language, text)) in fences(code.page()).into_iter().enumerate() {
            let Some((sources, found)) = diagnostics(language, &text) else {
                assert!(at > 0 || COMMAND_LINE.contains(&code), "{code}: the first example is not checked");
                continue;
            };
            let reported = found.iter().any(|d| d.code == code);
            let others = found.iter().any(|d| d.code != code && d.is_error());
            if reported != (at == 0 && !COMMAND_LINE.contains(&code)) || (others && at > 0) {
                let shown = render::text::render(&found, &sources);
                wrong.push(format!("{code}, example {}:\n{text}\n{shown}", at + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The diagnostics of a fence; `None` if its language is not that of a source.
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
    let host = language.strip_prefix("yaml for ").and_then(agents::of);
    let hosts = Hosts::of(host);
    let mut sources = Sources::new();
    let source = sources.add(name, text);
    let inputs = [Input::new(source).with_dialect(dialect)];
    let compiled = compile(&mut sources, &inputs, &Options::default().hosts(hosts));
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
