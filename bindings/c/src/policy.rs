//! Policies: compiled from text, or loaded from modules.

use facade::{Policy, Source};
use hookc_bindings::{Failure, diagnostics_json, dialect, layer, shipped_hooks};

use crate::border::{look, make, null};
use crate::error::{HookcError, HookcStatus};
use crate::handle::{self, Opaque};
use crate::text::{HookcText, bytes, slice};

/// A compiled policy. It never changes. Free it with `hookc_policy_free`.
#[derive(Debug)]
pub struct HookcPolicy {
    _opaque: [u8; 0],
}

/// A policy with its texts.
pub(crate) struct PolicyValue {
    pub(crate) policy: Policy,
    warnings: String,
    diagnostics: String,
}

impl Opaque for HookcPolicy {
    type Value = PolicyValue;
    const TAG: u64 = 0x706f_6c69_6379_6802;
    const NAME: &'static str = "policy";
}

impl From<Policy> for PolicyValue {
    fn from(policy: Policy) -> Self {
        let found = policy.diagnostics();
        let warnings = if found.is_empty() { String::new() } else { found.to_string() };
        let diagnostics = diagnostics_json(found);
        Self { policy, warnings, diagnostics }
    }
}

/// The text of a policy, with a name.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HookcSource {
    /// A name for diagnostics, which can also determine the dialect, such as `policy.yaml`.
    pub name: HookcText,
    /// The text.
    pub text: HookcText,
    /// The dialect, such as `hooks-yaml`; if not given, the name and the text determine it.
    pub dialect: HookcText,
    /// The layer (`managed`, `directive`, `project`, `user`); if not given, `directive`.
    pub layer: HookcText,
}

/// Options of a compilation. All zero is the default.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HookcCompileOptions {
    /// When to link the hooks that hookc ships: `never` (if not given), `threads`, `always`.
    pub shipped_hooks: HookcText,
    /// Not 0: undeclared names are errors instead of warnings.
    pub strict: i32,
    /// Not 0: leave ids and locations of hooks out of the module.
    pub strip: i32,
}

/// Compiles sources into one policy. `options` can be null. Errors: `HOOKC_STATUS_POLICY` with
/// diagnostics, `HOOKC_STATUS_ARGUMENT`.
///
/// # Safety
/// Pointers are null or valid; `sources` for `count` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_policy_compile(
    sources: *const HookcSource,
    count: usize,
    options: *const HookcCompileOptions,
    policy: *mut *mut HookcPolicy,
    error: *mut *mut HookcError,
) -> HookcStatus {
    // SAFETY: the caller's word for every pointer.
    unsafe {
        make("policy", policy, error, || {
            let mut builder = Policy::builder();
            if let Some(options) = slice(options, usize::from(!options.is_null()), "options")?.first() {
                builder = builder.strict(options.strict != 0).strip(options.strip != 0);
                if let Some(name) = options.shipped_hooks.get("shipped_hooks")? {
                    builder = builder.shipped_hooks(shipped_hooks(name)?);
                }
            }
            let sources = slice(sources, count, "sources")?;
            if sources.is_empty() {
                // A policy without hooks would let everything through.
                return Err(Failure::argument("there is no source"));
            }
            for source in sources {
                builder = builder.source(read(source)?);
            }
            let built = builder.build().map_err(|diagnostics| Failure::policy(&diagnostics))?;
            Ok(PolicyValue::from(built))
        })
    }
}

/// A source.
///
/// # Safety
/// Its texts are valid.
unsafe fn read(source: &HookcSource) -> Result<Source, Failure> {
    // SAFETY: the caller's word.
    let (name, text, dialect_name, layer_name) = unsafe {
        (
            source.name.get("name")?.unwrap_or("policy.yaml"),
            // A policy without hooks would let everything through.
            source.text.get("text")?.ok_or_else(|| null("text"))?,
            source.dialect.get("dialect")?,
            source.layer.get("layer")?,
        )
    };
    let mut read = Source::new(name, text);
    if let Some(name) = dialect_name {
        read = read.with_dialect(dialect(name)?);
    }
    if let Some(name) = layer_name {
        read = read.with_layer(layer(name)?);
    }
    Ok(read)
}

/// Compiles one policy in YAML, in the notation of docs/language.md.
///
/// # Safety
/// Pointers are null or valid; `text` for `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_policy_from_yaml(
    text: *const std::ffi::c_char,
    length: usize,
    policy: *mut *mut HookcPolicy,
    error: *mut *mut HookcError,
) -> HookcStatus {
    // SAFETY: the caller's word for every pointer.
    unsafe {
        make("policy", policy, error, || {
            let text = HookcText { data: text, length }.get("text")?.ok_or_else(|| null("text"))?;
            let built = Policy::from_yaml(text).map_err(|diagnostics| Failure::policy(&diagnostics))?;
            Ok(PolicyValue::from(built))
        })
    }
}

/// Loads a module that `hookc compile` or `hookc_policy_module` wrote. Any bytes are safe to load; they
/// are copied. Errors: `HOOKC_STATUS_MODULE`.
///
/// # Safety
/// Pointers are null or valid; `module` for `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_policy_load(
    module: *const u8,
    length: usize,
    policy: *mut *mut HookcPolicy,
    error: *mut *mut HookcError,
) -> HookcStatus {
    // SAFETY: the caller's word for every pointer.
    unsafe {
        make("policy", policy, error, || {
            let loaded = Policy::from_module(bytes(module, length, "module")?);
            Ok(PolicyValue::from(loaded.map_err(|error| Failure::module(&error))?))
        })
    }
}

/// The bytes of the policy as a module, to save; `length` gets their number. They belong to the
/// policy. Null for a handle of the wrong kind.
///
/// # Safety
/// Pointers are null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_policy_module(policy: *const HookcPolicy, length: *mut usize) -> *const u8 {
    // SAFETY: the caller's word.
    let module = look(|| Ok(Some(unsafe { handle::get(policy) }?.policy.module().bytes())));
    if !length.is_null() {
        // SAFETY: not null; the caller says that it is valid.
        unsafe { length.write(module.map_or(0, <[u8]>::len)) };
    }
    module.map_or(std::ptr::null(), <[u8]>::as_ptr)
}

/// The warnings about the policy, as the command line shows them. Empty for a policy without warnings.
///
/// # Safety
/// `policy` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_policy_warnings(policy: *const HookcPolicy) -> HookcText {
    // SAFETY: the caller's word.
    look(|| Ok(HookcText::from(unsafe { handle::get(policy) }?.warnings.as_str())))
}

/// The warnings and notes about the policy as a JSON array, which is empty for a policy without them.
///
/// # Safety
/// `policy` is null or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_policy_diagnostics(policy: *const HookcPolicy) -> HookcText {
    // SAFETY: the caller's word.
    look(|| Ok(HookcText::from(unsafe { handle::get(policy) }?.diagnostics.as_str())))
}

/// Frees a policy; null is left alone. Engines that use it keep what they need.
///
/// # Safety
/// `policy` is null or a handle that nothing uses any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hookc_policy_free(policy: *mut HookcPolicy) {
    // SAFETY: the caller's word.
    unsafe { handle::free(policy) }
}
