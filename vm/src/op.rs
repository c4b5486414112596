//! The instruction table. The enum, the decoder, the disassembler, the verifier's operand checks
//! and `docs/bytecode.md` are generated from it.
//!
//! There are four groups. A *predicate* is a row of the predicate table: it reads slots and
//! constants, is true or false for an event, and is evaluated at most once per decision. *Residual*
//! instructions are the code of a condition: they test predicates and other conditions and jump
//! forward. *Filter* and *value* rows are the filter expressions of queries (RFC 9535 §2.3.5):
//! tests of the current node, and the values they compare.
//!
//! A predicate whose slot is written `@` ([`NODE`](crate::rows::NODE)) tests the current
//! node; only `any` uses it. A slot after all slots of the header is a row of the table of bounds: a
//! value at a node that `some` binds. Predicates with one, and conditions that test them, are *open*:
//! they have a result only for the bound nodes. The slots after those are rows of the table of recalls: values of the
//! history, which only predicates can read that `recalled` tests. All rows are [`Row`](crate::rows::Row)s of 8 bytes:
//! operation, operand `a`, operand `b`.

/// Hands the whole table to a macro: `number name "mnemonic" group (a b)
/// cost "meaning"`. Operand types: `slot` sN, `const` kN, `list` lN (a list
/// of constants), `pattern` rN, `schema` mN, `query` qN, `filter` fN (a lower row),
/// `value` vN (of a value row: a lower one), `pred` pN (of a predicate: a
/// lower one), `cond` cN, `bound` uN, `effect` eN, `recall` hN, `addr` @N (row of the condition's code block,
/// forward), `none`. Cost is in units of one scalar
/// comparison; `event` costs grow with the value tested.
#[macro_export]
macro_rules! for_each_op {
    ($consume:ident) => {
        $consume! {
            0x01 Exists "exists" pred (slot none) 1 "present and not null";
            0x02 Eq "eq" pred (slot const) 1 "equals the constant, deeply; absent equals only null";
            0x03 Gt "gt" pred (slot const) 1 "is a number greater than the constant";
            0x04 Gte "gte" pred (slot const) 1 "is a number greater than or equal to the constant";
            0x05 Lt "lt" pred (slot const) 1 "is a number less than the constant";
            0x06 Lte "lte" pred (slot const) 1 "is a number less than or equal to the constant";
            0x07 In "in" pred (slot list) 4 "equals one of the list's constants";
            0x08 Contains "contains" pred (slot const) 8 "its text has the needle's text, or the array has an equal element";
            0x09 StartsWith "starts_with" pred (slot const) 2 "its text starts with the constant";
            0x0a EndsWith "ends_with" pred (slot const) 2 "its text ends with the constant";
            0x0b Regex "regex" pred (slot pattern) 32 "the pattern is found in its text";
            0x0c Glob "glob" pred (slot list) 8 "is a string and one of the list's globs matches it as a whole";
            0x0d Matches "matches" pred (slot schema) 64 "is present and valid against the schema";
            0x12 EqFold "eq_fold" pred (slot const) 2 "eq, strings folded";
            0x17 InFold "in_fold" pred (slot list) 8 "in, strings folded";
            0x18 ContainsFold "contains_fold" pred (slot const) 16 "contains, strings folded";
            0x19 StartsWithFold "starts_with_fold" pred (slot const) 4 "starts_with, strings folded";
            0x1a EndsWithFold "ends_with_fold" pred (slot const) 4 "ends_with, strings folded";
            0x1b RegexFold "regex_fold" pred (slot pattern) 32 "regex, a string's case ignored";
            0x1c GlobFold "glob_fold" pred (slot list) 16 "glob, case ignored";
            0x22 EqSlot "eq_slot" pred (slot slot) 2 "equals the other slot's value; false if that is absent";
            0x23 GtSlot "gt_slot" pred (slot slot) 2 "both are numbers, the first greater";
            0x24 GteSlot "gte_slot" pred (slot slot) 2 "both are numbers, the first greater or equal";
            0x25 LtSlot "lt_slot" pred (slot slot) 2 "both are numbers, the first less";
            0x26 LteSlot "lte_slot" pred (slot slot) 2 "both are numbers, the first less or equal";
            0x27 InSlot "in_slot" pred (slot slot) 8 "equals an element of the other slot's array";
            0x28 ContainsSlot "contains_slot" pred (slot slot) 8 "contains, the needle being the other slot's scalar";
            0x29 StartsWithSlot "starts_with_slot" pred (slot slot) 2 "its text starts with the other \
                slot's string";
            0x2a EndsWithSlot "ends_with_slot" pred (slot slot) 2 "its text ends with the other slot's string";
            0x32 EqSlotFold "eq_slot_fold" pred (slot slot) 2 "eq_slot, strings folded";
            0x37 InSlotFold "in_slot_fold" pred (slot slot) 8 "in_slot, strings folded";
            0x38 ContainsSlotFold "contains_slot_fold" pred (slot slot) 16 "contains_slot, strings folded";
            0x39 StartsWithSlotFold "starts_with_slot_fold" pred (slot slot) 4 "starts_with_slot, strings folded";
            0x3a EndsWithSlotFold "ends_with_slot_fold" pred (slot slot) 4 "ends_with_slot, strings folded";
            0x40 Any "any" pred (query pred) 64 "the predicate is true of a node of the query";
            0x41 Some "some" pred (bound cond) 256 "the condition is true with one of the nodes bound";
            0x42 Acts "acts" pred (effect none) 512 "the predicate about effects is true of what the event does";
            0x43 Past "past" pred (recall none) 8 "the recall is true";
            0x44 Recalled "recalled" pred (pred none) 8 "the predicate, which reads values of recalls, is true";
            0x50 All "all" filter (filter filter) 1 "every row from the first to the second is true";
            0x51 OneOf "one_of" filter (filter filter) 1 "a row from the first to the second is true";
            0x52 Not "not" filter (filter none) 1 "the row is false";
            0x53 Has "has" filter (query none) 8 "the query has a node";
            0x54 Same "same" filter (value value) 1 "the values are equal, deeply, or both nothing";
            0x55 Less "less" filter (value value) 1 "both are numbers, or both strings, the first less";
            0x56 AtMost "at_most" filter (value value) 1 "less or same";
            0x57 Match "match" filter (value pattern) 32 "is a string in which the pattern is found";
            0x58 MatchValue "match_value" filter (value value) 256 "is a string that the second, an I-Regexp, matches as a whole";
            0x59 SearchValue "search_value" filter (value value) 256 "is a string in which the second, an I-Regexp, is found";
            0x60 Literal "literal" value (const none) 1 "the constant";
            0x61 Only "only" value (query none) 8 "the query's node if it has just one, else nothing";
            0x62 Count "count" value (query none) 8 "how many nodes the query has";
            0x63 Length "length" value (value none) 2 "characters, elements or members of the value, else nothing";
            0x80 Yes "yes" code (none none) 1 "the condition is true";
            0x81 No "no" code (none none) 1 "the condition is false";
            0x82 Jump "jump" code (none addr) 1 "jump to the address";
            0x83 IfPred "if" code (pred addr) 1 "jump to the address if the predicate is true, else \
                continue";
            0x84 UnlessPred "unless" code (pred addr) 1 "jump to the address if the predicate is false, \
                else continue";
            0x85 IfCond "if_cond" code (cond addr) 1 "jump to the address if the condition is true, else \
                continue";
            0x86 UnlessCond "unless_cond" code (cond addr) 1 "jump to the address if the condition is \
                false, else continue";
            0x87 IfBound "if_bound" code (pred addr) 1 "if, for a predicate that reads a bound node";
            0x88 UnlessBound "unless_bound" code (pred addr) 1 "unless, for a predicate that reads a bound node";
            0x89 IfBoundCond "if_bound_cond" code (cond addr) 1 "if_cond, for a condition that reads a bound node";
            0x8a UnlessBoundCond "unless_bound_cond" code (cond addr) 1 "unless_cond, for a condition that reads a \
                bound node";
        }
    };
}

/// The kind of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// Always zero.
    None,
    /// A slot, `s3`.
    Slot,
    /// A constant, `k7`.
    Const,
    /// A list of constants, `l2`.
    List,
    /// A regular expression, `r0`.
    Pattern,
    /// A JSON Schema, `m4`.
    Schema,
    /// A query, `q2`.
    Query,
    /// A lower row of the filter table, `f3`.
    Filter,
    /// A row of the value table, `v4`; of a value row, a lower one.
    Value,
    /// A predicate, `p17`.
    Pred,
    /// A condition with a lower number, `c5`.
    Cond,
    /// A later row of the same block, `@9`.
    Addr,
    /// Nodes to bind, `u2`.
    Bound,
    /// A predicate about effects, `e1`.
    Effect,
    /// A read of the history, `h3`.
    Recall,
}

/// The group of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// A row of the predicate table.
    Pred,
    /// A row of the filter table.
    Filter,
    /// A row of the value table.
    Value,
    /// A row of a condition's code.
    Code,
}

macro_rules! operand {
    (none) => {
        Operand::None
    };
    (slot) => {
        Operand::Slot
    };
    (const) => {
        Operand::Const
    };
    (list) => {
        Operand::List
    };
    (pattern) => {
        Operand::Pattern
    };
    (schema) => {
        Operand::Schema
    };
    (query) => {
        Operand::Query
    };
    (filter) => {
        Operand::Filter
    };
    (value) => {
        Operand::Value
    };
    (pred) => {
        Operand::Pred
    };
    (cond) => {
        Operand::Cond
    };
    (addr) => {
        Operand::Addr
    };
    (bound) => {
        Operand::Bound
    };
    (effect) => {
        Operand::Effect
    };
    (recall) => {
        Operand::Recall
    };
}

macro_rules! group {
    (pred) => {
        Group::Pred
    };
    (filter) => {
        Group::Filter
    };
    (value) => {
        Group::Value
    };
    (code) => {
        Group::Code
    };
}

/// An operation with all that the verifier asks of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpForm {
    pub(crate) op: Op,
    pub(crate) group: Group,
    pub(crate) a: Operand,
    pub(crate) b: Operand,
}

impl OpForm {
    /// The operation of a number, found by one look at a table.
    #[inline]
    pub(crate) fn from_number(number: u8) -> Option<Self> {
        OP_FORMS.get(usize::from(number)).copied().flatten()
    }
}

macro_rules! define {
    ($($number:literal $name:ident $mnemonic:literal $group:tt ($a:tt $b:tt) $cost:literal $meaning:literal;)*) => {
        /// An operation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Op { $(#[doc = $meaning] $name = $number,)* }

        impl Op {
            /// All of them, by number.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The operation of a number.
            #[inline]
            #[must_use]
            pub const fn from_number(number: u8) -> Option<Self> {
                match number { $($number => Some(Self::$name),)* _ => None }
            }

            /// Its name in text.
            #[must_use]
            pub const fn mnemonic(self) -> &'static str {
                match self { $(Self::$name => $mnemonic,)* }
            }

            /// Predicate or code.
            #[must_use]
            pub const fn group(self) -> Group {
                match self { $(Self::$name => group!($group),)* }
            }

            const fn form(number: u8) -> Option<OpForm> {
                match number {
                    $($number => {
                        Some(OpForm { op: Self::$name, group: group!($group), a: operand!($a), b: operand!($b) })
                    })*
                    _ => None,
                }
            }

            /// The kinds of `a` and `b`.
            #[must_use]
            pub const fn operands(self) -> (Operand, Operand) {
                match self { $(Self::$name => (operand!($a), operand!($b)),)* }
            }

            /// Cost in scalar comparisons.
            #[must_use]
            pub const fn cost(self) -> u32 {
                match self { $(Self::$name => $cost,)* }
            }

            /// One line of meaning.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$name => $meaning,)* }
            }
        }
    };
}

for_each_op!(define);

/// By number.
static OP_FORMS: [Option<OpForm>; 256] = {
    let mut forms = [None; 256];
    let mut number = 0_u8;
    while number < u8::MAX {
        #[allow(clippy::indexing_slicing, reason = "a constant: it fails while the crate is compiled")]
        {
            forms[number as usize] = Op::form(number);
        }
        number = number.wrapping_add(1);
    }
    forms
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_those_of_the_operations() {
        for number in 0..=u8::MAX {
            let form = OpForm::from_number(number);
            assert_eq!(form.map(|form| form.op), Op::from_number(number), "{number}");
            let Some(form) = form else { continue };
            assert_eq!((form.group, (form.a, form.b)), (form.op.group(), form.op.operands()), "{number}");
        }
    }
}
