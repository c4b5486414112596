//! `modify: {rewrite: {npm: pnpm}}`: a command line in which words that commands begin with are replaced.

use hookc_base::action::Modify;
use serde_json::{Map, Value};

use crate::context::ActionContext;
use crate::outcome::{ActionFailure, Outcome};
use crate::verdict::Verdict;

/// The input with another command line. A line in which not all of the words can be replaced is not a change: the hook fails.
pub(super) fn rewritten(
    modify: &Modify,
    words: &Map<String, Value>,
    context: &ActionContext<'_>,
) -> Result<Outcome, ActionFailure> {
    let line = context.event.text_in("tool_input", "command");
    let line = line.ok_or_else(|| ActionFailure::closed("the tool has no command line to rewrite"))?;
    let table: Vec<_> = words.iter().filter_map(|(from, to)| Some((from.as_str(), to.as_str()?))).collect();
    let shell = hookc_shell::Context { programs: context.programs, ..Default::default() };
    let new = hookc_shell::rewrite(&line, &shell, &table)
        .map_err(|error| ActionFailure::closed(error.to_string()))?;
    let mut modify = modify.clone();
    modify.input.get_or_insert_default().insert("command".to_owned(), new.into());
    Ok(Outcome::from(Verdict::changed(&modify)))
}
