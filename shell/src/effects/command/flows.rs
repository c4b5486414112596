//! Which commands get the output of which.

use crate::effects::{Act, Actions, Kind};

/// Whether a command gets the output of another one: as its input, as its words, as a file, or as code.
pub(super) fn flows(actions: &Actions, from: Act<'_>, to: Act<'_>) -> bool {
    let (giver, taker) = (from.number(), to.number());
    if to.runs().any(|number| number == giver) {
        return true;
    }
    // What executes its input executes only that; the words of its script are data.
    let is_read = |number: usize| from.pipes_to().any(|reader| reader == number);
    let is_input = || is_read(taker) || to.inputs().any(|number| number == giver);
    if !to.executes() && is_input() || to.files().any(|number| number == giver) {
        return true;
    }
    let mut starters = std::iter::successors(to.starter(), |number| actions.command(*number)?.starter());
    let lists = || actions.effects().any(|effect| effect.command == Some(giver) && effect.kind == Kind::List);
    starters.any(|starter| is_read(starter) && !to.executes() || starter == giver && lists())
}
