//! `hookc fmt`: formats hooks files in place.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use hookc_compiler::Dialect;
use hookc_schema::Sources;
use hookc_schema::terminal::{escape, escape_block};
use hookc_syntax::front::detect;

use crate::args::{Fmt, Global};
use crate::edit::difference::hunks;
use crate::edit::save;
use crate::exit::{Exit, Failure, Outcome};
use crate::files::{self, NamedDirectories};
use crate::out;

/// Lines of a difference that are shown.
const SHOWN: usize = 60;

pub(crate) fn run(global: &Global, args: &Fmt) -> Outcome {
    let mut bad = false;
    for path in &args.files {
        bad |= file(global, args, path)? == Exit::Errors;
    }
    Ok(Exit::errors_if(bad))
}

fn file(global: &Global, args: &Fmt, path: &PathBuf) -> Outcome {
    let name = files::name(path);
    NamedDirectories::new([path]).reject_elsewhere(path)?;
    // A file that is changed in place must be regular; output can come from a pipe.
    let shown = args.check || args.stdout || files::is_stdin(path);
    let text = match if shown { files::source(path) } else { files::found(path) }? {
        Ok(text) => text,
        Err(diagnostic) => {
            out::diagnostics(global, &[diagnostic], &Sources::new());
            return Ok(Exit::Errors);
        }
    };
    if let Some(other) = other(path, &name, &text) {
        return Err(Failure::usage(format!("{name}: `hookc fmt` formats hooks files, and this is {other}")));
    }
    let new = match hookc_compiler::format(&name, &text) {
        Ok(_) if is_json(path) => {
            out::say(global, &format!("{name}: JSON, unchanged"));
            text.clone()
        }
        Ok(new) => new,
        Err((sources, diagnostics)) => {
            out::diagnostics(global, &diagnostics, &sources);
            return Ok(Exit::Errors);
        }
    };
    if args.check {
        return check(&name, &text, &new);
    }
    if args.stdout || files::is_stdin(path) {
        out::file(new.as_bytes())?;
    } else if new != text {
        save::replace(path, text.as_bytes(), new.as_bytes())?;
        if global.verbose > 0 {
            out::say(global, &format!("{name}: formatted"));
        }
    }
    Ok(Exit::Done)
}

/// The kind of a file that is certainly not a hooks file.
fn other(path: &Path, name: &str, text: &str) -> Option<&'static str> {
    let file = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    if file.ends_with(".test.yaml") || file.ends_with(".test.yml") {
        return Some("a test file");
    }
    let Some(dialect) = detect::detect(name, text) else {
        let json = text.trim_start_matches('\u{feff}').trim_start().starts_with('{');
        let event = ["\"hook_event_name\"", "\"event_type\""].iter().any(|key| text.contains(key));
        return (json && event).then_some("an event");
    };
    match dialect {
        Dialect::HooksYaml => None,
        Dialect::DirectiveXml => Some("directive XML"),
        Dialect::Repository => Some("a repository hook"),
        Dialect::Skill => Some("a skill"),
        Dialect::Workflow => Some("a workflow file"),
        _ => Some("settings of a coding agent"),
    }
}

/// The formatted text would be YAML, which JSON parsers reject.
fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

fn check(name: &str, text: &str, new: &str) -> Outcome {
    if new != text {
        out::text(&difference(name, text, new))?;
    }
    Ok(Exit::errors_if(new != text))
}

/// The file's name, and what would change in it, as far as can be shown.
fn difference(name: &str, text: &str, new: &str) -> String {
    let mut shown = format!("{}\n", escape(name));
    let mut lines = 0;
    for hunk in hunks(text, new, 1) {
        let _ = writeln!(shown, "{}", hunk.header);
        for (mark, line) in hunk.lines {
            lines += 1;
            if lines > SHOWN {
                shown.push_str("...\n");
                return shown;
            }
            let _ = writeln!(shown, "{mark}{}", escape_block(line.trim_end_matches('\n')));
        }
    }
    shown
}
