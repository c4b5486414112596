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
	"time"

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
	policy.handle, _, err = policy.with(ctx, module, func(address, length uint64) (uint64, error) {
		return policy.call(ctx, "load", address, length)
	})
	return policy, err
}

// Decide returns the decision about an event as JSON. A decision without hooks is no opinion, which
// is not permission.
func (policy *Policy) Decide(ctx context.Context, event []byte) ([]byte, error) {
	_, decision, err := policy.with(ctx, event, func(address, length uint64) (uint64, error) {
		return policy.call(ctx, "decide", policy.handle, address, length, 0, 0)
	})
	return decision, err
}

// Session remembers what conditions about earlier events need. It lives in the instance of its policy, and is for one
// goroutine at a time.
type Session struct {
	policy *Policy
	handle uint64
}

// Session makes a session, from what Snapshot returned unless that is empty.
func (policy *Policy) Session(ctx context.Context, snapshot []byte) (*Session, error) {
	handle, _, err := policy.with(ctx, snapshot, func(address, length uint64) (uint64, error) {
		return policy.call(ctx, "session_open", policy.handle, address, length)
	})
	return &Session{policy, handle}, err
}

// Decide decides about an event at a time and records it. It returns the step of the event, and the decision as JSON.
func (session *Session) Decide(ctx context.Context, event []byte, at time.Time) (uint64, []byte, error) {
	options := fmt.Appendf(nil, `{"time":%d}`, max(at.UnixMilli(), 0))
	input := append(options, event...)
	split := uint64(len(options))
	return session.policy.with(ctx, input, func(address, length uint64) (uint64, error) {
		return session.policy.call(ctx, "session_decide", session.handle, address+split, length-split, address, split)
	})
}

// Settle sets the verdict (deny, ask, allow, none) about an event that waits for what handlers decide. It returns
// whether the event waited.
func (session *Session) Settle(ctx context.Context, step uint64, verdict string) (bool, error) {
	waited, _, err := session.policy.with(ctx, []byte(verdict), func(address, length uint64) (uint64, error) {
		return session.policy.call(ctx, "session_settle", session.handle, step, address, length)
	})
	return waited == 1, err
}

// Snapshot returns the state as bytes: keep them where the agent cannot write.
func (session *Session) Snapshot(ctx context.Context) ([]byte, error) {
	if _, err := session.policy.call(ctx, "session_snapshot", session.handle); err != nil {
		return nil, err
	}
	return session.policy.result(ctx)
}

// Free frees the memory of the session; Close of its policy does too.
func (session *Session) Free(ctx context.Context) error {
	_, err := session.policy.call(ctx, "session_free", session.handle)
	return err
}

// with writes an input, makes a call with its address and length, and frees it. It returns the status and the result.
func (policy *Policy) with(ctx context.Context, input []byte, call func(address, length uint64) (uint64, error)) (uint64, []byte, error) {
	address, err := policy.write(ctx, input)
	if err != nil {
		return 0, nil, err
	}
	status, failure := call(address, uint64(len(input)))
	var result []byte
	if failure == nil {
		result, failure = policy.result(ctx)
	}
	if _, err := policy.call(ctx, "free", address); err != nil {
		return 0, nil, err
	}
	return status, result, failure
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
