"""How each agent is installed, pointed at the fake server and started."""

import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
ASK = "Make a file called made.txt."


class Agent:
    """`env` and `files` (in the home folder) may hold PORT."""

    def __init__(self, package, command, settings, env=None, files=None, deaf=(), replaces=False, changes=True,
                 without=(), needs=None, tells=True, live=()):
        self.package, self.command = package, command
        # What `install` writes in the project.
        self.settings = settings
        # Whether it lets a tool's input be changed, and sessions whose policy `install` rejects.
        self.changes, self.without = changes, set(without)
        # What `hookc probe --live` cannot say for it here: that a person trusts the directory and its hooks, and the model.
        self.live = list(live)
        # Whether the model reads why a call is denied; otherwise the session ends.
        self.tells = tells
        # A package that it would fetch at its start, and where: in the home folder, in the project.
        self.needs = needs
        self.env, self.files = env or {}, files or {}
        # Events at which the agent has no way to tell the model something, as
        # docs/agents.md says.
        self.deaf = set(deaf)
        # Whether it lets a tool's result be replaced.
        self.replaces = replaces


AGENTS = {
    "gemini": Agent(
        "@google/gemini-cli",
        ["gemini", "--model", "gemini-2.5-flash", "--yolo", "--prompt", ASK],
        ".gemini/settings.json",
        env={"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:PORT",
             "GEMINI_CLI_TRUST_WORKSPACE": "true"},
        files={".gemini/settings.json": json.dumps({
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "general": {"enableAutoUpdate": False}, "privacy": {"usageStatisticsEnabled": False}})},
        deaf=["PreToolUse"],
    ),
    "codex": Agent(
        "@openai/codex",
        ["codex", "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox",
         "--dangerously-bypass-hook-trust", ASK],
        ".codex/hooks.json",
        env={"FAKE_KEY": "none"},
        files={".codex/config.toml": """
model = "gpt-5.5"
model_provider = "fake"
check_for_update_on_startup = false
[model_providers.fake]
name = "fake"
base_url = "http://127.0.0.1:PORT/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
[projects."PROJECT"]
trust_level = "trusted"
"""},
        live=["--dangerously-bypass-hook-trust"],
    ),
    "claude": Agent(
        "@anthropic-ai/claude-code",
        ["claude", "--print", "--allowedTools", "Bash,Write", "--", ASK],
        ".claude/settings.json",
        env={"ANTHROPIC_BASE_URL": "http://127.0.0.1:PORT", "ANTHROPIC_API_KEY": "none",
             "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"},
        replaces=True,
    ),
    "copilot": Agent(
        "@github/copilot",
        ["copilot", "--allow-all-tools", "--trust-folder", "--prompt", ASK],
        ".github/hooks/hookc.json",
        env={"COPILOT_OFFLINE": "true", "COPILOT_PROVIDER_BASE_URL": "http://127.0.0.1:PORT/v1",
             "COPILOT_PROVIDER_API_KEY": "none", "COPILOT_MODEL": "gpt-4.1", "COPILOT_AUTO_UPDATE": "false"},
        replaces=True, live=["--trust-folder"],
    ),
    "qwen": Agent(
        "@qwen-code/qwen-code",
        ["qwen", "--yolo", "--prompt", ASK],
        ".qwen/settings.json",
        env={"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": "http://127.0.0.1:PORT/v1", "OPENAI_MODEL": "qwen3-coder-plus"},
        files={".qwen/settings.json": json.dumps({
            "security": {"auth": {"selectedType": "openai"}},
            "general": {"enableAutoUpdate": False, "disableAutoUpdate": True},
            "privacy": {"usageStatisticsEnabled": False}})},
        deaf=["PreToolUse"], changes=False, without=["output"],
    ),
    "opencode": Agent(
        "opencode-ai",
        ["opencode", "run", ASK],
        ".opencode/hookc.json",
        env={"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1"},
        files={".config/opencode/opencode.json": json.dumps({
            "autoupdate": False, "share": "disabled", "model": "fake/m", "small_model": "fake/m",
            "provider": {"fake": {
                "npm": "@ai-sdk/openai-compatible", "name": "fake",
                "options": {"baseURL": "http://127.0.0.1:PORT/v1", "apiKey": "none"},
                "models": {"m": {"name": "m", "tool_call": True, "limit": {"context": 100000, "output": 4000}}}}}})},
        replaces=True, without=["stop"], needs=("@opencode-ai/plugin", ".config/opencode", ".opencode"),
    ),
    "pi": Agent(
        "@earendil-works/pi-coding-agent",
        ["pi", "--print", "--provider", "fake", "--model", "m", "--offline", ASK],
        ".pi/hookc.json",
        files={".pi/agent/models.json": json.dumps({"providers": {"fake": {
            "baseUrl": "http://127.0.0.1:PORT/v1", "api": "openai-completions", "apiKey": "none",
            "models": [{"id": "m", "contextWindow": 100000, "maxTokens": 4000}]}}})},
        replaces=True, without=["stop"],
    ),
    "cline": Agent(
        "cline",
        ["cline", ASK],
        ".clinerules/hooks",
        files={".cline/data/settings/providers.json": json.dumps({
            "version": 1, "lastUsedProvider": "openai-compatible", "modes": {},
            "providers": {"openai-compatible": {"settings": {
                "provider": "openai-compatible", "apiKey": "none", "model": "m", "baseUrl": "http://127.0.0.1:PORT/v1"},
                "updatedAt": "2026-11-01T00:00:00.000Z", "tokenSource": "manual"}}})},
        changes=False, without=["ask", "modify", "output", "replace", "stop", "ends", "prompt"], tells=False,
    ),
    "droid": Agent(
        "@factory/cli-linux-x64",
        ["droid", "exec", "--auto", "high", "--model", "custom:fake-0", ASK],
        ".factory/settings.json",
        env={"FACTORY_API_KEY": "none", "FACTORY_DROID_AUTO_UPDATE_ENABLED": "false"},
        files={".factory/settings.json": json.dumps({"customModels": [{
            "model": "m", "displayName": "fake", "baseUrl": "http://127.0.0.1:PORT/v1", "apiKey": "none",
            "provider": "generic-chat-completion-api"}]})},
        deaf=["UserPromptSubmit", "PreToolUse"], without=["ask", "prompt", "output", "replace"],
        live=["--model", "custom:fake-0"],
    ),
    "openhands": Agent(
        "pip:openhands-sdk openhands-tools",
        ["python", str(HERE / "with_openhands.py"), "http://127.0.0.1:PORT/v1", ASK],
        ".openhands/hooks.json",
        env={"LITELLM_LOCAL_MODEL_COST_MAP": "True"},
        deaf=["SessionStart", "PreToolUse", "PostToolUse"], changes=False, without=["ask", "modify", "inject", "output", "replace", "ends"],
    ),
}
