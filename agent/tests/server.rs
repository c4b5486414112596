//! An endpoint on this machine that plays a script in both wires.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// A server; it lives as long as the test's process.
pub(crate) struct Server {
    pub(crate) url: String,
    /// The bodies of the requests.
    pub(crate) requests: Arc<Mutex<Vec<Value>>>,
}

/// What a turn answers instead of a line of a script.
pub(crate) enum Turn {
    Line(Value),
    /// These bytes, and then the connection closes.
    Raw(String),
    /// Events without end.
    Endless,
    /// Nothing, until the client gives up.
    Silent,
}

pub(crate) fn serve(turns: Vec<Turn>) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let requests = Arc::new(Mutex::new(Vec::new()));
    let (seen, turns) = (Arc::clone(&requests), Arc::new(Mutex::new(VecDeque::from(turns))));
    std::thread::spawn(move || {
        for (number, stream) in listener.incoming().enumerate() {
            let (seen, turns) = (Arc::clone(&seen), Arc::clone(&turns));
            // A client that has gone is no error of the server.
            std::thread::spawn(move || drop(answer(&mut stream.unwrap(), number + 1, &seen, &turns)));
        }
    });
    Server { url, requests }
}

pub(crate) fn script(lines: &[Value]) -> Server {
    serve(lines.iter().cloned().map(Turn::Line).collect())
}

fn answer(
    stream: &mut TcpStream,
    number: usize,
    seen: &Mutex<Vec<Value>>,
    turns: &Mutex<VecDeque<Turn>>,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let (mut first, mut length) = (String::new(), 0);
    reader.read_line(&mut first)?;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    seen.lock().unwrap().push(serde_json::from_slice(&body).unwrap());
    let turn = turns.lock().unwrap().pop_front().unwrap_or(Turn::Raw(String::new()));
    match turn {
        Turn::Raw(text) => stream.write_all(text.as_bytes()),
        Turn::Silent => {
            std::thread::sleep(Duration::from_secs(30));
            Ok(())
        }
        Turn::Endless => {
            stream.write_all(HEAD.as_bytes())?;
            loop {
                stream.write_all(b": still here\n\n")?;
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        Turn::Line(line) => {
            stream.write_all(played(&line, number, first.contains("/v1/messages")).as_bytes())
        }
    }
}

pub(crate) const HEAD: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

/// A line of a script in a wire.
fn played(line: &Value, number: usize, anthropic: bool) -> String {
    if let Some(error) = line.get("error") {
        let status = error["status"].as_u64().unwrap_or(500);
        let body = json!({"type": "error", "error": {"type": error["type"], "message": error["message"]}});
        let after = error["retry_after"].as_str().map(|after| format!("retry-after: {after}\r\n"));
        let (after, body) = (after.unwrap_or_default(), body.to_string());
        let length = body.len();
        return format!(
            "HTTP/1.1 {status} Odd\r\n{after}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
        );
    }
    let events = if anthropic { messages(line, number) } else { completions(line, number) };
    let mut text = HEAD.to_owned();
    for event in events {
        let name = event["type"].as_str().map(|name| format!("event: {name}\n")).unwrap_or_default();
        text.push_str(&format!("{name}data: {event}\n\n"));
    }
    if !anthropic && line["close"] != true {
        text.push_str("data: [DONE]\n\n");
    }
    text
}

fn calls(line: &Value) -> Vec<(String, Value)> {
    let values = line["tool_calls"].as_array().cloned().unwrap_or_default();
    values
        .into_iter()
        .map(|call| (call["name"].as_str().unwrap().to_owned(), call["input"].clone()))
        .collect()
}

/// The text of an input; a string is the text itself.
fn arguments(input: &Value) -> String {
    input.as_str().map_or_else(|| input.to_string(), str::to_owned)
}

/// Pieces of a text, as endpoints send them.
fn halves(text: &str) -> [&str; 2] {
    let half = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
    text.split_at(half).into()
}

fn messages(line: &Value, number: usize) -> Vec<Value> {
    let usage = &line["usage"];
    let mut values = vec![
        json!({"type": "message_start", "message": {"id": format!("msg_{number}"), "model": "m",
        "role": "assistant", "content": [], "usage": {"input_tokens": usage["input_tokens"], "output_tokens": 1}}}),
    ];
    values.push(json!({"type": "ping"}));
    let mut index = 0;
    if let Some(text) = line["text"].as_str() {
        values.push(
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        );
        for text in halves(text) {
            values.push(json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}));
        }
        if line["close"] == true {
            return values;
        }
        values.push(json!({"type": "content_block_stop", "index": 0}));
        index = 1;
    }
    for (n, (name, input)) in calls(line).into_iter().enumerate() {
        let at = index + n;
        values.push(json!({"type": "content_block_start", "index": at,
            "content_block": {"type": "tool_use", "id": format!("call_{number}_{n}"), "name": name, "input": {}}}));
        for json in halves(&arguments(&input)) {
            values.push(json!({"type": "content_block_delta", "index": at,
                "delta": {"type": "input_json_delta", "partial_json": json}}));
        }
        values.push(json!({"type": "content_block_stop", "index": at}));
    }
    let reason = if calls(line).is_empty() { "end_turn" } else { "tool_use" };
    values.push(json!({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null},
        "usage": {"output_tokens": usage["output_tokens"]}}));
    values.push(json!({"type": "message_stop"}));
    values
}

fn completions(line: &Value, number: usize) -> Vec<Value> {
    let chunk = |delta: Value, finish: Value| {
        json!({"id": format!("msg_{number}"), "model": "m", "object": "chat.completion.chunk",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
    };
    let mut values = vec![chunk(json!({"role": "assistant", "content": ""}), Value::Null)];
    if let Some(text) = line["text"].as_str() {
        values.extend(halves(text).map(|text| chunk(json!({"content": text}), Value::Null)));
        if line["close"] == true {
            return values;
        }
    }
    for (n, (name, input)) in calls(line).into_iter().enumerate() {
        let call = json!({"index": n, "id": format!("call_{number}_{n}"), "type": "function",
            "function": {"name": name, "arguments": ""}});
        values.push(chunk(json!({"tool_calls": [call]}), Value::Null));
        for json in halves(&arguments(&input)) {
            values.push(chunk(
                json!({"tool_calls": [{"index": n, "function": {"arguments": json}}]}),
                Value::Null,
            ));
        }
    }
    let reason = if calls(line).is_empty() { "stop" } else { "tool_calls" };
    values.push(chunk(json!({}), json!(reason)));
    let usage = &line["usage"];
    values.push(json!({"id": format!("msg_{number}"), "choices": [],
        "usage": {"prompt_tokens": usage["input_tokens"], "completion_tokens": usage["output_tokens"]}}));
    values
}
