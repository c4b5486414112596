//! Parameters with a fixed set of values.

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
            /// The value, as policies write it.
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
    /// How the new input is combined with the old one.
    InputMode = "`merge` or `replace`" {
        /// The new input is merged into it.
        #[default]
        "merge" Merge,
        /// The new input replaces the old one.
        "replace" Replace,
    }
    /// The format of the result of a handler.
    ResultForm = "`status`, `agent`, `flat`, `gemini`, `cursor`, `copilot`, `signals` or `return`" {
        /// Only the exit status.
        #[default]
        "status" Status,
        /// As Claude Code and Codex CLI have it.
        "agent" Agent,
        /// The exit status, and the output as text.
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
    /// The delay between two retries.
    Backoff = "`exponential`, `fixed` or `inherit`" {
        /// Twice as long each time.
        "exponential" Exponential,
        /// A constant delay.
        "fixed" Fixed,
        /// The delay of the event's retry policy.
        #[default]
        "inherit" Inherit,
    }
    /// The severity of a log line.
    LogLevel = "`debug`, `info`, `warn` or `error`" {
        /// For developers.
        "debug" Debug,
        /// For the record.
        #[default]
        "info" Info,
        /// A possible problem.
        "warn" Warn,
        /// An error.
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
