//! Front ends: one file per notation, one per dialect, all to the one tree.

pub mod detect;
pub mod directive_xml;
pub mod hooks_yaml;
mod leaf;
pub mod markdown;
mod text_map;
pub mod xml;
pub mod yaml;

use hookc_schema::tree::Policy;
use hookc_schema::vocab::Vocabulary;
use hookc_schema::{Diagnostic, Sources};

use crate::Input;

/// A configuration format that hookc reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// A: thread policy.
    HooksYaml,
    /// B: directive XML, bare or in Markdown.
    DirectiveXml,
}

impl Dialect {
    /// All that can be asked for.
    pub const ALL: &[Self] = &[Self::HooksYaml, Self::DirectiveXml];

    /// As on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::HooksYaml => "hooks-yaml",
            Self::DirectiveXml => "directive-xml",
        }
    }
}

/// Reads one source into the tree. What cannot be read is told and left out;
/// the policy is empty when nothing can.
pub fn read(sources: &Sources, input: &Input, vocabulary: &Vocabulary, out: &mut Vec<Diagnostic>) -> Policy {
    let text = sources.text(input.source);
    let Some(dialect) = input.dialect.or_else(|| detect::detect(sources.name(input.source), text)) else {
        out.push(detect::unknown(input.source, sources.name(input.source), text));
        return Policy::empty(input.source);
    };
    match dialect {
        Dialect::HooksYaml => hooks_yaml::read(text, input.source, out),
        Dialect::DirectiveXml => directive_xml::read(text, input.source, vocabulary, out),
    }
}
