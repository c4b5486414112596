"""Hook policies for AI agents: compiled, checked, and decided in microseconds.

    policy = hookc.Policy.from_yaml(text)
    engine = hookc.Engine(policy)
    decision = engine.decide(event)  # bytes, str, dict or any buffer of bytes
    for hook in decision.hooks:
        print(hook.id, hook.action)
"""

from hookc._engine import Engine, Thread
from hookc._errors import (
    ActionError,
    CompileError,
    Error,
    EventError,
    FileError,
    LoadError,
    ReplayError,
    SnapshotError,
    ThreadError,
)
from hookc._hookc import (
    Context,
    Decision,
    Diagnostic,
    Effect,
    EventType,
    Hook,
    HookInfo,
    Interceptor,
    Location,
    Outcome,
    Policy,
    ReplayStream,
    Reply,
    Session,
    Step,
    Verdict,
    __version__,
    replay_stream,
)

__all__ = [
    "ActionError",
    "CompileError",
    "Context",
    "Decision",
    "Diagnostic",
    "Effect",
    "Engine",
    "Error",
    "EventError",
    "EventType",
    "FileError",
    "Hook",
    "HookInfo",
    "Interceptor",
    "LoadError",
    "Location",
    "Outcome",
    "Policy",
    "ReplayError",
    "ReplayStream",
    "Reply",
    "Session",
    "SnapshotError",
    "Step",
    "Thread",
    "ThreadError",
    "Verdict",
    "__version__",
    "replay_stream",
]
