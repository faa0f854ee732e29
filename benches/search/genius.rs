//! The card duel: random games, with all moves listed for every choice, and how smooth its evaluations are
//! along them.

use std::time::Instant;

use bestmove::game::{Chance, Expert, Game, Outcome, Rng, Turn};
use bestmove::games::genius::{Duelist, Evaluation, Genius};

const GAMES: u64 = 4_000;
/// Games along which evaluations are compared.
const COMPARED: u64 = 1_000;

/// Prints how fast random games are played.
pub(super) fn figures() {
    let teams = [["Kaeya", "Diluc", "Sucrose"], ["Fischl", "Collei", "Kaeya"]];
    let core = Genius::core(teams).expect("these are characters");
    played("core", |_| core);
    played("full", Genius::deal);
    smoothness("guessed", Duelist { evaluation: Evaluation::Guessed });
    smoothness("fitted", Duelist { evaluation: Evaluation::Fitted });
}

/// What the first side stands at, in units and as a probability to win; none where chance acts.
fn stands(pos: &Genius, expert: &mut Duelist) -> Option<(f64, f64)> {
    let bound = f64::from(expert.bound());
    Some(match pos.turn() {
        Turn::Over(Outcome::Win(side)) => {
            let sign = f64::from(side.sign());
            (sign * bound, 0.5 + 0.5 * sign)
        }
        Turn::Over(_) => (0.0, 0.5),
        Turn::Chance(_) => return None,
        Turn::Of(mover) => {
            let value = f64::from(mover.sign() * expert.evaluate(pos, mover));
            (value, expert.win_probability(value))
        }
    })
}

/// Prints how much an evaluation changes from choice to choice, and to the end of the game.
fn smoothness(name: &str, mut expert: Duelist) {
    let (mut rng, mut moves) = (Rng::new(2), Vec::new());
    let (mut steps, mut ends) = (Vec::new(), Vec::new());
    for seed in 0..COMPARED {
        let mut pos = Genius::deal_any(seed);
        let mut last = stands(&pos, &mut expert);
        while !matches!(pos.turn(), Turn::Over(_)) {
            let mv = match pos.turn() {
                Turn::Chance(luck) => luck.sample(&pos, &mut rng),
                _ => expert.playout_move(&pos, &mut rng, &mut moves).expect("there is a move"),
            };
            pos.play(mv);
            let Some(now) = stands(&pos, &mut expert) else { continue };
            if let Some(last) = last.replace(now) {
                let change = ((now.0 - last.0).abs(), (now.1 - last.1).abs());
                let is_end = matches!(pos.turn(), Turn::Over(_));
                (if is_end { &mut ends } else { &mut steps }).push(change);
            }
        }
    }
    for (what, changes) in [("a choice", steps), ("the end", ends)] {
        let (units, odds): (Vec<_>, Vec<_>) = changes.into_iter().unzip();
        let (units, odds) = (quantiles(units), quantiles(odds));
        println!(
            "genius, {name} evaluation: {what} changes it by {:.2} / {:.2} / {:.2} hit points, by {:.1} / {:.1} \
             / {:.1} % of a win (quantiles of 50 / 95 / 99 %)",
            units[0] / 100.0,
            units[1] / 100.0,
            units[2] / 100.0,
            100.0 * odds[0],
            100.0 * odds[1],
            100.0 * odds[2],
        );
    }
}

fn quantiles(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    [0.5, 0.95, 0.99].map(|share| values[(share * (values.len() - 1) as f64) as usize])
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
