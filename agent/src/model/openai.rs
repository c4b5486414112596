//! The wire of OpenAi.

use super::{Delta, Model, ModelError, Reply, Request};

#[derive(Debug)]
pub(super) struct OpenAi {
    name: String,
}

impl OpenAi {
    pub(super) fn open(name: &str, base_url: Option<&str>) -> Result<Self, String> {
        let _ = base_url;
        Ok(Self { name: name.to_owned() })
    }
}

impl Model for OpenAi {
    fn name(&self) -> &str {
        &self.name
    }

    fn ask(&self, _: &Request<'_>, _: &mut dyn FnMut(Delta)) -> Result<Reply, ModelError> {
        Err(ModelError::new("unsupported", "not implemented yet"))
    }
}
