//! The top of a tree: its most visited nodes, for drawings.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::arena::{Arena, ROOT};
use super::verdict::{mean_result, value};
use crate::game::{Chance, Game, Turn};
use crate::search::playout::seen_by;
use crate::search::{Job, TopNode};

/// The most visited nodes of a tree below its root, as many as the job wants, each after its parent.
pub(super) fn top<G: Game>(job: &Job<'_, G>, tree: &Arena) -> Vec<TopNode<G::Move>> {
    let mut found = TopSearch { job, tree, next: BinaryHeap::new(), moves: Vec::new() };
    let mut nodes: Vec<TopNode<G::Move>> = Vec::new();
    let mut positions = Vec::new();
    if job.top_nodes > 0 {
        found.children(None, ROOT);
    }
    while nodes.len() < job.top_nodes
        && let Some((visits, Reverse(index), parent, place)) = found.next.pop()
    {
        let (above, ply) = match parent {
            None => (job.root, 1),
            Some(parent) => (&positions[parent as usize], nodes[parent as usize].ply + 1),
        };
        let mv = found.move_at(above, parent.is_none(), place);
        let pos = above.after(mv);
        found.children(Some(nodes.len() as u32), index);
        let node = tree.node(index);
        let proof = (0..ply).fold(node.proof(), |proof, _| proof.one_more());
        let mean = seen_by(job.mover, mean_result(node));
        let value = value(proof, mean, u64::from(visits), job.mover);
        nodes.push(TopNode { parent, mv, ply, visits, value });
        positions.push(pos);
    }
    nodes
}

/// Visits, index in the arena, parent among the nodes found, place among its siblings.
type VisitedChild = (u32, Reverse<u32>, Option<u32>, u32);

/// Nodes whose parents have been found.
struct TopSearch<'a, G: Game> {
    job: &'a Job<'a, G>,
    tree: &'a Arena,
    next: BinaryHeap<VisitedChild>,
    moves: Vec<G::Move>,
}

impl<G: Game> TopSearch<'_, G> {
    /// Adds the children of a node that have been visited.
    fn children(&mut self, parent: Option<u32>, index: u32) {
        let Some(family) = self.tree.node(index).family() else { return };
        let visited = (0..).zip(family.children).filter_map(|(place, child)| {
            let visits = self.tree.node(child).visits();
            (visits > 0).then_some((visits, Reverse(child), parent, place))
        });
        self.next.extend(visited);
    }

    /// The move or chance outcome that leads to a child.
    fn move_at(&mut self, pos: &G, is_root: bool, place: u32) -> G::Move {
        if is_root {
            return self.job.moves[place as usize];
        }
        if let Turn::Chance(event) = pos.turn() {
            let mut outcomes = Vec::new();
            event.outcomes(pos, &mut outcomes);
            return outcomes[place as usize].0;
        }
        self.moves.clear();
        pos.moves(&mut self.moves);
        self.moves[place as usize]
    }
}
