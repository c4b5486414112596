"""A session of OpenHands by its SDK, as its own programs start one: the hooks are those of the project."""

import os
import sys

from openhands.sdk import LLM, Agent, Conversation, Tool
from openhands.sdk.hooks import HookConfig
from openhands.tools.terminal import TerminalTool
from pydantic import SecretStr

url, ask = sys.argv[1:]
llm = LLM(model="openai/m", base_url=url, api_key=SecretStr("none"), usage_id="agent", num_retries=0)
agent = Agent(llm=llm, tools=[Tool(name=TerminalTool.name)])
hooks = HookConfig.load(working_dir=os.getcwd())
conversation = Conversation(agent=agent, workspace=os.getcwd(), hook_config=hooks, max_iteration_per_run=4)
try:
    conversation.send_message(ask)
    conversation.run()
finally:
    conversation.close()
