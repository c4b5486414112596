/* hookc: decide about the events of AI agents by a compiled policy.
 *
 * cbindgen wrote this file from bindings/c/src. Do not edit it: `BLESS=1 cargo test -p hookc-c header`
 * in bindings/ writes it again. bindings/c/README.md explains the rules of ownership. */

#ifndef HOOKC_H
#define HOOKC_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// How a call ended.
typedef enum {
  // It did what it says.
  HOOKC_STATUS_OK = 0,
  // An argument is null, not UTF-8, out of range or has an unknown name.
  HOOKC_STATUS_ARGUMENT = 1,
  // A handle is not one of its kind.
  HOOKC_STATUS_HANDLE = 2,
  // There is not enough memory.
  HOOKC_STATUS_MEMORY = 3,
  // The bytes are not a module that this version can load.
  HOOKC_STATUS_MODULE = 4,
  // Nothing can be decided about the event: you choose whether to fail open or closed.
  HOOKC_STATUS_EVENT = 5,
  // The policy has errors.
  HOOKC_STATUS_POLICY = 6,
  // A fault of hookc itself.
  HOOKC_STATUS_INTERNAL = 7,
  // The bytes are not a snapshot of a session.
  HOOKC_STATUS_SNAPSHOT = 8,
} HookcStatus;

// Which hooks matched an event. It never changes. Free it with `hookc_decision_free`.
typedef struct HookcDecision HookcDecision;

// Decides about events, for any number of threads at the same time. Free it with
// `hookc_engine_free`.
typedef struct HookcEngine HookcEngine;

// Why a call failed. Free it with `hookc_error_free`.
typedef struct HookcError HookcError;

// A compiled policy. It never changes. Free it with `hookc_policy_free`.
typedef struct HookcPolicy HookcPolicy;

// A session of an engine: it remembers what conditions about earlier events need. Any number of threads use it; its
// decisions are made one after the other. Free it with `hookc_session_free`.
typedef struct HookcSession HookcSession;

// The state of a session as bytes. Free it with `hookc_snapshot_free`.
typedef struct HookcSnapshot HookcSnapshot;

// UTF-8 text of a length, without a NUL at its end. As an argument, a null `data` of length 0 is
// "not given". As a result, it belongs to the handle that it came from.
typedef struct {
  // Its first byte; not null in results.
  const char *data;
  // Its bytes.
  size_t length;
} HookcText;

// A hook that matched. Its texts belong to the decision; those that the policy does not set are
// empty.
typedef struct {
  // Its id or label; `rank N` in a module without names.
  HookcText id;
  // Its mode: `enforce`, `warn` or `shadow`.
  HookcText mode;
  // Its layer, such as `project`; empty in a module without names.
  HookcText layer;
  // `skip`, `fail` or `retry`.
  HookcText on_error;
  // Its failure mode: `open` or `closed`.
  HookcText on_failure;
  // The type of its action, such as `deny`.
  HookcText action_type;
  // Its action as compact JSON, filled in from the event; empty if it cannot be rendered.
  HookcText action;
  // Why its action cannot be rendered. The decision is valid all the same.
  HookcText action_error;
  // The name of the source that it is written in; empty in a module without names.
  HookcText file;
  // Its line, from 1; 0 in a module without names.
  uint32_t line;
  // Its column, from 1, in characters; 0 in a module without names.
  uint32_t column;
  // Its position among the hooks of its event type, from 0.
  uint32_t rank;
} HookcHook;

// Options of a decision. All zero is the default.
typedef struct {
  // The event's type, which overrides the type in the event.
  HookcText event;
  // The vocabulary (`thread`, `agent`, `repository`, `skill`, `workflow`), for names that several
  // declare.
  HookcText family;
  // The strategy (`first`, `all`), instead of the event type's.
  HookcText strategy;
  // Not 0: search only after the rank `after`.
  int32_t has_after;
  // A rank.
  uint32_t after;
} HookcDecideOptions;

// The text of a policy, with a name.
typedef struct {
  // A name for diagnostics, which can also determine the dialect, such as `policy.yaml`.
  HookcText name;
  // The text.
  HookcText text;
  // The dialect, such as `hooks-yaml`; if not given, the name and the text determine it.
  HookcText dialect;
  // The layer (`managed`, `directive`, `project`, `user`); if not given, `directive`.
  HookcText layer;
} HookcSource;

// Options of a compilation. All zero is the default.
typedef struct {
  // When to link the hooks that hookc ships: `never` (if not given), `threads`, `always`.
  HookcText shipped_hooks;
  // Not 0: undeclared names are errors instead of warnings.
  int32_t strict;
  // Not 0: leave ids and locations of hooks out of the module.
  int32_t strip;
} HookcCompileOptions;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The decision as compact JSON, the same bytes in every binding, in the form of
// `hookc schema decision`.
//
// `decision` is null or a handle.
HookcText hookc_decision_json(const HookcDecision *decision);

// The event's type.
//
// `decision` is null or a handle.
HookcText hookc_decision_event(const HookcDecision *decision);

// The event type that your program probably means, if no hook and no vocabulary knows the decision's: no hook ever
// matches an event of a misspelt type. Empty for a known type, and for a type that resembles no
// known one.
//
// `decision` is null or a handle.
HookcText hookc_decision_misspelt_event(const HookcDecision *decision);

// How many hooks decide. 0 is no opinion, not permission.
//
// `decision` is null or a handle.
size_t hookc_decision_hook_count(const HookcDecision *decision);

// How many hooks match in `mode: warn` or `shadow`. They decide nothing.
//
// `decision` is null or a handle.
size_t hookc_decision_reported_count(const HookcDecision *decision);

// How many hooks have a condition that is unknown, because what happened before is: every condition about earlier
// events without a session. Such a hook has failed: its `on_failure` says whether your program fails open or closed.
//
// `decision` is null or a handle.
size_t hookc_decision_unknown_count(const HookcDecision *decision);

// Why the condition of the unknown hook of an index is unknown; empty if there is no such hook.
//
// `decision` is null or a handle.
HookcText hookc_decision_unknown_cause(const HookcDecision *decision, size_t index);

// The number of the event in its session, for `hookc_session_settle`; 0 for a decision of an engine.
//
// `decision` is null or a handle.
uint64_t hookc_decision_step(const HookcDecision *decision);

// Writes the hook of an index to `hook`, in the order of the policy. Errors: `HOOKC_STATUS_ARGUMENT`.
//
// Pointers are null or valid; `decision` is null or a handle.
HookcStatus hookc_decision_hook(const HookcDecision *decision,
                                size_t index,
                                HookcHook *hook,
                                HookcError **error);

// Writes the reported hook of an index to `hook`. Errors: `HOOKC_STATUS_ARGUMENT`.
//
// Pointers are null or valid; `decision` is null or a handle.
HookcStatus hookc_decision_reported(const HookcDecision *decision,
                                    size_t index,
                                    HookcHook *hook,
                                    HookcError **error);

// Writes the hook of an index whose condition is unknown to `hook`. Errors: `HOOKC_STATUS_ARGUMENT`.
//
// Pointers are null or valid; `decision` is null or a handle.
HookcStatus hookc_decision_unknown(const HookcDecision *decision,
                                   size_t index,
                                   HookcHook *hook,
                                   HookcError **error);

// Frees a decision, and with it all its texts; null is left alone.
//
// `decision` is null or a handle that nothing uses any more.
void hookc_decision_free(HookcDecision *decision);

// An engine with a policy. The policy can be freed afterwards.
//
// Pointers are null or valid; `policy` is null or a handle.
HookcStatus hookc_engine_new(const HookcPolicy *policy, HookcEngine **engine, HookcError **error);

// Replaces the policy of an engine, while other threads decide. A decision that has begun ends with
// the policy that it began with.
//
// `error` is null or valid; the others are null or handles.
HookcStatus hookc_engine_reload(const HookcEngine *engine, const HookcPolicy *policy, HookcError **error);

// Decides about an event: a JSON object in UTF-8. `options` can be null. Errors: `HOOKC_STATUS_EVENT`
// (nothing can be decided), `HOOKC_STATUS_ARGUMENT`. A decision without hooks is no opinion, not
// permission.
//
// Pointers are null or valid, `event` for `length` bytes; `engine` is null or a handle.
HookcStatus hookc_engine_decide(const HookcEngine *engine,
                                const char *event,
                                size_t length,
                                const HookcDecideOptions *options,
                                HookcDecision **decision,
                                HookcError **error);

// Frees an engine; null is left alone. Its decisions stay valid.
//
// `engine` is null or a handle that nothing uses any more.
void hookc_engine_free(HookcEngine *engine);

// The status of the call that failed; `HOOKC_STATUS_OK` for null.
//
// `error` is null or a handle.
HookcStatus hookc_error_status(const HookcError *error);

// A short name of the problem, for programs, such as `syntax`; for a policy the code of its first error,
// such as `E0406`. docs/bindings.md lists them.
//
// `error` is null or a handle.
HookcText hookc_error_code(const HookcError *error);

// The problem in one line.
//
// `error` is null or a handle.
HookcText hookc_error_message(const HookcError *error);

// The problem as the command line shows it: for a policy with the lines of its text.
//
// `error` is null or a handle.
HookcText hookc_error_rendered(const HookcError *error);

// The diagnostics of a policy: a JSON array; `[]` for other errors.
//
// `error` is null or a handle.
HookcText hookc_error_diagnostics(const HookcError *error);

// The name of the source with the problem, or `event`; empty if the problem is in no text.
//
// `error` is null or a handle.
HookcText hookc_error_file(const HookcError *error);

// The line of the problem, from 1; 0 if it is in no text.
//
// `error` is null or a handle.
uint32_t hookc_error_line(const HookcError *error);

// The column of the problem, from 1, in characters; 0 if it is in no text.
//
// `error` is null or a handle.
uint32_t hookc_error_column(const HookcError *error);

// Frees an error; null is left alone.
//
// `error` is null or a handle that nothing uses any more.
void hookc_error_free(HookcError *error);

// Compiles sources into one policy. `options` can be null. Errors: `HOOKC_STATUS_POLICY` with
// diagnostics, `HOOKC_STATUS_ARGUMENT`.
//
// Pointers are null or valid; `sources` for `count` values.
HookcStatus hookc_policy_compile(const HookcSource *sources,
                                 size_t count,
                                 const HookcCompileOptions *options,
                                 HookcPolicy **policy,
                                 HookcError **error);

// Compiles one policy in YAML, in the notation of docs/language.md.
//
// Pointers are null or valid; `text` for `length` bytes.
HookcStatus hookc_policy_from_yaml(const char *text, size_t length, HookcPolicy **policy, HookcError **error);

// Loads a module that `hookc compile` or `hookc_policy_module` wrote. Any bytes are safe to load; they
// are copied. Errors: `HOOKC_STATUS_MODULE`.
//
// Pointers are null or valid; `module` for `length` bytes.
HookcStatus hookc_policy_load(const uint8_t *module, size_t length, HookcPolicy **policy, HookcError **error);

// The bytes of the policy as a module, to save; `length` gets their number. They belong to the
// policy. Null for a handle of the wrong kind.
//
// Pointers are null or valid.
const uint8_t *hookc_policy_module(const HookcPolicy *policy, size_t *length);

// The warnings about the policy, as the command line shows them. Empty for a policy without warnings.
//
// `policy` is null or a handle.
HookcText hookc_policy_warnings(const HookcPolicy *policy);

// The warnings and notes about the policy as a JSON array, which is empty for a policy without them.
//
// `policy` is null or a handle.
HookcText hookc_policy_diagnostics(const HookcPolicy *policy);

// Frees a policy; null is left alone. Engines that use it keep what they need.
//
// `policy` is null or a handle that nothing uses any more.
void hookc_policy_free(HookcPolicy *policy);

// The session of an engine with this id, which begins now unless the engine knows it. The engine can be freed
// afterwards.
//
// Pointers are null or valid; `engine` is null or a handle.
HookcStatus hookc_session_open(const HookcEngine *engine,
                               HookcText id,
                               HookcSession **session,
                               HookcError **error);

// A session from the bytes of a snapshot, which replaces the one of the engine with this id. The policy may have
// changed. Errors: `HOOKC_STATUS_SNAPSHOT`.
//
// Pointers are null or valid, `snapshot` for `length` bytes; `engine` is null or a handle.
HookcStatus hookc_session_restore(const HookcEngine *engine,
                                  HookcText id,
                                  const uint8_t *snapshot,
                                  size_t length,
                                  HookcSession **session,
                                  HookcError **error);

// Decides about an event as `hookc_engine_decide`, and records it. `time` is in milliseconds, such as those since
// 1970; a time before that of the last event is raised to it. An event that is an error is not recorded.
//
// The event is recorded with the verdict of the hooks (`deny`, `ask`, `allow` and the actions of threads). If another
// action decides, or a condition was unknown, it waits for `hookc_session_settle`: until then others see it as one
// that happened.
//
// Pointers are null or valid, `event` for `length` bytes; `session` is null or a handle.
HookcStatus hookc_session_decide(const HookcSession *session,
                                 const char *event,
                                 size_t length,
                                 uint64_t time,
                                 const HookcDecideOptions *options,
                                 HookcDecision **decision,
                                 HookcError **error);

// Sets the verdict about an event that waits: `deny`, `ask`, `allow` or `none`. `step` is that of its decision.
// `waited` can be null; it gets 1 if the event waited, and 0 if it did not: then nothing changes. Errors:
// `HOOKC_STATUS_ARGUMENT`.
//
// Pointers are null or valid; `session` is null or a handle.
HookcStatus hookc_session_settle(const HookcSession *session,
                                 uint64_t step,
                                 HookcText verdict_name,
                                 int32_t *waited,
                                 HookcError **error);

// The state of a session, for `hookc_session_restore`. It has hashes of values, with the key of these hashes, and the
// numbers and texts that the policy keeps. Events that wait are settled by time alone after they are restored.
//
// Pointers are null or valid; `session` is null or a handle.
HookcStatus hookc_session_snapshot(const HookcSession *session,
                                   HookcSnapshot **snapshot,
                                   HookcError **error);

// The bytes of a snapshot, which are valid until it is freed. `length` gets their number. Null and 0 for something
// else than a snapshot.
//
// `length` is null or valid; `snapshot` is null or a handle.
const uint8_t *hookc_snapshot_bytes(const HookcSnapshot *snapshot,
                                    size_t *length);

// Frees a handle of a session; null is left alone. The engine keeps the session under its id.
//
// `session` is null or a handle that nothing uses any more.
void hookc_session_free(HookcSession *session);

// Frees a snapshot, and with it its bytes; null is left alone.
//
// `snapshot` is null or a handle that nothing uses any more.
void hookc_snapshot_free(HookcSnapshot *snapshot);

// A text that ends with NUL, as a [`HookcText`] of the same memory. Null is "not given".
//
// `text` is null or ends with NUL.
HookcText hookc_text(const char *text);

// The version of this library, such as `0.1.0`: static, ends with NUL.
const char *hookc_version(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* HOOKC_H */
