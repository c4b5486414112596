"""How each agent is installed, pointed at the fake server and started."""

import json

ASK = "Make a file called made.txt."


class Agent:
    """`env` and `files` (in the home folder) may hold PORT."""

    def __init__(self, package, command, env=None, files=None, deaf=(), replaces=False, changes=True, without=(),
                 needs=None):
        self.package, self.command = package, command
        # Whether it lets a tool's input be changed, and sessions whose policy `install` rejects.
        self.changes, self.without = changes, set(without)
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
    ),
    "claude": Agent(
        "@anthropic-ai/claude-code",
        ["claude", "--print", "--allowedTools", "Bash", "--", ASK],
        env={"ANTHROPIC_BASE_URL": "http://127.0.0.1:PORT", "ANTHROPIC_API_KEY": "none",
             "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"},
        replaces=True,
    ),
    "copilot": Agent(
        "@github/copilot",
        ["copilot", "--allow-all-tools", "--trust-folder", "--prompt", ASK],
        env={"COPILOT_OFFLINE": "true", "COPILOT_PROVIDER_BASE_URL": "http://127.0.0.1:PORT/v1",
             "COPILOT_PROVIDER_API_KEY": "none", "COPILOT_MODEL": "gpt-4.1", "COPILOT_AUTO_UPDATE": "false"},
        replaces=True,
    ),
    "qwen": Agent(
        "@qwen-code/qwen-code",
        ["qwen", "--yolo", "--prompt", ASK],
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
        files={".pi/agent/models.json": json.dumps({"providers": {"fake": {
            "baseUrl": "http://127.0.0.1:PORT/v1", "api": "openai-completions", "apiKey": "none",
            "models": [{"id": "m", "contextWindow": 100000, "maxTokens": 4000}]}}})},
        replaces=True, without=["stop"],
    ),
}
