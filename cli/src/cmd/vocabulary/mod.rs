//! `hookc vocabulary`: the names of events, tools and actions, or what one of them contains.

mod model;
mod text;

use std::collections::BTreeSet;

use hookc_schema::suggest;
use model::Names;

use crate::args::{Format, Global, VocabularyArgs};
use crate::exit::{Exit, Failure, Outcome};
use crate::out;

pub(crate) fn run(global: &Global, args: &VocabularyArgs) -> Outcome {
    let names = Names::new();
    let Some(name) = args.name.as_deref() else {
        if global.format == Format::Json { json(&names) } else { out::lines(&text::list(&names)) }?;
        return Ok(Exit::Done);
    };
    let found = names.named(name);
    if found.is_empty() {
        let known = self::names();
        let near = suggest::nearest(name, known.iter().map(String::as_str));
        let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        return Err(Failure::usage(format!(
            "unknown event, tool or action `{name}` (`hookc vocabulary` lists all){near}"
        )));
    }
    if global.format == Format::Json { json(&found) } else { out::lines(&text::details(&found)) }?;
    Ok(Exit::Done)
}

/// Each name of the vocabulary once, for completions.
pub(crate) fn names() -> BTreeSet<String> {
    Names::new().all().map(str::to_owned).collect()
}

fn json(names: &Names) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(names).map_err(|error| Failure::input(error.to_string()))?;
    out::json(&(text + "\n"))
}
