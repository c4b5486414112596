//! Code for a shell within commands of another language: `vim -c '!CODE'`, `gdb -ex 'shell CODE'`.

use super::super::token::{Token, Words};
use super::arguments::Call;
use super::{Done, Walk};

/// Actions of `fzf --bind` that run code.
const ACTIONS: [&str; 5] = ["execute", "become", "reload", "transform", "preview("];

impl Walk {
    /// The code in the commands of editors, pagers and debuggers.
    pub(super) fn escapes(&mut self, at: usize, name: &str, words: Words, call: &Call) -> Done<()> {
        if !matches!(call.kind, "vi" | "less" | "gdb" | "lldb" | "psql" | "mysql" | "sqlite") {
            return Ok(());
        }
        let options: Vec<Token> = call.codes.iter().map(|(code, _)| *code).collect();
        let is_plus = |word: &&Token| self.arena.text(**word).starts_with('+');
        let plus: Vec<Token> = match call.kind {
            "vi" | "less" => self.arena.words(words.skip(1)).iter().filter(is_plus).copied().collect(),
            // `sqlite3 FILE '.shell CODE'`
            "sqlite" => self.operands_of_call(call).iter().skip(1).map(|(_, word)| *word).collect(),
            _ => Vec::new(),
        };
        for word in options.into_iter().chain(plus) {
            let text = self.arena.text(word);
            let Some(code) = shell_code(call.kind, text) else { continue };
            let (from, to) = (text.len() - code.len(), text.len());
            let code = self.arena.slice(word, from, to);
            self.code(Some(at), code, name, Some(Words::default()))?;
        }
        Ok(())
    }

    /// `sshfs -o reconnect,ssh_command=CODE`
    pub(super) fn mount_options(&mut self, name: &str, options: Token) -> Done<()> {
        let mut from = 0;
        let all = self.arena.text(options).to_owned();
        for option in all.split(',') {
            let to = from + option.len();
            if let Some(code) = option.strip_prefix("ssh_command=") {
                let code = self.arena.slice(options, to - code.len(), to);
                self.code(None, code, &format!("{name} -o"), Some(Words::default()))?;
            } else {
                let setting = self.arena.slice(options, from, to);
                self.local_setting(name, "-o", setting)?;
            }
            from = to + 1;
        }
        Ok(())
    }

    /// Whether an option of `fzf` binds a key to code.
    pub(super) fn is_bound_code(&self, bindings: Token, option: &str) -> bool {
        let text = self.arena.text(bindings);
        option == "--with-shell"
            || !self.arena.is_known(bindings)
            || ACTIONS.iter().any(|action| text.contains(action))
    }
}

/// The code for a shell at the end of a command.
fn shell_code<'t>(kind: &str, text: &'t str) -> Option<&'t str> {
    match kind {
        "vi" => {
            let text = text.trim_start_matches(['+', ':', ' ']);
            let silent =
                ["silent! ", "silent ", "sil! ", "sil "].iter().find_map(|word| text.strip_prefix(word));
            let text = silent.unwrap_or(text).trim_start_matches(|c: char| "%.$, :0123456789'".contains(c));
            let filter = ["read", "r", "write", "w"].iter().find_map(|word| text.strip_prefix(word));
            filter.unwrap_or(text).trim_start().strip_prefix('!')
        }
        "less" => text.trim_start_matches('+').strip_prefix('!'),
        "gdb" => text.strip_prefix('!').or_else(|| text.strip_prefix("shell ")),
        // `-o '|CODE'`
        "psql" => ["\\!", "|"].iter().find_map(|word| text.trim_start().strip_prefix(word)),
        "mysql" => ["\\!", "system "].iter().find_map(|word| text.trim_start().strip_prefix(word)),
        "sqlite" => [".shell ", ".system "].iter().find_map(|word| text.trim_start().strip_prefix(word)),
        "lldb" => ["platform shell ", "shell "].iter().find_map(|word| text.strip_prefix(word)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::shell_code;

    #[test]
    fn code_within_commands() {
        for (kind, text) in [
            ("vi", "!rm x"),
            ("vi", "+!rm x"),
            ("vi", ":silent !rm x"),
            ("vi", "%!rm x"),
            ("vi", "r !rm x"),
            ("less", "+!rm x"),
            ("gdb", "shell rm x"),
            ("gdb", "!rm x"),
            ("lldb", "platform shell rm x"),
            ("psql", "\\!rm x"),
            ("mysql", "system rm x"),
            ("mysql", "\\!rm x"),
            ("sqlite", ".shell rm x"),
        ] {
            assert_eq!(shell_code(kind, text), Some("rm x"), "{text}");
        }
        for (kind, text) in [
            ("vi", "+12"),
            ("vi", "set noro"),
            ("vi", "rm x"),
            ("less", "+F"),
            ("gdb", "run"),
            ("lldb", "run"),
            ("psql", "select 1"),
            ("sqlite", ".tables"),
        ] {
            assert_eq!(shell_code(kind, text), None, "{text}");
        }
    }
}
