//! The top of a tree of playouts: its visits add up, its moves can be played, and what it proves is true.

use bestmove::catalog::answer::{Answer, ScoreAnswer};
use bestmove::catalog::visits::VisitedNode;
use bestmove::game::Rng;
use serde_json::{Map, Value, json};

use crate::questions::{random, with};
use crate::{Service, setting};

const MOST: usize = 2_000;

fn tree(answer: &Answer) -> &[VisitedNode] {
    answer.tree.as_deref().expect("the tree was asked for")
}

fn line(nodes: &[VisitedNode], mut index: usize) -> Vec<String> {
    let mut moves = vec![nodes[index].mv.clone()];
    while let Some(parent) = nodes[index].parent {
        assert!(nodes[parent as usize].ply + 1 == nodes[index].ply && (parent as usize) < index);
        index = parent as usize;
        moves.push(nodes[index].mv.clone());
    }
    moves.reverse();
    moves
}

/// Every visit of a node but its first goes on to a child, or ends in what is known of the node.
fn assert_adds_up(nodes: &[VisitedNode], answer: &Answer, what: &str) {
    assert!(nodes.windows(2).all(|two| two[0].visits >= two[1].visits), "{what}: most first");
    let visits = |parent: Option<u32>| {
        let below = nodes.iter().filter(|node| node.parent == parent);
        below.map(|node| u64::from(node.visits)).sum::<u64>()
    };
    for (index, node) in (0..).zip(nodes) {
        let below = visits(Some(index));
        assert!(below < u64::from(node.visits), "{what}: {below} below {node:?}");
        let is_whole = nodes.len() < MOST && below > 0;
        if is_whole && matches!(node.score, ScoreAnswer::Estimate { .. }) {
            assert!(below + 2 >= u64::from(node.visits), "{what}: {below} below {node:?}");
        }
    }
    let all = visits(None);
    assert!(all <= answer.stats.simulations, "{what}: {all}");
    assert!(nodes.len() == MOST || all + 1 >= answer.stats.simulations, "{what}: {all}");
}

/// The first nodes are the rated moves, with their values.
fn assert_agrees(nodes: &[VisitedNode], answer: &Answer, what: &str) {
    for node in nodes.iter().filter(|node| node.parent.is_none()) {
        let rated = answer.ratings.iter().find(|rated| rated.mv == node.mv);
        let rated = rated.unwrap_or_else(|| panic!("{what}: {node:?} is not rated"));
        match (&node.score, &rated.score) {
            (ScoreAnswer::Estimate { simulations, .. }, ScoreAnswer::Estimate { .. }) => {
                assert_eq!(*simulations, u64::from(node.visits), "{what}: {node:?}");
            }
            // The history of the game may end it, and a draw by it is no mean.
            (ScoreAnswer::Estimate { .. }, _) => {}
            (node, rated) => assert_eq!(node, rated, "{what}"),
        }
    }
}

#[test]
fn a_tree_adds_up_and_can_be_played() {
    let service = Service::new();
    let mut rng = Rng::new(setting("BESTMOVE_SEED", 5));
    let (mut shown, wanted) = (0, setting("BESTMOVE_TREES", 200));
    while shown < wanted {
        let (setup, question) = random(&service, &mut rng);
        let info = service.catalog.game(setup.game).expect("it is known").describe();
        if info.hidden {
            continue;
        }
        let method = ["mcts", "uct", "puct"][rng.below(3)];
        let members = json!({
            "algorithm": method, "tree_nodes": MOST,
            "budget": { "simulations": 1 << rng.below(9) }, "seed": shown,
        });
        let asked = with(&question, &members, &Map::new());
        let what = asked.to_string();
        let answer = service.ask(&asked, false);
        let nodes = tree(&answer);
        assert_adds_up(nodes, &answer, &what);
        assert_agrees(nodes, &answer, &what);
        let mut fewer = asked.clone();
        fewer["tree_nodes"] = json!(nodes.len().div_ceil(3));
        let fewer = service.ask(&fewer, false);
        assert_eq!(tree(&fewer), &nodes[..nodes.len().div_ceil(3)], "{what}: fewer");
        for _ in 0..3.min(nodes.len()) {
            let moves = line(nodes, rng.below(nodes.len()));
            service.assert_playable(&asked, &setup.options, &moves);
        }
        shown += 1;
    }
}

/// Held against the exact search of the position that a node stands for.
#[test]
fn what_a_node_of_a_tree_proves_is_true() {
    let service = Service::new();
    let (mut wins, mut losses, mut draws) = (0, 0, 0);
    for (game, start) in [("tictactoe", json!(["b2", "a1"])), ("nim", json!([]))] {
        let question = json!({
            "game": game, "moves": start, "algorithm": "uct", "tree_nodes": MOST, "reproducible": true,
            "budget": { "simulations": 3_000 },
        });
        let answer = service.ask(&question, false);
        let nodes = tree(&answer);
        for (index, node) in nodes.iter().enumerate() {
            if matches!(node.score, ScoreAnswer::Estimate { .. }) {
                continue;
            }
            let mut moves = start.as_array().expect("a list").clone();
            moves.extend(line(nodes, index).into_iter().map(Value::from));
            let exact =
                json!({ "game": game, "moves": moves, "algorithm": "sg", "ratings": "none" });
            let exact = service.ask(&exact, false);
            // An ended game has an outcome in place of a score.
            let Some(score) = exact.score else { continue };
            let is_other = node.ply % 2 == 1;
            match (&node.score, score) {
                (ScoreAnswer::Win { .. }, ScoreAnswer::Loss { .. }) if is_other => wins += 1,
                (ScoreAnswer::Win { .. }, ScoreAnswer::Win { .. }) if !is_other => wins += 1,
                (ScoreAnswer::Loss { .. }, ScoreAnswer::Win { .. }) if is_other => losses += 1,
                (ScoreAnswer::Loss { .. }, ScoreAnswer::Loss { .. }) if !is_other => losses += 1,
                (ScoreAnswer::Draw, ScoreAnswer::Draw) => draws += 1,
                (told, exact) => panic!("{moves:?} of {game}: {told:?}, {exact:?} is true"),
            }
        }
    }
    assert!(wins > 20 && losses > 20 && draws > 0, "{wins} {losses} {draws}");
}
