//! The arguments of a command and their roles, from its words and its row.

use super::conditions::{add_signs, effective};
use super::line::Word;
use super::rows::{Options, Row, Slot};
use super::text::{Symbol, Text};
use super::verb::{self, Verb};

/// A value with a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Argument {
    pub(super) role: String,
    pub(super) text: Text,
    /// The names of the option that takes it.
    pub(super) option: Option<Vec<String>>,
    /// The word that it is in; the program is 0.
    pub(super) at: usize,
}

/// An option on the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Given {
    /// All its names without dashes, the written one first.
    pub(super) names: Vec<String>,
    pub(super) values: Vec<Text>,
    /// The words of the values.
    pub(super) values_at: Vec<usize>,
    /// Its row; none if no row has it.
    pub(super) options: Option<Options>,
    pub(super) is_global: bool,
    pub(super) at: usize,
}

/// The arguments of a command.
#[derive(Clone, Debug, Default)]
pub(super) struct Arguments<'r> {
    pub(super) given: Vec<Given>,
    /// Operands without the subcommand: which word, its text, and whether it follows `--`.
    pub(super) operands: Vec<(usize, Text, bool)>,
    pub(super) verb: Option<Verb<'r>>,
    /// The row with everything that the words change about it.
    pub(super) row: Option<Row>,
    pub(super) roles: Vec<Argument>,
}

/// Splits the words of a command.
pub(super) fn arguments<'r>(program: Option<&'r Row>, words: &[Word]) -> Arguments<'r> {
    let mut reader =
        Reader { program, verb: None, arguments: Arguments::default(), operands: Vec::new(), is_over: false };
    reader.read(words);
    let Reader { verb, mut arguments, operands, .. } = reader;
    let taken = verb.as_ref().map(|verb| verb.at.clone()).unwrap_or_default();
    let rest = operands.into_iter().enumerate().filter(|(at, _)| !taken.contains(at));
    arguments.operands = rest.map(|(_, operand)| operand).collect();
    let row = match &verb {
        Some(verb) => verb.row,
        None => program,
    };
    arguments.verb = verb;
    arguments.row = row.map(Row::alone);
    // Conditions on expressions need the roles of the row as it is.
    arguments.roles = roles(program, &arguments);
    arguments.row = row.map(|row| effective(row, &arguments, words));
    let changed: Vec<Options> =
        arguments.row.iter().flat_map(|row| row.ifs.iter().flat_map(|met| met.row.options.clone())).collect();
    for given in &mut arguments.given {
        let has_name = |options: &&Options| {
            options
                .names
                .iter()
                .any(|name| given.names.first().is_some_and(|listed| listed == name.trim_start_matches('-')))
        };
        given.options = changed.iter().rfind(has_name).cloned().or(given.options.take());
    }
    arguments.roles = roles(program, &arguments);
    let slots = arguments.row.as_ref().and_then(|row| row.operands.clone()).unwrap_or_default();
    // In front of a command they are its environment.
    if slots.len() > 1 {
        let settings = settings(&slots, arguments.operands.iter().map(|(_, text, _)| text));
        arguments.operands.drain(..settings);
    }
    add_signs(&mut arguments);
    arguments
}

struct Reader<'r> {
    program: Option<&'r Row>,
    verb: Option<Verb<'r>>,
    arguments: Arguments<'r>,
    operands: Vec<(usize, Text, bool)>,
    /// No option follows.
    is_over: bool,
}

impl<'r> Reader<'r> {
    fn row(&self) -> Option<&'r Row> {
        match &self.verb {
            Some(verb) => verb.row,
            None => self.program,
        }
    }

    /// The rows whose options the command has, the nearest first.
    fn rows(&self) -> Vec<&'r Row> {
        let verb = self.verb.iter().flat_map(|verb| verb.row.into_iter().chain(verb.parents.iter().copied()));
        verb.chain(self.program).collect()
    }

    fn read(&mut self, words: &[Word]) {
        let (mut at, mut is_after) = (1, false);
        if self.program.is_some_and(|row| row.is("bundle_first"))
            && let Some(first) = words.get(1)
            && !first.text.prefix().starts_with('-')
        {
            at += 1 + self.letters(&first.text, words, 1);
        }
        while let Some(word) = words.get(at) {
            let start = word.text.prefix();
            let is_option =
                start.starts_with('-') || start.starts_with('+') && self.find(&word.source).is_some();
            if self.is_over || !is_option || word.source == "-" && !self.has_dash() {
                self.operand(at, &word.text, is_after);
                self.is_over |= self.stops();
                at += 1;
            } else if word.source == "--" {
                (self.is_over, is_after) = (true, true);
                at += 1;
            } else {
                at += 1 + self.option(&word.text, words, at);
            }
        }
    }

    /// Whether `-` alone is an option.
    fn has_dash(&self) -> bool {
        self.find("-").is_some()
    }

    fn operand(&mut self, at: usize, text: &Text, is_over: bool) {
        self.operands.push((at, text.clone(), is_over));
        if let Some(program) = self.program {
            let words: Vec<Option<String>> =
                self.operands.iter().map(|(_, text, _)| text.literal()).collect();
            self.verb = verb::find(program, &words);
        }
    }

    /// Whether options end at the operands that there are.
    fn stops(&self) -> bool {
        let Some(row) = self.row() else { return false };
        let taken = self.verb.as_ref().map_or(0, |verb| verb.at.len());
        if self.operands.len() <= taken {
            return false;
        }
        row.stops()
    }

    /// An option by its name with dashes, as its group.
    fn find(&self, name: &str) -> Option<&'r Options> {
        self.rows()
            .into_iter()
            .flat_map(|row| &row.options)
            .find(|options| options.names.iter().any(|listed| listed == name))
    }

    /// A long name, also abbreviated.
    fn long(&self, name: &str) -> Option<(&'r Options, String)> {
        if let Some(options) = self.find(name) {
            return Some((options, name.to_owned()));
        }
        let row = self.row().or(self.program)?;
        if row.is("exact") || self.program.is_some_and(|row| row.is("exact")) || !name.starts_with("--") {
            return None;
        }
        let starts = |options: &&'r Options| options.names.iter().any(|listed| listed.starts_with(name));
        let rows = self.rows();
        let mut found: Vec<&'r Options> =
            rows.into_iter().flat_map(|row| &row.options).filter(starts).collect();
        found.dedup();
        let [options] = found.as_slice() else { return None };
        let full = options.names.iter().find(|listed| listed.starts_with(name))?.clone();
        Some((options, full))
    }

    /// Reads an option; gives how many further words it takes.
    fn option(&mut self, text: &Text, words: &[Word], at: usize) -> usize {
        let start = text.prefix();
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text.clone(), None),
        };
        // `-?` is also a glob.
        let listed =
            words.get(at).map(|word| word.source.clone()).filter(|source| self.find(source).is_some());
        let Some(name) = listed.or_else(|| name.literal()) else {
            // `-t$X`: the value of a letter.
            let is_short = start.len() > 1 && !start.starts_with("--") && !self.has_long_dash();
            if is_short && self.prefix(&start).is_none() {
                return self.letters(&text.skip(1), words, at);
            }
            return self.joined(text, &start, at).unwrap_or_else(|| {
                self.give(vec![start], Vec::new(), None, at);
                0
            });
        };
        let is_long = name.starts_with("--") || self.has_long_dash();
        if let Some((options, full)) =
            self.long(&name).filter(|_| is_long || value.is_none() && self.find(&name).is_some())
        {
            return self.take(&options.clone(), &full, value, words, at);
        }
        if let Some(taken) = self.joined(text, &start, at) {
            return taken;
        }
        if self.row().is_some_and(|row| row.takes_text(&name)) {
            self.operand(at, text, false);
            return 0;
        }
        if is_long {
            self.give(vec![name], value.into_iter().collect(), None, at);
            return 0;
        }
        self.letters(&text.skip(1), words, at)
    }

    /// Reads an option that its value follows in the word: `-Xmx1g`.
    fn joined(&mut self, text: &Text, start: &str, at: usize) -> Option<usize> {
        let options = self.prefix(start)?;
        let length = options.names.iter().map(String::len).max().unwrap_or(0);
        let name = options.names.first().cloned().unwrap_or_default();
        self.give(names(&options, &name), vec![text.skip(length)], Some(options), at);
        Some(0)
    }

    fn has_long_dash(&self) -> bool {
        self.row().is_some_and(|row| row.is("long_dash"))
            || self.program.is_some_and(|row| row.is("long_dash"))
    }

    fn prefix(&self, start: &str) -> Option<Options> {
        self.rows()
            .into_iter()
            .flat_map(|row| &row.options)
            .find(|options| options.is_prefix && options.names.iter().any(|name| start.starts_with(name)))
            .cloned()
    }

    /// Reads letters of one word; gives how many further words the last one takes.
    fn letters(&mut self, text: &Text, words: &[Word], at: usize) -> usize {
        for (number, symbol) in text.0.iter().enumerate() {
            let Symbol::Char(c) = symbol else {
                self.give(vec!["?".to_owned()], Vec::new(), None, at);
                return 0;
            };
            let name = format!("-{c}");
            let rest = text.skip(number + 1);
            if c.is_ascii_digit()
                && let Some(options) = self.find("-").filter(|options| options.roles == ["DIGITS"]).cloned()
            {
                self.give(vec!["-".to_owned()], vec![text.skip(number)], Some(options), at);
                return 0;
            }
            match self.find(&name).cloned() {
                Some(options) if !options.roles.is_empty() => {
                    let rest = rest.strip_prefix("=").unwrap_or(rest);
                    let value = (!rest.0.is_empty()).then_some(rest);
                    return self.take(&options, &name, value, words, at);
                }
                options => self.give(
                    options.as_ref().map_or(vec![name.clone()], |o| names(o, &name)),
                    Vec::new(),
                    options,
                    at,
                ),
            }
        }
        0
    }

    /// Gives an option its values; gives how many further words they are.
    fn take(
        &mut self,
        options: &Options,
        name: &str,
        value: Option<Text>,
        words: &[Word],
        at: usize,
    ) -> usize {
        let next = |n: usize| words.get(at + n).map(|word| word.text.clone());
        let mut values: Vec<Text> = value.into_iter().collect();
        let (joined, mut taken) = (values.len(), 0);
        // The word after the `+` of `vi +` is a file.
        let is_joined = options.is_joined || name.starts_with('+') && options.roles == ["CODE"];
        if options.takes_command {
            let ends = |word: &Word| matches!(word.source.as_str(), ";" | "+");
            let rest = words.get(at + 1..).unwrap_or_default();
            values.extend(rest.first().filter(|_| joined == 0).map(|word| word.text.clone()));
            taken = match rest.iter().position(ends) {
                Some(end) => end + 1,
                None => rest.len(),
            };
        } else if !is_joined {
            while values.len() < options.roles.len() {
                taken += 1;
                let Some(value) = next(taken) else { break };
                values.push(value);
            }
        }
        self.give(names(options, name), values, Some(options.clone()), at);
        if let Some(given) = self.arguments.given.last_mut() {
            for (number, value_at) in given.values_at.iter_mut().enumerate().skip(joined) {
                *value_at = at + 1 + number - joined;
            }
        }
        if options.is_last {
            let module = self.arguments.given.last().filter(|_| options.roles == ["MODULE"]);
            let module = module.and_then(|given| given.values.first()).cloned();
            self.is_over = true;
            if let Some(module) = module {
                self.operand(at + taken, &module, false);
            }
        }
        taken
    }

    fn give(&mut self, names: Vec<String>, values: Vec<Text>, options: Option<Options>, at: usize) {
        let names = names.iter().map(|name| name.trim_start_matches('-').to_owned()).collect();
        let is_global = self.verb.is_none() && self.program.is_some_and(|row| !row.subs.is_empty());
        let values_at = vec![at; values.len()];
        self.arguments.given.push(Given { names, values, values_at, options, is_global, at });
    }
}

/// All names of an option, the written one first.
pub(super) fn names(options: &Options, name: &str) -> Vec<String> {
    let others = options.names.iter().filter(|listed| *listed != name).cloned();
    std::iter::once(name.to_owned()).chain(others).collect()
}

/// The fields of the value of an option: `src=FILE` of `--secret id=x,src=FILE`. None if no row describes them.
fn fields(rows: &[&Row], given: &Given, options: &Options) -> Option<Vec<Argument>> {
    let listed = rows.iter().map(|row| row.list("fields")).find(|fields| !fields.is_empty())?;
    let described: Vec<(&str, &str)> = listed
        .iter()
        .filter_map(|field| {
            let (option, rest) = field.split_once(':')?;
            options.names.iter().any(|name| name == option).then(|| rest.split_once('='))?
        })
        .collect();
    let (_, first) = described.first()?;
    let (value, at) = given.values.first().zip(given.values_at.first())?;
    let items = value.split(',').into_iter().map(|item| {
        let (key, field) = match item.split_once('=') {
            Some((key, text)) => (key, Some(text)),
            None => (item, None),
        };
        let is_named = |(name, _): &&(&str, &str)| *name == "*" || key.literal().as_deref() == Some(*name);
        let role = match &field {
            _ if key.has_hole() => first,
            Some(_) => described.iter().find(is_named).map_or("TEXT", |(_, role)| role),
            None => options.roles.first().map_or("TEXT", String::as_str),
        };
        let (role, option) = (role.to_owned(), Some(given.names.clone()));
        Argument { role, text: field.unwrap_or(key), option, at: *at }
    });
    Some(items.collect())
}

fn roles(program: Option<&Row>, arguments: &Arguments<'_>) -> Vec<Argument> {
    let mut all = Vec::new();
    let parents = arguments.verb.iter().flat_map(|verb| verb.parents.iter().copied());
    let rows: Vec<&Row> = arguments.row.iter().chain(parents).chain(program).collect();
    for given in &arguments.given {
        let Some(options) = &given.options else { continue };
        if let Some(fields) = fields(&rows, given, options) {
            all.extend(fields);
            continue;
        }
        let values = given.values.iter().zip(&given.values_at);
        for (role, (value, value_at)) in options.roles.iter().zip(values) {
            let option = Some(given.names.clone());
            let at = *value_at;
            all.push(Argument { role: role.clone(), text: value.clone(), option, at });
        }
    }
    if let Some(row) = &arguments.row {
        let operands = operands(row, arguments, &all);
        all.extend(operands);
    }
    all
}

/// The operands of a command. `options` are the values of its options.
fn operands(row: &Row, arguments: &Arguments<'_>, options: &[Argument]) -> Vec<Argument> {
    let gives = |argument: &Argument, slot: &Slot| {
        argument.role == slot.role
            || matches!(slot.role.as_str(), "SCRIPT" | "EXPR")
                && matches!(argument.role.as_str(), "CODE" | "SCRIPT" | "MODULE")
    };
    let has_last = arguments.given.iter().any(|given| given.options.as_ref().is_some_and(|one| one.is_last));
    let is_given = |slot: &Slot| {
        let is_open = slot.is_optional || has_last && matches!(slot.role.as_str(), "SCRIPT" | "EXPR");
        is_open && options.iter().any(|argument| gives(argument, slot))
    };
    let mut operands: Vec<Argument> = Vec::new();
    let parts = match &row.after {
        Some(after) => vec![(false, row.operands.clone().unwrap_or_default()), (true, after.clone())],
        None => vec![(false, row.operands.clone().unwrap_or_default())],
    };
    let pairs: Vec<(String, String)> = row
        .list("pairs")
        .iter()
        .filter_map(|pair| pair.split_once('=').map(|(name, role)| (name.to_owned(), role.to_owned())))
        .collect();
    for (is_after, slots) in parts {
        let mut slots: Vec<Slot> = slots.into_iter().filter(|slot| !is_given(slot)).collect();
        // With an option for the target, all operands are sources.
        let is_copy =
            slots.iter().any(|slot| slot.is_many) && slots.last().is_some_and(|slot| slot.role == "WRITE");
        if is_copy && options.iter().any(|argument| argument.role == "INTO") {
            slots.pop();
        }
        let listed: Vec<&(usize, Text, bool)> = arguments
            .operands
            .iter()
            .filter(|(.., after)| row.after.is_none() || *after == is_after)
            .collect();
        let settings = settings(&slots, listed.iter().map(|(_, text, _)| text));
        let sets = usize::from(slots.first().is_some_and(is_setting));
        let slots: Vec<Slot> = slots.into_iter().skip(sets).collect();
        for (number, (at, text, _)) in listed.iter().skip(settings).enumerate() {
            let pair = pairs.iter().find_map(|(name, role)| Some((role, value_of(name, text)?)));
            let (role, text) = match pair {
                Some((role, value)) => (role.clone(), value),
                None => (role_of(&slots, number, listed.len() - settings), text.clone()),
            };
            operands.push(Argument { role, text, option: None, at: *at });
        }
    }
    operands
}

/// How many of the first operands set variables: `A=b` of `env A=b cmd`.
fn settings<'t>(slots: &[Slot], operands: impl Iterator<Item = &'t Text>) -> usize {
    let sets = slots.first().is_some_and(is_setting);
    operands.take_while(|text| sets && text.prefix().contains('=')).count()
}

fn is_setting(slot: &Slot) -> bool {
    slot.role == "SET" && slot.is_many
}

/// The value of a pair: `if=FILE`, `TCP:HOST,OPTION`.
fn value_of(name: &str, text: &Text) -> Option<Text> {
    let start: String = text.prefix().chars().take(name.chars().count()).collect();
    if !name.ends_with(':') {
        return text.strip_prefix(&format!("{name}="));
    }
    start
        .eq_ignore_ascii_case(name)
        .then(|| text.skip(name.chars().count()).split(',').into_iter().next())
        .flatten()
}

/// The role of an operand by its number, of so many.
pub(super) fn role_of(slots: &[Slot], number: usize, count: usize) -> String {
    let many = slots.iter().position(|slot| slot.is_many);
    let slot = match many {
        Some(many) if number >= many => {
            let last = slots.len() - many - 1;
            // The last slots take the last operands.
            let from_end = count - number;
            if from_end <= last { slots.get(slots.len() - from_end) } else { slots.get(many) }
        }
        _ => slots.get(number),
    };
    slot.map_or("TEXT".to_owned(), |slot| slot.role.clone())
}
