//! From the tree of the reader, whose words are ranges of an arena, to a tree that owns its words.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::{
    Arm, Assignment, Command, CommandKind, Expansion, Joint, List, Part, PartKind, Pipeline, Redirect, Value,
    Word,
};
use crate::arena::Arena;
use crate::token::{self, Special, Symbol, Token, Words, long, within};
use crate::tree::{self, Assigned, Items, NAMED, Name, Node, Shape};

/// A conversion of one line.
pub(super) struct Convert<'a> {
    arena: &'a Arena,
    names: HashMap<Symbol, &'a str>,
    /// The expansions that are converted, by number: brace expansion repeats them.
    expansions: HashMap<u32, Arc<Expansion>>,
}

/// A range in the line.
fn span((from, to): token::Range) -> Option<Range<usize>> {
    (from < to).then(|| long(from)..long(to))
}

impl<'a> Convert<'a> {
    pub(super) fn new(arena: &'a Arena) -> Self {
        Self { arena, names: arena.symbol_names(), expansions: HashMap::new() }
    }

    pub(super) fn list(&mut self, list: &tree::List) -> List {
        let mut pipelines: Vec<Pipeline> = Vec::new();
        for stage in &list.0 {
            let command = self.command(&stage.node, span(stage.span));
            let command = Command { is_timed: stage.timed, ..command };
            let joint = match stage.joint {
                tree::Joint::Pipe => {
                    if let Some(last) = pipelines.last_mut() {
                        last.commands.push(command);
                        last.is_background = stage.background;
                    }
                    continue;
                }
                tree::Joint::Next => Joint::Next,
                tree::Joint::And => Joint::And,
                tree::Joint::Or => Joint::Or,
            };
            pipelines.push(Pipeline {
                joint,
                is_negated: stage.negated,
                is_background: stage.background,
                commands: vec![command],
            });
        }
        List { pipelines }
    }

    fn command(&mut self, node: &Node, span: Option<Range<usize>>) -> Command {
        let kind = match node {
            Node::Redirected(inner, redirects) => {
                let mut command = self.command(inner, span);
                command.redirects.extend(self.redirects(*redirects));
                return command;
            }
            Node::Simple(simple) => {
                let redirects = self.redirects(simple.redirects);
                let assignments = self.assignments(simple.assigns);
                let kind = CommandKind::Simple { assignments, words: self.words(simple.words) };
                return Command { kind, is_timed: false, redirects, span };
            }
            Node::Group(list) => CommandKind::Group(self.list(list)),
            Node::Subshell(list) => CommandKind::Subshell(self.list(list)),
            Node::Coprocess(list) => CommandKind::Coprocess(self.list(list)),
            Node::If(branches, otherwise) => {
                let branches =
                    branches.iter().map(|(condition, body)| (self.list(condition), self.list(body)));
                CommandKind::If { branches: branches.collect(), otherwise: self.list(otherwise) }
            }
            Node::While(condition, body) => {
                CommandKind::While { condition: self.list(condition), body: self.list(body) }
            }
            Node::For(variable, items, body) => CommandKind::For {
                variable: self.word(*variable),
                items: match items {
                    Items::Listed(items) | Items::Chosen(items) => Some(self.words(*items)),
                    Items::Positions => None,
                },
                body: self.list(body),
            },
            Node::Count(expressions, body) => {
                CommandKind::Count { expressions: self.word(*expressions), body: self.list(body) }
            }
            Node::Case(word, arms) => {
                let word = self.word(*word);
                let arms = arms.iter().map(|(patterns, continues, body)| Arm {
                    patterns: self.words(*patterns),
                    body: self.list(body),
                    continues: *continues,
                });
                CommandKind::Case { word, arms: arms.collect() }
            }
            Node::Function(name, body) => {
                CommandKind::Function { name: self.word(*name), body: Box::new(self.command(body, None)) }
            }
            Node::Test(words) => CommandKind::Test(self.words(*words)),
            Node::Arithmetic(inner) => CommandKind::Test(vec![self.word(*inner)]),
            Node::Nothing => CommandKind::Empty,
        };
        Command { kind, is_timed: false, redirects: Vec::new(), span }
    }

    fn words(&mut self, words: Words) -> Vec<Word> {
        let arena = self.arena;
        arena.words(words).iter().map(|token| self.word(*token)).collect()
    }

    fn word(&mut self, token: Token) -> Word {
        let arena = self.arena;
        let mut parts = Vec::new();
        for mark in arena.marks(token) {
            let kind = match mark.kind {
                Special::Glob => PartKind::Pattern,
                Special::Part { id, .. } => PartKind::Expansion(self.expansion(id)),
                kind if kind.is_open() => PartKind::Unknown,
                _ => continue,
            };
            parts.push(Part { range: long(mark.at)..long(mark.at + mark.len), kind });
        }
        let span = arena.span(token).and_then(span);
        Word { text: arena.text(token).to_owned(), is_quoted: token.quoted, parts, span }
    }

    fn expansion(&mut self, id: u32) -> Arc<Expansion> {
        if let Some(known) = self.expansions.get(&id) {
            return Arc::clone(known);
        }
        let arena = self.arena;
        let expansion = match arena.parts.get(long(id)) {
            Some(tree::Part::Parameter(parameter)) => {
                let variable = match parameter.name {
                    Name::Variable(symbol) => self.names.get(&symbol).map(|name| (*name).to_owned()),
                    Name::Position(number) => Some(number.to_string()),
                    _ => None,
                };
                let inner = parameter.subscript.into_iter().chain(parameter.word);
                Expansion::Parameter { variable, words: inner.map(|token| self.word(token)).collect() }
            }
            Some(tree::Part::Commands(list, shape)) => {
                let list = self.list(list);
                match shape {
                    Shape::Output => Expansion::Output(list),
                    Shape::Input => Expansion::Input(list),
                    Shape::Sink => Expansion::Sink(list),
                }
            }
            Some(tree::Part::Inner(inner) | tree::Part::Subscript(_, inner)) => {
                Expansion::Arithmetic(self.word(*inner))
            }
            Some(tree::Part::Array(words)) => Expansion::Array(self.words(*words)),
            None => Expansion::Arithmetic(Word::default()),
        };
        let expansion = Arc::new(expansion);
        self.expansions.insert(id, Arc::clone(&expansion));
        expansion
    }

    fn assignments(&mut self, range: token::Range) -> Vec<Assignment> {
        let arena = self.arena;
        let each = within(&arena.assigns, range).iter().map(|assign| Assignment {
            name: self.names.get(&assign.name).map(|name| (*name).to_owned()).unwrap_or_default(),
            appends: assign.appends,
            value: match assign.value {
                Assigned::Text(token) => Value::Text(self.word(token)),
                Assigned::Array(words) => Value::Array(self.words(words)),
                Assigned::Element(subscript, value) => {
                    Value::Element { subscript: self.word(subscript), value: self.word(value) }
                }
            },
            span: arena.span(assign.text).and_then(span),
        });
        each.collect()
    }

    fn redirects(&mut self, range: token::Range) -> Vec<Redirect> {
        let arena = self.arena;
        let each = within(&arena.redirects, range).iter().map(|redirect| {
            let body = redirect.body.and_then(|body| arena.bodies.get(long(body)).copied().flatten());
            Redirect {
                operator: redirect.op,
                descriptor: Some(redirect.fd).filter(|number| *number != NAMED),
                word: self.word(redirect.target),
                body: body.map(|token| self.word(token)),
            }
        });
        each.collect()
    }
}
