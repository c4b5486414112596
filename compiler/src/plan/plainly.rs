//! Schemas that other operators say exactly, so that `matches` shares their
//! predicates, and whatever finds those fast.
//!
//! What stands in for a schema is false of what is absent, as `matches` is.
//! Therefore `null` is never among the constants (what is absent equals it),
//! and no negation is taken over. A member asked for by `required` becomes a
//! longer path: who reads it reads the subtree that `matches` uses whole, so
//! that keys said twice are refused as before.

use hookc_schema::tree::Step;
use hookc_vm::number;
use hookc_vm::op::Op;
use hookc_vm::schema::Keyword;

use super::{Builder, CondId, ConstKind, Right};
use crate::check::ReadPath;
use crate::schema::{Graph, Literal, Operand, Rule, Written};

/// Schemas looked at before one is left as it is: references may lead to one
/// schema many times, and a plan is never larger than what was written.
const FEW: usize = 64;

/// The bits of types, as in [`Operand::Types`].
const BOOLEAN: u8 = 2;
const INTEGER: u8 = 4;
const NUMBER: u8 = 8;
/// Both said, which is no more than the second.
const NUMBERS: u8 = INTEGER | NUMBER;
const OBJECT: u8 = 64;

/// A schema in the words of leaves.
#[derive(Debug)]
pub(super) enum Plainly<'g> {
    /// Equal to one of these.
    OneOf(Vec<&'g Literal>),
    /// True or false.
    Boolean,
    /// A number within a bound.
    Number(Op, &'g Literal),
    /// There is a member of the name, of which it holds.
    Member(&'g str, Box<Plainly<'g>>),
    /// `true`: all, `false`: any; one at least.
    Group(bool, Vec<Plainly<'g>>),
}

/// The schema in other words, if there are any.
pub(super) fn plainly(graph: &Graph) -> Option<Plainly<'_>> {
    Reader { graph, left: FEW }.node(graph.root)
}

struct Reader<'g> {
    graph: &'g Graph,
    left: usize,
}

impl<'g> Reader<'g> {
    /// The recursion is bounded by [`FEW`].
    fn node(&mut self, node: u32) -> Option<Plainly<'g>> {
        self.left = self.left.checked_sub(1)?;
        let rules = self.graph.nodes.get(node as usize)?;
        let (groups, own): (Vec<&Written>, Vec<&Written>) =
            rules.iter().partition(|rule| matches!(rule.keyword, Keyword::AllOf | Keyword::AnyOf));
        let mut all = Vec::with_capacity(groups.len().saturating_add(1));
        if !own.is_empty() {
            all.push(self.own(&own)?);
        }
        for rule in groups {
            let Operand::Schemas(schemas) = &rule.operand else { return None };
            let parts = schemas.iter().map(|schema| self.node(*schema)).collect::<Option<Vec<_>>>()?;
            all.push(group(rule.keyword == Keyword::AllOf, parts)?);
        }
        group(true, all)
    }

    fn own(&mut self, rules: &[&'g Written]) -> Option<Plainly<'g>> {
        match rules {
            [Rule { keyword: Keyword::Never, .. }, ..] => Some(Plainly::OneOf(Vec::new())),
            [Rule { keyword: Keyword::Enum, operand: Operand::List(all) }] => one_of(all.iter().collect()),
            [
                Rule { operand: Operand::Types(types), .. },
                Rule { keyword: Keyword::Enum, operand: Operand::List(all) },
            ] => one_of(all.iter().filter(|literal| types & kind(literal) != 0).collect()),
            [Rule { operand: Operand::Types(BOOLEAN), .. }] => Some(Plainly::Boolean),
            [Rule { operand: Operand::Types(NUMBER | NUMBERS), .. }, bounds @ ..] => {
                group(true, bounds.iter().map(|rule| bound(rule)).collect::<Option<_>>()?)
            }
            [
                Rule { operand: Operand::Types(OBJECT), .. },
                Rule { keyword: Keyword::Required, operand: Operand::Names(names) },
                Rule { keyword: Keyword::Properties, operand: Operand::Named(members) },
            ] if names.iter().eq(members.iter().map(|(name, _)| name)) => {
                let member = |(name, schema): &'g (String, u32)| {
                    Some(Plainly::Member(name, Box::new(self.node(*schema)?)))
                };
                group(true, members.iter().map(member).collect::<Option<_>>()?)
            }
            _ => None,
        }
    }
}

fn one_of(all: Vec<&Literal>) -> Option<Plainly<'_>> {
    let present = all.iter().all(|literal| literal.kind != ConstKind::Null);
    present.then_some(Plainly::OneOf(all))
}

fn group(all: bool, mut parts: Vec<Plainly<'_>>) -> Option<Plainly<'_>> {
    match parts.len() {
        0 => None,
        1 => parts.pop(),
        _ => Some(Plainly::Group(all, parts)),
    }
}

fn bound(rule: &Written) -> Option<Plainly<'_>> {
    let Operand::Number(number) = &rule.operand else { return None };
    let op = match rule.keyword {
        Keyword::Minimum => Op::Gte,
        Keyword::Maximum => Op::Lte,
        Keyword::ExclusiveMinimum => Op::Gt,
        Keyword::ExclusiveMaximum => Op::Lt,
        _ => return None,
    };
    Some(Plainly::Number(op, number))
}

/// The types of a constant, by bit.
fn kind(literal: &Literal) -> u8 {
    match literal.kind {
        ConstKind::Null => 1,
        ConstKind::False | ConstKind::True => BOOLEAN,
        ConstKind::Number if number::is_integer(&literal.text) => NUMBERS,
        ConstKind::Number => NUMBER,
        ConstKind::String => 16,
        ConstKind::Array => 32,
        ConstKind::Object => OBJECT,
    }
}

impl Builder {
    /// The condition that a schema comes down to at a path of one value.
    pub(super) fn plainly(&mut self, path: &ReadPath, schema: &Plainly<'_>) -> Option<CondId> {
        match schema {
            Plainly::Group(all, parts) => {
                let parts = parts.iter().map(|part| self.plainly(path, part)).collect::<Option<_>>()?;
                Some(self.group(*all, parts))
            }
            Plainly::Member(name, schema) => self.plainly(&member(path, name)?, schema),
            leaf => {
                let (op, right) = self.leaf(leaf)?;
                let left = self.left(path);
                Some(self.test_of(op, left, right))
            }
        }
    }

    /// The operation and the right side of what is a leaf.
    pub(super) fn leaf(&mut self, schema: &Plainly<'_>) -> Option<(Op, Right)> {
        match schema {
            Plainly::OneOf(all) => match all.as_slice() {
                [one] => Some((Op::Eq, Right::Const(self.pool.literal(one)))),
                all => Some((Op::In, Right::List(self.pool.literals(all.iter().copied())))),
            },
            Plainly::Boolean => {
                let both = [ConstKind::False, ConstKind::True];
                let both = both.map(|kind| Literal { kind, text: String::new() });
                Some((Op::In, Right::List(self.pool.literals(&both))))
            }
            Plainly::Number(op, number) => Some((*op, Right::Const(self.pool.literal(number)))),
            Plainly::Member(..) | Plainly::Group(..) => None,
        }
    }
}

/// The path of a member; where a field merges is settled before it.
fn member(path: &ReadPath, name: &str) -> Option<ReadPath> {
    let longer = |steps: &[Step]| {
        let mut steps = steps.to_vec();
        steps.push(Step::Name(name.to_owned()));
        steps
    };
    match path {
        ReadPath::Plain(steps) => Some(ReadPath::Plain(longer(steps))),
        ReadPath::Merged(steps) => Some(ReadPath::Merged(longer(steps))),
        ReadPath::Nodes(_) => None,
    }
}
