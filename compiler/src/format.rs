//! `hookc fmt` with a check: the canonical text of a hooks file, written only if it compiles to the
//! same module as the original text.

use hookc_schema::{Code, Diagnostic, Sources};
use hookc_syntax::fmt::{canonical, same_value};

use crate::{Compiled, Dialect, Input, Options, compile};

/// The canonical text. Formatting it again changes nothing.
///
/// # Errors
/// The errors of a text that does not compile, or the error that its canonical text would have
/// another meaning.
pub fn format(name: &str, text: &str) -> Result<String, (Sources, Vec<Diagnostic>)> {
    let (before, mut sources) = build(name, text);
    let Some(module) = &before.module else {
        let errors = before.diagnostics.into_iter().filter(Diagnostic::is_error).collect();
        return Err((sources, errors));
    };
    let same = |new: &String| build(name, new).0.module.as_ref() == Some(module) && same_value(text, new);
    match canonical(text).filter(same) {
        Some(new) => Ok(new),
        None => {
            sources = Sources::new();
            let message = format!("formatting {name} would change its meaning");
            let help = "the file was not changed; this is a bug in hookc: please report it";
            Err((sources, vec![Diagnostic::global(Code::E0802, message).help(help)]))
        }
    }
}

fn build(name: &str, text: &str) -> (Compiled, Sources) {
    let mut sources = Sources::new();
    let source = sources.add(name, text);
    let inputs = [Input::new(source).with_dialect(Dialect::HooksYaml)];
    let options = Options::default().strip(true);
    (compile(&mut sources, &inputs, &options), sources)
}
