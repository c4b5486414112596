//! Policies: compiled from text and files, or loaded as modules.

use std::path::{Path, PathBuf};

use hookc::runtime::policies;
use hookc::{Builtin, Dialect, Layer, PolicyBuilder, Source};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyMapping, PyString, PyTuple};

use crate::event::EventBytes;
use crate::{diagnostics, error};

/// Bytes of a module that are read from a buffer: the module's own limit.
const MODULE_BYTES: usize = 1 << 30;

/// Hooks that are ready to decide: immutable, for any number of threads.
#[pyclass(frozen, module = "hookc")]
pub(crate) struct Policy {
    pub(crate) inner: hookc::Policy,
}

/// An event type that a policy has hooks for.
#[pyclass(frozen, get_all, module = "hookc")]
pub(crate) struct EventType {
    name: String,
    vocabulary: &'static str,
    strategy: &'static str,
    hooks: usize,
}

#[pymethods]
impl EventType {
    fn __repr__(&self) -> String {
        format!("<hookc.EventType {} ({}): {} hooks>", self.name, self.vocabulary, self.hooks)
    }
}

/// The layer of a name.
fn layer(name: &str) -> PyResult<Layer> {
    Layer::from_name(name).ok_or_else(|| {
        let known: Vec<&str> = Layer::ALL.iter().map(|layer| layer.name()).collect();
        error::unknown_name("the layer", name, &known)
    })
}

fn dialect(name: &str) -> PyResult<Dialect> {
    Dialect::all().find(|dialect| dialect.name() == name).ok_or_else(|| {
        let known: Vec<&str> = Dialect::all().map(Dialect::name).collect();
        error::unknown_name("the dialect", name, &known)
    })
}

fn builtin(name: &str) -> PyResult<Builtin> {
    match name {
        "never" => Ok(Builtin::Never),
        "threads" => Ok(Builtin::Threads),
        "always" => Ok(Builtin::Always),
        other => Err(error::unknown_name("shipped_hooks", other, &["never", "threads", "always"])),
    }
}

/// A builder with the options that all constructors have.
fn builder(strict: bool, strip: bool, shipped_hooks: &str) -> PyResult<PolicyBuilder> {
    Ok(hookc::Policy::builder().strict(strict).strip(strip).shipped_hooks(builtin(shipped_hooks)?))
}

/// A list of paths. A `str` is an error: as a list, it would be its characters.
fn paths(value: &Bound<'_, PyAny>) -> PyResult<Vec<PathBuf>> {
    if value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>() {
        return Err(error::wrong_type("a list of paths", value));
    }
    value.try_iter()?.map(|path| path?.extract::<PathBuf>()).collect()
}

/// A layer's value: a path, or a list of paths.
fn one_or_more(value: &Bound<'_, PyAny>) -> PyResult<Vec<PathBuf>> {
    value.extract::<PathBuf>().map(|path| vec![path]).or_else(|_| paths(value))
}

/// The sources of a file, or of the policies of a directory, as exceptions that still need the
/// interpreter.
fn read(path: &Path, layer: Option<Layer>) -> Result<Vec<Source>, hookc::PolicyError> {
    let with = |source: Source| match layer {
        Some(layer) => source.with_layer(layer),
        None => source,
    };
    if !path.is_dir() {
        return Source::read(path).map(|source| vec![with(source)]);
    }
    let file = |path: PathBuf, source| hookc::PolicyError::File { path, source };
    let contents = policies::layer(path).map_err(|unreadable| file(unreadable.path, unreadable.error))?;
    let each = |(path, content): (PathBuf, policies::Content)| {
        let text = String::from_utf8(content.bytes)
            .map_err(|error| std::io::Error::new(std::io::ErrorKind::InvalidData, error));
        let text = text.map_err(|error| file(path.clone(), error))?;
        let source = with(Source::new(path.display().to_string(), text));
        Ok(match content.dialect {
            Some(dialect) => source.with_dialect(dialect),
            None => source,
        })
    };
    contents.into_iter().map(each).collect()
}

#[pymethods]
impl Policy {
    #[staticmethod]
    #[pyo3(signature = (text, *, name = "policy.yaml", strict = false, strip = false, shipped_hooks = "never"))]
    fn from_yaml(
        py: Python<'_>,
        text: &str,
        name: &str,
        strict: bool,
        strip: bool,
        shipped_hooks: &str,
    ) -> PyResult<Self> {
        let source = Source::new(name, text).with_dialect(Dialect::HooksYaml);
        Self::build(py, builder(strict, strip, shipped_hooks)?.source(source))
    }

    #[staticmethod]
    #[pyo3(signature = (
        sources, *, dialects = None, layers = None, strict = false, strip = false, shipped_hooks = "never"
    ))]
    fn from_sources(
        py: Python<'_>,
        sources: &Bound<'_, PyMapping>,
        dialects: Option<&Bound<'_, PyMapping>>,
        layers: Option<&Bound<'_, PyMapping>>,
        strict: bool,
        strip: bool,
        shipped_hooks: &str,
    ) -> PyResult<Self> {
        let mut builder = builder(strict, strip, shipped_hooks)?;
        let pairs = pairs(sources)?;
        if pairs.is_empty() {
            // An engine with it would let everything through.
            return Err(PyValueError::new_err("there is no policy: no sources"));
        }
        for (name, text) in pairs {
            let mut source = Source::new(name.as_str(), text);
            if let Some(own) = of_name(dialects, &name)? {
                source = source.with_dialect(dialect(&own)?);
            }
            if let Some(own) = of_name(layers, &name)? {
                source = source.with_layer(layer(&own)?);
            }
            builder = builder.source(source);
        }
        no_others(dialects, sources, "dialects")?;
        no_others(layers, sources, "layers")?;
        Self::build(py, builder)
    }

    #[staticmethod]
    #[pyo3(signature = (paths, *, layers = None, strict = false, strip = false, shipped_hooks = "never"))]
    fn from_files(
        py: Python<'_>,
        paths: &Bound<'_, PyAny>,
        layers: Option<&Bound<'_, PyMapping>>,
        strict: bool,
        strip: bool,
        shipped_hooks: &str,
    ) -> PyResult<Self> {
        let mut builder = builder(strict, strip, shipped_hooks)?;
        let mut all: Vec<(Option<Layer>, PathBuf)> =
            self::paths(paths)?.into_iter().map(|path| (None, path)).collect();
        for item in layers.map(|layers| layers.items()).transpose()?.iter().flatten() {
            let (name, value): (String, Bound<'_, PyAny>) = item.extract()?;
            let layer = layer(&name)?;
            all.extend(one_or_more(&value)?.into_iter().map(|path| (Some(layer), path)));
        }
        let read =
            py.detach(|| all.iter().map(|(layer, path)| read(path, *layer)).collect::<Result<Vec<_>, _>>());
        let read: Vec<Source> =
            read.map_err(|error| error::of_policy(py, error))?.into_iter().flatten().collect();
        if read.is_empty() {
            // An engine with it would let everything through.
            return Err(PyValueError::new_err(
                "there is no policy: no paths, or directories without policies",
            ));
        }
        for source in read {
            builder = builder.source(source);
        }
        Self::build(py, builder)
    }

    #[staticmethod]
    fn from_module(py: Python<'_>, module: &Bound<'_, PyAny>) -> PyResult<Self> {
        if module.is_instance_of::<PyString>() || module.is_instance_of::<PyDict>() {
            return Err(error::wrong_type("bytes or a buffer of bytes", module));
        }
        let bytes = EventBytes::from_value(module, MODULE_BYTES)?;
        let bytes = bytes.as_bytes()?;
        let inner = py.detach(|| hookc::Policy::from_module(bytes));
        Ok(Self { inner: inner.map_err(|error| error::of_load(&error))? })
    }

    #[getter]
    fn diagnostics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        diagnostics::tuple(py, self.inner.diagnostics())
    }

    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let each = |event: hookc::EventType<'_>| {
            let (name, vocabulary) = (event.name.to_owned(), event.family.name());
            Py::new(py, EventType { name, vocabulary, strategy: event.strategy.name(), hooks: event.hooks })
        };
        PyTuple::new(py, self.inner.module().events().map(each).collect::<PyResult<Vec<_>>>()?)
    }

    #[getter]
    fn module<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.inner.module().bytes())
    }

    #[getter]
    fn hash(&self) -> String {
        self.inner.module().hash().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn __repr__(&self) -> String {
        let events: Vec<String> =
            self.inner.module().events().map(|event| format!("{}: {}", event.name, event.hooks)).collect();
        format!("<hookc.Policy {}>", events.join(", "))
    }

    /// A pickled policy is its module, without diagnostics.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let load = slf.get_type().getattr("from_module")?;
        Ok((load, (slf.get().module(slf.py()),)))
    }
}

impl Policy {
    fn build(py: Python<'_>, builder: PolicyBuilder) -> PyResult<Self> {
        let inner = py.detach(|| builder.build());
        Ok(Self { inner: inner.map_err(|all| error::of_diagnostics(py, &all))? })
    }
}

/// A mapping of names and texts.
fn pairs(mapping: &Bound<'_, PyMapping>) -> PyResult<Vec<(String, String)>> {
    mapping.items()?.iter().map(|item| item.extract()).collect()
}

/// The value of a source in an optional mapping.
fn of_name(mapping: Option<&Bound<'_, PyMapping>>, name: &str) -> PyResult<Option<String>> {
    match mapping {
        Some(mapping) if mapping.contains(name)? => mapping.get_item(name)?.extract().map(Some),
        _ => Ok(None),
    }
}

/// Every key of `mapping` is a source.
fn no_others(
    mapping: Option<&Bound<'_, PyMapping>>,
    sources: &Bound<'_, PyMapping>,
    what: &str,
) -> PyResult<()> {
    for key in mapping.map(|mapping| mapping.keys()).transpose()?.iter().flatten() {
        if !sources.contains(&key)? {
            return Err(PyValueError::new_err(format!("{what} has {}, which is not a source", key.repr()?)));
        }
    }
    Ok(())
}
