//! The encoding of a text: Unicode, or GB18030, which old programs of xiangqi write.

use std::borrow::Cow;

use encoding_rs::{Encoding, GB18030, UTF_8};

use super::FileFault;

/// The text of a file: UTF-8, UTF-16 with a byte order mark, or else GB18030, of which GBK and GB2312 are part.
///
/// # Errors
/// When it is none of these, with the line of the first byte that is no UTF-8.
pub fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, FileFault> {
    let (named, mark) = Encoding::for_bom(bytes).unwrap_or((UTF_8, 0));
    let bytes = &bytes[mark..];
    let encodings = if mark > 0 { &[named][..] } else { &[UTF_8, GB18030] };
    let read = |encoding: &&'static Encoding| {
        encoding.decode_without_bom_handling_and_without_replacement(bytes)
    };
    encodings.iter().find_map(read).ok_or_else(|| {
        let line_of = |valid: usize| bytes[..valid].split(|&byte| byte == b'\n').count();
        let line = std::str::from_utf8(bytes).map_or_else(|why| line_of(why.valid_up_to()), |_| 1);
        FileFault::new(
            line,
            "the text is neither UTF-8 nor GB18030; convert it first, for example from Big5",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_in_their_encoding() {
        let text = "[Red \"甲\"]\n1. 炮二平五 马8进7\n";
        assert_eq!(decode(text.as_bytes()).as_deref(), Ok(text));
        assert_eq!(decode(&GB18030.encode(text).0).as_deref(), Ok(text));
        let marked = ["\u{feff}", text].concat();
        assert_eq!(decode(marked.as_bytes()).as_deref(), Ok(text));
        let wide: Vec<_> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&wide).as_deref(), Ok(text));
    }

    #[test]
    fn what_is_no_text_is_refused_with_its_line() {
        let fault = decode(b"1. h2e2\n\xff\xff").expect_err("no text");
        assert!(fault.to_string().starts_with("line 2: the text is neither UTF-8"), "{fault}");
        assert!(decode(b"\xff\xfe\x00\xd8").is_err(), "half a surrogate pair");
    }
}
