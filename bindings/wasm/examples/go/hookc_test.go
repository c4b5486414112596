package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"
)

// HOOKC_WASM is hookc-vm.wasm; HOOKC_CASES a directory of the example `reference` of bindings/shared.
func start(t *testing.T) (context.Context, wazero.Runtime, wazero.CompiledModule, string) {
	t.Helper()
	ctx := context.Background()
	file, cases := os.Getenv("HOOKC_WASM"), os.Getenv("HOOKC_CASES")
	if file == "" || cases == "" {
		t.Fatal("HOOKC_WASM and HOOKC_CASES are not set: see bindings/wasm/README.md")
	}
	runtime := wazero.NewRuntime(ctx)
	t.Cleanup(func() { runtime.Close(ctx) })
	compiled, err := runtime.CompileModule(ctx, read(t, file))
	if err != nil {
		t.Fatal(err)
	}
	return ctx, runtime, compiled, cases
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestTheModuleImportsNothing(t *testing.T) {
	_, _, compiled, _ := start(t)
	if imports := compiled.ImportedFunctions(); len(imports) > 0 {
		t.Fatal(imports)
	}
}

func TestDecisionsHaveTheSameBytes(t *testing.T) {
	ctx, runtime, compiled, folder := start(t)
	cases, err := filepath.Glob(filepath.Join(folder, "*", "module.hookc"))
	if err != nil {
		t.Fatal(err)
	}
	decisions := 0
	for _, file := range cases {
		policy, err := Load(ctx, runtime, compiled, read(t, file))
		if err != nil {
			t.Fatal(file, err)
		}
		lines := func(name string) [][]byte {
			return bytes.Split(bytes.TrimRight(read(t, filepath.Join(filepath.Dir(file), name)), "\n"), []byte("\n"))
		}
		expected := lines("decisions.ndjson")
		for _, event := range lines("events.ndjson") {
			if len(event) == 0 {
				continue
			}
			if found := decided(ctx, t, policy, event); !bytes.Equal(found, expected[0]) {
				t.Fatalf("%s: %s\nexpected %s\nfound    %s", file, event, expected[0], found)
			}
			expected = expected[1:]
			decisions++
		}
		if err := policy.Close(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if len(cases) < 30 || decisions < 400 {
		t.Fatalf("%d cases, %d decisions", len(cases), decisions)
	}
}

// decided returns the decision, or its error as the reference has it.
func decided(ctx context.Context, t *testing.T, policy *Policy, event []byte) []byte {
	t.Helper()
	decision, err := policy.Decide(ctx, event)
	var failure *Failure
	if errors.As(err, &failure) && failure.Kind == "event" {
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(map[string]string{"error": failure.Message}); err != nil {
			t.Fatal(err)
		}
		return bytes.TrimRight(text.Bytes(), "\n")
	}
	if err != nil {
		t.Fatal(err)
	}
	return decision
}

func TestBytesThatAreNotAModule(t *testing.T) {
	ctx, runtime, compiled, _ := start(t)
	_, err := Load(ctx, runtime, compiled, []byte("hooks: []"))
	var failure *Failure
	if !errors.As(err, &failure) || failure.Kind != "module" || failure.Code != "not_a_module" {
		t.Fatal(err)
	}
}

// The module of a policy that denies a push after an edit without a test.
func TestASession(t *testing.T) {
	ctx, runtime, compiled, folder := start(t)
	policy, err := Load(ctx, runtime, compiled, read(t, filepath.Join(folder, "session.hookc")))
	if err != nil {
		t.Fatal(err)
	}
	defer policy.Close(ctx)
	session, err := policy.Session(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	edit := []byte(`{"hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_input": {"file_path": "lib.rs"}}`)
	push := []byte(`{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git push"}}`)
	denies := func(session *Session, event []byte, seconds int64) bool {
		step, decision, err := session.Decide(ctx, event, time.Unix(seconds, 0))
		if err != nil || step == 0 {
			t.Fatal(step, err)
		}
		return bytes.Contains(decision, []byte("Run the tests first."))
	}
	if denies(session, push, 1) || denies(session, edit, 2) || !denies(session, push, 3) {
		t.Fatal("the push is denied after the edit alone")
	}
	snapshot, err := session.Snapshot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	restored, err := policy.Session(ctx, snapshot)
	if err != nil || !denies(restored, push, 4) {
		t.Fatal(err)
	}
	if waited, err := restored.Settle(ctx, 9, "deny"); waited || err != nil {
		t.Fatal(waited, err)
	}
	snapshot[0]++
	var failure *Failure
	if _, err := policy.Session(ctx, snapshot); !errors.As(err, &failure) || failure.Kind != "snapshot" {
		t.Fatal(err)
	}
	if err := session.Free(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := session.Snapshot(ctx); !errors.As(err, &failure) || failure.Kind != "handle" {
		t.Fatal(err)
	}
}
