// Command decide decides about events with hookc-vm.wasm in wazero: no C, no JavaScript.
//
//	go run . WASM MODULE EVENTS
//
// WASM is hookc-vm.wasm, MODULE what `hookc compile` wrote, EVENTS a file with an event per line.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// Policy is a loaded module in an instance of its own. It is for one goroutine at a time.
type Policy struct {
	instance api.Module
	handle   uint64
}

// Failure is why a call failed. An event that nothing can be decided about has the kind "event":
// you choose whether to fail open or closed.
type Failure struct {
	Kind     string `json:"kind"`
	Code     string `json:"code"`
	Message  string `json:"message"`
	Rendered string `json:"rendered"`
}

func (failure *Failure) Error() string { return failure.Rendered }

// Load makes an instance of the compiled hookc-vm.wasm and loads a module.
func Load(ctx context.Context, runtime wazero.Runtime, compiled wazero.CompiledModule, module []byte) (*Policy, error) {
	instance, err := runtime.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return nil, err
	}
	policy := &Policy{instance: instance}
	address, err := policy.write(ctx, module)
	if err != nil {
		return nil, err
	}
	policy.handle, err = policy.call(ctx, "load", address, uint64(len(module)))
	if err != nil {
		return nil, err
	}
	_, err = policy.call(ctx, "free", address)
	return policy, err
}

// Decide returns the decision about an event as JSON. A decision without hooks is no opinion, which
// is not permission.
func (policy *Policy) Decide(ctx context.Context, event []byte) ([]byte, error) {
	address, err := policy.write(ctx, event)
	if err != nil {
		return nil, err
	}
	_, failure := policy.call(ctx, "decide", policy.handle, address, uint64(len(event)), 0, 0)
	var decision []byte
	if failure == nil {
		decision, failure = policy.result(ctx)
	}
	if _, err := policy.call(ctx, "free", address); err != nil {
		return nil, err
	}
	return decision, failure
}

// Close frees the memory of the instance.
func (policy *Policy) Close(ctx context.Context) error { return policy.instance.Close(ctx) }

// write copies bytes into the instance, and returns their address.
func (policy *Policy) write(ctx context.Context, input []byte) (uint64, error) {
	got, err := policy.instance.ExportedFunction("alloc").Call(ctx, uint64(len(input)))
	if err != nil {
		return 0, err
	}
	if address := uint32(got[0]); address != 0 && policy.instance.Memory().Write(address, input) {
		return uint64(address), nil
	}
	return 0, &Failure{"memory", "memory", "no memory", "no memory"}
}

// call calls a function, and returns its status. A negative one is a failure, whose JSON is the result.
func (policy *Policy) call(ctx context.Context, name string, arguments ...uint64) (uint64, error) {
	got, err := policy.instance.ExportedFunction(name).Call(ctx, arguments...)
	if err != nil {
		return 0, err // A trap: use a new instance.
	}
	if status := int32(got[0]); status >= 0 {
		return uint64(status), nil
	}
	text, err := policy.result(ctx)
	if err != nil {
		return 0, err
	}
	failure := new(Failure)
	if err := json.Unmarshal(text, failure); err != nil {
		return 0, err
	}
	return 0, failure
}

// result copies the result of the last call.
func (policy *Policy) result(ctx context.Context) ([]byte, error) {
	var numbers [2]uint32
	for index, name := range []string{"result_ptr", "result_length"} {
		got, err := policy.instance.ExportedFunction(name).Call(ctx)
		if err != nil {
			return nil, err
		}
		numbers[index] = uint32(got[0])
	}
	view, ok := policy.instance.Memory().Read(numbers[0], numbers[1])
	if !ok {
		return nil, fmt.Errorf("the result is outside of the memory")
	}
	return bytes.Clone(view), nil
}

func run(ctx context.Context, files []string) error {
	if len(files) != 3 {
		return fmt.Errorf("usage: decide WASM MODULE EVENTS")
	}
	var contents [3][]byte
	for index, file := range files {
		var err error
		if contents[index], err = os.ReadFile(file); err != nil {
			return err
		}
	}
	runtime := wazero.NewRuntime(ctx)
	defer runtime.Close(ctx)
	compiled, err := runtime.CompileModule(ctx, contents[0])
	if err != nil {
		return err
	}
	policy, err := Load(ctx, runtime, compiled, contents[1])
	if err != nil {
		return err
	}
	for _, event := range bytes.Split(contents[2], []byte("\n")) {
		if len(event) == 0 {
			continue
		}
		decision, err := policy.Decide(ctx, event)
		if err != nil {
			return err
		}
		fmt.Printf("%s\n", decision)
	}
	return nil
}

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}
