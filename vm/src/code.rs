//! Short names of errors, for programs.

/// Generates `CODES` and `code` of an error. An error that only wraps another one (`through`) has
/// the code of that.
macro_rules! error_codes {
    ($error:ident $(through $($inner:ident)+)? { $($($variant:ident)|+ => $code:literal $meaning:literal,)* }) => {
        impl $error {
            /// Every code with its meaning, without those of an error that it wraps.
            pub const CODES: &'static [(&'static str, &'static str)] = &[$(($code, $meaning)),*];

            /// A short name of the error, for programs: the same in every binding and in every
            /// version.
            #[must_use]
            pub fn code(&self) -> &'static str {
                match self {
                    $($(Self::$inner(inner) => inner.code(),)+)?
                    $($(Self::$variant { .. })|+ => $code,)*
                }
            }
        }
    };
}

pub(crate) use error_codes;
