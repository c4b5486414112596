//! Python values to JSON text and back, without a change of any number.

use hookc::{DecideError, EventError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};

use crate::call::call;
use crate::error;

/// Nesting of a value that becomes JSON; the event's own limit is the same.
const DEPTH: usize = 128;

/// The text of an event.
pub(crate) fn of_dict(dict: &Bound<'_, PyDict>, limit: usize) -> PyResult<Vec<u8>> {
    let mut writer = Writer { out: Vec::with_capacity(256), limit, root: "event", path: Vec::new() };
    writer.dict(dict)?;
    Ok(writer.out)
}

/// The text of any value; messages call it `root`.
pub(crate) fn of_any(value: &Bound<'_, PyAny>, limit: usize, root: &'static str) -> PyResult<Vec<u8>> {
    let mut writer = Writer { out: Vec::new(), limit, root, path: Vec::new() };
    writer.value(value)?;
    Ok(writer.out)
}

/// The value of a JSON text, by `hookc._json.loads`, which keeps every number.
pub(crate) fn to_python<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    static LOADS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    call(LOADS.import(py, "hookc._json", "loads")?, (text,))
}

/// A step on the way to a value, for messages.
enum Step<'py> {
    Key(Bound<'py, PyString>),
    Index(usize),
}

struct Writer<'py> {
    out: Vec<u8>,
    limit: usize,
    /// What is written.
    root: &'static str,
    path: Vec<Step<'py>>,
}

impl<'py> Writer<'py> {
    fn value(&mut self, value: &Bound<'py, PyAny>) -> PyResult<()> {
        if self.out.len() > self.limit {
            return Err(invalid(EventError::TooLarge(self.limit)));
        }
        if let Ok(text) = value.cast::<PyString>() {
            self.string(text)
        } else if value.is_none() {
            self.raw(b"null")
        } else if let Ok(truth) = value.cast::<PyBool>() {
            self.raw(if truth.is_true() { b"true" } else { b"false" })
        } else if let Ok(int) = value.cast::<PyInt>() {
            self.int(int)
        } else if let Ok(float) = value.cast::<PyFloat>() {
            self.float(float.value())
        } else if let Ok(dict) = value.cast::<PyDict>() {
            self.dict(dict)
        } else if let Ok(list) = value.cast::<PyList>() {
            self.list(list.iter())
        } else if let Ok(tuple) = value.cast::<PyTuple>() {
            self.list(tuple.iter())
        } else {
            self.decimal(value)
        }
    }

    fn raw(&mut self, text: &[u8]) -> PyResult<()> {
        self.out.extend_from_slice(text);
        Ok(())
    }

    fn string(&mut self, text: &Bound<'py, PyString>) -> PyResult<()> {
        let Ok(text) = text.to_str() else {
            let location = self.location();
            return Err(error::of_value("utf8", format!("{location} has half a surrogate pair")));
        };
        serde_json::to_writer(&mut self.out, text)
            .map_err(|error| error::of_value("syntax", error.to_string()))
    }

    fn int(&mut self, int: &Bound<'py, PyInt>) -> PyResult<()> {
        if let Ok(small) = int.extract::<i64>() {
            return self.raw(small.to_string().as_bytes());
        }
        // The method of `int`: a subclass may print itself otherwise.
        match int.py().get_type::<PyInt>().call_method1("__repr__", (int,)) {
            Ok(text) => self.raw(text.cast::<PyString>()?.to_str()?.as_bytes()),
            Err(limit) if limit.is_instance_of::<PyValueError>(int.py()) => {
                let why = format!("{} cannot be written: {}", self.location(), limit.value(int.py()));
                let error = error::of_value("number", why);
                error.set_cause(int.py(), Some(limit));
                Err(error)
            }
            Err(other) => Err(other),
        }
    }

    fn float(&mut self, float: f64) -> PyResult<()> {
        match serde_json::Number::from_f64(float) {
            Some(number) => self.raw(number.to_string().as_bytes()),
            None => Err(self.not_finite(&float.to_string())),
        }
    }

    fn decimal(&mut self, value: &Bound<'py, PyAny>) -> PyResult<()> {
        static DECIMAL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let decimal = DECIMAL.import(value.py(), "decimal", "Decimal")?;
        if !value.is_instance(decimal)? {
            let (location, name) = (self.location(), error::type_name(value));
            return Err(pyo3::exceptions::PyTypeError::new_err(format!(
                "{location} is a value of type {name}: expected dict, list, tuple, str, int, float, Decimal, \
                 bool or None"
            )));
        }
        // The method of `Decimal`, for the same reason.
        let text = decimal.call_method1("__str__", (value,))?;
        let text = text.cast::<PyString>()?.to_str()?;
        if text.ends_with(|c: char| c.is_ascii_digit()) && !text.contains('N') {
            self.raw(text.as_bytes())
        } else {
            Err(self.not_finite(text))
        }
    }

    fn dict(&mut self, dict: &Bound<'py, PyDict>) -> PyResult<()> {
        self.open(b'{')?;
        // A list of the items: another thread may change the dictionary meanwhile.
        for (index, item) in dict.items().iter().enumerate() {
            let (key, value): (Bound<'py, PyAny>, Bound<'py, PyAny>) = item.extract()?;
            if index > 0 {
                self.out.push(b',');
            }
            let Ok(key) = key.cast_into::<PyString>() else {
                let location = self.location();
                let name = item.get_item(0).map(|key| error::type_name(&key))?;
                return Err(pyo3::exceptions::PyTypeError::new_err(format!(
                    "a key of {location} is of type {name}: expected str"
                )));
            };
            self.string(&key)?;
            self.out.push(b':');
            self.path.push(Step::Key(key));
            self.value(&value)?;
            self.path.pop();
        }
        self.raw(b"}")
    }

    fn list(&mut self, items: impl Iterator<Item = Bound<'py, PyAny>>) -> PyResult<()> {
        self.open(b'[')?;
        for (index, item) in items.enumerate() {
            if index > 0 {
                self.out.push(b',');
            }
            self.path.push(Step::Index(index));
            self.value(&item)?;
            self.path.pop();
        }
        self.raw(b"]")
    }

    fn open(&mut self, bracket: u8) -> PyResult<()> {
        if self.path.len() >= DEPTH {
            return Err(invalid(EventError::TooDeep(DEPTH)));
        }
        self.out.push(bracket);
        Ok(())
    }

    fn not_finite(&self, number: &str) -> PyErr {
        error::of_value("number", format!("{} is {number}, which JSON does not have", self.location()))
    }

    /// Where the value is, as Python would write it.
    fn location(&self) -> String {
        let mut text = self.root.to_owned();
        for step in &self.path {
            match step {
                Step::Key(key) => text.push_str(&format!("[{:?}]", key.to_string_lossy())),
                Step::Index(index) => text.push_str(&format!("[{index}]")),
            }
        }
        text
    }
}

fn invalid(error: EventError) -> PyErr {
    error::of_decide(&DecideError::Event(error))
}
