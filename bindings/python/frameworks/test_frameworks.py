"""Each guard of docs/embedding.md in its framework: a push is denied, another command runs. `.ci/frameworks` runs it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import hookc
import pytest

HERE = Path(__file__).parent
PUSH, STATUS = {"command": "git push"}, {"command": "git status"}
CHANGES = """
hooks:
  - {event: PreToolUse, action: {type: modify, input: {command: git status --short}}}
"""


@pytest.mark.parametrize("name", sorted(path.name for path in HERE.glob("*_guard.py")))
def test_the_document_shows_the_example_in_at_most_30_lines(name: str) -> None:
    text = (HERE / name).read_text()
    document = (HERE / "../../../docs/embedding.md").read_text()
    assert len(text.splitlines()) <= 30
    assert f"```python\n{text}```" in document


def reloaded(engine: hookc.Engine, text: str) -> hookc.Policy:
    old = engine.policy
    engine.reload(hookc.Policy.from_yaml(text))
    return old


class Broken:
    """An engine with a fault."""

    def handle(self, event: Any) -> Any:
        raise RuntimeError("a fault")

    async def handle_async(self, event: Any) -> Any:
        raise RuntimeError("a fault")


def causes(error: BaseException | None) -> str:
    """The texts of an exception and of what caused it."""
    return "" if error is None else f"{error!r} {causes(error.__cause__ or error.__context__)}"


def test_claude_agent_sdk(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    sdk = pytest.importorskip("claude_agent_sdk")
    import claude_agent_sdk_guard as example

    class Script(sdk.Transport):  # type: ignore[misc, name-defined]
        """Plays the part of the program that the SDK starts: it calls the hook, and takes its answer."""

        def __init__(self, tool_input: dict[str, Any]) -> None:
            self.messages: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
            self.input, self.answer = tool_input, asyncio.get_running_loop().create_future()

        async def connect(self) -> None: ...

        async def write(self, data: str) -> None:
            message = json.loads(data)
            if message["type"] == "control_request":
                (matcher,) = message["request"]["hooks"]["PreToolUse"]
                done = {"subtype": "success", "request_id": message["request_id"], "response": {"commands": []}}
                await self.messages.put({"type": "control_response", "response": done})
                call = {"hook_event_name": "PreToolUse", "session_id": "s", "transcript_path": "", "cwd": "/srv"}
                call |= {"tool_name": "Bash", "tool_input": self.input, "tool_use_id": "1"}
                request = {"subtype": "hook_callback", "callback_id": matcher["hookCallbackIds"][0], "input": call}
                await self.messages.put({"type": "control_request", "request_id": "h", "request": request})
            elif message["type"] == "control_response":
                self.answer.set_result(message["response"]["response"])

        async def read_messages(self) -> Any:
            while (message := await self.messages.get()) is not None:
                yield message

        async def close(self) -> None:
            await self.messages.put(None)

        def is_ready(self) -> bool:
            return True

        async def end_input(self) -> None: ...

    async def answer(tool_input: dict[str, Any]) -> Any:
        script = Script(tool_input)
        async with sdk.ClaudeSDKClient(options=example.options, transport=script):
            return await asyncio.wait_for(script.answer, 20)

    denied = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "People push."}
    assert asyncio.run(answer(PUSH)) == {"hookSpecificOutput": denied}
    assert asyncio.run(answer(STATUS)) == {}
    old = reloaded(example.engine, CHANGES)
    changed = asyncio.run(answer({**PUSH, "timeout": 7}))["hookSpecificOutput"]
    assert changed["updatedInput"] == {"command": "git status --short", "timeout": 7}
    example.engine.reload(old)
    # Whatever fails denies with its cause, and is logged.
    for event, cause in [({"tool_input": {}}, "type"), (None, "NoneType")]:
        caplog.clear()
        failed = asyncio.run(example.guard(event, None, None))["hookSpecificOutput"]
        assert failed["permissionDecision"] == "deny" and cause in failed["permissionDecisionReason"]
        assert cause in caplog.text and "Traceback" in caplog.text
    monkeypatch.setattr(example, "engine", Broken())
    failed = asyncio.run(answer(STATUS))["hookSpecificOutput"]
    assert failed["permissionDecision"] == "deny" and "a fault" in failed["permissionDecisionReason"]


def test_langchain(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("langchain")
    import langchain_guard as example
    from langchain.agents import create_agent
    from langchain.messages import AIMessage
    from langchain.tools import tool
    from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel

    class Model(FakeMessagesListChatModel):
        def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
            return self

    ran: list[str] = []

    @tool("Bash")
    def bash(command: str) -> str:
        """Runs a command."""
        ran.append(command)
        return f"ran {command}"

    def run(arguments: dict[str, Any]) -> tuple[str, str]:
        call = {"name": "Bash", "args": arguments, "id": "1", "type": "tool_call"}
        model = Model(responses=[AIMessage("", tool_calls=[call]), AIMessage("done")])
        agent = create_agent(model, tools=[bash], middleware=[example.guard])
        messages = agent.invoke({"messages": [{"role": "user", "content": "go"}]})["messages"]
        (answer,) = [message for message in messages if message.type == "tool"]
        return answer.content, answer.status

    assert run(PUSH) == ("People push.", "error") and ran == []
    assert run(STATUS) == ("ran git status", "success")
    old = reloaded(example.engine, CHANGES)
    assert run(PUSH) == ("ran git status --short", "success")
    example.engine.reload(old)
    monkeypatch.setattr(example, "engine", Broken())
    with pytest.raises(Exception) as caught:
        run(STATUS)
    assert "a fault" in causes(caught.value)
    assert ran == ["git status", "git status --short"]


def test_openai_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    agents = pytest.importorskip("agents")
    import openai_agents_guard as example
    from agents.testing import ScriptedModel
    from agents.testing.model import assistant_message, function_call

    agents.set_tracing_disabled(True)

    def run(arguments: dict[str, Any]) -> str:
        model = ScriptedModel([[function_call("Bash", arguments, call_id="1")], [assistant_message("done")]])
        agent = agents.Agent(name="a", model=model, tools=[example.bash])
        result = asyncio.run(agents.Runner.run(agent, "go"))
        (output,) = [item.output for item in result.new_items if item.type == "tool_call_output_item"]
        return str(output)

    assert run(PUSH) == "People push."
    assert run(STATUS) == "ran git status"
    old = reloaded(example.engine, CHANGES)
    assert run(STATUS) == "The policy denies this call."
    example.engine.reload(old)
    monkeypatch.setattr(example, "engine", Broken())
    with pytest.raises(Exception) as caught:
        run(STATUS)
    assert "a fault" in causes(caught.value)


def test_strands(monkeypatch: pytest.MonkeyPatch) -> None:
    strands = pytest.importorskip("strands")
    import strands_guard as example
    from strands.models import Model

    ran: list[str] = []

    @strands.tool(name="Bash")
    def bash(command: str) -> str:
        """Runs a command."""
        ran.append(command)
        return f"ran {command}"

    class Script(Model):
        def __init__(self, arguments: dict[str, Any]) -> None:
            self.arguments, self.calls = arguments, 0

        def update_config(self, **config: Any) -> None: ...

        def get_config(self) -> Any:
            return {}

        def structured_output(self, *arguments: Any, **more: Any) -> Any:
            raise NotImplementedError

        async def stream(self, *arguments: Any, **more: Any) -> Any:
            self.calls += 1
            start = {"toolUse": {"name": "Bash", "toolUseId": "1"}} if self.calls == 1 else {}
            text = {"toolUse": {"input": json.dumps(self.arguments)}} if self.calls == 1 else {"text": "done"}
            yield {"messageStart": {"role": "assistant"}}
            yield {"contentBlockStart": {"start": start}}
            yield {"contentBlockDelta": {"delta": text}}
            yield {"contentBlockStop": {}}
            yield {"messageStop": {"stopReason": "tool_use" if self.calls == 1 else "end_turn"}}

    def run(arguments: dict[str, Any]) -> tuple[str, str]:
        agent = strands.Agent(model=Script(arguments), tools=[bash], hooks=[example.Guard()], callback_handler=None)
        agent("go")
        contents = [content for message in agent.messages for content in message["content"]]
        (result,) = [content["toolResult"] for content in contents if "toolResult" in content]
        return result["content"][0]["text"], result["status"]

    assert run(PUSH) == ("People push.", "error") and ran == []
    assert run(STATUS) == ("ran git status", "success")
    old = reloaded(example.engine, CHANGES)
    assert run(PUSH) == ("ran git status --short", "success")
    example.engine.reload(old)
    monkeypatch.setattr(example, "engine", Broken())
    with pytest.raises(Exception) as caught:
        run(STATUS)
    assert "a fault" in causes(caught.value)
    assert ran == ["git status", "git status --short"]
