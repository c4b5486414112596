//! `--layer NAME=FILE`.

use std::path::PathBuf;

use hookc_schema::tree::Layer;

use crate::discover;
use crate::exit::Failure;
use crate::files::Texts;

/// The files that `--layer` names, including all policies in directories.
pub(super) fn layers(named: &[String], texts: &mut Texts) -> Result<Vec<(PathBuf, Layer)>, Failure> {
    let mut layers = Vec::new();
    for text in named {
        let (path, layer) = layer(text)?;
        layers.extend(discover::layer(path, texts)?.into_iter().map(|path| (path, layer)));
    }
    Ok(layers)
}

/// The path of `NAME=FILE`.
pub(super) fn layer_path(text: &str) -> Option<PathBuf> {
    text.split_once('=').map(|(_, path)| PathBuf::from(path))
}

fn layer(text: &str) -> Result<(PathBuf, Layer), Failure> {
    let Some((name, file)) = text.split_once('=').filter(|(_, file)| !file.is_empty()) else {
        return Err(Failure::usage(format!("`--layer {text}` should be `--layer NAME=FILE`")));
    };
    let Some(layer) = Layer::from_name(name) else {
        let known: Vec<&str> = Layer::ALL.iter().copied().map(Layer::name).collect();
        let near = hookc_schema::suggest::nearest(name, known.iter().copied());
        let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        let known = known.join(", ");
        return Err(Failure::usage(format!("unknown layer `{name}` (known: {known}){near}")));
    };
    Ok((PathBuf::from(file), layer))
}
