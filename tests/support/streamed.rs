//! A client that reads an answer event by event.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};

use serde_json::Value;

use super::server::{Server, post_bytes};

/// Media types of streams.
pub const FORMS: [&str; 2] = ["text/event-stream", "application/x-ndjson"];

/// An event.
#[derive(Debug, PartialEq)]
pub struct Told {
    pub event: String,
    pub data: String,
}

impl Told {
    /// Its data as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.data).unwrap_or_else(|why| panic!("{why} in {}", self.data))
    }
}

/// An answer that is being read.
pub struct StreamedReply {
    pub head: String,
    stream: TcpStream,
    body: BufReader<Chunks>,
}

/// Sends a question with these header lines and reads the head of the answer.
pub fn stream(server: &Server, path: &str, headers: &str, body: &str) -> StreamedReply {
    let request = post_bytes(path, body).replacen("\r\n", &format!("\r\n{headers}"), 1);
    let mut stream = server.connect();
    stream.write_all(request.as_bytes()).expect("the service reads");
    read_stream(stream)
}

/// Reads the head of an answer.
pub fn read_stream(stream: TcpStream) -> StreamedReply {
    let mut reader = BufReader::new(stream.try_clone().expect("it can be cloned"));
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        let read = reader.read_line(&mut head).expect("a head comes");
        assert!(read > 0, "it ends with {head:?}");
        if head == "HTTP/1.1 100 Continue\r\n\r\n" {
            head.clear();
        }
    }
    StreamedReply { head, stream, body: BufReader::new(Chunks { reader, left: 0, is_over: false }) }
}

impl StreamedReply {
    /// True if the head has this line.
    pub fn has(&self, line: &str) -> bool {
        self.head.lines().any(|found| found.eq_ignore_ascii_case(line))
    }

    /// The next event; `None` after the last one.
    pub fn next(&mut self) -> Option<Told> {
        if self.has("content-type: application/x-ndjson") {
            let line = self.line()?;
            let mut told: Value = serde_json::from_str(&line).expect("a line is JSON");
            let event = told["event"].as_str().expect("a name").to_owned();
            let data = line.split_once("\"data\":").map_or("", |(_, data)| &data[..data.len() - 1]);
            assert_eq!(
                told.as_object_mut().map(|map| map.len()),
                Some(1 + usize::from(!data.is_empty()))
            );
            return Some(Told { event, data: data.to_owned() });
        }
        let mut told = Told { event: String::new(), data: String::new() };
        loop {
            let line = self.line()?;
            match line.split_once(": ") {
                Some(("event", event)) => told.event = event.to_owned(),
                Some(("data", data)) => told.data = data.to_owned(),
                Some(("", comment)) => told.event = comment.to_owned(),
                None if line.is_empty() => return Some(told),
                _ => panic!("{line:?} in a stream"),
            }
        }
    }

    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = self.body.read_line(&mut line).expect("the stream goes on");
        assert!(read == 0 || line.ends_with('\n'), "{line:?} is cut off");
        (read > 0).then(|| line.trim_end_matches('\n').to_owned())
    }

    /// The next event of this name.
    pub fn find(&mut self, event: &str) -> Told {
        std::iter::from_fn(|| self.next()).find(|told| told.event == event).expect("it comes")
    }

    /// All that are left.
    pub fn rest(&mut self) -> Vec<Told> {
        std::iter::from_fn(|| self.next()).collect()
    }

    /// Sends nothing more.
    pub fn close_half(&self) {
        self.stream.shutdown(Shutdown::Write).expect("it is connected");
    }

    /// The connection, after the last event.
    pub fn into_connection(self) -> TcpStream {
        self.stream
    }
}

/// A body in chunks (RFC 9112, 7.1).
struct Chunks {
    reader: BufReader<TcpStream>,
    left: usize,
    is_over: bool,
}

impl Read for Chunks {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.is_over {
            return Ok(0);
        }
        if self.left == 0 {
            let size = self.line()?;
            self.left = usize::from_str_radix(size.trim(), 16).expect("the size of a chunk");
            if self.left == 0 {
                self.is_over = true;
                assert_eq!(self.line()?, "\r\n");
                return Ok(0);
            }
        }
        let most = self.left.min(buffer.len());
        let read = self.reader.read(&mut buffer[..most])?;
        assert!(read > 0, "the connection ends in the middle of a chunk");
        self.left -= read;
        if self.left == 0 {
            assert_eq!(self.line()?, "\r\n");
        }
        Ok(read)
    }
}

impl Chunks {
    fn line(&mut self) -> std::io::Result<String> {
        let mut line = String::new();
        self.reader.read_line(&mut line)?;
        Ok(line)
    }
}
