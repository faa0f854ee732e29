//! Names that are nearly right.

/// Least similarity of a name worth a suggestion, by Jaro and Winkler: 1 is equal. Not tuned.
const SIMILAR: f64 = 0.75;

/// A clause with the known name most similar to this one; empty if none is.
pub fn did_you_mean<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    // `timeMs` and `time_ms` are the same words.
    let plain = |name: &str| name.replace(['_', '-', ' '], "").to_lowercase();
    let given = plain(given);
    let rated = known.into_iter().map(|name| (strsim::jaro_winkler(&given, &plain(name)), name));
    let best = rated.max_by(|(a, _), (b, _)| a.total_cmp(b));
    match best {
        Some((similarity, name)) if similarity >= SIMILAR => format!("; did you mean `{name}`?"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn only_what_is_similar_is_suggested() {
        let known = ["time_ms", "depth", "nodes", "simulations"];
        assert_eq!(did_you_mean("timeMs", known), "; did you mean `time_ms`?");
        assert_eq!(did_you_mean("simulation", known), "; did you mean `simulations`?");
        assert_eq!(did_you_mean("zugzwang", known), "");
    }
}
