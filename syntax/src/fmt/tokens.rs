//! The parser's events as the reader of layouts needs them: each with its
//! properties as written, and with where the next one is.

use std::borrow::Cow;
use std::ops::Range;

use crate::front::yaml::events::{Event, Events, Item, Layout, Style};

/// An event.
#[derive(Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind<'a>,
    pub(super) range: Range<usize>,
    pub(super) given: NodeProperties,
    /// The position of the next visible token: not the end of a block, nor an omitted value.
    pub(super) next: usize,
}

#[derive(Debug)]
pub(super) enum Kind<'a> {
    Document,
    Scalar(Cow<'a, str>, Style),
    Open { mapping: bool, flow: bool },
    Close,
    Alias,
}

/// The properties of a node.
#[derive(Debug, Default)]
pub(super) struct NodeProperties {
    /// Anchor and tag as written.
    pub(super) props: Option<String>,
    pub(super) tagged: bool,
    pub(super) anchored: bool,
}

/// The tokens of a text and the positions of its comments; `None` if it is not YAML or has several
/// documents.
pub(super) fn read(text: &str) -> Option<(Vec<Token<'_>>, Vec<Range<usize>>)> {
    let (mut tokens, mut comments) = (Vec::<Token<'_>>::new(), Vec::new());
    for item in Events::with_comments(text) {
        let item = item.ok()?;
        match &item.event {
            Event::Comment => comments.push(item.range),
            Event::Anchor(name) => anchor(&mut tokens.last_mut()?.given, name),
            _ => tokens.extend(token(item, text)),
        }
    }
    if tokens.iter().filter(|token| matches!(token.kind, Kind::Document)).count() > 1 {
        return None;
    }
    look_ahead(&mut tokens, text.len());
    Some((tokens, comments))
}

fn token<'a>(item: Item<'a>, text: &'a str) -> Option<Token<'a>> {
    let tag = item.tag.as_ref().and_then(|(_, range)| text.get(range.clone()));
    let props = tag.filter(|tag| !tag.is_empty()).map(str::to_owned);
    let given = NodeProperties { props, tagged: item.tag.is_some(), anchored: false };
    let kind = match item.event {
        Event::Document => Kind::Document,
        Event::Scalar(text, style) => Kind::Scalar(text, style),
        Event::Seq(layout) => Kind::Open { mapping: false, flow: layout == Layout::Flow },
        Event::Map(layout) => Kind::Open { mapping: true, flow: layout == Layout::Flow },
        Event::End => Kind::Close,
        Event::Alias(_) | Event::Unknown(_) => Kind::Alias,
        Event::Anchor(_) | Event::Comment => return None,
    };
    Some(Token { kind, range: item.range, given, next: 0 })
}

fn anchor(given: &mut NodeProperties, name: &str) {
    given.anchored = true;
    given.props = Some(match given.props.take() {
        Some(tag) => format!("&{name} {tag}"),
        None => format!("&{name}"),
    });
}

fn look_ahead(tokens: &mut [Token<'_>], end: usize) {
    let mut flows = Vec::new();
    let mut shows = |token: &Token<'_>| match token.kind {
        Kind::Open { flow, .. } => {
            flows.push(flow);
            true
        }
        Kind::Close => flows.pop().unwrap_or(false),
        _ => true,
    };
    let shown: Vec<bool> = tokens.iter().map(|token| shows(token) && !token.range.is_empty()).collect();
    let mut next = end;
    for (token, shown) in tokens.iter_mut().zip(shown).rev() {
        token.next = next;
        if shown {
            next = token.range.start;
        }
    }
}
