//! What several targets share.

use std::sync::LazyLock;

use catalog::Catalog;
use games::notation::laws::check_forms;
use games::notation::{Notation, Settings, StateInput, choices};

pub mod stdin;

/// All games.
pub static CATALOG: LazyLock<Catalog> = LazyLock::new(Catalog::default);

/// Names of the games, each with the function for its type: `each_game!(play as fn(&[u8]))`.
#[macro_export]
macro_rules! each_game {
    ($of:ident as $as:ty) => {{
        let games: [(&str, $as); 13] = [
            ("nim", $of::<games::nim::Nim>),
            ("tictactoe", $of::<games::tictactoe::TicTacToe>),
            ("connect4", $of::<games::connect4::Connect4>),
            ("two_eat_one", $of::<games::two_eat_one::TwoEatOne>),
            ("othello", $of::<games::othello::Othello>),
            ("gomoku", $of::<games::gomoku::Gomoku>),
            ("gomoku_swap2", $of::<games::gomoku_swap2::GomokuSwap2>),
            ("snake_go", $of::<games::snake_go::SnakeGo>),
            ("easycard", $of::<games::easycard::EasyCard>),
            ("genius", $of::<games::genius::Genius>),
            ("xiangqi", $of::<games::xiangqi::Xiangqi>),
            ("tree", $of::<games::tree::Tree<std::convert::Infallible>>),
            ("dice_tree", $of::<games::tree::Tree<games::tree::Nature>>),
        ];
        games
    }};
}

/// Asserts that what is written of this position is read back to the same one, which goes on alike.
pub fn check<G: Notation>(pos: &G, settings: &Settings) {
    check_forms(pos, settings);
    if G::facts().name == "tree" {
        // The hash of a tree covers more than what is written.
        return;
    }
    let (text, json) = (pos.text(), pos.json());
    for state in text.as_deref().map(StateInput::Text).into_iter().chain([StateInput::Json(&json)])
    {
        let read = G::read(state, settings).expect("it has been read");
        assert_eq!(hashes(&read), hashes(pos), "read back from {state:?}");
    }
}

/// Hashes of a position and of those after each move.
fn hashes<G: Notation>(pos: &G) -> Vec<u64> {
    let after = choices(pos).into_iter().map(|mv| pos.after(mv).hash());
    std::iter::once(pos.hash()).chain(after).collect()
}
