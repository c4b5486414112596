# Calls `execute(context)` of the scripts that it is told, one after the other.
# A line of JSON in, a line of JSON out; what scripts print is kept apart.
import contextlib
import io
import json
import os
import sys
import traceback
import types

answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
questions = os.fdopen(os.dup(0), "r", encoding="utf-8")
nowhere = os.open(os.devnull, os.O_RDWR)
for stream in (0, 1, 2):
    os.dup2(nowhere, stream)


class HookContext(dict):
    """Members as items and as attributes."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def known_modules():
    """Scripts may name the type of their argument by where it is known from."""
    try:
        import gptme.lessons.hooks  # noqa: F401
    except ImportError:
        for name in ("gptme", "gptme.lessons", "gptme.lessons.hooks"):
            sys.modules.setdefault(name, types.ModuleType(name)).__path__ = []
        sys.modules["gptme.lessons.hooks"].HookContext = HookContext


def context_of(event):
    context = HookContext({"skill": None, "message": None, "conversation": None, "tools": [], "config": {}})
    context.update(event)
    if isinstance(context["skill"], dict):
        context["skill"].setdefault("title", context["skill"].get("name"))
    return context


namespaces = {}
functions = {}


def function_of(namespace, path):
    stat = os.stat(path)
    stamp = (stat.st_mtime_ns, stat.st_size)
    known = functions.get((namespace, path))
    if known is None or known[0] != stamp:
        own = namespaces.setdefault(namespace, {"__name__": "skill", "__builtins__": __builtins__})
        own["__file__"] = path
        own.pop("execute", None)
        with open(path, encoding="utf-8") as file:
            code = compile(file.read(), path, "exec")
        folder = os.path.dirname(os.path.abspath(path))
        if folder not in sys.path:
            sys.path.append(folder)
        exec(code, own)
        if not callable(own.get("execute")):
            raise TypeError(f"{path} defines no execute(context)")
        known = functions[(namespace, path)] = (stamp, own["execute"])
    return known[1]


known_modules()
for line in questions:
    question = json.loads(line, object_hook=HookContext)
    printed = io.StringIO()
    answer = {"id": question["id"]}
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            result = function_of(question["namespace"], question["file"])(context_of(question["event"]))
        answer["value"] = json.loads(json.dumps(result, default=repr))
    except BaseException:
        answer["error"] = traceback.format_exc()
    answer["printed"] = printed.getvalue()[:100000]
    answers.write(json.dumps(answer) + "\n")
    answers.flush()
