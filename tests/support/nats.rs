//! A server of NATS on a free port, with a folder of its own.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "tests use their own part")]

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

pub struct NatsServer {
    process: Child,
    port: u16,
    folder: tempfile::TempDir,
}

impl NatsServer {
    pub fn start() -> Self {
        let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        let folder = tempfile::tempdir().expect("a folder");
        let process = run(port, &folder);
        Self { process, port, folder }
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Kills it without a word, and starts it again.
    pub fn kill(&mut self) {
        self.process.kill().expect("it runs");
        self.process.wait().expect("it ends");
        self.process = run(self.port, &self.folder);
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn run(port: u16, folder: &tempfile::TempDir) -> Child {
    let mut server = Command::new("nats-server");
    server.args(["-a", "127.0.0.1", "-p", &port.to_string(), "-js", "-sd"]).arg(folder.path());
    let process = server.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let process = process.expect("nats-server is installed: Debian has a package of that name");
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        std::thread::yield_now();
    }
    process
}
