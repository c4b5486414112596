//! Limits whose tests are those of a process, of time, or of the agent.

use hookc_runtime::limits as runtime;
use hookc_syntax::limits as syntax;
use hookc_vm::limits as vm;

use super::{Row, Test};

pub(super) fn rows() -> Vec<Row> {
    let own = |name, value, file, function| Row("runtime", name, value, Test::Elsewhere(file, function));
    let vm = |name, value| {
        Row("vm", name, value, Test::Elsewhere("vm/tests/history.rs", "rows_about_the_history_are_verified"))
    };
    let syntax =
        |name, value| Row("syntax", name, value, Test::Elsewhere("syntax/tests/history.rs", "errors"));
    let agent = |name, file, function| Row("agent", name, 0, Test::Elsewhere(file, function));
    let millis = |time: std::time::Duration| time.as_millis() as usize;
    let process = "runtime/tests/process.rs";
    let store = "runtime/tests/history_store.rs";
    vec![
        own("OUTPUT_BYTES", runtime::OUTPUT_BYTES, process, "a_gigabyte_is_counted_and_not_kept"),
        own(
            "ANSWER_BYTES",
            runtime::ANSWER_BYTES,
            "runtime/tests/skill.rs",
            "a_flood_is_cut_while_it_is_printed",
        ),
        own(
            "EVENT_VALUES",
            runtime::EVENT_VALUES,
            "cli/tests/run/memory.rs",
            "a_call_with_a_very_large_event_takes_four_times_its_size",
        ),
        own("ARGUMENT_BYTES", runtime::ARGUMENT_BYTES, process, "values_that_programs_cannot_receive"),
        own("TIMEOUT", millis(runtime::TIMEOUT), process, "an_endless_flood_ends_with_the_timeout"),
        own(
            "LONGEST_TIMEOUT",
            millis(runtime::LONGEST_TIMEOUT),
            "runtime/tests/documents/thread.rs",
            "a_rate_limit_hands_on_how_long_to_wait",
        ),
        Row(
            "schema",
            "ANSWER_TIME",
            millis(hookc_schema::limits::ANSWER_TIME),
            Test::Elsewhere("schema/src/agents/event.rs", "handlers_end_before_the_agent_stops_waiting"),
        ),
        own(
            "KILL_GRACE",
            millis(runtime::KILL_GRACE),
            process,
            "one_that_ignores_sigterm_with_its_children_is_killed",
        ),
        own("DRAIN", millis(runtime::DRAIN), process, "children_that_keep_the_outputs_open_hold_nothing_up"),
        own(
            "DRAIN_AFTER_KILL",
            millis(runtime::DRAIN_AFTER_KILL),
            process,
            "processes_outside_the_group_are_abandoned",
        ),
        own(
            "NESTED_ACTIONS",
            runtime::NESTED_ACTIONS,
            "runtime/tests/engine.rs",
            "a_host_that_handles_its_own_event_ends",
        ),
        own(
            "NESTED_TOTAL",
            runtime::NESTED_TOTAL,
            "runtime/tests/engine.rs",
            "hosts_that_handle_events_in_each_of_several_actions_end",
        ),
        own(
            "LOG_LOCK_WAIT",
            millis(runtime::LOG_LOCK_WAIT),
            "cli/tests/run/log.rs",
            "an_unread_answer_denies_and_a_log_never_blocks",
        ),
        own(
            "HISTORY_LOCK_WAIT",
            millis(runtime::HISTORY_LOCK_WAIT),
            "cli/tests/run/history.rs",
            "a_file_that_is_locked_is_unknown",
        ),
        own(
            "HISTORY_FILE_BYTES",
            usize::try_from(runtime::HISTORY_FILE_BYTES).unwrap(),
            store,
            "links_directories_and_large_files_are_unknown",
        ),
        own("HISTORY_RECORDS", runtime::HISTORY_RECORDS, store, "records_are_there_for_the_next_process"),
        own(
            "HISTORY_RECORD_BYTES",
            usize::try_from(runtime::HISTORY_RECORD_BYTES).unwrap(),
            store,
            "records_are_there_for_the_next_process",
        ),
        own(
            "HISTORY_GRACE",
            millis(runtime::HISTORY_GRACE),
            "runtime/tests/history_shared.rs",
            "only_events_with_handlers_wait_for_their_outcome",
        ),
        own(
            "HISTORY_TRIES",
            runtime::HISTORY_TRIES,
            "runtime/tests/history_shared.rs",
            "an_event_that_cannot_be_recorded_fails",
        ),
        own("HISTORY_RETENTION", millis(runtime::HISTORY_RETENTION), store, "old_files_are_removed"),
        own("HISTORY_REMOVED", runtime::HISTORY_REMOVED, store, "old_files_are_removed"),
        own(
            "LONGEST_PAUSE",
            millis(runtime::LONGEST_PAUSE),
            "runtime/src/pause/mod.rs",
            "only_a_private_file_of_bounded_length_applies",
        ),
        own(
            "REPEAT_WINDOW",
            millis(runtime::REPEAT_WINDOW),
            "runtime/src/repeat/mod.rs",
            "the_second_call_gets_what_the_first_kept_for_five_seconds",
        ),
        own(
            "REPEAT_WAIT",
            millis(runtime::REPEAT_WAIT),
            "cli/tests/repeat.rs",
            "both_calls_at_once_run_the_handler_once",
        ),
        own(
            "CLOCK_SKEW",
            millis(runtime::CLOCK_SKEW),
            "runtime/tests/signed.rs",
            "a_wrong_clock_extends_no_signature",
        ),
        own(
            "WORKERS",
            runtime::WORKERS,
            "runtime/tests/engine.rs",
            "grouped_handlers_run_at_once_and_answer_in_order",
        ),
        own(
            "PIPE_OPEN_WAIT",
            millis(runtime::PIPE_OPEN_WAIT),
            "cli/tests/pipes.rs",
            "a_pipe_that_was_named_is_given_some_time",
        ),
        own(
            "PIPE_IDLE",
            millis(runtime::PIPE_IDLE),
            "cli/tests/pipes.rs",
            "a_pipe_that_was_named_is_given_some_time",
        ),
        vm("HISTORY_DEPTH", usize::from(vm::HISTORY_DEPTH)),
        vm("HISTORY_TIE_PATHS", vm::HISTORY_TIE_PATHS),
        vm("HISTORY_VALUES", vm::HISTORY_VALUES),
        vm("HISTORY_NODES", vm::HISTORY_NODES),
        vm("HISTORY_WINDOW", usize::try_from(vm::HISTORY_WINDOW).unwrap()),
        vm("HISTORY_FEEDS", vm::HISTORY_FEEDS),
        syntax("HISTORY_DAYS", usize::try_from(syntax::HISTORY_DAYS).unwrap()),
        syntax("HISTORY_LAST", usize::try_from(syntax::HISTORY_LAST).unwrap()),
        agent("STREAM_BYTES", "agent/src/model/sse.rs", "endless_streams_end"),
        agent("turns, tokens, budget", "agent/tests/limits.rs", "turns_tokens_and_budget"),
        agent("depth of sub-agents", "agent/tests/agents.rs", "the_depth_is_limited"),
        agent("depth of workflows", "agent/tests/workflows.rs", "depth_is_limited_and_configurable"),
    ]
}
