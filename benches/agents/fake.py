"""A model server that plays a script, in the manner of four providers.

It asks for one call after the other, each once it has been told how the one before
went, and then says that it is done. Nothing is kept but the requests, so that what
an agent tells its model can be looked at. A call is a shell command, or a file to
write: its name and its text.
"""

import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DONE = "That is all."


SHELLS = ("Bash", "run_shell_command", "exec_command", "shell_command", "bash", "shell", "run_commands", "Execute", "terminal")
# The tools that write a file, with the names of its path and text; no such tool: the shell applies a patch.
WRITERS = {"Write": ("file_path", "content"), "write_file": ("file_path", "content"), "create": ("path", "file_text"),
           "write": ("filePath", "content"), "Create": ("file_path", "content")}


def next_call(steps, results, names):
    """The number of the next call, its tool and its arguments, if a tool on offer can do it."""
    number = results + 1
    step = steps[results] if results < len(steps) else None
    if step is None:
        return number, None, None
    shell = next((name for name in SHELLS if name in names), None)
    if isinstance(step, str):
        return number, shell, shell and arguments(shell, step)
    path, text = step
    writer = next((name for name in WRITERS if name in names), None)
    if writer:
        return number, writer, dict(zip(WRITERS[writer], (path, text)))
    name = path.rsplit("/", 1)[-1]
    patch = f"*** Begin Patch\n*** Add File: {name}\n" + "".join(f"+{line}\n" for line in text.splitlines()) + "*** End Patch"
    if "apply_patch" in names:
        return number, "apply_patch", patch
    return number, shell, shell and arguments(shell, f"apply_patch <<'EOF'\n{patch}\nEOF")


def results(request, kind):
    """Of how many calls the model has been told what came of them."""
    return len(re.findall(rf'"{kind}"', json.dumps(request)))


def arguments(name, command):
    if name == "exec_command":
        return {"cmd": command}
    if name == "shell":
        return {"command": ["bash", "-lc", command]}
    if name == "Execute":
        return {"command": command, "riskLevelReason": "It makes a file", "riskLevel": "low"}
    if name == "terminal":
        return {"command": command}
    if name == "run_commands":
        return {"commands": [command]}
    return {"command": command, "description": "Makes a file"}


def gemini(request, steps):
    tools = [one["name"] for tool in request.get("tools", []) for one in tool.get("functionDeclarations", [])]
    _, name, given = next_call(steps, results(request["contents"], "functionResponse"), tools)
    part = {"functionCall": {"name": name, "args": given}} if name else {"text": DONE}
    if "responseSchema" in json.dumps(request) or "responseJsonSchema" in json.dumps(request):
        part = {"text": "{}"}
    return [(None, {"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
                    "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}})]


def anthropic(request, steps):
    tools = [tool["name"] for tool in request.get("tools", [])]
    number, name, given = next_call(steps, results(request["messages"], "tool_result"), tools)
    if name:
        block = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(given)}
    else:
        block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": DONE}
    message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": request["model"], "content": [],
               "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
    if not request.get("stream"):
        return [(None, {**message, "content": [{"type": "text", "text": DONE}], "stop_reason": "end_turn"})]
    events = [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use" if name else "end_turn", "stop_sequence": None},
         "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]
    return [(event["type"], event) for event in events]


def responses(request, steps):
    tools = [tool.get("name") or tool["type"] for tool in request.get("tools", [])]
    told = results(request["input"], "function_call_output") + results(request["input"], "custom_tool_call_output")
    number, name, given = next_call(steps, told, tools)
    call = {"id": f"fc_{number}", "call_id": f"call_{number}", "name": name, "status": "completed"}
    if name and isinstance(given, str):
        item = {"type": "custom_tool_call", "input": given, **call}
    elif name:
        item = {"type": "function_call", "arguments": json.dumps(given), **call}
    else:
        item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": DONE, "annotations": []}]}
    usage = {"input_tokens": 1, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 1,
             "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 2}
    whole = {"id": f"resp_{number}", "object": "response", "status": "completed", "output": [item], "usage": usage}
    events = [
        {"type": "response.created", "response": {"id": f"resp_{number}"}},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": whole},
    ]
    return [(event["type"], event) for event in events]


def completions(request, steps):
    tools = [tool["function"]["name"] for tool in request.get("tools", []) if "function" in tool]
    number, name, given = next_call(steps, sum(one["role"] == "tool" for one in request["messages"]), tools)
    call = {"index": 0, "id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]} if name else {"role": "assistant", "content": DONE}
    ended = {"index": 0, "finish_reason": "tool_calls" if name else "stop"}
    head = {"id": "c1", "created": 1, "model": request["model"]}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    if not request.get("stream"):
        return [(None, {**head, "object": "chat.completion", "choices": [{**ended, "message": message}], "usage": usage})]
    head["object"] = "chat.completion.chunk"
    return [(None, {**head, "choices": [{"index": 0, "delta": message, "finish_reason": None}]}),
            (None, {**head, "choices": [{**ended, "delta": {}}], "usage": usage}),
            (None, "[DONE]")]


# Where each provider is asked.
PATHS = [(":streamGenerateContent", gemini), (":generateContent", gemini), ("/messages", anthropic),
         ("/responses", responses), ("/chat/completions", completions)]


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        self.reply("application/json", b'{"data": [], "models": []}')

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.split("?")[0]
        answer = next((answer for end, answer in PATHS if path.endswith(end)), None)
        if answer is None:
            return self.reply("application/json", b'{"input_tokens": 1, "totalTokens": 1}')
        request = json.loads(body)
        self.server.requests.append(request)
        steps = self.server.steps
        events = answer(request, steps(request) if callable(steps) else steps)
        if len(events) == 1 and not path.endswith(":streamGenerateContent"):
            return self.reply("application/json", json.dumps(events[0][1]).encode())
        text = "".join((f"event: {name}\n" if name else "") + f"data: {data if isinstance(data, str) else json.dumps(data)}\n\n"
                       for name, data in events)
        self.reply("text/event-stream", text.encode())

    def reply(self, kind, body):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def serve():
    """A server on a port of its own; `steps` is what it asks for, or gives that for a request."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads, server.requests, server.steps = True, [], []
    return server
