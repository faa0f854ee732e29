//! The top of the tree that a search by playouts has grown, as an answer.

use engine::search::TopNode;
use games::notation::{Facts, Served};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::ScoreAnswer;
use super::explain;
use super::question::Question;

/// A node of the tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct VisitedNode {
    /// Index of the node above; null for a move of the position.
    pub parent: Option<u32>,
    /// The move or chance outcome that led here.
    #[serde(rename = "move")]
    pub mv: String,
    /// Plies from the position.
    pub ply: u32,
    /// Simulations that came here.
    pub visits: u32,
    /// Value for the side to move in the position, the distance of a proved win or loss counted from there.
    pub score: ScoreAnswer,
}

/// Nodes below `root`, if the question asks for them.
pub(super) fn tree<G: Served>(
    question: &Question,
    root: &G,
    top: &[TopNode<G::Move>],
    facts: &Facts,
) -> Option<Vec<VisitedNode>> {
    (question.tree_nodes.0 > 0).then(|| nodes(root, top, facts))
}

/// Nodes below `root`, with moves as text.
fn nodes<G: Served>(root: &G, top: &[TopNode<G::Move>], facts: &Facts) -> Vec<VisitedNode> {
    let mut positions: Vec<G> = Vec::with_capacity(top.len());
    let mut nodes = Vec::with_capacity(top.len());
    for node in top {
        let above = node.parent.map_or(root, |parent| &positions[parent as usize]);
        nodes.push(VisitedNode {
            parent: node.parent,
            mv: above.move_text(node.mv),
            ply: node.ply,
            visits: node.visits,
            score: explain::score(node.value, facts),
        });
        let after = above.after(node.mv);
        positions.push(after);
    }
    nodes
}
