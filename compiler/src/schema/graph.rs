//! The normal form of a schema: nodes of rules, with the keywords of the VM's table.

use hookc_vm::format::keyword::{Format, Keyword};

use super::Literal;

/// A schema and all nodes that it refers to. Nodes about the value itself have lower numbers than
/// those that apply them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Graph {
    /// Rules by node, each keyword at most once, in the order of the table.
    pub nodes: Vec<Vec<Written>>,
    /// Its start node.
    pub root: u32,
}

/// A rule with its operands in full.
pub type Written = Rule<Literal, Vec<Literal>, String, String>;

/// A keyword and its operands: constants `C`, lists `L`, patterns `P`, names
/// `N`; schemas are numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rule<C, L, P, N> {
    /// The keyword.
    pub keyword: Keyword,
    /// Its rules.
    pub operand: Operand<C, L, P, N>,
}

/// The operands of a keyword; see [`Shape`](hookc_vm::format::keyword::Shape).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of the shapes")]
pub enum Operand<C, L, P, N> {
    None,
    Types(u8),
    Count(u32),
    Format(Format),
    Number(C),
    List(L),
    Pattern(P),
    Names(Vec<N>),
    NamePairs(Vec<(N, N)>),
    Schema(u32),
    From(u32, u32),
    Contains(u32, u32, Option<u32>),
    Schemas(Vec<u32>),
    Named(Vec<(N, u32)>),
    Patterned(Vec<(P, u32)>),
    Branch(u32, Option<u32>, Option<u32>),
}

/// Converts the parts of an operand.
pub(crate) trait RuleMapper<C, L, P, N> {
    type Const;
    type List;
    type Pattern;
    type Name;
    fn constant(&mut self, constant: &C) -> Self::Const;
    fn list(&mut self, list: &L) -> Self::List;
    fn pattern(&mut self, pattern: &P) -> Self::Pattern;
    fn name(&mut self, name: &N) -> Self::Name;
    fn schema(&mut self, schema: u32) -> u32;
}

/// A rule with the types of `W`.
pub(crate) type MappedRule<C, L, P, N, W> = Rule<
    <W as RuleMapper<C, L, P, N>>::Const,
    <W as RuleMapper<C, L, P, N>>::List,
    <W as RuleMapper<C, L, P, N>>::Pattern,
    <W as RuleMapper<C, L, P, N>>::Name,
>;

impl<C, L, P, N> Rule<C, L, P, N> {
    /// Maps its operands to other types.
    pub(crate) fn reworded<W: RuleMapper<C, L, P, N>>(&self, to: &mut W) -> MappedRule<C, L, P, N, W> {
        use Operand as O;
        let operand = match &self.operand {
            O::None => O::None,
            O::Types(types) => O::Types(*types),
            O::Count(count) => O::Count(*count),
            O::Format(format) => O::Format(*format),
            O::Number(number) => O::Number(to.constant(number)),
            O::List(list) => O::List(to.list(list)),
            O::Pattern(pattern) => O::Pattern(to.pattern(pattern)),
            O::Names(names) => O::Names(names.iter().map(|name| to.name(name)).collect()),
            O::NamePairs(pairs) => {
                O::NamePairs(pairs.iter().map(|(a, b)| (to.name(a), to.name(b))).collect())
            }
            O::Schema(schema) => O::Schema(to.schema(*schema)),
            O::From(schema, first) => O::From(to.schema(*schema), *first),
            O::Contains(schema, least, most) => O::Contains(to.schema(*schema), *least, *most),
            O::Schemas(schemas) => O::Schemas(schemas.iter().map(|schema| to.schema(*schema)).collect()),
            O::Named(pairs) => {
                O::Named(pairs.iter().map(|(name, schema)| (to.name(name), to.schema(*schema))).collect())
            }
            O::Patterned(pairs) => {
                O::Patterned(pairs.iter().map(|(p, schema)| (to.pattern(p), to.schema(*schema))).collect())
            }
            O::Branch(test, then, other) => {
                let test = to.schema(*test);
                let then = then.map(|schema| to.schema(schema));
                O::Branch(test, then, other.map(|schema| to.schema(schema)))
            }
        };
        Rule { keyword: self.keyword, operand }
    }

    /// The schemas that it names.
    pub(crate) fn schemas(&self) -> Vec<u32> {
        use Operand as O;
        match &self.operand {
            O::Schema(schema) | O::From(schema, _) | O::Contains(schema, ..) => vec![*schema],
            O::Schemas(schemas) => schemas.clone(),
            O::Named(pairs) => pairs.iter().map(|(_, schema)| *schema).collect(),
            O::Patterned(pairs) => pairs.iter().map(|(_, schema)| *schema).collect(),
            O::Branch(test, then, other) => [Some(*test), *then, *other].into_iter().flatten().collect(),
            _ => Vec::new(),
        }
    }

    /// The schemas that it applies to the value itself.
    pub(crate) fn inner(&self) -> Vec<u32> {
        use hookc_vm::format::keyword::Shape;
        match self.keyword.shape() {
            Shape::Inner | Shape::Inners | Shape::Branch | Shape::NamedInners => self.schemas(),
            _ => Vec::new(),
        }
    }
}

/// Schemas get other numbers; the rest stays.
pub(super) struct Renumbered<F>(pub(super) F);

impl<F: FnMut(u32) -> u32> RuleMapper<Literal, Vec<Literal>, String, String> for Renumbered<F> {
    type Const = Literal;
    type List = Vec<Literal>;
    type Pattern = String;
    type Name = String;

    fn constant(&mut self, constant: &Literal) -> Literal {
        constant.clone()
    }

    fn list(&mut self, list: &Vec<Literal>) -> Vec<Literal> {
        list.clone()
    }

    fn pattern(&mut self, pattern: &String) -> String {
        pattern.clone()
    }

    fn name(&mut self, name: &String) -> String {
        name.clone()
    }

    fn schema(&mut self, schema: u32) -> u32 {
        (self.0)(schema)
    }
}
