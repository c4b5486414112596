//! Branches, of remotes and local ones.

use super::arguments::Argument;
use super::model::{Kind, Scheme};
use super::roles::{Found, Object, has_attribute};
use super::text::{Hole, Source, Symbol, Text};

/// The branches that a push moves: `REMOTE:BRANCH` of each `[+]SOURCE[:TARGET]`.
pub(super) fn pushes(context: &Object<'_>) -> Vec<Found> {
    let roles = &context.parsed.roles;
    let refs: Vec<&Argument> = roles.iter().filter(|argument| argument.role == "REF").collect();
    let slots = context.row.operands.iter().flatten();
    let has = |name: &str| has_attribute(context, name);
    if !slots.into_iter().any(|slot| slot.role == "REF") && refs.is_empty() && !has("allrefs") {
        return Vec::new();
    }
    let remotes = roles.iter().filter(|argument| argument.role == "REMOTENAME");
    let remote = remotes.max_by_key(|argument| argument.option.is_none());
    let remote = remote.map_or_else(|| Text::unknown("@{push}"), |argument| argument.text.clone());
    let mut targets: Vec<Text> = Vec::new();
    if has("allrefs") || refs.is_empty() && !has("tags") {
        targets.push(Text::unknown(if has("allrefs") { "*" } else { "HEAD" }));
    }
    for argument in refs.iter().filter(|argument| argument.text.literal().as_deref() != Some("tag")) {
        let text = argument.text.strip_prefix("+").unwrap_or_else(|| argument.text.clone());
        let target = text.split(':').pop().unwrap_or_default();
        let is_head = matches!(target.literal().as_deref(), Some("" | "HEAD" | "@"));
        // `:` is each branch that both have.
        let source = if text.0.last() == Some(&Symbol::Char(':')) { "*" } else { "HEAD" };
        targets.push(if is_head { Text::unknown(source) } else { branch(&target) });
    }
    let object = |target: Text| remote.followed_by(&Text::from(":")).followed_by(&target);
    targets.into_iter().map(|target| (Kind::Push, Scheme::Branch, object(target))).collect()
}

/// The local branch that a fetch moves: `b` of `a:b`.
pub(super) fn fetched(text: &Text) -> Vec<Found> {
    match text.split_once(':').map(|_| text.split(':').pop().unwrap_or_default()) {
        Some(target) if !target.0.is_empty() => vec![(Kind::Write, Scheme::Ref, branch(&target))],
        _ => Vec::new(),
    }
}

/// A branch without the directory of branches. `*` is any text, and what is unknown can be that directory.
pub(super) fn branch(name: &Text) -> Text {
    let open = |symbol: &Symbol| match symbol {
        Symbol::Hole(_, source) => Symbol::Hole(Hole::Any, *source),
        Symbol::Char('*') => Symbol::Hole(Hole::Any, Source::new("*")),
        Symbol::Char(_) => *symbol,
    };
    let name = Text(name.0.iter().map(open).collect());
    let before = name.prefix();
    if before.chars().count() < name.0.len()
        && ["refs/heads/", "heads/"].iter().any(|directory| directory.starts_with(&before))
    {
        let open = before.chars().count() + 1;
        let slash = usize::from(name.0.get(open) == Some(&Symbol::Char('/')));
        let directory = Text(name.0.iter().take(open + slash).copied().collect());
        return Text::unknown(&directory.written()).followed_by(&name.skip(open + slash));
    }
    name.strip_prefix("refs/heads/").or_else(|| name.strip_prefix("heads/")).unwrap_or(name)
}
