//! The operators of a leaf.

macro_rules! ops {
    ($($name:ident $text:literal $symbol:literal $word:literal;)*) => {
        /// An operator.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Op { $(#[doc = concat!("`", $text, "`")] $name,)* }

        impl Op {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The name in YAML and XML: `starts_with`.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// The spelling in a `when` expression: `==`.
            #[must_use]
            pub fn symbol(self) -> &'static str {
                match self { $(Self::$name => $symbol,)* }
            }

            /// The spelling in a `when` expression that XML need not escape: `eq`.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }
        }
    };
}

ops! {
    Eq "eq" "==" "eq";
    Ne "ne" "!=" "ne";
    Gt "gt" ">" "gt";
    Gte "gte" ">=" "ge";
    Lt "lt" "<" "lt";
    Lte "lte" "<=" "le";
    In "in" "in" "in";
    Contains "contains" "contains" "contains";
    StartsWith "starts_with" "starts_with" "starts_with";
    EndsWith "ends_with" "ends_with" "ends_with";
    Regex "regex" "=~" "=~";
    Glob "glob" "glob" "glob";
    Exists "exists" "exists" "exists";
    Matches "matches" "matches" "matches";
}

impl Op {
    /// The operator of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|op| op.name() == name)
    }

    /// Whether it supports `ignore_case`.
    #[must_use]
    pub fn takes_case(self) -> bool {
        use Op::*;
        matches!(self, Eq | Ne | In | Contains | StartsWith | EndsWith | Regex | Glob)
    }

    /// Whether it supports `value_path`.
    #[must_use]
    pub fn takes_path(self) -> bool {
        !matches!(self, Self::Regex | Self::Glob | Self::Exists | Self::Matches)
    }
}
