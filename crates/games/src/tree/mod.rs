//! An explicit game tree, given node by node. MAX receives the value of the leaf reached, paid by
//! MIN. MAX moves at the root and sides alternate, unless specified otherwise: a side may move
//! several times in a row, and there may be chance nodes with given probabilities.

mod literal;
mod notation;
mod rules;
#[cfg(test)]
mod tests;

pub use notation::{MAX_DEPTH, MAX_NODES, parse};
pub use rules::{
    MAX_VALUE, Nature, NodeKind, Tree, TreeChance, TreeEvaluator, TreeNode, TreeNodes,
};
