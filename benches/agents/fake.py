"""A model server that plays a script, in the manner of four providers.

It asks for one shell command, and once it has been told how that went, says that
it is done. Nothing is kept but the requests, so that what an agent tells its
model can be looked at.
"""

import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DONE = "That is all."


def used(request, *kinds):
    """Whether the model has been told what came of its call."""
    return any(re.search(rf'"{kind}"', json.dumps(request)) for kind in kinds)


def shell(names):
    """Which of the tools on offer runs a command."""
    known = ("Bash", "run_shell_command", "exec_command", "shell_command", "bash", "shell", "run_commands", "Execute", "terminal")
    return next((name for name in known if name in names), None)


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


def gemini(request, command):
    tools = [one["name"] for tool in request.get("tools", []) for one in tool.get("functionDeclarations", [])]
    name = None if used(request["contents"], "functionResponse") else shell(tools)
    part = {"functionCall": {"name": name, "args": arguments(name, command)}} if name else {"text": DONE}
    if "responseSchema" in json.dumps(request) or "responseJsonSchema" in json.dumps(request):
        part = {"text": "{}"}
    return [(None, {"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
                    "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}})]


def anthropic(request, command):
    name = None if used(request["messages"], "tool_result") else shell([tool["name"] for tool in request.get("tools", [])])
    if name:
        block = {"type": "tool_use", "id": "toolu_1", "name": name, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(arguments(name, command))}
    else:
        block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": DONE}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": request["model"], "content": [],
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


def responses(request, command):
    tools = [tool.get("name") or tool["type"] for tool in request.get("tools", [])]
    name = None if used(request["input"], "function_call_output") else shell(tools)
    if name:
        item = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": name,
                "arguments": json.dumps(arguments(name, command)), "status": "completed"}
    else:
        item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": DONE, "annotations": []}]}
    usage = {"input_tokens": 1, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 1,
             "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 2}
    whole = {"id": "resp_1", "object": "response", "status": "completed", "output": [item], "usage": usage}
    events = [
        {"type": "response.created", "response": {"id": "resp_1"}},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": whole},
    ]
    return [(event["type"], event) for event in events]


def completions(request, command):
    tools = [tool["function"]["name"] for tool in request.get("tools", []) if "function" in tool]
    name = None if any(one["role"] == "tool" for one in request["messages"]) else shell(tools)
    call = {"index": 0, "id": "call_1", "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments(name, command))}}
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
        events = answer(request, self.server.command)
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
    """A server on a port of its own; `command` is what it asks for."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads, server.requests, server.command = True, [], ""
    return server
