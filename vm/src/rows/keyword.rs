//! The table of schema keywords. The enum, the verifier's checks, the disassembler and
//! `docs/bytecode.md` are generated from it.
//!
//! A schema is a block of [`Keyword`](crate::rows::Keyword) rows, each keyword at most
//! once, in the order of their numbers; a value is valid if every row accepts it. `{}` and `true`
//! are the empty block.

/// Hands the whole table to a macro: `number Name "mnemonic" Shape
/// "meaning"`.
#[macro_export]
macro_rules! for_each_keyword {
    ($consume:ident) => {
        $consume! {
            0x01 Never "never" None "nothing is valid";
            0x02 Type "type" Types "is of one of the types";
            0x03 Enum "enum" List "equals one of the list's constants";
            0x10 Minimum "minimum" Number "a number is at least the constant";
            0x11 Maximum "maximum" Number "a number is at most the constant";
            0x12 ExclusiveMinimum "exclusiveMinimum" Number "a number is greater than the constant";
            0x13 ExclusiveMaximum "exclusiveMaximum" Number "a number is less than the constant";
            0x14 MultipleOf "multipleOf" Divisor "a number is a whole multiple of the constant";
            0x18 MinLength "minLength" Count "a string has at least so many characters";
            0x19 MaxLength "maxLength" Count "a string has at most so many characters";
            0x1a Pattern "pattern" Pattern "the pattern is found in a string";
            0x1b Format "format" Format "a string has the format";
            0x20 MinItems "minItems" Count "an array has at least so many elements";
            0x21 MaxItems "maxItems" Count "an array has at most so many elements";
            0x22 UniqueItems "uniqueItems" None "no two elements of an array are equal";
            0x23 PrefixItems "prefixItems" Children "an array's first elements are valid against the schemas, one each";
            0x24 Items "items" ChildFrom "an array's elements from the index on are valid against the \
                schema";
            0x25 Contains "contains" Contains "an array has so many elements that are valid against the schema";
            0x30 MinProperties "minProperties" Count "an object has at least so many members";
            0x31 MaxProperties "maxProperties" Count "an object has at most so many members";
            0x32 Required "required" Names "an object has members of these names";
            0x33 DependentRequired "dependentRequired" NamePairs "an object with the first name of a pair has the second";
            0x34 PropertyNames "propertyNames" Child "an object's names are valid against the schema";
            0x35 Properties "properties" NamedChildren "an object's members of these names are valid against their schemas";
            0x36 PatternProperties "patternProperties" PatternChildren "an object's members in whose names a pattern is found are valid against its schema";
            0x37 AdditionalProperties "additionalProperties" Child "an object's members that `properties` \
                and `patternProperties` of the block do not cover are valid against the \
                                                                    schema";
            0x40 AllOf "allOf" Inners "is valid against each of the schemas (`$ref` too)";
            0x41 AnyOf "anyOf" Inners "is valid against one of the schemas or more";
            0x42 OneOf "oneOf" Inners "is valid against exactly one of the schemas";
            0x43 Not "not" Inner "is not valid against the schema";
            0x44 If "if" Branch "is valid against the second schema if it is against the first, else against the third";
            0x45 DependentSchemas "dependentSchemas" NamedInners "an object that has a member of the name is valid against the name's schema";
            0x50 UnevaluatedItems "unevaluatedItems" Child "an array's elements that no other keyword \
                evaluated are valid against the schema";
            0x51 UnevaluatedProperties "unevaluatedProperties" Child "an object's members that no other \
                keyword evaluated are valid against the schema";
        }
    };
}

/// The operands `a`, `b` and `c` of a keyword; those not named are 0.
///
/// An *inner* schema applies to the value itself and has a lower number than the current schema, so
/// that no schema refers to itself for the same value. A *child* schema applies to an element, a
/// member or a name, and can have any number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// No operands.
    None,
    /// `a`: bits by type, as in a [`Check`](super::Check).
    Types,
    /// `a`: a list.
    List,
    /// `a`: a number constant.
    Number,
    /// `a`: a positive number constant of at most
    /// [`DIVISOR_DIGITS`](crate::limits::DIVISOR_DIGITS) digits.
    Divisor,
    /// `a`: a number.
    Count,
    /// `a`: a regular expression.
    Pattern,
    /// `a`: a [`Format`].
    Format,
    /// `a..a+b`: strings, ascending.
    Names,
    /// `a..a+b`: two strings by turns.
    NamePairs,
    /// `a`: a child schema.
    Child,
    /// `a`: a child schema; `b`: the first element.
    ChildFrom,
    /// `a..a+b`: child schemas.
    Children,
    /// `a`: a child schema; `b`: at least, `c`: at most so many.
    Contains,
    /// `a..a+b`: a string, by turns with a child schema; strings ascending.
    NamedChildren,
    /// `a..a+b`: a regular expression, by turns with a child schema.
    PatternChildren,
    /// `a`: an inner schema.
    Inner,
    /// `a..a+b`: inner schemas.
    Inners,
    /// `a`, `b`, `c`: inner schemas; `b` and `c` may be `NONE`.
    Branch,
    /// `a..a+b`: a string, by turns with an inner schema.
    NamedInners,
}

impl Shape {
    /// The operands, for the reference page.
    #[must_use]
    pub const fn operands(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Types => " types",
            Self::List => " lN",
            Self::Number | Self::Divisor => " kN",
            Self::Count => " n",
            Self::Pattern => " rN",
            Self::Format => " format",
            Self::Names => " xN...",
            Self::NamePairs => " (xN xN)...",
            Self::Child | Self::Inner => " mN",
            Self::ChildFrom => " mN n",
            Self::Children | Self::Inners => " mN...",
            Self::Contains => " mN n n",
            Self::NamedChildren | Self::NamedInners => " (xN mN)...",
            Self::PatternChildren => " (rN mN)...",
            Self::Branch => " mN mN mN",
        }
    }
}

macro_rules! define {
    ($($number:literal $name:ident $mnemonic:literal $shape:ident $meaning:literal;)*) => {
        /// A keyword.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Keyword { $(#[doc = $meaning] $name = $number,)* }

        impl Keyword {
            /// All of them, by number.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The keyword of a number.
            #[must_use]
            pub const fn from_number(number: u8) -> Option<Self> {
                match number { $($number => Some(Self::$name),)* _ => None }
            }

            /// Its name in JSON Schema.
            #[must_use]
            pub const fn mnemonic(self) -> &'static str {
                match self { $(Self::$name => $mnemonic,)* }
            }

            /// Its operands.
            #[must_use]
            pub const fn shape(self) -> Shape {
                match self { $(Self::$name => Shape::$shape,)* }
            }

            /// One line of meaning.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$name => $meaning,)* }
            }
        }
    };
}

for_each_keyword!(define);

macro_rules! formats {
    ($($number:literal $name:ident $text:literal, $meaning:literal;)*) => {
        /// A format of strings that can be asserted.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u32)]
        pub enum Format { $(#[doc = $meaning] $name = $number,)* }

        impl Format {
            /// All of them, by number.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The format of a number.
            #[must_use]
            pub const fn from_number(number: u32) -> Option<Self> {
                match number { $($number => Some(Self::$name),)* _ => None }
            }

            /// Its name in JSON Schema.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

formats! {
    1 DateTime "date-time", "RFC 3339 §5.6 `date-time`";
    2 Date "date", "RFC 3339 §5.6 `full-date`";
    3 Time "time", "RFC 3339 §5.6 `full-time`";
    4 Uri "uri", "RFC 3986 §3 `URI`";
    5 Email "email", "RFC 5321 §4.1.2 `Mailbox`";
    6 Uuid "uuid", "RFC 4122 §3";
    7 Ipv4 "ipv4", "RFC 2673 §3.2";
    8 Ipv6 "ipv6", "RFC 4291 §2.2";
    9 Regex "regex", "ECMA-262 §22.2.1";
}
