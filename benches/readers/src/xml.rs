//! XML: what is accepted, and what it costs.

use std::hint::black_box;

use hookc_benches::read;
use quick_xml::Reader;
use quick_xml::events::Event;

use crate::{median, row, short};

/// Documents that are not well-formed.
const MALFORMED: &[(&str, &str)] = &[
    ("an end tag of another element", "<directive><hooks></directive></hooks>"),
    ("no end tag", "<directive><hooks>"),
    ("two roots", "<directive/><directive/>"),
    ("text after the root", "<directive/>text"),
    ("no root", "<!-- nothing -->"),
    ("an attribute twice", "<directive a=\"1\" a=\"2\"/>"),
    ("an attribute without quotes", "<directive a=1/>"),
    ("an attribute without a value", "<directive a/>"),
    ("no space between attributes", "<directive a=\"1\"b=\"2\"/>"),
    ("`<` in an attribute", "<directive a=\"<\"/>"),
    ("an unknown entity", "<directive>&nothing;</directive>"),
    ("a bare `&`", "<directive>a & b</directive>"),
    ("`]]>` in text", "<directive>]]></directive>"),
    ("`--` in a comment", "<directive><!-- a -- b --></directive>"),
    ("a control character", "<directive>\u{1}</directive>"),
    ("a reference to no character", "<directive>&#0;</directive>"),
    ("a name that begins with a digit", "<1directive/>"),
    ("a declaration that is not first", "<directive><?xml version=\"1.0\"?></directive>"),
];

/// Reads to the end, decoding texts and attributes, as a careful caller does.
fn quick(text: &str) -> Result<usize, String> {
    let mut reader = Reader::from_str(text);
    let mut count = 0;
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Eof => return Ok(count),
            Event::Start(tag) | Event::Empty(tag) => {
                for attribute in tag.attributes() {
                    black_box(attribute.map_err(|error| error.to_string())?.value.len());
                }
                count += 1;
            }
            Event::Text(text) => {
                black_box(text.xml10_content().len());
            }
            Event::GeneralRef(reference) => {
                black_box(reference.resolve_char_ref().map_err(|error| error.to_string())?);
            }
            _ => {}
        }
    }
}

/// Who rejects which document.
pub fn cases() {
    println!("\nXML: documents that are not well-formed\n");
    row(&["case", "quick-xml", "roxmltree", "hookc"]);
    row(&["---", "---", "---", "---"]);
    let mut rejected = [0; 3];
    for (name, text) in MALFORMED {
        let hookc = read::error(text, true);
        let quick = quick(text).err();
        let tree = roxmltree::Document::parse(text).err().map(|error| error.to_string());
        for (count, error) in rejected.iter_mut().zip([&quick, &tree, &hookc]) {
            *count += usize::from(error.is_some());
        }
        let cell =
            |error: Option<String>| error.map_or_else(|| "**accepted**".to_owned(), |error| short(&error));
        row(&[name, &cell(quick), &cell(tree), &cell(hookc)]);
    }
    let [quick, tree, hookc] = rejected.map(|count| format!("{count} of {}", MALFORMED.len()));
    row(&["rejected", &quick, &tree, &hookc]);
}

/// A directive of ten thousand hooks.
pub fn speed() {
    let hook = "    <hook event=\"PreToolUse\" when=\"tool_name == 'Bash' and tool_input.command contains 'git push'\">\n      \
                <action type=\"ask\"><param name=\"reason\">Push ${tool_input.command} &amp; wait?</param></action>\n    </hook>\n";
    let text = format!("<directive>\n  <hooks>\n{}  </hooks>\n</directive>\n", hook.repeat(10_000));
    let [hookc, tree, quick] = median([
        &|| assert!(read::xml(black_box(&text))),
        &|| assert!(roxmltree::Document::parse(black_box(&text)).is_ok()),
        &|| assert!(quick(black_box(&text)).is_ok()),
    ]);
    println!("\nReading {:.1} MB of XML, 10,000 hooks, ms (median)\n", text.len() as f64 / 1e6);
    row(&["hookc, a tree with spans", "roxmltree, a tree", "quick-xml, events only"]);
    row(&["---:", "---:", "---:"]);
    row(&[&format!("{hookc:.0}"), &format!("{tree:.0}"), &format!("{quick:.1}")]);
}
