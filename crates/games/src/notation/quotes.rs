//! Messages that quote what a client has sent.

/// Most characters of a quotation, and of a message as a whole.
const MOST_QUOTED: usize = 64;
const MOST_SAID: usize = 2_000;

/// A message whose quotations, between backquotes, are cut to a bearable length: an answer is not as long as a bad
/// request.
pub fn with_short_quotes(message: &str) -> String {
    let cut = |text: &str, most: usize| match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    };
    let parts = message.split('`').enumerate();
    let parts: Vec<_> = parts
        .map(|(n, part)| if n % 2 == 1 { cut(part, MOST_QUOTED) } else { part.to_owned() })
        .collect();
    cut(&parts.join("`"), MOST_SAID)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_quotations_are_cut_and_short_ones_stay() {
        assert_eq!(with_short_quotes("unknown `word`; see `help`"), "unknown `word`; see `help`");
        let long = with_short_quotes(&format!("unknown `{}`; see `help`", "é".repeat(1_000)));
        assert_eq!(long, format!("unknown `{}…`; see `help`", "é".repeat(MOST_QUOTED)));
        assert_eq!(with_short_quotes(&"x".repeat(9_999)).chars().count(), MOST_SAID + 1);
    }
}
