//! Command lines: any text has commands, within the limits, or a problem within it.

use hookc_vm::format::shell::read;
use hookc_vm::limits;

/// A command line.
pub fn shell(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match read(text) {
        Ok(line) => {
            assert!(line.commands.len() <= limits::SHELL_COMMANDS, "too many commands");
            let units: usize = line.commands.iter().flat_map(|command| &command.words).map(Vec::len).sum();
            assert!(units <= text.len() * limits::SHELL_WORDS + limits::SHELL_WORDS, "too much text");
        }
        Err(problem) => assert!(problem.at <= text.len(), "{problem:?} lies behind the text"),
    }
}
