//! The card duel: random games, with all moves listed for every choice.

use std::time::Instant;

use bestmove::game::{Chance, Game, Rng, Turn};
use bestmove::games::genius::Genius;

const GAMES: u64 = 4_000;

/// Prints how fast random games are played.
pub(super) fn figures() {
    let teams = [["Kaeya", "Diluc", "Sucrose"], ["Fischl", "Collei", "Kaeya"]];
    let core = Genius::core(teams).expect("these are characters");
    played("core", |_| core);
    played("full", Genius::deal);
}

fn played(profile: &str, start: impl Fn(u64) -> Genius) {
    let (mut rng, mut moves) = (Rng::new(1), Vec::new());
    let (mut chosen, mut fallen) = (0_u64, 0_u64);
    let begun = Instant::now();
    for seed in 0..GAMES {
        let mut pos = start(seed);
        loop {
            match pos.turn() {
                Turn::Over(_) => break,
                Turn::Chance(luck) => {
                    pos.play(luck.sample(&pos, &mut rng));
                    fallen += 1;
                }
                Turn::Of(_) => {
                    let mv = pos.random_move(&mut rng, &mut moves);
                    pos.play(mv.expect("who is to act has a move"));
                    chosen += 1;
                }
            }
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    let rate = |count: u64| count as f64 / seconds / 1e6;
    println!(
        "genius, {profile}: {:.2} M choices/s, listed and played, and {:.2} M dice/s beside them; \
         {:.0} games/s, {} choices a game",
        rate(chosen),
        rate(fallen),
        GAMES as f64 / seconds,
        chosen / GAMES
    );
}
