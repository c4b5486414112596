//! Parameters that are one of a few words.

use serde_json::Value;

use super::field::Field;

macro_rules! words {
    ($($(#[$about:meta])* $name:ident = $expected:literal { $($(#[$word_about:meta])* $word:literal $variant:ident,)* })*) => {
        $($(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum $name {
            $($(#[$word_about])* $variant,)*
        }

        impl $name {
            /// The word, as policies write it.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }

        impl Field for $name {
            const EXPECTED: &'static str = $expected;

            fn read(value: Value) -> Option<Self> {
                match value.as_str()? {
                    $($word => Some(Self::$variant),)*
                    _ => None,
                }
            }

            fn write(&self) -> Option<Value> {
                Some(Value::from(self.as_str()))
            }
        })*
    };
}

words! {
    /// What happens to the old input.
    InputMode = "`merge` or `replace`" {
        /// The new input is merged into it.
        #[default]
        "merge" Merge,
        /// The new input takes its place.
        "replace" Replace,
    }
    /// How the result of a handler is read.
    ResultForm = "`status`, `agent`, `flat`, `gemini`, `cursor`, `copilot`, `signals` or `return`" {
        /// By its exit status alone.
        #[default]
        "status" Status,
        /// As Claude Code and Codex CLI have it.
        "agent" Agent,
        /// By its exit status, and its output as a text.
        "flat" Flat,
        /// As Gemini CLI has it.
        "gemini" Gemini,
        /// As Cursor has it.
        "cursor" Cursor,
        /// As Copilot CLI has it.
        "copilot" Copilot,
        /// As repository hooks have it.
        "signals" Signals,
        /// As threads have it.
        "return" Return,
    }
    /// How long to wait between two retries.
    Backoff = "`exponential`, `fixed` or `inherit`" {
        /// Twice as long each time.
        "exponential" Exponential,
        /// Always the same time.
        "fixed" Fixed,
        /// As the event says.
        #[default]
        "inherit" Inherit,
    }
    /// How severe a line of the log is.
    LogLevel = "`debug`, `info`, `warn` or `error`" {
        /// For developers.
        "debug" Debug,
        /// For the record.
        #[default]
        "info" Info,
        /// Something may be wrong.
        "warn" Warn,
        /// Something is wrong.
        "error" Error,
    }
    /// A method of HTTP.
    HttpMethod = "`GET`, `POST`, `PUT`, `PATCH` or `DELETE`" {
        /// `GET`
        "GET" Get,
        /// `POST`
        #[default]
        "POST" Post,
        /// `PUT`
        "PUT" Put,
        /// `PATCH`
        "PATCH" Patch,
        /// `DELETE`
        "DELETE" Delete,
    }
}
