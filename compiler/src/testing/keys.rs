//! The keys of a test file, in one table: the reader admits them, the
//! documentation and the schema of the file list them.

use hookc_schema::value::Member;
use hookc_schema::{Code, Diagnostic, Spanned, suggest};
use hookc_vm::DecideError;
use hookc_vm::EventError;

/// A mapping of the test file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// Its name, with its article.
    pub what: &'static str,
    /// Its keys in their usual order.
    pub keys: &'static [Key],
}

/// A key of a [`Mapping`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// Whether it is required.
    pub needed: bool,
    /// The expected value, as text.
    pub takes: &'static str,
    /// Its meaning.
    pub meaning: &'static str,
}

const fn key(name: &'static str, needed: bool, takes: &'static str, meaning: &'static str) -> Key {
    Key { name, needed, takes, meaning }
}

pub(super) const FILE: Mapping = Mapping {
    what: "a test file",
    keys: &[
        key("policy", false, "file or list of files", "the policies in order, relative to the test file"),
        key("layers", false, "mapping of layer to file or list of files", "policies of other layers"),
        key(
            "builtin",
            false,
            "boolean",
            "whether the shipped hooks are linked; default: with thread policies",
        ),
        key("tests", true, "list of tests", "the tests"),
    ],
};

pub(super) const TEST: Mapping = Mapping {
    what: "a test",
    keys: &[
        key("name", false, "string", "what the test shows; default `test N`"),
        key("event", false, "mapping or JSON text", "the event"),
        key("events", false, "list of mappings or JSON texts", "several events: one case each"),
        key("type", false, "string", "the event type, whatever the event itself states"),
        key("expect", true, "hook id, `none`, list of hooks, or mapping", "the expected result"),
    ],
};

pub(super) const EXPECT: Mapping = Mapping {
    what: "`expect`",
    keys: &[
        key("hook", false, "hook id or `none`", "the only hook that decides"),
        key("hooks", false, "list of hooks", "all hooks that decide, in order"),
        key("action", false, "action kind or mapping", "fields of `hook`'s action"),
        key("action_error", false, "boolean", "whether `hook`'s action cannot be rendered"),
        key("reported", false, "list of hook ids", "the warn and shadow hooks that match, in order"),
        key("error", false, "kind of error, or `true` for any", "the reason why there is no decision"),
    ],
};

pub(super) const HOOK: Mapping = Mapping {
    what: "an expected hook",
    keys: &[
        key("hook", true, "hook id", "the hook"),
        key("action", false, "action kind or mapping", "fields of its action"),
        key("action_error", false, "boolean", "whether its action cannot be rendered"),
    ],
};

/// The mappings of the test file.
pub const MAPPINGS: &[Mapping] = &[FILE, TEST, EXPECT, HOOK];

impl Mapping {
    fn names(self) -> impl Iterator<Item = &'static str> {
        self.keys.iter().map(|key| key.name)
    }

    /// The known members; the others are reported.
    pub(super) fn admit<'a>(self, members: &'a [Member], out: &mut Vec<Diagnostic>) -> Vec<&'a Member> {
        let is_known = |member: &&Member| self.names().any(|name| name == member.key.node);
        let (known, unknown): (Vec<_>, Vec<_>) = members.iter().partition(is_known);
        out.extend(unknown.into_iter().map(|member| self.unknown(&member.key)));
        known
    }

    fn unknown(self, key: &Spanned<String>) -> Diagnostic {
        let message = format!("{} has no key `{}`", self.what, key.node);
        let keys: Vec<_> = self.names().collect();
        let new = Diagnostic::new(Code::E0201, key.span, message).with_label("unknown");
        let new = new.help(format!("its keys are `{}`", keys.join("`, `")));
        new.did_you_mean(suggest::nearest(&key.node, self.names()), key.span)
    }
}

macro_rules! event_errors {
    ($($name:ident $word:literal $pattern:pat, $meaning:literal;)*) => {
        /// Why an event has no decision, in the words of test files.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum EventErrorKind {
            $(#[doc = $meaning] $name,)*
        }

        /// The names of [`EventErrorKind`]s.
        pub const EVENT_ERRORS: &[(&str, EventErrorKind)] = &[$(($word, EventErrorKind::$name),)*];

        impl EventErrorKind {
            /// As a test names it.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }

            /// One line of meaning.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$name => $meaning,)* }
            }

            /// The kind of an error; `None` for one without a name.
            #[must_use]
            pub fn of(error: &DecideError) -> Option<Self> {
                match error {
                    $($pattern => Some(Self::$name),)*
                    _ => None,
                }
            }
        }
    };
}

event_errors! {
    TooLarge "too_large" DecideError::Event(EventError::TooLarge(_)), "the event has too many bytes";
    TooDeep "too_deep" DecideError::Event(EventError::TooDeep(_)), "the event is nested too deep";
    Utf8 "utf8" DecideError::Event(EventError::Utf8(_)), "the event is not UTF-8";
    Syntax "not_json" DecideError::Event(EventError::Syntax(..)), "the event is not JSON";
    NotAnObject "not_an_object" DecideError::Event(EventError::NotAnObject), "the event is not a JSON \
                                                                              object";
    Surrogate "surrogate" DecideError::Event(EventError::Surrogate(_)), "an escaped half of a surrogate pair";
    Exponent "exponent" DecideError::Event(EventError::Exponent(_)), "a number with an exponent beyond the limit";
    Duplicate "duplicate_key" DecideError::Event(EventError::Duplicate(_)), "a duplicate key on a path that is read";
    NoType "no_type" DecideError::Event(EventError::NoType), "the event has no type";
    AmbiguousType "ambiguous_type" DecideError::Event(EventError::AmbiguousType(_)), "several \
                                                                                      vocabularies \
                                                                                      declare the type";
    Pattern "pattern" DecideError::Pattern { .. }, "a pattern exceeds its size limit";
    QuerySteps "query_steps" DecideError::QuerySteps(_), "the paths with several results need too many \
                                                          steps";
    SchemaSteps "schema_steps" DecideError::SchemaSteps(_), "the schemas need too many steps";
    SchemaDepth "schema_depth" DecideError::SchemaDepth(_), "the schemas are nested too deep";
}
