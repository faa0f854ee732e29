//! Signature of every method: the nodes (or playouts) of a fixed search. A change here is a change of
//! behaviour: if it is intended, record the new figures.

use bestmove::lab::bench::figures;

/// `bestmove bench` prints the current figures.
const EXPECTED: &str = include_str!("data/signature.txt");

#[test]
fn every_method_behaves_as_written_down() {
    let lines = figures().into_iter().map(|figure| {
        let count = figure.nodes.max(figure.simulations);
        format!("{} {} {count} {}\n", figure.algorithm, figure.game, figure.best_move)
    });
    let found: String = lines.collect();
    assert_eq!(found, EXPECTED, "\nfound:\n{found}");
}
