//! Assignments in front of commands, and the elements of arrays.

use super::super::Opaque;
use super::super::token::{Mark, Range, Token, Words, long, short};
use super::super::tree::{Assign, Assigned};
use super::command::appended;
use super::expand::Found;
use super::state::{Args, Value, Variable};
use super::{Done, Walk};

impl Walk {
    /// The assignments in front of a command: for it, or if there is none, from here on. Returns
    /// those of the command, and what is to be restored.
    pub(super) fn assign(&mut self, assigns: Range, is_local: bool) -> Done<(Range, Vec<Variable>)> {
        let (mut saved, mut env, mut kept) = (Vec::new(), Vec::new(), Vec::new());
        for at in assigns.0..assigns.1 {
            let Some(assign) = self.arena.assigns.get(long(at)).copied() else { break };
            let value = self.assigned(&assign)?;
            if self.arena.known_symbol("BASH_ARGV0") == Some(assign.name) {
                self.state.zero = None;
            }
            if self.arena.known_symbol("HOME") == Some(assign.name) {
                self.forget_home();
            }
            if self.arena.known_symbol("argv") == Some(assign.name) {
                // They are the positional parameters of zsh.
                self.state.args = Args::Unknown;
            }
            let new = self.as_number(assign.name, value.0)?;
            if is_local {
                saved.push(self.state.variable(assign.name));
                env.extend(value.1);
                self.state.export(assign.name, new);
            } else {
                self.state.set(assign.name, new);
                kept.extend(value.1);
            }
        }
        // A later program can get these.
        self.code_of_variables(None, &kept)?;
        saved.reverse();
        Ok((appended(&mut self.settings, &mut env), saved))
    }

    /// The new value of a variable; its name and text.
    fn assigned(&mut self, assign: &Assign) -> Done<(Value, Option<(Token, Token)>)> {
        let length = self.arena.text(assign.text).find(['=', '+', '[']).unwrap_or_default();
        let name = self.arena.slice(assign.text, 0, length);
        if !matches!(assign.value, Assigned::Text(_)) && super::is_zsh_table(self.arena.text(name)) {
            self.opaque(Opaque::Name);
        }
        Ok(match assign.value {
            Assigned::Text(text) => {
                let value = self.value(text)?;
                let value = self.at_home(value);
                let appends = assign.appends && !self.is_integer(assign.name);
                let changed = if appends { self.appended(assign.name, value) } else { Value::Text(value) };
                (changed, Some((name, value)))
            }
            Assigned::Array(words) => {
                let mut elements = Vec::new();
                if assign.appends {
                    match self.state.get(assign.name) {
                        Some(Value::List(old)) => elements.extend_from_slice(self.arena.words(old)),
                        Some(Value::Text(old)) => elements.push(old),
                        _ => {}
                    }
                }
                let outer = self.has_keys;
                self.has_keys = self.state.variable(assign.name).has_keys;
                let (new, _) = self.array(words)?;
                self.has_keys = outer;
                elements.extend(new.iter().flatten());
                self.flows_into(Some(assign.name), &elements);
                let changed = self.arena.list(&elements);
                // An integer gets each of them.
                self.as_number(assign.name, Value::List(changed))?;
                (if new.is_some() { Value::List(changed) } else { Value::Unknown }, None)
            }
            Assigned::Element(subscript, value) => {
                self.inner(subscript)?;
                let value = self.value(value)?;
                self.store_element(assign.name, value)?;
                (self.state.get(assign.name).unwrap_or(Value::Unknown), None)
            }
        })
    }

    /// The elements of an array, unless one says where it is (`[3]=x`), whose subscript is evaluated.
    pub(super) fn array(&mut self, words: Words) -> Done<(Option<Vec<Token>>, Found)> {
        let mut elements = Vec::new();
        for at in 0..words.len {
            if let Some(word) = self.arena.word(words, at) {
                self.fields(word, &mut elements)?;
            }
        }
        self.step(elements.len())?;
        let mut moved = false;
        for word in &elements {
            let text = self.arena.text(*word);
            if text.starts_with('[') {
                moved = true;
                let end = text.rfind("]=").or(text.rfind("]+=")).map_or(text.len(), |at| at + 1);
                let subscript = self.arena.slice(*word, 0, end);
                if !self.has_keys {
                    self.evaluate(subscript)?;
                }
            }
        }
        let list = self.arena.list(&elements);
        let found = self.one_of(list);
        Ok(((!moved).then_some(elements), found))
    }

    fn appended(&mut self, name: u32, value: Token) -> Value {
        let value_of_old = self.state.get(name);
        let Some(Value::Text(old)) = value_of_old else {
            let is_inert = self.is_inert(value_of_old) && self.is_inert(Some(Value::Text(value)));
            return if is_inert { Value::Inert } else { Value::Unknown };
        };
        let text = format!("{}{}", self.arena.text(old), self.arena.text(value));
        if text.len() > super::expand::LONGEST {
            return Value::Unknown;
        }
        let after = short(self.arena.text(old).len());
        let mut marks: Vec<Mark> = self.arena.marks(old).to_vec();
        let new = self.arena.marks(value).iter().map(|mark| Mark { at: mark.at + after, ..*mark });
        marks.extend(new);
        Value::Text(self.arena.push(&text, &marks, true))
    }
}
