//! The real program on a free port, and a minimal HTTP client that can misbehave.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "tests and benches use their own part")]

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

use serde_json::Value;

/// Lines of a log kept for who reads them later.
const LOG_LINES: usize = 1_000;

/// A running `bestmove serve`, ended on drop.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
    /// Tells the lines of the log as they come.
    log: Mutex<Receiver<String>>,
}

/// An answer.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Reply {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|why| panic!("{why} in {}", self.body))
    }
}

impl Server {
    /// Starts the program with these arguments and waits until it listens.
    pub fn start(program: &str, args: &[&str]) -> Self {
        let mut command = Command::new(program);
        command.args(["serve", "--log-format", "json"]).args(args);
        if !args.contains(&"--listen") {
            command.args(["--listen", "127.0.0.1:0"]);
        }
        Self::spawn(&mut command)
    }

    /// Starts a command whose log is JSON and waits until it listens.
    pub fn spawn(command: &mut Command) -> Self {
        let mut child = command.stderr(Stdio::piped()).spawn().expect("the program starts");
        let mut log = BufReader::new(child.stderr.take().expect("stderr is piped"));
        let address = loop {
            let mut line = String::new();
            let read = log.read_line(&mut line).expect("the log can be read");
            assert!(read > 0, "the program ended before it listened");
            let entry = serde_json::from_str::<Value>(&line);
            let entry = entry.unwrap_or_else(|_| panic!("a log line is JSON, not {line}"));
            if let Some(address) = entry["fields"]["address"].as_str() {
                break address.parse().expect("an address");
            }
        };
        let (tell, told) = sync_channel(LOG_LINES);
        // A full pipe would stop the program: what nobody reads is dropped.
        std::thread::spawn(move || {
            log.lines().map_while(Result::ok).for_each(|line| drop(tell.try_send(line)));
        });
        Self { child, address, log: Mutex::new(told) }
    }

    /// The process's id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// A connection.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("the service listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout can be set");
        stream.set_nodelay(true).expect("the option exists");
        stream
    }

    /// Sends raw bytes and reads the answer.
    pub fn raw(&self, bytes: &[u8]) -> Reply {
        let mut stream = self.connect();
        stream.write_all(bytes).expect("the service reads");
        read_reply(&mut BufReader::new(stream))
    }

    /// GET.
    pub fn get(&self, path: &str) -> Reply {
        self.raw(get_bytes(path).as_bytes())
    }

    /// POST of a JSON text.
    pub fn post(&self, path: &str, body: &str) -> Reply {
        self.raw(post_bytes(path, body).as_bytes())
    }

    /// The best move, which must be found.
    pub fn best_move(&self, question: &Value) -> Value {
        let reply = self.post("/v1/bestmove", &question.to_string());
        assert_eq!(reply.status, 200, "{question}: {}", reply.body);
        reply.json()
    }

    /// The next line of the log like this.
    ///
    /// # Panics
    /// When the log ends, or says nothing for a minute.
    pub fn logged(&self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        const LONGEST_SILENCE: Duration = Duration::from_secs(60);
        let log = self.log.lock().expect("one test reads the log");
        let lines = std::iter::from_fn(|| log.recv_timeout(LONGEST_SILENCE).ok());
        let mut lines = lines.map(|line| serde_json::from_str(&line).expect("JSON"));
        lines.find(is_wanted).expect("the log has such a line")
    }

    /// Asks the process to end.
    pub fn terminate(&self) {
        self.signal("TERM");
    }

    /// Sends a signal.
    pub fn signal(&self, name: &str) {
        let pid = self.pid().to_string();
        let killed = Command::new("kill").args(["-s", name, &pid]).status();
        assert!(killed.expect("kill exists").success());
    }

    /// Waits for the process to end and returns its exit code.
    pub fn wait(&mut self) -> Option<i32> {
        self.child.wait().expect("the process is ours").code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn head(method: &str, path: &str, media: &str, length: usize) -> String {
    let media = if media.is_empty() { String::new() } else { format!("content-type: {media}\r\n") };
    format!("{method} {path} HTTP/1.1\r\nhost: test\r\n{media}content-length: {length}\r\n\r\n")
}

/// A whole GET request.
pub fn get_bytes(path: &str) -> String {
    head("GET", path, "", 0)
}

/// A whole POST request.
pub fn post_bytes(path: &str, body: &str) -> String {
    head("POST", path, "application/json", body.len()) + body
}

/// Reads one answer, by its content length.
pub fn read_reply(stream: &mut impl BufRead) -> Reply {
    let mut line = String::new();
    stream.read_line(&mut line).expect("an answer comes");
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.unwrap_or_else(|| panic!("no status in {line:?}"));
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).expect("headers come");
        let Some((key, value)) = line.trim_end().split_once(": ") else { break };
        headers.push((key.to_owned(), value.to_owned()));
    }
    let length = headers.iter().find(|(key, _)| key == "content-length");
    let mut body = vec![0; length.map_or(0, |(_, value)| value.parse().expect("a length"))];
    std::io::Read::read_exact(stream, &mut body).expect("the body comes");
    Reply { status, headers, body: String::from_utf8(body).expect("UTF-8") }
}
