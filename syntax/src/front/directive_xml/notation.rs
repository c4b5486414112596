//! Reports features of XML that hookc does not support: names in another case, inclusions, other
//! encodings.

use hookc_schema::{Code, Diagnostic, SourceId, Span};

use crate::front::xml::Element;

/// The elements that contain hooks.
const OURS: [&str; 2] = ["hooks", "hook"];

/// The namespace of XInclude.
const XINCLUDE: &str = "http://www.w3.org/2001/XInclude";

/// Prefixes of encodings in which no text is valid UTF-8.
const WIDE: [&str; 6] = ["utf-16", "utf16", "utf-32", "utf32", "ucs-", "iso-10646-ucs-"];

/// The diagnostic for an unknown element that was probably intended for hooks.
pub(super) fn element(element: &Element<'_>) -> Option<Diagnostic> {
    let (name, span) = (element.name, element.name_span);
    let meant = OURS.iter().find(|ours| name.eq_ignore_ascii_case(ours) && name != **ours);
    if let Some(meant) = meant {
        let new = Diagnostic::new(Code::E0115, span, format!("`<{name}>` is not `<{meant}>`"));
        let new = new
            .with_label("wrong case")
            .note("XML names are case-sensitive, so hookc does not read the hooks in it");
        return Some(renamed(new, Some(meant), element));
    }
    let (prefix, local) = name.split_once(':').unwrap_or(("", name));
    let declared = |attribute: &str| {
        element.attribute(attribute).is_some_and(|namespace| namespace.value.value == XINCLUDE)
    };
    let xinclude = prefix == "xi" || declared("xmlns") || declared(&format!("xmlns:{prefix}"));
    if local != "include" || !xinclude {
        return None;
    }
    let new = Diagnostic::new(Code::W0116, span, "XInclude is not supported").with_label("ignored");
    let file = element.attribute("href").map(|href| href.value.value.as_str()).unwrap_or_default();
    let new = new.note("hookc does not read the hooks of the included file");
    Some(new.help(match file.is_empty() {
        true => "pass the file to hookc too".to_owned(),
        false => format!("pass `{file}` to hookc too"),
    }))
}

/// Suggests another name for an element. The edit replaces one text, so there is none for an element
/// with an end tag, which contains the name too.
pub(super) fn renamed(new: Diagnostic, near: Option<&str>, element: &Element<'_>) -> Diagnostic {
    match near {
        Some(near) if element.span != element.tag => {
            new.help(format!("did you mean `{near}`? change the start tag and the end tag"))
        }
        _ => new.did_you_mean(near, element.name_span),
    }
}

/// The diagnostic for an XML declaration with an encoding that the text does not have.
pub(super) fn encoding(text: &str, source: SourceId) -> Option<Diagnostic> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let declaration = text.get(start..)?.strip_prefix("<?xml")?;
    let declaration = declaration.get(..declaration.find("?>")?)?;
    let at = declaration.find("encoding")?;
    let rest = declaration.get(at + "encoding".len()..)?;
    let open = rest.find(['"', '\''])?;
    let quote = rest.get(open..)?.chars().next()?;
    let name = rest.get(open + 1..)?.split(quote).next()?;
    let lower = name.to_ascii_lowercase();
    let wide = WIDE.iter().any(|wide| lower.starts_with(wide));
    if matches!(lower.as_str(), "utf-8" | "utf8") || (text.is_ascii() && !wide) {
        return None;
    }
    let from = start + "<?xml".len() + at + "encoding".len() + open + 1;
    let span = Span::new(source, from..from + name.len());
    let new = Diagnostic::new(
        Code::W0117,
        span,
        format!("the XML declaration names `{name}`, but the text is UTF-8"),
    );
    let new =
        new.with_label("not the encoding of the text").note("other XML readers would read different text");
    Some(new.did_you_mean(Some("UTF-8"), span))
}
