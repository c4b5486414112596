//! Finds the fence of a Markdown file (CommonMark) with the directive.

use std::ops::Range;

use hookc_schema::value::{Text, TextMap};
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

use super::text_map::Builder;

/// The text of the first fence of language `xml`, also inside lists and quotes, with a map to the
/// bytes of `text`. A fence inside a longer fence, a comment or indented code is ignored. A fence
/// without its end runs to the end of its container, as in CommonMark. Linear.
#[must_use]
pub(crate) fn xml_fence(text: &str) -> Option<Text> {
    let mut events = Parser::new(text).into_offset_iter();
    let start = events.find_map(|(event, range)| is_xml(&event).then_some(range.start))?;
    let mut fence = Builder::default();
    let mut end = text.get(start..).and_then(|rest| rest.find('\n')).map_or(text.len(), |at| start + at + 1);
    for (event, range) in events {
        match event {
            Event::Text(part) if text.get(range.clone()) == Some(&*part) => {
                let mut part = &*part;
                let mut start = range.start;
                // `\r
                // ` is one line end, at the position of the omitted `\r`.
                if let Some(rest) = part.strip_prefix('\n').filter(|_| text.get(end..start) == Some("\r")) {
                    fence.put('\n', end);
                    part = rest;
                    start += 1;
                }
                fence.copy(part, start);
            }
            // Spaces that the parser generated for the rest of a tab.
            Event::Text(part) => part.chars().for_each(|c| fence.put(c, range.start)),
            Event::End(TagEnd::CodeBlock) => break,
            _ => continue,
        }
        end = range.end;
    }
    Some(fence.finish(end, &TextMap::Shift(0)))
}

/// The first position of `part` in a fence of language `xml` after the first. Linear.
pub(super) fn later(text: &str, part: &str) -> Option<Range<usize>> {
    // Most files have one fence; then there is nothing to search.
    text.get(text.find(part)? + 1..)?.find(part)?;
    let fences = Parser::new(text).into_offset_iter().filter(|(event, _)| is_xml(event)).skip(1);
    let mut found = fences.filter_map(|(_, range)| {
        let at = range.start + text.get(range)?.find(part)?;
        Some(at..at + part.len())
    });
    found.next()
}

fn is_xml(event: &Event<'_>) -> bool {
    match event {
        Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
            info.split_ascii_whitespace().next().is_some_and(|word| word.eq_ignore_ascii_case("xml"))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookc_schema::Span;

    fn fence(text: &str) -> Option<String> {
        xml_fence(text).map(|fence| fence.value)
    }

    #[test]
    fn first_xml_fence() {
        assert_eq!(
            fence("# T\n\n```yaml\na\n```\n~~~XML x=1\n<a/>\n~~~\n```xml\n<b/>\n```\n").unwrap(),
            "<a/>\n"
        );
        assert_eq!(fence("````md\n```xml\n<a/>\n```\n````\n\n```xml\n<b/>\n```").unwrap(), "<b/>\n");
        assert_eq!(fence("<!--\n```xml\n<a/>\n```\n-->\n"), None);
        assert_eq!(fence("    ```xml\n    <a/>\n"), None);
        assert_eq!(fence("```xmlish\n<a/>\n```\n"), None);
        assert_eq!(fence("```xml\n```\n").unwrap(), "");
        assert_eq!(fence("```xml"), Some(String::new()));
    }

    #[test]
    fn prefixes_are_stripped_and_mapped() {
        for (source, part) in [
            ("> ```xml\n> <a>\n> <b/>\n> </a>\n> ```\n", "<b/>"),
            ("- x\n\n  1. ```xml\n     <a>\n       <b/>\n     </a>\n     ```\n", "<b/>"),
            ("-\t```xml\n\t<a>\n\t<b/>\n", "<b/>"),
            ("```xml\r\n<a>\r\n<b/>\r\n</a>", "<b/>"),
            ("> > ```xml\n> > <a>\n> > é<b/>\nafter", "<b/>"),
        ] {
            let fence = xml_fence(source).unwrap();
            let start = fence.value.find(part).unwrap();
            let span = fence.map.span(Span::default(), start..start + part.len());
            assert_eq!(source.get(span.range()), Some(part), "{source:?}");
            assert!(!fence.value.contains(['>', '-', '\r'].as_slice()) || fence.value.starts_with("<a>\n"));
        }
    }

    #[test]
    fn hostile_files_are_read_in_linear_time() {
        for piece in
            ["> ", "- ", "[", "![", "*a_", "<", "`", "```\n", "<!--", "1. ", "\\", "&", "[a]: b\n", "|a"]
        {
            assert_eq!(fence(&piece.repeat(100_000)), None, "{piece}");
        }
    }
}
