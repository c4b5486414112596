//! The registry of codes, by stage; a number is never reused.
//!
//! `E0xxx` are errors, `W0xxx` warnings, `N0xxx` notes. The hundreds are the
//! stages of the table below, in its order, which `docs/diagnostics.md` shows.
//!
//! Each code has a page `schema/codes/<CODE>.md` (shown by `hookc
//! explain-code`) and at least one case in `corpus/reject`.

use std::fmt;

use super::Severity;

macro_rules! codes {
    ($($stage:literal => $($name:ident $severity:ident $title:literal;)*)*) => {
        /// Which diagnostic it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $($(#[doc = $title] $name,)*)*
        }

        /// Every code, in order.
        pub const ALL_CODES: &[Code] = &[$($(Code::$name,)*)*];

        /// The stages with their codes, by the hundreds.
        pub(super) const STAGES: &[(&str, &[Code])] = &[$(($stage, &[$(Code::$name,)*]),)*];

        impl Code {
            /// `E0101`
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $($(Self::$name => stringify!($name),)*)* }
            }

            /// A short description.
            #[must_use]
            pub fn title(self) -> &'static str {
                match self { $($(Self::$name => $title,)*)* }
            }

            /// The default severity.
            #[must_use]
            pub fn severity(self) -> Severity {
                match self { $($(Self::$name => Severity::$severity,)*)* }
            }

            /// Its page, Markdown.
            #[must_use]
            pub fn page(self) -> &'static str {
                match self {
                    $($(Self::$name => include_str!(concat!("../../codes/", stringify!($name), ".md")),)*)*
                }
            }
        }
    };
}

codes! {
    "Input" =>
    E0001 Error "a source is larger than the limit";
    E0002 Error "a source is not UTF-8";
    E0003 Error "the dialect of a file cannot be detected";
    E0004 Error "an unknown event type";
    E0005 Error "a file that looks like a policy cannot be read as one";
    E0006 Error "a compiled module instead of the source of a policy";
    E0007 Error "a policy without sources";
    W0008 Warning "a skipped file that is probably meant to be used";
    "Notation" =>
    E0101 Error "the YAML is not well-formed";
    E0102 Error "a duplicate key";
    E0103 Error "nesting is deeper than the limit";
    E0104 Error "alias expansion is larger than the limit";
    E0105 Error "a value that JSON cannot represent";
    E0106 Error "an unknown anchor, or an invalid merge key";
    E0107 Error "more than one document in a file";
    E0108 Error "the JSON is not well-formed";
    E0111 Error "the XML is not well-formed";
    E0112 Error "a DTD, or an entity that XML does not predefine";
    E0113 Error "no XML fence in a Markdown file";
    W0114 Warning "a value that YAML 1.1 reads differently";
    E0115 Error "an XML element with wrong case";
    W0116 Warning "an XInclude that is ignored";
    W0117 Warning "a wrong XML encoding declaration";
    "Shape" =>
    E0201 Error "an unknown key";
    E0202 Error "a required key is missing";
    E0203 Error "a value of the wrong type";
    E0204 Error "a value that is not allowed";
    E0205 Error "a condition with two operators";
    E0206 Error "an empty condition";
    E0207 Error "an unsupported schema version";
    E0208 Error "an unknown XML element or attribute";
    E0209 Error "a repeated child element";
    E0210 Error "an invalid id";
    W0211 Warning "a leaf without `op`";
    E0212 Error "a duplicate event type";
    W0230 Warning "notation that is not standard JSON";
    W0231 Warning "a duplicate key in settings";
    W0232 Warning "a key that the agent does not read";
    W0233 Warning "a key used as a comment";
    W0234 Warning "a handler of a type that hookc cannot convert";
    W0235 Warning "a timeout that looks like milliseconds";
    W0236 Warning "a matcher that the agent ignores";
    W0237 Warning "a matcher that never matches a tool name";
    W0238 Warning "a handler outside a group";
    W0239 Warning "hooks are disabled";
    W0240 Warning "an `if` that never lets a handler run";
    N0241 Note "an `if` that the runtime checks";
    W0242 Warning "hooks in another file";
    N0243 Note "a duplicate handler";
    W0244 Warning "hooks replaced by a later file";
    W0245 Warning "a key of `hooks` that is not an event";
    W0246 Warning "a file without hooks";
    W0248 Warning "an empty match block";
    N0250 Note "a legacy event name";
    W0251 Warning "an event of another vocabulary";
    E0252 Error "a match key that does not apply to the event";
    W0253 Warning "a blocking hook that blocks nothing";
    W0254 Warning "a hook whose signals are ignored";
    N0255 Note "a key with a default";
    N0256 Note "an id that is not in kebab-case";
    E0257 Error "an unsupported handler kind";
    E0258 Error "a file that a hook needs does not exist";
    E0259 Error "a handler that is not executable";
    W0260 Warning "a skill without front matter";
    E0261 Error "front matter without an end";
    W0262 Warning "a skill without a name or description";
    W0263 Warning "a trigger that is not a slash command";
    E0264 Error "a script outside the directory of its skill";
    W0265 Warning "a script that is not a Python file";
    W0266 Warning "a misspelled key of a skill";
    W0267 Warning "two skills with the same name";
    N0270 Note "an action in legacy syntax";
    E0271 Error "a legacy action without an equivalent";
    W0272 Warning "a part of the legacy syntax that is ignored";
    N0273 Note "a list, layer or key in legacy syntax";
    N0274 Note "an expression under `condition`";
    E0275 Error "an unknown timing point";
    W0276 Warning "a subscription repeated as a hook";
    W0277 Warning "an undefined name in a template";
    W0278 Warning "a misspelled special target";
    W0279 Warning "a template in the syntax of hooks files";
    W0280 Warning "two steps with the same name have hooks";
    W0281 Warning "`max_retries` without `on_error: retry`";
    W0282 Warning "hooks in a place where they are not read";
    W0283 Warning "an event that the agent does not have";
    N0284 Note "an event of a single agent";
    W0285 Warning "an entry that the agent does not read";
    W0286 Warning "a timeout that looks like seconds";
    W0290 Warning "an empty list of hooks";
    W0291 Warning "a handler outside its repository";
    W0292 Warning "a handler written as a shell command";
    W0293 Warning "an argument that YAML reads as a mapping";
    W0294 Warning "a `{` without its `}`";
    W0295 Warning "a prompt target that has no effect";
    W0296 Warning "a dot in `inject_as`";
    W0297 Warning "`effects` that are not a list";
    "Paths, `when`, templates" =>
    E0301 Error "an invalid path";
    E0302 Error "an invalid `when` expression";
    E0303 Error "a path instead of a condition";
    E0304 Error "an invalid template";
    E0305 Error "a path with several results inside text";
    E0306 Error "an expression is larger than the limit";
    E0307 Error "a template in a shell command";
    E0308 Error "a number whose exponent is beyond the limit";
    E0309 Error "a control character in a pattern";
    W0310 Warning "an escape in a raw string";
    E0311 Error "`trusted_args` names an argument without a template";
    E0312 Error "a template in an argument that may be code";
    E0314 Error "a NUL character in a program's arguments";
    "Names and types" =>
    E0401 Error "an unknown operator";
    E0402 Error "a value that the operator does not accept";
    E0403 Error "a missing or extra value";
    E0404 Error "an invalid regular expression";
    E0405 Error "`ignore_case` with an operator that ignores it";
    E0406 Error "an unknown action kind";
    E0407 Error "an unknown action parameter";
    E0408 Error "a missing action parameter";
    E0409 Error "an invalid value of an action parameter";
    E0410 Error "a field that a closed schema does not declare";
    E0411 Error "an invalid glob";
    E0412 Error "an invalid declaration";
    E0413 Error "a declaration of an unknown operator or combinator";
    W0414 Warning "a declaration that differs from the language";
    W0415 Warning "an undeclared event type";
    W0416 Warning "a field that the event does not declare";
    E0417 Error "a failing example";
    W0418 Warning "a template of the wrong type";
    E0419 Error "an unsupported schema keyword";
    E0420 Error "an invalid value of a schema keyword";
    E0421 Error "an unresolved or circular schema reference";
    E0422 Error "a result format that the event does not support";
    E0423 Error "an `if` at an event without a tool";
    W0424 Warning "a field that the tool does not have";
    W0425 Warning "an unquoted word that is not a field";
    W0426 Warning "a tool name that never occurs";
    E0428 Error "an event under a name that never occurs";
    W0430 Warning "an action that no agent supports at the event";
    E0431 Error "an action that the agent does not support";
    W0432 Warning "an action that becomes a denial";
    W0433 Warning "an action without effect at the agent";
    W0434 Warning "an event that the agent never sends";
    E0435 Error "an `if` that is not a permission rule";
    E0436 Error "a misspelled name in a test event";
    E0437 Error "a test event with two types";
    E0440 Error "the TOML is not well-formed";
    E0442 Error "a name of a node that means something else";
    E0443 Error "not a name for a node";
    E0444 Error "not the path of one text";
    E0445 Error "too many views";
    E0446 Error "a predicate at an event without effects";
    E0447 Error "an invalid pattern or role";
    E0448 Error "`because` in a hook without a predicate";
    E0449 Error "not a duration or a number of history";
    E0450 Error "words of a selection in another order";
    E0451 Error "not a name for a fact";
    E0452 Error "history in a file without it";
    E0453 Error "an invalid name of a fact";
    E0454 Error "a fact that is used above it";
    E0455 Error "an unbounded comparison with the current event";
    E0456 Error "`now` outside of a `where`";
    E0457 Error "a scope that the history does not have";
    E0458 Error "an unbounded count of past events";
    E0459 Error "a value of the history that is used as text";
    E0460 Error "a text that cannot be kept";
    E0461 Error "conditions about the past that are nested too deeply";
    "Layers and ids" =>
    E0501 Error "a duplicate id in a layer";
    E0502 Error "a managed hook cannot be replaced";
    E0503 Error "conflicting strategies of an event";
    E0504 Error "conflicting declarations of a program";
    "Lints" =>
    W0601 Warning "a leaf that can never be true";
    W0602 Warning "a hook that another hook hides";
    W0603 Warning "a regular expression that is plain text";
    W0604 Warning "a condition that is always or never true";
    W0605 Warning "a value that the field's `enum` does not contain";
    N0606 Note "a field with two spellings";
    W0607 Warning "a redundant hook";
    W0608 Warning "a doubled backslash in a pattern";
    W0610 Warning "a condition that does not depend on the text";
    W0611 Warning "a path step into a scalar";
    W0612 Warning "a policy without hooks";
    N0613 Note "a policy whose hooks are all disabled";
    W0614 Warning "a command that runs nothing";
    W0615 Warning "an implausible timeout";
    W0616 Warning "an implausible number of attempts or delay";
    W0617 Warning "a pattern where text is compared literally";
    W0618 Warning "a template in another notation";
    W0619 Warning "shell syntax in the arguments of a program";
    W0620 Warning "text that only a shell expands";
    W0621 Warning "an empty text";
    W0622 Warning "a text in a form that events never have";
    W0623 Warning "a glob in another notation";
    W0624 Warning "quotes or whitespace around a compared text";
    W0625 Warning "slashes around a pattern in quotes";
    W0626 Warning "a variable that no agent sets";
    W0627 Warning "a value that is almost a known one";
    W0628 Warning "a URL without a scheme";
    W0629 Warning "a guard whose exit status does not deny";
    W0630 Warning "a header with a variable that is not allowed";
    W0631 Warning "a guard that nothing waits for";
    W0632 Warning "a misspelled keyword of a schema";
    W0633 Warning "a declaration that hides an event of the vocabulary";
    W0634 Warning "a tool name that the agent never sends";
    W0635 Warning "a handler that the agent skips";
    W0636 Warning "a view of text of another kind";
    W0637 Warning "a value that no agent sends";
    W0638 Warning "a tool name where the matcher tests a command line";
    W0639 Warning "a hooks file without its version";
    W0640 Warning "a node that its condition does not read";
    W0641 Warning "a quantifier over a value without elements";
    W0642 Warning "a member that a view does not have";
    W0645 Warning "a hook that never lets the agent stop";
    W0646 Warning "a listed tool for which a condition is never true";
    W0647 Warning "a test that shows nothing";
    W0648 Warning "more diagnostics than are kept";
    W0649 Warning "a glob where a regular expression is read";
    W0653 Warning "a regular expression with misplaced alternatives";
    W0654 Warning "an action allowed because of a part of a text";
    W0655 Warning "an action allowed because a field is absent";
    W0656 Warning "a timeout that is not shorter than that of the agent";
    W0658 Warning "an `allow` that does not say what the event may do";
    W0659 Warning "a denial under `not` of a guard";
    W0660 Warning "a denial of what `only` lists";
    W0661 Warning "a pattern that does not match the command that is meant";
    W0662 Warning "a program in `only` that runs anything";
    W0663 Warning "a pattern or an exception without effect";
    N0664 Note "a denial that a line which cannot be read evades";
    W0665 Warning "a low-level condition with the meaning of a guard";
    W0666 Warning "a declaration of a tool that is known";
    W0667 Warning "a variable of a directory without quotes";
    W0668 Warning "output that nothing reads";
    W0669 Warning "the success of a tool that is taken for that of a command";
    W0670 Warning "an element of a list by its position";
    W0671 Warning "a denial of events without the field";
    W0672 Warning "a part of a tool's name that other tools have too";
    W0673 Warning "an earlier name of a tool";
    W0674 Warning "a response that is compared as text";
    W0675 Warning "a guard at an event that comes too late or not always";
    W0676 Warning "a directory that is compared as a whole";
    W0677 Warning "a `.` that does not match line breaks";
    W0678 Warning "a pattern that means something else";
    W0679 Warning "a pattern that never matches, or whose condition is always true";
    W0680 Warning "a fact that nothing uses";
    W0681 Warning "an `allow` because something has not happened";
    N0682 Note "a hook that fails open and depends on the past";
    W0683 Warning "an `allow` that depends on what comes after a tool";
    W0684 Warning "a selection that is empty, has at most one event, or has a part without effect";
    W0685 Warning "a call of hookc that does not get the event, or whose answer is lost";
    W0686 Warning "a condition on a command that passed, for an agent that never says it";
    W0687 Warning "a command line that its shell does not read";
    "Plan and code" =>
    E0703 Error "a policy is larger than a limit";
    "Writing" =>
    E0801 Error "the target dialect cannot express the policy";
    E0802 Error "formatting would change the meaning";
    E0803 Error "a hook that the agent would not execute";
    "hookc itself" =>
    E0999 Error "a fault of hookc itself";
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of codes that hookc no longer reports. Someone may still ignore or search for them.
    const RETIRED: [u32; 8] = [701, 702, 643, 644, 650, 651, 652, 657];

    fn number(code: Code) -> u32 {
        code.name().get(1..).and_then(|digits| digits.parse().ok()).unwrap_or_default()
    }

    #[test]
    fn codes_are_sorted_by_number_in_their_stages() {
        for (stage, (_, codes)) in (0..).zip(STAGES) {
            assert!(codes.iter().all(|code| number(*code) / 100 == stage), "stage {stage}: {codes:?}");
        }
        for pair in ALL_CODES.windows(2) {
            let &[first, second] = pair else { continue };
            assert!(number(first) < number(second), "{first} is before {second}");
        }
    }

    #[test]
    fn numbers_are_not_used_again() {
        for &code in ALL_CODES {
            assert!(!RETIRED.contains(&number(code)), "{code} has the number of a retired code");
        }
    }
}
