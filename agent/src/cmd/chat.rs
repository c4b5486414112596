//! A conversation.

use super::Outcome;
use crate::args::Chat;
use crate::failure::Failure;
use crate::session::Session;

pub(crate) fn run(args: Chat) -> Outcome {
    let session = Session::open(&args.common, None, None)?;
    let prompt = args.print.or(args.prompt).ok_or_else(|| Failure::usage("no prompt"))?;
    let mut agent = session.root();
    let end = session.submit(&mut agent, &prompt)?;
    Ok(end.exit_code())
}
