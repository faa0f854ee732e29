//! Results as they are stored: answers of ten moves or of two hundred take a tenth of their length.

use std::io::Read;

use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};

/// Bytes, deflated.
pub(crate) struct Deflated(pub(crate) Vec<u8>);

impl Deflated {
    pub(crate) fn of(body: &[u8]) -> Self {
        let mut deflated = DeflateEncoder::new(body, Compression::fast());
        let mut stored = Vec::new();
        deflated.read_to_end(&mut stored).expect("memory can be read");
        Self(stored)
    }

    /// The bytes of what is stored.
    ///
    /// # Errors
    /// When `stored` is damaged.
    pub(crate) fn inflate(stored: &[u8]) -> std::io::Result<Vec<u8>> {
        let mut body = Vec::new();
        DeflateDecoder::new(stored).read_to_end(&mut body)?;
        Ok(body)
    }
}
