package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

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
