//! Schemas that other operators can express exactly, so that `matches` shares their predicates and
//! indexes.
//!
//! The replacement of a schema is false for an absent value, as `matches` is. Therefore `null` is
//! never among the constants (absent equals it), and negations are not converted. A member listed
//! in `required` becomes a longer path, which reads the same subtree that `matches` uses whole, so
//! that duplicate keys are rejected as before.

use hookc_base::ConstTag;
use hookc_schema::tree::Step;
use hookc_vm::format::keyword::Keyword;
use hookc_vm::format::number;
use hookc_vm::format::op::Op;

use super::{Builder, CondId, Right};
use crate::ir::ReadPath;
use crate::schema::{Graph, Literal, Operand, Rule, Written};

/// Schemas visited before giving up: references can lead to one schema many times, and a plan is
/// never larger than the source.
const FEW: usize = 64;

/// The bits of types, as in [`Operand::Types`].
const BOOLEAN: u8 = 2;
const INTEGER: u8 = 4;
const NUMBER: u8 = 8;
/// Both, which adds nothing to the second.
const NUMBERS: u8 = INTEGER | NUMBER;
const OBJECT: u8 = 64;

/// A schema as leaves.
#[derive(Debug)]
pub(super) enum SimpleSchema<'g> {
    /// Equal to one of these.
    OneOf(Vec<&'g Literal>),
    /// True or false.
    Boolean,
    /// A number within a bound.
    Number(Op, &'g Literal),
    /// The member exists and satisfies it.
    Member(&'g str, Box<SimpleSchema<'g>>),
    /// `true`: all, `false`: any; one at least.
    Group(bool, Vec<SimpleSchema<'g>>),
}

/// The equivalent, if there is one.
pub(super) fn simple_schema(graph: &Graph) -> Option<SimpleSchema<'_>> {
    Reader { graph, left: FEW }.node(graph.root)
}

struct Reader<'g> {
    graph: &'g Graph,
    left: usize,
}

impl<'g> Reader<'g> {
    /// The recursion is bounded by [`FEW`].
    fn node(&mut self, node: u32) -> Option<SimpleSchema<'g>> {
        self.left = self.left.checked_sub(1)?;
        let rules = self.graph.nodes.get(node as usize)?;
        let (groups, direct): (Vec<&Written>, Vec<&Written>) =
            rules.iter().partition(|rule| matches!(rule.keyword, Keyword::AllOf | Keyword::AnyOf));
        let mut parts_of_node = Vec::with_capacity(groups.len().saturating_add(1));
        if !direct.is_empty() {
            parts_of_node.push(self.direct(&direct)?);
        }
        for rule in groups {
            let Operand::Schemas(schemas) = &rule.operand else { return None };
            let parts = schemas.iter().map(|schema| self.node(*schema)).collect::<Option<Vec<_>>>()?;
            parts_of_node.push(group(rule.keyword == Keyword::AllOf, parts)?);
        }
        group(true, parts_of_node)
    }

    fn direct(&mut self, rules: &[&'g Written]) -> Option<SimpleSchema<'g>> {
        match rules {
            [Rule { keyword: Keyword::Never, .. }, ..] => Some(SimpleSchema::OneOf(Vec::new())),
            [Rule { keyword: Keyword::Enum, operand: Operand::List(literals) }] => {
                one_of(literals.iter().collect())
            }
            [
                Rule { operand: Operand::Types(types), .. },
                Rule { keyword: Keyword::Enum, operand: Operand::List(literals) },
            ] => one_of(literals.iter().filter(|literal| types & kind(literal) != 0).collect()),
            [Rule { operand: Operand::Types(BOOLEAN), .. }] => Some(SimpleSchema::Boolean),
            [Rule { operand: Operand::Types(NUMBER | NUMBERS), .. }, bounds @ ..] => {
                group(true, bounds.iter().map(|rule| bound(rule)).collect::<Option<_>>()?)
            }
            [
                Rule { operand: Operand::Types(OBJECT), .. },
                Rule { keyword: Keyword::Required, operand: Operand::Names(names) },
                Rule { keyword: Keyword::Properties, operand: Operand::Named(members) },
            ] if names.iter().eq(members.iter().map(|(name, _)| name)) => {
                let member = |(name, schema): &'g (String, u32)| {
                    Some(SimpleSchema::Member(name, Box::new(self.node(*schema)?)))
                };
                group(true, members.iter().map(member).collect::<Option<_>>()?)
            }
            _ => None,
        }
    }
}

fn one_of(literals: Vec<&Literal>) -> Option<SimpleSchema<'_>> {
    let present = literals.iter().all(|literal| literal.kind != ConstTag::Null);
    present.then_some(SimpleSchema::OneOf(literals))
}

fn group(is_all: bool, mut parts: Vec<SimpleSchema<'_>>) -> Option<SimpleSchema<'_>> {
    match parts.len() {
        0 => None,
        1 => parts.pop(),
        _ => Some(SimpleSchema::Group(is_all, parts)),
    }
}

fn bound(rule: &Written) -> Option<SimpleSchema<'_>> {
    let Operand::Number(number) = &rule.operand else { return None };
    let op = match rule.keyword {
        Keyword::Minimum => Op::Gte,
        Keyword::Maximum => Op::Lte,
        Keyword::ExclusiveMinimum => Op::Gt,
        Keyword::ExclusiveMaximum => Op::Lt,
        _ => return None,
    };
    Some(SimpleSchema::Number(op, number))
}

/// The types of a constant, by bit.
fn kind(literal: &Literal) -> u8 {
    match literal.kind {
        ConstTag::Null => 1,
        ConstTag::False | ConstTag::True => BOOLEAN,
        ConstTag::Number if number::is_integer(&literal.text) => NUMBERS,
        ConstTag::Number => NUMBER,
        ConstTag::String => 16,
        ConstTag::Array => 32,
        ConstTag::Object => OBJECT,
    }
}

impl Builder {
    /// The condition that a schema comes down to at a path of one value.
    pub(super) fn simple_schema(&mut self, path: &ReadPath, schema: &SimpleSchema<'_>) -> Option<CondId> {
        match schema {
            SimpleSchema::Group(is_all, parts) => {
                let parts = parts.iter().map(|part| self.simple_schema(path, part)).collect::<Option<_>>()?;
                Some(self.group(*is_all, parts))
            }
            SimpleSchema::Member(name, schema) => self.simple_schema(&member(path, name)?, schema),
            leaf => {
                let (op, right) = self.leaf(leaf)?;
                let left = self.left(path);
                Some(self.test_of(op, left, right))
            }
        }
    }

    /// The operation and the right operand of a leaf.
    pub(super) fn leaf(&mut self, schema: &SimpleSchema<'_>) -> Option<(Op, Right)> {
        match schema {
            SimpleSchema::OneOf(literals) => match literals.as_slice() {
                [one] => Some((Op::Eq, Right::Const(self.pool.literal(one)))),
                literals => Some((Op::In, Right::List(self.pool.literals(literals.iter().copied())))),
            },
            SimpleSchema::Boolean => {
                let both = [ConstTag::False, ConstTag::True];
                let both = both.map(|kind| Literal { kind, text: String::new() });
                Some((Op::In, Right::List(self.pool.literals(&both))))
            }
            SimpleSchema::Number(op, number) => Some((*op, Right::Const(self.pool.literal(number)))),
            SimpleSchema::Member(..) | SimpleSchema::Group(..) => None,
        }
    }
}

/// The path of a member; where a field merges is settled before it.
fn member(path: &ReadPath, name: &str) -> Option<ReadPath> {
    let is_bound = matches!(path, ReadPath::Bound(..));
    if is_bound { None } else { path.clone().below(&[Step::Name(name.to_owned())]) }
}
