//! A service with a quota for clients without a key.

use std::fs;

use tempfile::TempDir;

use super::server::Server;

/// Starts the program: each client has so many requests, at a time and at once. The folder has the file of keys.
pub fn start_open_tier(program: &str, concurrency: usize, burst: u32) -> (TempDir, Server) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("keys.toml");
    let tier =
        format!("rate = 0.001\nburst = {burst}\nconcurrency = {concurrency}\nlongest_ms = 60000\n");
    let keys = format!("anonymous = \"open\"\n[tiers.open]\n{tier}");
    fs::write(&path, keys).expect("the folder can be written");
    let server = Server::start(program, &["--keys", path.to_str().expect("text")]);
    (folder, server)
}
