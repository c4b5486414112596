//! Verbs that print information about hookc: `schema`, `explain-code`, `completions`, `man`.

use std::fmt::Write;

use clap::CommandFactory;
use clap_complete::Shell;
use hookc_schema::diag::ALL_CODES;
use hookc_schema::publish::Schema;
use hookc_schema::{Code, suggest};

use super::completed;
use crate::args::{Cli, Completions, ExplainCode, SchemaArgs};
use crate::exit::{Exit, Failure, Outcome};
use crate::out;

pub(crate) fn explain_code(args: &ExplainCode) -> Outcome {
    let Some(name) = &args.code else {
        let mut list = String::new();
        for code in ALL_CODES {
            let _ = writeln!(list, "{code}  {}", code.title());
        }
        out::verbatim(list.as_bytes())?;
        return Ok(Exit::Done);
    };
    let Some(code) = Code::from_name(name) else {
        // Only the number, as in `explain-code 401`, or with another letter.
        let digits = |code: &str| {
            let letters = |c: char| c.is_alphabetic();
            code.trim_start_matches(letters).trim_start_matches('0').to_owned()
        };
        let number = |code: &&str| !name.is_empty() && digits(code) == digits(name);
        let names = || ALL_CODES.iter().map(|code| code.name());
        let near = names().find(number).or_else(|| suggest::nearest(name, names()));
        let near = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
        return Err(Failure::usage(format!("unknown diagnostic `{name}`{near}")));
    };
    out::verbatim(code.page().as_bytes())?;
    Ok(Exit::Done)
}

pub(crate) fn schema(args: &SchemaArgs) -> Outcome {
    let Some(name) = &args.name else {
        let mut list = String::new();
        for schema in Schema::all() {
            let _ = writeln!(list, "{:<10}  {}", schema.name(), schema.about());
        }
        out::verbatim(list.as_bytes())?;
        return Ok(Exit::Done);
    };
    let Some(schema) = Schema::from_name(name) else {
        let known: Vec<&str> = Schema::all().map(|schema| schema.name()).collect();
        let near = suggest::nearest(name, known.iter().copied());
        let near = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
        return Err(Failure::usage(format!("unknown schema `{name}` (known: {}){near}", known.join(", "))));
    };
    out::verbatim(schema.text().as_bytes())?;
    Ok(Exit::Done)
}

pub(crate) fn completions(args: &Completions) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut completed::command(), "hookc", &mut script);
    if args.shell == Shell::Fish {
        script.extend(completed::fish_arguments().into_bytes());
    }
    out::verbatim(&script)?;
    Ok(Exit::Done)
}

pub(crate) fn man() -> Outcome {
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page)?;
    out::verbatim(&page)?;
    Ok(Exit::Done)
}
