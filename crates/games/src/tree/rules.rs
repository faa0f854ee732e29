use std::convert::Infallible;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::Arc;

use engine::game::{
    Acyclic, Chance, Evaluator, Game, History, Outcome, Perfect, Rng, Side, Turn, zobrist,
};

/// Maximum absolute leaf value, in thousandths of the written value.
pub const MAX_VALUE: i32 = 1_000_000_000;

/// One node of an explicit tree.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeNode {
    /// Name, unique within the tree; also the name of the move to it.
    pub name: String,
    /// Type and content of the node.
    pub kind: NodeKind,
}

/// Node type. Children are indices into the node list, larger than their parent's.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeKind {
    /// End of the game; `First` (MAX) receives this many thousandths.
    Leaf(i32),
    /// Decision node of this side, with at least one child.
    Choice(Side, Vec<u16>),
    /// Chance node with at least one child; probabilities are positive and sum to 1.
    Nature(Vec<(u16, f64)>),
}

/// The nodes of a tree, the root first.
pub type TreeNodes = Vec<TreeNode>;

/// A position in an explicit game tree: the tree (shared) and the current node.
///
/// `C` determines whether the tree may have chance nodes: `Infallible` or [`Nature`]. Methods
/// without support for chance accept the former only.
#[derive(Clone, Debug)]
pub struct Tree<C> {
    nodes: Arc<TreeNodes>,
    fingerprint: u64,
    at: u16,
    chance: PhantomData<fn() -> C>,
}

/// The chance event of a chance node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nature;

/// Chance type of a tree.
pub trait TreeChance: Chance<Tree<Self>> + 'static {
    /// The event at a chance node.
    const EVENT: Option<Self>;
}

impl TreeChance for Infallible {
    const EVENT: Option<Self> = None;
}

impl TreeChance for Nature {
    const EVENT: Option<Self> = Some(Self);
}

impl<C: TreeChance> Tree<C> {
    /// The root of a tree; `None` if it has chance nodes and `C` has no chance.
    pub fn new(nodes: TreeNodes) -> Option<Self> {
        let has_nature = nodes.iter().any(|node| matches!(node.kind, NodeKind::Nature(_)));
        let fits = C::EVENT.is_some() || !has_nature;
        fits.then(|| Self {
            fingerprint: fingerprint(&nodes),
            nodes: Arc::new(nodes),
            at: 0,
            chance: PhantomData,
        })
    }

    /// The current node.
    pub fn node(&self) -> &TreeNode {
        &self.nodes[usize::from(self.at)]
    }

    /// A node of the tree by its index.
    pub fn node_at(&self, index: u16) -> &TreeNode {
        &self.nodes[usize::from(index)]
    }
}

/// Hash of everything except the names: trees that differ only in names are equivalent.
fn fingerprint(nodes: &TreeNodes) -> u64 {
    let feed = |hash: u64, bits: u64| zobrist::mix(hash ^ bits);
    nodes.iter().fold(0x5452_4545, |hash, node| match &node.kind {
        NodeKind::Leaf(value) => feed(feed(hash, 1), *value as u64),
        NodeKind::Choice(side, children) => {
            let hash = feed(feed(hash, 2), *side as u64);
            children.iter().fold(hash, |hash, &child| feed(hash, u64::from(child)))
        }
        NodeKind::Nature(children) => children.iter().fold(feed(hash, 3), |hash, (child, p)| {
            feed(feed(hash, u64::from(*child)), p.to_bits())
        }),
    })
}

impl<C: TreeChance> Game for Tree<C> {
    /// The index of the child.
    type Move = u16;
    type Chance = C;
    type Info = Perfect;

    const PAYOFFS: bool = true;

    fn turn(&self) -> Turn<C> {
        match &self.node().kind {
            NodeKind::Leaf(value) => Turn::Over(Outcome::Payoff(*value)),
            NodeKind::Choice(side, _) => Turn::Of(*side),
            NodeKind::Nature(_) => {
                Turn::Chance(C::EVENT.expect("`new` admits nature nodes only where chance exists"))
            }
        }
    }

    fn moves(&self, out: &mut Vec<u16>) {
        if let NodeKind::Choice(_, children) = &self.node().kind {
            out.extend(children);
        }
    }

    fn play(&mut self, mv: u16) {
        self.at = mv;
    }

    fn hash(&self) -> u64 {
        zobrist::mix(self.fingerprint ^ u64::from(self.at))
    }

    fn move_code(mv: u16) -> u16 {
        mv
    }
}

impl Acyclic for Tree<Infallible> {}

impl Chance<Tree<Self>> for Nature {
    const EXISTS: bool = true;

    fn outcomes(self, pos: &Tree<Self>, out: &mut Vec<(u16, f64)>) {
        if let NodeKind::Nature(children) = &pos.node().kind {
            out.extend(children);
        }
    }

    fn sample(self, pos: &Tree<Self>, rng: &mut Rng) -> u16 {
        match &pos.node().kind {
            NodeKind::Nature(children) => children[rng.weighted(children)].0,
            _ => unreachable!("a chance event stands at a nature node"),
        }
    }
}

/// Evaluates inner nodes as 0 and treats values as linear: the expected result is proportional to
/// the value.
#[derive(Clone, Copy, Debug)]
pub struct TreeEvaluator {
    /// Maximum absolute leaf value.
    largest: i32,
}

impl TreeEvaluator {
    /// An evaluator for positions of this tree.
    pub fn of<C: TreeChance>(tree: &Tree<C>) -> Self {
        let values = tree.nodes.iter().filter_map(|node| match node.kind {
            NodeKind::Leaf(value) => Some(value.abs()),
            _ => None,
        });
        Self { largest: values.max().unwrap_or(0).max(1) }
    }
}

impl<C: TreeChance> Evaluator<Tree<C>> for TreeEvaluator {
    fn bound(&self) -> i32 {
        self.largest
    }

    fn reach(&self) -> i32 {
        0
    }

    fn evaluate(&mut self, _: &Tree<C>, _: Side) -> i32 {
        0
    }
}

impl<C: TreeChance> History for Tree<C> {}
