//! An explicit game tree, given node by node. MAX receives the value of the leaf that is reached
//! and MIN pays it. MAX moves at the root and the sides alternate, unless the tree says otherwise:
//! a side may move several times in a row, and nature may choose with given probabilities.

mod literal;
mod notation;
mod rules;
#[cfg(test)]
mod tests;

pub use notation::{MAX_DEPTH, MAX_NODES, parse};
pub use rules::{
    MAX_VALUE, Nature, NodeKind, Tree, TreeChance, TreeEvaluator, TreeNode, TreeNodes,
};
