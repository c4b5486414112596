//! A program that bash started, with its arguments taken apart as that program does it.

use serde_json::Value;

/// A recorded program.
pub(super) struct Call {
    pub(super) name: String,
    pub(super) args: Vec<String>,
    pub(super) cwd: String,
    /// What standard input is: `pipe`, `file`, ...
    pub(super) stdin: String,
    /// The file that standard input is.
    pub(super) file: String,
    /// What a client of a database reads.
    pub(super) text: String,
}

impl Call {
    pub(super) fn read(value: &Value) -> Option<Self> {
        let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        let name = text("name").rsplit('/').next()?.to_owned();
        let args =
            value["args"].as_array()?.iter().filter_map(|arg| arg.as_str().map(str::to_owned)).collect();
        let call = Self {
            name,
            args,
            cwd: text("cwd"),
            stdin: text("stdin"),
            file: text("file"),
            text: text("text"),
        };
        Some(call.inner())
    }

    /// What `python3 -m` and `npx` start, which have no stubs of their own.
    fn inner(mut self) -> Self {
        let skip = match (self.name.as_str(), self.args.first().map(String::as_str)) {
            ("python" | "python3", Some("-m")) => 1,
            ("npx", Some(_)) => 0,
            _ => return self,
        };
        let mut words = self.args.into_iter().skip(skip);
        self.name = words.next().unwrap_or_default();
        self.args = words.collect();
        self
    }

    /// Whether one of the arguments is one of these words.
    pub(super) fn has(&self, words: &[&str]) -> bool {
        self.args.iter().any(|arg| words.contains(&arg.as_str()))
    }

    /// Whether a group of short options has this letter.
    pub(super) fn letter(&self, letter: char) -> bool {
        let group = |arg: &&String| arg.starts_with('-') && !arg.starts_with("--");
        self.args.iter().take_while(|arg| *arg != "--").filter(group).any(|arg| arg.contains(letter))
    }

    /// The value of an option, in the next word or after `=`.
    pub(super) fn value(&self, names: &[&str]) -> Option<&str> {
        let next = self.args.iter().zip(self.args.iter().skip(1));
        let separate =
            next.filter(|(name, _)| names.contains(&name.as_str())).map(|(_, value)| value.as_str());
        let joined = self.args.iter().filter_map(|arg| arg.split_once('='));
        let joined = joined.filter(|(name, _)| names.contains(name)).map(|(_, value)| value);
        separate.chain(joined).next()
    }

    /// The value of a short option, in its group of letters or in the next word.
    pub(super) fn short_value(&self, letter: char) -> Option<&str> {
        let next = self.args.iter().skip(1).map(String::as_str).chain([""]);
        self.args.iter().zip(next).find_map(|(arg, next)| {
            let letters = arg.strip_prefix('-').filter(|letters| !letters.starts_with('-'))?;
            let (_, value) = letters.split_once(letter)?;
            Some(if value.is_empty() { next } else { value })
        })
    }

    /// The words that are neither options nor the values of these options.
    pub(super) fn operands(&self, with_value: &[&str]) -> Vec<&str> {
        let (mut found, mut only, mut skip) = (Vec::new(), false, false);
        for arg in &self.args {
            match arg.as_str() {
                _ if skip => skip = false,
                "--" if !only => only = true,
                option if !only && option.starts_with('-') && option.len() > 1 => {
                    skip = with_value.contains(&option);
                }
                operand => found.push(operand),
            }
        }
        found
    }

    /// A path as this program resolves it.
    pub(super) fn resolve(&self, path: &str) -> String {
        let whole = if path.starts_with('/') { path.to_owned() } else { format!("{}/{path}", self.cwd) };
        let mut steps: Vec<&str> = Vec::new();
        for step in whole.split('/') {
            match step {
                "" | "." => {}
                ".." => drop(steps.pop()),
                step => steps.push(step),
            }
        }
        format!("/{}", steps.join("/"))
    }

    /// For git: the subcommand and the words after it, with aliases of the line.
    pub(super) fn git(&self) -> Option<Self> {
        if let Some(sub) = self.name.strip_prefix("git-") {
            return Some(self.with(sub, self.args.clone()));
        }
        if self.name != "git" {
            return None;
        }
        let mut words = self.args.iter();
        let mut aliases = Vec::new();
        while let Some(word) = words.next() {
            match word.as_str() {
                "-C" | "--git-dir" | "--work-tree" | "--namespace" => drop(words.next()),
                "-c" => {
                    let setting = words.next().and_then(|setting| setting.strip_prefix("alias."));
                    aliases.extend(setting.and_then(|alias| alias.split_once('=')));
                }
                option if option.starts_with('-') => {}
                sub => {
                    let alias = aliases.iter().find(|(name, _)| *name == sub).map(|(_, text)| *text);
                    let mut all: Vec<String> =
                        alias.unwrap_or(sub).split_whitespace().map(str::to_owned).collect();
                    all.extend(words.cloned());
                    let sub = all.first()?.clone();
                    return Some(self.with(&sub, all.into_iter().skip(1).collect()));
                }
            }
        }
        None
    }

    fn with(&self, name: &str, args: Vec<String>) -> Self {
        Self {
            name: name.to_owned(),
            args,
            cwd: self.cwd.clone(),
            stdin: self.stdin.clone(),
            file: self.file.clone(),
            text: self.text.clone(),
        }
    }
}
