"""The extension module. Use `hookc`, which has all of it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from os import PathLike
from typing import Any, ClassVar, Final, Literal, Protocol, TypeAlias, final, type_check_only

from typing_extensions import Buffer

__all__ = [
    "Context",
    "Decision",
    "Diagnostic",
    "Effect",
    "Engine",
    "EventType",
    "Hook",
    "HookInfo",
    "Interceptor",
    "Location",
    "Outcome",
    "Policy",
    "ReplayStream",
    "Reply",
    "Session",
    "Step",
    "Thread",
    "Verdict",
    "_NESTED_ACTIONS",
    "_NESTED_TOTAL",
    "__version__",
    "_rust_seconds",
    "replay_stream",
]

_Vocabulary: TypeAlias = Literal["thread", "agent", "repository", "skill", "workflow"]
_Strategy: TypeAlias = Literal["first", "all"]
_Layer: TypeAlias = Literal["managed", "directive", "project", "user", "builtin"]
_Mode: TypeAlias = Literal["enforce", "warn", "shadow"]
_Permission: TypeAlias = Literal["allow", "ask", "defer", "deny"]
_StepKind: TypeAlias = Literal[
    "no_opinion", "continue", "retry", "fail", "abort", "suspend", "escalate", "compact"
]
_ShippedHooks: TypeAlias = Literal["never", "threads", "always"]
_Event: TypeAlias = str | dict[str, Any] | Buffer
_Handler: TypeAlias = Callable[[dict[str, Any], Context], Verdict | Any | Awaitable[Verdict | Any]]

@type_check_only
class _ArrowStream(Protocol):
    """Anything that exports an Arrow stream: tables and readers of pyarrow, relations of DuckDB, Polars frames."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...

__version__: Final[str]
_NESTED_ACTIONS: Final[int]
_NESTED_TOTAL: Final[int]

@final
class Location:
    """Where a hook is written. `str` gives `file:line:column`."""

    @property
    def file(self) -> str: ...
    @property
    def line(self) -> int:
        """From 1."""

    @property
    def column(self) -> int:
        """From 1, in characters."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...

@final
class Diagnostic:
    """An error, a warning or a note of the compiler."""

    @property
    def code(self) -> str:
        """Such as `E0406`: `hookc explain-code E0406` explains it."""

    @property
    def severity(self) -> str:
        """`error`, `warning` or `note`."""

    @property
    def message(self) -> str: ...
    @property
    def location(self) -> Location | None: ...
    @property
    def help(self) -> str | None:
        """What to write instead."""

@final
class EventType:
    """An event type that a policy has hooks for."""

    @property
    def name(self) -> str: ...
    @property
    def vocabulary(self) -> _Vocabulary: ...
    @property
    def strategy(self) -> _Strategy: ...
    @property
    def hooks(self) -> int:
        """How many hooks it has."""

@final
class Policy:
    """Hooks that are ready to decide: immutable, for any number of threads. A pickled policy is its module."""

    @staticmethod
    def from_yaml(
        text: str,
        *,
        name: str = "policy.yaml",
        strict: bool = False,
        strip: bool = False,
        shipped_hooks: _ShippedHooks = "never",
    ) -> Policy:
        """Compiles a policy in YAML. `name` is the file in diagnostics. `strict`: undeclared names are errors.
        `strip`: the module has no ids and locations. `shipped_hooks`: whether the thread hooks of hookc are linked.

        Raises `CompileError`.
        """

    @staticmethod
    def from_sources(
        sources: Mapping[str, str],
        *,
        dialects: Mapping[str, str] | None = None,
        layers: Mapping[str, _Layer] | None = None,
        strict: bool = False,
        strip: bool = False,
        shipped_hooks: _ShippedHooks = "never",
    ) -> Policy:
        """Compiles texts by name into one policy. `dialects` and `layers` set by name
        what is otherwise detected.

        Raises `CompileError`, and `ValueError` if there is no text.
        """

    @staticmethod
    def from_files(
        paths: Sequence[str | PathLike[str]],
        *,
        layers: Mapping[_Layer, str | PathLike[str] | Sequence[str | PathLike[str]]] | None = None,
        strict: bool = False,
        strip: bool = False,
        shipped_hooks: _ShippedHooks = "never",
    ) -> Policy:
        """Reads files, and directories of policies, and compiles them into one policy. `layers` has further ones
        by layer: `{"managed": "/etc/hookc", "project": ["hooks.yaml"]}`.

        Raises `FileError` and `CompileError`, and `ValueError` if there is no file.
        """

    @staticmethod
    def from_module(module: Buffer) -> Policy:
        """Loads and verifies a module, which `hookc compile` or `Policy.module` gave. Any bytes are safe.

        Raises `LoadError`.
        """

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Warnings and notes; a policy from a module has none."""

    @property
    def events(self) -> tuple[EventType, ...]: ...
    @property
    def module(self) -> bytes:
        """The compiled module, for `from_module`."""

    @property
    def hash(self) -> str:
        """64 hexadecimal digits: equal sources and options, equal hash."""

    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Hook:
    """A hook that matched, with its action filled in from the event."""

    @property
    def id(self) -> str: ...
    @property
    def rank(self) -> int:
        """The position among the hooks of the event type, from 0."""

    @property
    def mode(self) -> _Mode: ...
    @property
    def layer(self) -> _Layer | None:
        """`None` in a stripped module."""

    @property
    def location(self) -> Location | None:
        """`None` in a stripped module."""

    @property
    def on_error(self) -> str | None:
        """`skip`, `fail`, `retry`, or `None` if the policy says nothing."""

    @property
    def on_failure(self) -> str | None:
        """`open`, `closed`, or `None` if the policy says nothing."""

    @property
    def kind(self) -> str:
        """The type of the action, such as `deny`."""

    @property
    def action(self) -> dict[str, Any]:
        """The action: `{"type": "ask", "reason": "..."}`. A new dictionary each time.

        Raises `ActionError`.
        """

    @property
    def action_json(self) -> str:
        """The action as JSON text: `type` first, then the parameters by name.

        Raises `ActionError`.
        """

    @property
    def cause(self) -> str | None:
        """Why the condition is unknown; `None` for a hook that matched."""

@final
class Decision:
    """Which hooks matched an event. No hooks: no opinion, which is not permission."""

    @property
    def event_type(self) -> str: ...
    @property
    def vocabulary(self) -> _Vocabulary | None:
        """`None` if the policy has no hooks for the event type."""

    @property
    def strategy(self) -> _Strategy: ...
    @property
    def hooks(self) -> tuple[Hook, ...]:
        """The hooks that decide, in the order of the policy."""

    @property
    def reported(self) -> tuple[Hook, ...]:
        """The hooks in `mode: warn` and `mode: shadow` that match. They decide nothing."""

    @property
    def unknown(self) -> tuple[Hook, ...]:
        """The hooks whose condition is unknown, because what happened before is: every condition about earlier events
        without a `Session`. Such a hook has failed: `on_failure` says whether your program fails open or closed."""

    @property
    def step(self) -> int | None:
        """The number of the event in its session, for `Session.settle`; `None` without one."""

    def to_json(self) -> str:
        """The decision as a line of JSON."""

@final
class Verdict:
    """A verdict about an event. A handler can return one, and an outcome has the verdict of all hooks."""

    def __new__(
        cls,
        permission: _Permission | None = None,
        *,
        reason: str | None = None,
        context: str | None = None,
        message: str | None = None,
        stop: str | None = None,
        prompt: str | None = None,
        input: dict[str, Any] | None = None,
        output: Any = None,
    ) -> Verdict:
        """`context` is for the model, `message` for the user. `stop` ends the agent for this reason. `prompt`
        replaces the user's message, `input` fields of the tool's input, `output` the tool's output."""

    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

    @property
    def permission(self) -> _Permission | None: ...
    @property
    def reason(self) -> str | None:
        """All reasons, a line each."""

    @property
    def contexts(self) -> tuple[str, ...]: ...
    @property
    def messages(self) -> tuple[str, ...]: ...
    @property
    def stop(self) -> str | None: ...
    @property
    def prompt(self) -> str | None: ...
    @property
    def input(self) -> dict[str, Any] | None:
        """The changed fields of the tool's input; with `input_is_whole`, the whole input."""

    @property
    def input_is_whole(self) -> bool: ...
    @property
    def output(self) -> Any: ...

@final
class HookInfo:
    """A hook whose action is executed."""

    @property
    def id(self) -> str: ...
    @property
    def rank(self) -> int: ...
    @property
    def mode(self) -> _Mode: ...
    @property
    def kind(self) -> str: ...
    @property
    def location(self) -> Location | None: ...
    @property
    def on_error(self) -> str | None: ...
    @property
    def on_failure(self) -> str | None: ...

@final
class Context:
    """The event that a handler executes an action for."""

    @property
    def event(self) -> dict[str, Any]:
        """The event, parsed anew each time."""

    @property
    def event_bytes(self) -> bytes: ...
    @property
    def event_type(self) -> str: ...
    @property
    def vocabulary(self) -> _Vocabulary | None: ...
    @property
    def hook(self) -> HookInfo: ...

@final
class Effect:
    """A hook and what executing its action gave."""

    @property
    def hook(self) -> HookInfo: ...
    @property
    def outcome(self) -> str:
        """One word: `allow`, `ask`, `deny`, `done`, `failed`, `skipped`, `started`, ..."""

    @property
    def value(self) -> Any:
        """What the handler returned, if it was neither a verdict nor an answer that became one."""

    @property
    def verdict(self) -> Verdict:
        """What the hook says about the event. A failure of mode `closed` denies."""

    @property
    def error(self) -> str | None:
        """Why the action failed or was skipped."""

    @property
    def failure_mode(self) -> str | None:
        """`open` or `closed`, if the action failed."""

    @property
    def exception(self) -> BaseException | None:
        """What the handler raised."""

    @property
    def status(self) -> str | None:
        """How a process ended, if one ran."""

    @property
    def remarks(self) -> tuple[str, ...]: ...
    @property
    def tries(self) -> int: ...
    @property
    def seconds(self) -> float: ...

@final
class Outcome:
    """What executing all actions of an event gave."""

    @property
    def event_type(self) -> str: ...
    @property
    def vocabulary(self) -> _Vocabulary | None: ...
    @property
    def effects(self) -> tuple[Effect, ...]: ...
    @property
    def verdict(self) -> Verdict:
        """The verdict of all hooks: of several permissions, the strictest."""

    @property
    def conflicts(self) -> tuple[str, ...]:
        """Where two hooks want different things, and the first one won."""

    @property
    def reported(self) -> tuple[HookInfo, ...]:
        """The hooks in `mode: warn` and `mode: shadow` that match."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What hooks in `mode: warn` would have done, a line each."""

class Engine:
    def __new__(
        cls,
        policy: Policy,
        handlers: Mapping[str, _Handler] | None = None,
        *,
        failure_mode: str | None = None,
        max_parallel: int | None = None,
    ) -> Engine:
        """An engine with a policy.

        `handlers` executes actions by type: `{"prompt": ask_model}`. A handler takes the action and a `Context`,
        and returns a value or a `Verdict`. What it raises is a failure of the hook. The runtime executes `run`
        and `log` itself; a line of `log` goes to the logger `hookc`.

        `failure_mode` (`open` or `closed`) is for hooks that have none themselves. `max_parallel` bounds the
        handlers of one event that run at the same time.
        """

    @property
    def policy(self) -> Policy: ...
    @property
    def is_off(self) -> bool:
        """Whether `HOOKC_DISABLE=1` was in the environment when the engine was made: then no hook decides."""

    def reload(self, policy: Policy) -> None:
        """Replaces the policy. A decision that has begun ends with the policy that it began with."""

    def decide(
        self,
        event: _Event,
        *,
        event_type: str | None = None,
        vocabulary: _Vocabulary | None = None,
        strategy: _Strategy | None = None,
        after: int | None = None,
    ) -> Decision:
        """Finds the hooks that match an event: `bytes`, `str`, `dict` or a buffer of bytes. Executes nothing.

        `event_type` overrides the type in the event. `after` is a rank: only later hooks are searched. If the engine
        `is_off`, no hook matches.

        Raises `EventError`, and `TypeError` for anything else than an event.
        """

    def handle(
        self,
        event: _Event,
        *,
        event_type: str | None = None,
        vocabulary: _Vocabulary | None = None,
        strategy: _Strategy | None = None,
    ) -> Outcome:
        """Decides about an event, and executes the actions. If the engine `is_off`, there are none.

        Raises `EventError`; what fails later is in the outcome.
        """

    def session(self, id: str) -> Session:
        """The session with this id, which begins now unless the engine knows it. An engine keeps 10,000 sessions, and
        each for a day after its last event."""

    def restore(self, id: str, snapshot: Buffer) -> Session:
        """A session from the bytes of `Session.snapshot`, in place of the one with this id. The policy may have changed.

        Raises `SnapshotError`.
        """

    def _handle_with(
        self,
        event: _Event,
        event_type: str | None,
        vocabulary: _Vocabulary | None,
        strategy: _Strategy | None,
        resolve: Any,
    ) -> Outcome: ...

@final
class Session:
    """A session of an engine: what happened in it decides conditions about earlier events. Its decisions are made one
    after the other, in any threads."""

    @property
    def id(self) -> str: ...
    def decide(
        self,
        event: _Event,
        *,
        time: int | None = None,
        event_type: str | None = None,
        vocabulary: _Vocabulary | None = None,
        strategy: _Strategy | None = None,
        after: int | None = None,
    ) -> Decision:
        """Decides as `Engine.decide`, and records the event with the verdict of its hooks. `time` is in milliseconds, by
        default since 1970; one before that of the last event is raised to it.

        If another action than a verdict decides, such as `prompt`, or a condition was unknown, the event waits for
        `settle`: until then others see it as one that happened. An event that is an error is not recorded. If the engine
        `is_off`, no hook matches and nothing is recorded.

        Raises `EventError`, and `TypeError` for anything else than an event.
        """

    def settle(self, step: int, verdict: Literal["deny", "ask", "allow", "none"]) -> bool:
        """Sets the verdict about an event that waits, by the `step` of its decision; `False` if it does not wait."""

    def snapshot(self) -> bytes:
        """The state, for `Engine.restore`. It has hashes of values, with the key of these hashes, and the numbers and
        texts that the policy keeps. Events that wait are settled by time alone after they are restored."""

@final
class Interceptor:
    """Decides at the interception points of AGENT-HOOKS 0.1, which hosts of several frameworks have."""

    def __new__(cls, engine: Engine, *, directory: str | None = None) -> Interceptor:
        """`directory` is the agent's, an absolute path: `cwd` and `project_dir` of events that have none."""

    @property
    def engine(self) -> Engine: ...
    def intercept(self, context: dict[str, Any]) -> dict[str, Any]:
        """The verdict about the context of a host. `ask` is a denial with `approval`; no opinion is `allow`. Handlers are
        not called: their hooks have failed, and deny unless they have `on_failure: open`.

        Raises `EventError`: the host fails closed.
        """

    def __call__(self, context: dict[str, Any]) -> dict[str, Any]:
        """As `intercept`."""

@final
class Step:
    """What a thread does next. The members that its kind does not have are `None`."""

    @property
    def kind(self) -> _StepKind:
        """`no_opinion`: no hook decides. `continue`. `retry` after a wait. `fail` with a message. `abort`. `suspend`:
        wait for `Thread.resume`. `escalate`: wait for `Thread.answered`. `compact`: a summary replaces the turns before
        `prune_before_turn`."""

    @property
    def hook(self) -> str | None:
        """The hook of a `suspend` or `escalate`."""

    @property
    def message(self) -> str | None:
        """Of a `fail`, or an `escalate` that has one."""

    @property
    def after(self) -> float | None:
        """The seconds before a `retry`."""

    @property
    def attempt(self) -> int | None:
        """The number of a `retry`, from 1."""

    @property
    def reason(self) -> str | None:
        """Of a `suspend`: `limit`, `error`, `budget`, `approval`, or what a directive says."""

    @property
    def resume_hint(self) -> str | None: ...
    @property
    def target(self) -> str | None:
        """Of an `escalate`: `user_approval`, `parent_notification`, `both`, or what a directive says."""

    @property
    def timeout_seconds(self) -> int | None:
        """How long an `escalate` waits: a later answer is a rejection."""

    @property
    def summary(self) -> str | None: ...
    @property
    def prune_before_turn(self) -> int | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Reply:
    """The outcome of an event of a thread."""

    @property
    def event_type(self) -> str: ...
    @property
    def step(self) -> Step:
        """The strictest step that a hook requests; of equal ones the first."""

    @property
    def effects(self) -> tuple[Effect, ...]:
        """All hooks in order, with the outcomes of their actions."""

    @property
    def by(self) -> Effect | None:
        """The hook that the step is from."""

    @property
    def reported(self) -> tuple[HookInfo, ...]:
        """The hooks in `mode: warn` and `mode: shadow` that match."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What hooks in `mode: warn` would have done, a line each."""

class Thread:
    def __new__(cls, engine: Engine, *, state: str | None = None) -> Thread:
        """A thread under the policy of an engine, whose handlers execute `call_directive`, `escalate` and the other
        actions. `state` is the `state` of a thread that another process had.

        A handler of `escalate` returns `True`, `False`, or `None` for an answer that comes later. One of `call_directive`
        returns what the directive returned, or `None`. A `retry` or `suspend` needs no handler: one that there is gets
        the action when the thread takes the step.

        Raises `ThreadError`: the text is not a state.
        """

    @property
    def engine(self) -> Engine: ...
    @property
    def state(self) -> str:
        """The retries, the suspension and the escalation as JSON text, to save."""

    @property
    def retries(self) -> dict[str, int]:
        """The retries of each hook since the last `succeeded`."""

    @property
    def waits(self) -> Step | None:
        """The `suspend` or `escalate` that the thread waits at."""

    def on(self, event: _Event) -> Reply:
        """Decides about an event, executes the actions, and gives the step of the thread.

        Raises `EventError`, and `ThreadError` if the thread waits, or handles another event at the moment.
        """

    def succeeded(self) -> None:
        """What was tried again has worked: counts retries from 0."""

    def resume(self) -> bool:
        """Ends the suspension; `False` without one."""

    def answered(self, approved: bool) -> Step:
        """Answers the escalation: the step is `continue` or `fail`, and `no_opinion` if there was none."""

    def expire_escalation(self, waited: float) -> Step | None:
        """Rejects the escalation if it was open for `waited` seconds and its time is over; otherwise `None`."""

    def _on_with(self, event: _Event, resolve: Any) -> Reply: ...

@final
class ReplayStream:
    """An Arrow stream of decisions, which can be read once."""

    @property
    def rows(self) -> int:
        """How many rows were decided about so far; another thread may read it meanwhile."""

    @property
    def columns(self) -> list[str]: ...
    def __arrow_c_schema__(self) -> Any: ...
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Raises `ReplayError` if the stream was read already."""

def replay_stream(
    policy: Policy,
    stream: _ArrowStream,
    *,
    column: str = "event",
    against: Policy | None = None,
    keep: Sequence[str] = ...,
    event_type: str | None = None,
    vocabulary: _Vocabulary | None = None,
    threads: int = 1,
) -> ReplayStream:
    """Decides about every row of an Arrow stream whose `column` has raw JSON, as text or binary.

    The output has a row for each row of the input, in the same order:

    - `hook`: list of text, the hooks that decide; an empty list is no opinion, null is no decision
    - `action`: list of text, their actions as JSON; null where an action cannot be filled in
    - `error`: text, why there is no decision or no action
    - `changed`, with `against`: whether that policy gives other actions, or an error where this one does not
    - `before`, with `against`: where `changed`, the actions of that policy

    `keep` names columns of the input that are passed through, before these. `threads` decide at the same time.

    Raises `ReplayError`, and `TypeError` for anything else than a stream.
    """

def _rust_seconds(policy: Policy, event: bytes, count: int) -> float:
    """The seconds that `count` decisions take without Python, for `bench/decide.py`."""
