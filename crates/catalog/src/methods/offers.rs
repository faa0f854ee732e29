//! How each method is made. The requirements of a method are stated twice: by the trait bounds of these functions, so that
//! an invalid pair does not compile, and by [`Capabilities`](super::Capabilities) for the description; a test checks that
//! both agree.

use std::sync::{Arc, OnceLock};

use engine::game::{Acyclic, Deterministic, Game, Indexed, Perfect, SelectiveParameters, Tactics};
use engine::options::{OptionSet, Settings};
use engine::search::Playout;
use engine::search::alphabeta::{
    AlphaBeta, McAlphaBeta, Options, ProbCut, ProbCutOptions, Selective,
};
use engine::search::greedy::Greedy;
use engine::search::montecarlo::{FlatMonteCarlo, FlatOptions, Random};
use engine::search::rollout_minimax::{RolloutMinimax, RolloutOptions};
use engine::search::sg::Sg;
use engine::search::tablebase::{Lookup, Tablebase};
use engine::search::textbook::TextbookOptions;
use engine::search::textbook::minimax::Minimax;
use engine::search::textbook::negamax::Negamax;
use engine::search::tree_search::{PuctOptions, TreeOptions, TreeSearch};
use games::notation::Served;

use super::{Offer, offer};

/// Option set from the settings.
fn with<O: OptionSet>(mut options: O, settings: &Settings) -> O {
    options.apply(settings);
    options
}

/// Methods for any game.
pub fn for_any<G: Served>() -> Vec<Offer<G>> {
    vec![
        offer("random", |_, _, _| Random),
        offer("greedy", |evaluator, _, _| Greedy(evaluator)),
        offer("flat_mc", |evaluator, settings, _| FlatMonteCarlo {
            evaluator,
            playout: with(Playout::default(), settings),
            options: with(FlatOptions::default(), settings),
        }),
        offer("mcts", |evaluator, settings, _| {
            tree_search(evaluator, TreeOptions::mcts(), settings)
        }),
        offer("uct", |evaluator, settings, _| tree_search(evaluator, TreeOptions::uct(), settings)),
        offer("puct", |evaluator, settings, _| {
            let options = with(PuctOptions::default(), settings);
            tree_search(evaluator, TreeOptions::puct(options), settings)
        }),
        offer("mc_alphabeta", |evaluator, settings, calibration| {
            let mut method = McAlphaBeta::new(evaluator);
            method.options.apply(settings);
            method.chance_options.apply(settings);
            method.forward_pruning.apply(settings);
            method.variants.apply(settings);
            method.calibration = calibration.clone();
            method
        }),
    ]
}

fn tree_search<E>(evaluator: E, options: TreeOptions, settings: &Settings) -> TreeSearch<E> {
    let playout = with(options.playout, settings);
    TreeSearch { evaluator, options: TreeOptions { playout, ..with(options, settings) } }
}

/// Methods for games of perfect information.
pub fn for_open<G: Served + Game<Info = Perfect>>() -> Vec<Offer<G>> {
    vec![
        offer("expectiminimax", |evaluator, settings, _| AlphaBeta {
            evaluator,
            options: with(Options::default(), settings),
        }),
        offer("rollout_minimax", |evaluator, settings, _| RolloutMinimax {
            evaluator,
            playout: with(Playout::default(), settings),
            options: with(RolloutOptions::default(), settings),
        }),
    ]
}

/// Methods for acyclic games, in which no position repeats.
pub fn for_acyclic<G: Served + Acyclic>() -> Vec<Offer<G>> {
    vec![offer("sg", |_, settings, _| with(Sg::default(), settings))]
}

/// Methods for deterministic games of perfect information.
pub fn for_deterministic<G: Served + Deterministic>() -> Vec<Offer<G>> {
    vec![
        offer("minimax", |evaluator, settings, _| Minimax {
            evaluator,
            options: with(TextbookOptions::default(), settings),
        }),
        offer("negamax", |evaluator, settings, _| Negamax {
            evaluator,
            options: with(TextbookOptions::default(), settings),
        }),
        offer("alphabeta", |evaluator, settings, _| AlphaBeta {
            evaluator,
            options: with(Options::default(), settings),
        }),
        offer("probcut", |evaluator, settings, calibration| ProbCut {
            evaluator,
            options: with(Options::default(), settings),
            probcut: with(ProbCutOptions::default(), settings),
            calibration: calibration.clone(),
        }),
    ]
}

/// Methods for games whose evaluators know captures and threats.
pub fn for_tactical<G: Served + Deterministic>() -> Vec<Offer<G>>
where
    G::Evaluator: Tactics<G>,
{
    vec![offer("selective", |evaluator, settings, calibration| {
        let mut method = Selective::new(evaluator);
        method.options.apply(settings);
        method.switches.apply(settings);
        method.parameters = Some(with(SelectiveParameters::DEFAULT, settings));
        method.calibration = calibration.clone();
        method
    })]
}

/// Methods for games with a numbered state space.
pub fn for_indexed<G: Served + Indexed>() -> Vec<Offer<G>> {
    let cell: OnceLock<Arc<Tablebase<G>>> = OnceLock::new();
    let table = Arc::new(move || Arc::clone(cell.get_or_init(|| Arc::new(Tablebase::build()))));
    let lookup = {
        let table = Arc::clone(&table);
        offer("tablebase", move |_, _, _| Lookup(table()))
    };
    let prepare = move || {
        table();
    };
    vec![Offer { prepare: Some(Box::new(prepare)), ..lookup }]
}
