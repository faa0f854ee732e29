//! Chinese for what methods and options do, what methods need, and notations, units and limits of games.

use std::collections::HashMap;
use std::sync::LazyLock;

use games::notation::display::Title;

/// By the English text, so that a changed one asks for a new translation.
static TEXTS: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../data/chinese.json")).expect("a map of texts")
});

/// A text with its Chinese; without one it stays English.
pub(super) fn titled(en: &'static str) -> Title {
    Title { en, zh: TEXTS.get(en).copied().unwrap_or(en) }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::Catalog;
    use crate::info::{Language, OptionInfo};

    #[test]
    fn what_can_be_listed_has_chinese_and_nothing_else_has() {
        let catalog = Catalog::default();
        let algorithms = catalog.algorithms();
        let games = catalog.games().map(|game| game.describe_in(Language::English));
        let games: Vec<_> = games.collect();
        let abouts = |options: &[OptionInfo]| options.iter().map(|o| o.about).collect::<Vec<_>>();
        let mut listed = HashSet::new();
        for algorithm in &algorithms {
            listed.extend(abouts(&algorithm.options));
            listed.extend(algorithm.needs.split(", "));
            listed.insert(algorithm.about);
        }
        for game in &games {
            listed.extend(abouts(&game.options));
            listed.extend(game.text_notation);
            listed.extend([game.limits, game.value_unit]);
        }
        let translated: HashSet<_> = TEXTS.keys().copied().collect();
        assert_eq!(listed.difference(&translated).collect::<Vec<_>>(), Vec::<&&str>::new());
        assert_eq!(translated.difference(&listed).collect::<Vec<_>>(), Vec::<&&str>::new());
        for (english, chinese) in &*TEXTS {
            let mut words = english.split('`').skip(1).step_by(2);
            assert!(words.all(|word| chinese.contains(&format!("`{word}`"))), "{chinese}");
        }
    }
}
