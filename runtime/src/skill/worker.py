# Calls `execute(context)` of the scripts that it is told, one after the other.
# A line in, a line out: a number, and JSON. What scripts print is kept apart.
import sys

# The folder that the worker happens to stand in provides no modules.
if sys.path[:1] == [""]:
    del sys.path[0]

import contextlib
import importlib.machinery
import io
import json
import logging
import os
import traceback
import types

PRINTED, ANSWER = int(sys.argv[1]), int(sys.argv[2])
sys.argv[:] = [""]

answers = os.fdopen(os.dup(1), "wb")
questions = os.fdopen(os.dup(0), "rb")
nowhere = os.open(os.devnull, os.O_RDWR)
for stream in (0, 1, 2):
    os.dup2(nowhere, stream)


class Wrong(Exception):
    """What a script did, in words that need no traceback."""


class HookContext(dict):
    """Members as items and as attributes."""

    __setattr__ = dict.__setitem__

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            known = ", ".join(map(str, self)) or "none"
            raise AttributeError(f"no member {name!r}; there are: {known}") from None


def context_of(event):
    context = HookContext(skill=None, message=None, conversation=None, tools=[], config=HookContext())
    extra = HookContext((name, value) for name, value in event.items() if name not in context)
    context.update(event)
    context.setdefault("extra", extra)
    if isinstance(context["skill"], dict):
        context["skill"].setdefault("title", context["skill"].get("name"))
    return context


class Stubs:
    """Where scripts know the type of their argument from, if it is not installed."""

    names = ("gptme", "gptme.lessons", "gptme.lessons.hooks")

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name in cls.names:
            return importlib.machinery.ModuleSpec(name, cls, is_package=name != cls.names[-1])

    @staticmethod
    def create_module(spec):
        return None

    @classmethod
    def exec_module(cls, module):
        if module.__name__ == cls.names[-1]:
            module.HookContext = HookContext


class Printed(io.RawIOBase):
    """Keeps the beginning of what is written, and counts the rest."""

    def __init__(self):
        self.clear()

    def clear(self):
        self.kept, self.lost = bytearray(), 0

    def writable(self):
        return True

    def write(self, data):
        data = memoryview(data).cast("B")
        room = PRINTED - len(self.kept)
        self.kept += data[:room]
        self.lost += max(0, len(data) - room)
        return len(data)

    def close(self):
        """Others still write here."""

    def text(self):
        more = f"\n[{self.lost} more bytes were discarded]\n" if self.lost else ""
        return self.kept.decode("utf-8", "replace") + more


class Skill:
    """What the scripts of a skill share: their globals, the places that they import
    from, and the modules that come from these places. All else is everybody's."""

    def __init__(self, name):
        self.module = types.ModuleType(f"skill:{name}")
        self.modules = {self.module.__name__: self.module}
        self.path = list(everybodys_path)
        self.functions = {}

    def __enter__(self):
        if home is not None:
            with contextlib.suppress(OSError):
                os.chdir(home)
        sys.path = self.path
        sys.modules.update(self.modules)
        return self

    def __exit__(self, *raised):
        new = [name for name in list(sys.modules) if name not in everybodys_modules]
        self.modules = {name: sys.modules.pop(name) for name in new if self.owns(sys.modules[name])}
        everybodys_modules.update(name for name in new if name not in self.modules)
        self.path, sys.path = sys.path, everybodys_path

    def owns(self, module):
        """Whether a module is neither the interpreter's nor from a place that all have."""
        try:
            file = getattr(module, "__file__", None) or next(iter(getattr(module, "__path__", ())), None)
        except Exception:
            return False
        if not isinstance(file, str):
            return module is self.module
        places = [os.path.abspath(place) for place in sys.path if isinstance(place, str)]
        within = [place for place in places if file.startswith(place + os.sep)]
        return max(within, key=len, default=None) not in everybodys_places

    def function(self, path):
        """The function of a script, which is read again when its file has changed."""
        stat = os.stat(path)
        stamp = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
        own, known = vars(self.module), self.functions.get(path)
        if known is None or known[0] != stamp:
            folder = os.path.dirname(path)
            if folder not in sys.path:
                sys.path.insert(0, folder)
            own["__file__"] = path
            own.pop("execute", None)
            with open(path, "rb") as file:
                code = compile(file.read(), path, "exec", dont_inherit=True)
            exec(code, own)
            if not callable(own.get("execute")):
                raise Wrong("defines no execute(context)")
            known = self.functions[path] = (stamp, own["execute"])
        own["__file__"], own["execute"] = path, known[1]
        return known[1]


def finished(result):
    if isinstance(result, types.CoroutineType):
        import asyncio

        result = asyncio.run(result)
    if isinstance(result, (types.GeneratorType, types.AsyncGeneratorType)):
        raise Wrong("returned a generator, which never runs: return the value instead of `yield`")
    return result


def encoded(result):
    try:
        text = whole(encode(result))
    except Exception as error:
        why = "".join(format_only(type(error), error)).strip()
        raise Wrong(f"returned a value that JSON cannot represent: {why}") from None
    if len(text) > ANSWER:
        raise Wrong(f"returned {len(text)} bytes of JSON, more than {ANSWER}")
    return text


def called(question):
    question = json.loads(question, object_hook=HookContext)
    name = question["namespace"]
    path = os.path.abspath(os.path.join(home or "", question["file"]))
    skill = skills.get(name) or skills.setdefault(name, Skill(name))
    with skill:
        return encoded(finished(skill.function(path)(context_of(question["event"]))))


def told(error):
    """What was raised, without the lines of the worker."""
    if isinstance(error, Wrong):
        return str(error)
    here, place = told.__code__.co_filename, error.__traceback__
    while place is not None and place.tb_frame.f_code.co_filename == here:
        place = place.tb_next
    raised = summary(type(error), error, place)
    raised.stack[:] = [frame for frame in raised.stack if (frame.filename, frame.name) != (here, "__getattr__")]
    text = "".join(raised.format()).rstrip()
    cut = len(text) - PRINTED
    return "raised:\n" + (text if cut <= 0 else f"[{cut} characters are left out]\n{text[cut:]}")


def whole(text):
    """As bytes; halves of surrogate pairs are no text."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode("utf-8")


# Scripts may put others in their places.
encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=repr).encode
summary, format_only = traceback.TracebackException, traceback.format_exception_only

try:
    home = os.getcwd()
except OSError:
    home = None
skills = {}
everybodys_path = sys.path
everybodys_modules = set(sys.modules)
everybodys_places = set(map(os.path.abspath, sys.path))
sys.meta_path.append(Stubs)
# What scripts log is heard, unless they see to it themselves.
logging.root.setLevel(logging.INFO)
logging.lastResort.setLevel(logging.INFO)

worker, printed = os.getpid(), Printed()
for line in questions:
    number, _, question = line.partition(b" ")
    printed.clear()
    sys.stdout, sys.stderr = (
        io.TextIOWrapper(printed, "utf-8", "backslashreplace", "\n", write_through=True) for _ in range(2)
    )
    try:
        said = b'"value": ' + called(question)
    except BaseException as error:
        said = b'"failed": ' + whole(encode(told(error)))
    if os.getpid() != worker:
        os._exit(0)  # a child that a script left behind
    answers.write(number + b" {" + said + b', "printed": ' + whole(encode(printed.text())) + b"}\n")
    answers.flush()
