//! Messages as bytes: a header with a length, then JSON. What cannot be read costs that message and no other.

use std::io::{self, BufRead, Read, Write};

use serde_json::Value;

/// A longer message is skipped.
const MAX_LENGTH: u64 = 64 << 20;
/// A longer line of a header is not one.
const MAX_HEADER: u64 = 8 << 10;

/// What came in.
#[derive(Debug, PartialEq)]
pub(crate) enum Incoming {
    Request {
        id: Value,
        method: String,
        params: Value,
    },
    Notification {
        method: String,
        params: Value,
    },
    /// To a request of ours.
    Response {
        id: Value,
        result: Value,
    },
    /// No message; the code and what is wrong.
    Broken {
        code: i64,
        message: String,
    },
}

/// Codes of errors, as JSON-RPC and the protocol give them.
pub(crate) mod code {
    pub(crate) const PARSE_ERROR: i64 = -32700;
    pub(crate) const INVALID_REQUEST: i64 = -32600;
    pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
    pub(crate) const INVALID_PARAMS: i64 = -32602;
    pub(crate) const INTERNAL_ERROR: i64 = -32603;
    pub(crate) const NOT_INITIALIZED: i64 = -32002;
    pub(crate) const CANCELLED: i64 = -32800;
    pub(crate) const REQUEST_FAILED: i64 = -32803;
}

/// The next message; `None` where there are no more.
pub(crate) fn read(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let mut length: Option<Option<u64>> = None;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(MAX_HEADER).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line).into_owned();
        let line = line.trim();
        match line.split_once(':') {
            Some((name, value)) if name.trim().eq_ignore_ascii_case("content-length") => {
                length = Some(value.trim().parse().ok());
            }
            Some(_) => {}
            // Empty lines before a header do not end it.
            None if line.is_empty() && length.is_none() => {}
            None if line.is_empty() => break,
            None => {
                return Ok(Some(broken(code::PARSE_ERROR, "this is not a header of a message")));
            }
        }
    }
    let Some(length) = length.flatten() else {
        return Ok(Some(broken(
            code::PARSE_ERROR,
            "the header does not say how long the message is",
        )));
    };
    if length > MAX_LENGTH {
        io::copy(&mut input.by_ref().take(length), &mut io::sink())?;
        return Ok(Some(broken(code::INVALID_REQUEST, "the message is too long")));
    }
    let mut body = Vec::new();
    let n_read = input.by_ref().take(length).read_to_end(&mut body)?;
    if u64::try_from(n_read) != Ok(length) {
        return Ok(None);
    }
    Ok(Some(parse(&body)))
}

fn broken(code: i64, message: &str) -> Incoming {
    Incoming::Broken { code, message: message.to_owned() }
}

fn parse(body: &[u8]) -> Incoming {
    let value: Value = match serde_json::from_slice(body) {
        Ok(value) => value,
        Err(error) => return broken(code::PARSE_ERROR, &error.to_string()),
    };
    let Value::Object(mut fields) = value else {
        return broken(code::INVALID_REQUEST, "a message is a JSON object");
    };
    let params = fields.remove("params").unwrap_or(Value::Null);
    match (fields.remove("method"), fields.remove("id")) {
        (Some(Value::String(method)), None) => Incoming::Notification { method, params },
        (Some(Value::String(method)), Some(id @ (Value::Number(_) | Value::String(_)))) => {
            Incoming::Request { id, method, params }
        }
        (None, Some(id)) => {
            Incoming::Response { id, result: fields.remove("result").unwrap_or(Value::Null) }
        }
        _ => broken(code::INVALID_REQUEST, "this is neither a request nor a notification"),
    }
}

/// Writes a message with its header.
pub(crate) fn write(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let body = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Incoming, code, read, write};

    fn all(bytes: &[u8]) -> Vec<Incoming> {
        let mut input = bytes;
        let mut messages = Vec::new();
        while let Some(message) = read(&mut input).expect("reading from memory") {
            messages.push(message);
        }
        messages
    }

    fn framed(body: &str) -> Vec<u8> {
        format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
    }

    #[test]
    fn messages_are_read_one_after_the_other() {
        let mut bytes = framed(r#"{"id":1,"method":"m","params":[2]}"#);
        bytes.extend(framed(r#"{"method":"n"}"#));
        bytes.extend(framed(r#"{"id":"a","result":3}"#));
        let found = all(&bytes);
        assert_eq!(found.len(), 3);
        assert_eq!(
            found[0],
            Incoming::Request { id: json!(1), method: "m".to_owned(), params: json!([2]) }
        );
        assert_eq!(found[2], Incoming::Response { id: json!("a"), result: json!(3) });
    }

    #[test]
    fn a_broken_message_costs_no_other() {
        let whole = framed(r#"{"method":"n"}"#);
        for bad in [
            framed("{"),
            framed("[]"),
            framed("7"),
            framed(r#"{"id":null,"method":"m"}"#),
            framed(r#"{"id":1,"method":2}"#),
            b"nonsense\r\n".to_vec(),
            b"Content-Length: many\r\n\r\n".to_vec(),
            b"Content-Type: x\r\nContent-Length: -3\r\n\r\n".to_vec(),
            b"\xff\xfe\r\n".to_vec(),
            framed(&"[".repeat(10_000)),
        ] {
            let found = all(&[bad.clone(), whole.clone()].concat());
            assert_eq!(found.len(), 2, "{:?}", String::from_utf8_lossy(&bad));
            assert!(matches!(
                found[0],
                Incoming::Broken { code: code::PARSE_ERROR | code::INVALID_REQUEST, .. }
            ));
            assert_eq!(found[1], all(&whole).remove(0));
        }
    }

    #[test]
    fn the_end_inside_of_a_message_is_the_end() {
        assert_eq!(all(b"Content-Length: 10\r\n\r\n{}"), []);
        assert_eq!(
            all(b"Content-Le"),
            [super::broken(code::PARSE_ERROR, "this is not a header of a message")]
        );
        assert_eq!(all(b""), []);
    }

    #[test]
    fn what_is_written_can_be_read() {
        let mut bytes = Vec::new();
        write(&mut bytes, &json!({ "method": "ä", "params": { "x": "😀" } })).expect("written");
        let params = json!({ "x": "😀" });
        assert_eq!(all(&bytes), [Incoming::Notification { method: "ä".to_owned(), params }]);
    }
}
