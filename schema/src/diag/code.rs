//! The registry of codes, by stage; a number is never reused.
//!
//! `E0xxx` are errors, `W0xxx` warnings, `N0xxx` notes. The hundreds name the
//! stage: 0 reading files and input, 1 notation (YAML, XML, JSON, Markdown),
//! 2 shape of a dialect, 3 paths, `when` and templates, 4 names and types,
//! 5 layers and ids, 6 lints, 7 plan and code, 8 writing.
//!
//! Each code has a page `schema/codes/<CODE>.md` (shown by `hookc
//! explain-code`) and at least one case in `corpus/reject`.

use std::fmt;

use super::Severity;

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $name:ident $severity:ident $title:literal;)*) => {
        /// Which diagnostic it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $title] $name,)*
        }

        /// Every code there is, in order.
        pub const ALL_CODES: &[Code] = &[$(Code::$name,)*];

        impl Code {
            /// `E0101`
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)* }
            }

            /// What it is about, in a few words.
            #[must_use]
            pub fn title(self) -> &'static str {
                match self { $(Self::$name => $title,)* }
            }

            /// How bad it is unless a run says otherwise.
            #[must_use]
            pub fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)* }
            }

            /// Its page, Markdown.
            #[must_use]
            pub fn page(self) -> &'static str {
                match self {
                    $(Self::$name => include_str!(concat!("../../codes/", stringify!($name), ".md")),)*
                }
            }
        }
    };
}

codes! {
    // 0: input
    E0001 Error "a source is larger than the limit";
    E0002 Error "a source is not UTF-8";
    E0003 Error "the dialect of a file cannot be told";
    E0004 Error "an event type that no hook and no vocabulary knows";
    E0005 Error "a file that looks like a policy and cannot be read as one";
    E0006 Error "a compiled module where a policy's source is needed";
    // 1: notation
    E0101 Error "the YAML is not well-formed";
    E0102 Error "a key is written twice";
    E0103 Error "nesting is deeper than the limit";
    E0104 Error "alias expansion is larger than the limit";
    E0105 Error "a value that JSON cannot say";
    E0106 Error "an unknown anchor, or a merge key that cannot merge";
    E0107 Error "more than one document in a file";
    E0108 Error "the JSON is not well-formed";
    E0111 Error "the XML is not well-formed";
    E0112 Error "a DTD or an entity that XML does not predefine";
    E0113 Error "no XML fence in a Markdown file";
    W0114 Warning "a value that YAML 1.1 reads differently";
    E0115 Error "an XML element in another case";
    W0116 Warning "an XInclude that is not carried out";
    W0117 Warning "an XML encoding that the text is not in";
    // 2: shape
    E0201 Error "an unknown key";
    E0202 Error "a required key is missing";
    E0203 Error "a value of the wrong type";
    E0204 Error "a value that is not one of those allowed";
    E0205 Error "a condition with two heads";
    E0206 Error "a condition that is empty";
    E0207 Error "another major schema version";
    E0208 Error "an unknown XML element or attribute";
    E0209 Error "a child element that may stand only once";
    E0210 Error "an id that cannot be one";
    W0211 Warning "a leaf without `op`";
    E0212 Error "an event is listed twice";
    W0230 Warning "notation that JSON does not have";
    W0231 Warning "a key that an object has twice";
    W0232 Warning "a key that the agent does not read";
    W0233 Warning "a key that is a comment";
    W0234 Warning "an unknown type of handler";
    W0235 Warning "a timeout that looks like milliseconds";
    W0236 Warning "a matcher that the agent does not look at";
    W0237 Warning "a matcher that is the name of no tool";
    W0238 Warning "a handler outside of a group";
    W0239 Warning "hooks that are switched off";
    W0240 Warning "an `if` that keeps a handler from ever running";
    N0241 Note "an `if` that the runtime decides";
    W0242 Warning "hooks that stand in another file";
    N0243 Note "a handler that is there already";
    W0244 Warning "hooks that a later file replaces";
    W0245 Warning "a key of `hooks` that is no event";
    W0246 Warning "a file without hooks";
    W0248 Warning "a match block that says nothing";
    N0250 Note "an event by its name of another edition";
    W0251 Warning "an event of another vocabulary";
    E0252 Error "a match key that cannot apply to the event";
    W0253 Warning "a blocking hook where nothing waits for it";
    W0254 Warning "a hook whose signals nobody waits for";
    N0255 Note "a key that is left out";
    N0256 Note "an id that is not in kebab-case";
    E0257 Error "a kind of handler that is not there yet";
    E0258 Error "a file that a hook needs is not there";
    E0259 Error "a handler that cannot be executed";
    W0260 Warning "a skill without front matter";
    E0261 Error "front matter that does not end";
    W0262 Warning "a skill without name or description";
    W0263 Warning "a trigger that is no slash command";
    E0264 Error "a script outside the folder of its skill";
    W0265 Warning "a script that is not Python";
    W0266 Warning "a key that is almost one of a skill";
    W0267 Warning "two skills of one name";
    N0270 Note "an action of the older form";
    E0271 Error "an action of the older form that has no counterpart";
    W0272 Warning "a part of the older form that is not carried over";
    N0273 Note "a list, layer or key of the older form";
    N0274 Note "an expression under `condition`";
    E0275 Error "an unknown timing point";
    W0276 Warning "a subscription that is written out as well";
    W0277 Warning "a name that nothing provides";
    W0278 Warning "a target that is almost a special one";
    W0279 Warning "a template of another notation";
    W0280 Warning "two steps of one name have hooks";
    W0281 Warning "`max_retries` without `on_error: retry`";
    W0282 Warning "hooks where none are read";
    W0283 Warning "an event that the agent does not have";
    N0284 Note "an event of one agent alone";
    W0285 Warning "an entry in a form that the agent does not read";
    W0286 Warning "a timeout that looks like seconds";
    W0290 Warning "a list of hooks that is empty";
    W0291 Warning "a handler outside of its repository";
    W0292 Warning "a handler that is written for a shell";
    W0293 Warning "an argument that YAML reads as a mapping";
    W0294 Warning "a `{` without its `}`";
    W0295 Warning "a prompt where none follows";
    W0296 Warning "a dot in `inject_as`";
    W0297 Warning "`effects` that are no list";
    // 3: small languages
    E0301 Error "a path that does not parse";
    E0302 Error "a `when` expression that does not parse";
    E0303 Error "a bare path is no condition";
    E0304 Error "a template that does not parse";
    E0305 Error "a path with several results inside text";
    E0306 Error "an expression is larger than the limit";
    E0307 Error "a template in a shell command";
    E0308 Error "a number whose exponent is beyond the limit";
    E0309 Error "a control character in a pattern";
    W0310 Warning "an escape in a raw string";
    E0311 Error "`trusted_args` names no argument with a template";
    E0312 Error "a template in an argument that may be code";
    E0314 Error "a NUL in what a program is started with";
    // 4: names and types
    E0401 Error "an unknown operator";
    E0402 Error "a value that the operator does not take";
    E0403 Error "a value is missing, or one too many";
    E0404 Error "a regular expression that does not compile";
    E0405 Error "`ignore_case` beside an operator that has no case";
    E0406 Error "an unknown action kind";
    E0407 Error "an unknown action parameter";
    E0408 Error "an action parameter is missing";
    E0409 Error "an action parameter of the wrong type";
    E0410 Error "a field that a closed schema does not declare";
    E0411 Error "a glob that does not parse";
    E0412 Error "a declaration that does not hold";
    E0413 Error "an unknown operator or combinator is declared";
    W0414 Warning "a declaration differs from the language";
    W0415 Warning "an event that nobody declared";
    W0416 Warning "a field that the event does not declare";
    E0417 Error "an example that does not hold";
    W0418 Warning "a template whose field never has the parameter's type";
    E0419 Error "a schema keyword that cannot be honoured";
    E0420 Error "a schema keyword whose value does not fit";
    E0421 Error "a schema reference that leads nowhere, or in a circle";
    E0422 Error "a form of results that is not read at the event";
    E0423 Error "an `if` at an event without a tool";
    W0424 Warning "a field that the tool does not have";
    W0425 Warning "a word without quotes that is no field";
    W0426 Warning "a name that no tool has";
    E0428 Error "an event that has another name here";
    W0430 Warning "an action that no agent honours at the event";
    E0431 Error "an action that the agent cannot honour";
    W0432 Warning "an action that the agent turns into a denial";
    W0433 Warning "an action without effect at the agent";
    W0434 Warning "an event that the agent never sends";
    // 5: layers
    E0501 Error "an id is written twice in a layer";
    E0502 Error "a managed hook cannot be replaced";
    E0503 Error "two files disagree about an event";
    // 6: lints
    W0601 Warning "a leaf that can never be true";
    W0602 Warning "a hook hidden by an unconditional one before it";
    W0603 Warning "a regular expression that is a plain literal";
    W0604 Warning "a condition that is always true or never";
    W0605 Warning "a value that the field's `enum` does not hold";
    W0607 Warning "a repetition that changes nothing, or does a thing twice";
    W0608 Warning "a doubled backslash in a pattern";
    N0606 Note "an event's field may be written either way";
    W0610 Warning "a condition that says nothing about the text";
    W0611 Warning "a step into what has no children";
    W0612 Warning "a policy without hooks";
    N0613 Note "a policy whose hooks are all disabled";
    W0614 Warning "a command that runs nothing";
    W0615 Warning "a timeout that cannot be meant";
    W0616 Warning "attempts or waits beyond reason";
    // 7: plan
    E0703 Error "a policy is larger than a limit";
    // 8: writing
    E0801 Error "the target dialect cannot say it";
    E0802 Error "a layout that would not mean the same";
    E0803 Error "a hook that the agent would not execute";
}

impl Code {
    /// The code of that name, any case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        ALL_CODES.iter().copied().find(|code| code.name().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
