//! A server of NATS on a free port, with a folder of its own.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "tests use their own part")]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

pub struct NatsServer {
    process: Child,
    port: String,
    folder: tempfile::TempDir,
}

impl NatsServer {
    pub fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (process, port) = run("-1", &folder);
        Self { process, port, folder }
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Kills it without a word, and starts it again.
    pub fn kill(&mut self) {
        self.process.kill().expect("it runs");
        self.process.wait().expect("it ends");
        (self.process, _) = run(&self.port, &self.folder);
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Waits until the server itself says that it is ready, and on which port. To try to connect instead may succeed without
/// it: on the loopback interface a connection can be made to itself.
fn run(port: &str, folder: &tempfile::TempDir) -> (Child, String) {
    let mut server = Command::new("nats-server");
    server.args(["-a", "127.0.0.1", "-p", port, "-js", "-sd"]).arg(folder.path());
    let process = server.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let mut process = process.expect("nats-server is installed: Debian has a package of that name");
    let mut log = BufReader::new(process.stderr.take().expect("stderr is piped")).lines();
    let mut said = Vec::new();
    let mut port = None;
    while let Some(Ok(line)) = log.next() {
        if let Some((_, at)) = line.split_once("client connections on 127.0.0.1:") {
            port = Some(at.trim().to_owned());
        }
        if let (true, Some(port)) = (line.contains("Server is ready"), &port) {
            // A full pipe would stop the server: what it says later is read and dropped.
            let port = port.clone();
            std::thread::spawn(move || log.for_each(drop));
            return (process, port);
        }
        said.push(line);
    }
    let ended = process.wait();
    panic!("nats-server ended before it was ready ({ended:?}):\n{}", said.join("\n"));
}
