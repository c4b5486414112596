//! Code for a shell within code of another language: `vim -c '!CODE'`, `psql <<< '\! CODE'`.

use super::super::Opaque;
use super::super::programs::escapes::Escape;
use super::super::programs::{Options, Program, Role};
use super::super::token::{Token, Words, long};
use super::arguments::Arguments;
use super::interpreters::Source;
use super::{Done, Walk};

impl Walk {
    /// Follows what a shell gets of the code of a program: of its options, operands, files and input. Whether its code is
    /// in a language of its own.
    pub(super) fn escapes(
        &mut self,
        at: usize,
        program: &'static Program,
        name: &str,
        words: Words,
        call: &Arguments,
    ) -> Done<bool> {
        let rows = [call.verb, Some(program.options())];
        let Some(options) = rows.into_iter().flatten().find(|options| !options.escapes().is_empty()) else {
            return Ok(false);
        };
        let mut codes: Vec<Token> = call.codes.iter().map(|(code, _)| *code).collect();
        if call.takes("+").is_some() {
            // `vim +CODE`
            let is_plus = |word: &&Token| self.arena.text(**word).starts_with('+');
            codes.extend(self.arena.words(words.skip(1)).iter().filter(is_plus));
        }
        codes.extend(self.code_operands(options, call));
        codes.extend(self.code_files(at, options, call)?);
        for code in codes {
            self.escapes_of(Some(at), options, name, code)?;
        }
        Ok(true)
    }

    /// Follows what a shell gets of the value of a variable.
    pub(super) fn escapes_of_variable(
        &mut self,
        at: Option<usize>,
        program: &str,
        label: &str,
        code: Token,
    ) -> Done<()> {
        match self.programs.find(program).map(Program::options) {
            Some(options) => self.escapes_of(at, options, label, code),
            None => Ok(()),
        }
    }

    /// The operands that are code.
    fn code_operands(&mut self, options: &Options<'_>, call: &Arguments) -> Vec<Token> {
        let places =
            options.places.iter().flatten().filter(|place| !place.unless_given || call.codes.is_empty());
        let operands: Vec<Token> = self.operands_of_call(call).iter().map(|(_, word)| *word).collect();
        let mut codes = Vec::new();
        for (number, place) in places.enumerate().filter(|(_, place)| place.role.is_code()) {
            let listed = operands.get(number..).unwrap_or_default();
            match (place.repeats, place.role) {
                // Words of one command.
                (true, Role::Expr) if !listed.is_empty() => codes.push(self.join_with(listed, " ")),
                (true, _) => codes.extend(listed),
                (false, _) => codes.extend(listed.first()),
            }
        }
        codes
    }

    /// The code in its input, and in files that the line has written.
    fn code_files(&mut self, at: usize, options: &Options<'_>, call: &Arguments) -> Done<Vec<Token>> {
        let is_input = |file: &Token| matches!(self.arena.text(*file), "-" | "/dev/stdin");
        let named = call.loads.iter().chain(call.codes.iter().map(|(code, _)| code));
        let is_program = named.into_iter().any(is_input);
        let mut files: Vec<_> = call.loads.iter().map(|file| self.named(*file)).collect();
        let mut codes = Vec::new();
        if is_program {
            // `awk -f -`
            self.input_is_code(at, call.kind, false)?;
        }
        let is_code = options.row.is("executes") || options.row.text("stdin").is_some();
        let reads = is_code || is_program;
        if reads && self.input() > 0 {
            let input = self.inputs.get(long(self.input())).copied().unwrap_or_default();
            files.extend(input.file);
            codes.extend(input.text);
        }
        for load in &call.loads {
            codes.extend(self.text_of_descriptor(*load));
        }
        if let Some(script) = self.script_operand(options, call) {
            codes.extend(self.texts_of_script(at, script)?);
        }
        for file in files.into_iter().filter(|_| !self.written.is_empty()).collect::<Vec<_>>() {
            codes.extend(self.text_of_file(at, file)?);
        }
        Ok(codes)
    }

    /// The script among the operands.
    fn script_operand(&self, options: &Options<'_>, call: &Arguments) -> Option<Token> {
        let has_script = options.row.text("operands").is_some_and(|operands| operands.starts_with("SCRIPT"));
        let first = self.operands_of_call(call).first().filter(|_| has_script && call.codes.is_empty());
        first.map(|(_, word)| *word)
    }

    /// The texts of a script that the line has: from a descriptor, or written to the file before.
    pub(super) fn texts_of_script(&mut self, at: usize, script: Token) -> Done<Vec<Token>> {
        let mut texts: Vec<_> = self.text_of_descriptor(script).into_iter().collect();
        let script = self.named(script);
        texts.extend(self.known_texts_of_file(at, script)?);
        Ok(texts)
    }

    /// The text that a descriptor other than standard input gives, if the line has it: `python3 /dev/fd/3 3<<<TEXT`.
    fn text_of_descriptor(&mut self, file: Token) -> Option<Token> {
        match self.source_of(file) {
            Source::Descriptor(Some(fd)) if fd > 0 => {
                let input = self.input_of(fd);
                self.inputs.get(long(input))?.text
            }
            _ => None,
        }
    }

    /// Follows what a shell gets of a piece of code.
    fn escapes_of(&mut self, at: Option<usize>, options: &Options<'_>, name: &str, code: Token) -> Done<()> {
        let text = self.arena.text(code);
        let (found, length) = (options.escapes().find(text), text.len());
        self.step(1 + found.len() + length / 16)?;
        for escape in found {
            match escape {
                Escape::Line(range) => {
                    let line = self.arena.slice(code, range.start, range.end);
                    self.code(at, line, name, Some(Words::default()))?;
                }
                Escape::Unknown => self.opaque(Opaque::Code),
            }
        }
        Ok(())
    }

    /// `sshfs -o reconnect,ssh_command=CODE`
    pub(super) fn mount_options(&mut self, name: &str, options: Token, call: &Arguments) -> Done<()> {
        let mut from = 0;
        let options_text = self.arena.text(options).to_owned();
        for option in options_text.split(',') {
            let to = from + option.len();
            if let Some(code) = option.strip_prefix("ssh_command=") {
                let code = self.arena.slice(options, to - code.len(), to);
                self.code(None, code, &format!("{name} -o"), Some(Words::default()))?;
            } else {
                let setting = self.arena.slice(options, from, to);
                self.setting_of(None, name, "-o", setting, call)?;
            }
            from = to + 1;
        }
        Ok(())
    }
}
