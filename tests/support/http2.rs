//! A client of HTTP/2 that takes no answers: frames by hand (RFC 9113; its fields by RFC 7541).

use std::io::{Read, Write};
use std::net::TcpStream;

const SETTINGS: u8 = 4;
const PING: u8 = 6;
const ACK: u8 = 1;

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() as u32).to_be_bytes();
    let head = [length[1], length[2], length[3], kind, flags];
    [&head, &stream.to_be_bytes()[..], payload].concat()
}

/// Begins a connection that has room for so many bytes of an answer, and asks so often for a path.
pub fn ask_and_take(stream: &mut TcpStream, window: u8, path: &str, times: u32) {
    let no_window = frame(SETTINGS, 0, 0, &[0, 4, 0, 0, 0, window]);
    let mut bytes = [&b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"[..], &no_window].concat();
    for number in 0..times {
        // GET, http, the path and the authority.
        let path = [&[4, path.len() as u8], path.as_bytes()].concat();
        let fields = [&[0x82, 0x86][..], &path, &[1, 4], b"test"].concat();
        bytes.extend(frame(1, 5, 2 * number + 1, &fields));
    }
    // It may be closed already.
    let _ = stream.write_all(&bytes);
}

/// True if the connection ends while the client, for so many frames, looks alive.
pub fn ends_within(mut stream: TcpStream, frames: usize) -> bool {
    for _ in 0..frames {
        let mut head = [0; 9];
        if stream.read_exact(&mut head).is_err() {
            return true;
        }
        let mut payload = vec![0; u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize];
        let [kind, flags] = [head[3], head[4]];
        let read = stream.read_exact(&mut payload);
        let answered = match kind {
            PING if flags & ACK == 0 => stream.write_all(&frame(PING, ACK, 0, &payload)),
            SETTINGS if flags & ACK == 0 => stream.write_all(&frame(SETTINGS, ACK, 0, &[])),
            _ => Ok(()),
        };
        if read.and(answered).is_err() {
            return true;
        }
    }
    false
}
