//! What is searched less deep, or not at all. Each of these errs now and then; none of them makes a proof.

use super::luck::Luck;
use crate::game::{Expert, Game, Rng, zobrist};
use crate::search::alphabeta::engine::{Asked, Node};
use crate::search::alphabeta::sound::Sounding;
use crate::search::{Score, Stopped, Window};

/// The switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thrift {
    /// A position that stands lower than a search may hope to make up for is searched a ply less deep.
    pub razor: bool,
    /// A position that is good enough for its mover even with a resource less is good enough.
    pub self_loss: bool,
    /// Both of these happen with a probability that falls from 1 to 0.9 where they are least sure, so that
    /// no error is made in every game.
    pub probabilistic: bool,
    /// Moves whose order does not matter are tried in one order only.
    pub order_independence: bool,
    /// What the expert says should follow the move before comes early.
    pub continuation: bool,
}

impl Default for Thrift {
    fn default() -> Self {
        Self {
            razor: true,
            self_loss: true,
            probabilistic: true,
            order_independence: true,
            continuation: true,
        }
    }
}

impl Thrift {
    /// Everything switched off.
    pub const NONE: Self = Self {
        razor: false,
        self_loss: false,
        probabilistic: false,
        order_independence: false,
        continuation: false,
    };
}

/// The first plies are searched in full.
const FULL_PLIES: u32 = 2;
/// With a resource less a position is searched this much less deep.
const REDUCTION: u32 = 3;
const SELF_LOSS_FROM: u32 = 2;
/// Below this depth no second resource is given up at once.
const REPEAT_FROM: u32 = 4;
/// From this depth on a cut is verified by a search that is not poorer, but as shallow.
const VERIFY_FROM: u32 = 6;
/// The probability with which a cut happens at its border.
const LEAST_SURE: f64 = 0.9;

impl<G: Game, E: Expert<G>> Sounding<'_, G, E, Luck<G>> {
    /// The depth to search a node to.
    // CITE: razoring, Birmingham and Kent 1977.
    pub(super) fn razored(&mut self, pos: &G, node: Node) -> u32 {
        let alpha = node.window.alpha;
        if !self.nodes.policy.thrift.razor
            || node.depth < 2
            || node.ply < FULL_PLIES
            || alpha.is_decided()
        {
            return node.depth;
        }
        let Some(hope) = self.expert.hope(node.depth) else { return node.depth };
        let lacking = alpha.raw() - self.expert.evaluate(pos, node.mover) - hope;
        let cut = lacking > 0 && self.happens(pos, node.depth, lacking, hope);
        node.depth - u32::from(cut)
    }

    /// The bound that a node reaches even with a resource less.
    pub(super) fn even_poorer(&mut self, pos: &G, node: Node) -> Result<Option<Score>, Stopped> {
        let luck = &mut self.nodes.policy;
        let again = std::mem::take(&mut luck.made_poorer);
        let beta = node.window.beta;
        if !luck.thrift.self_loss
            || luck.verifying
            || node.depth < SELF_LOSS_FROM
            || node.ply < FULL_PLIES
            || beta.is_decided()
            || again && node.depth < REPEAT_FROM
        {
            return Ok(None);
        }
        let Some(hope) = self.expert.hope(node.depth) else { return Ok(None) };
        // Without what a search may hope for: with half of it most tries are in vain.
        let spare = self.expert.evaluate(pos, node.mover) - beta.raw();
        if spare <= 0 || !self.happens(pos, node.depth, spare, hope) {
            return Ok(None);
        }
        let Some(poorer) = self.expert.poorer(pos, node.mover) else { return Ok(None) };
        let Node { mover, ply, previous, .. } = node;
        let window = Window::new(Score::heuristic(beta.raw() - 1), beta);
        let depth = node.depth.saturating_sub(REDUCTION);
        let asked = Asked { viewer: mover, depth, ply, window };
        self.nodes.policy.made_poorer = true;
        let score = self.value(&poorer, asked, previous)?;
        self.nodes.policy.made_poorer = false;
        if score < beta {
            return Ok(None);
        }
        if node.depth >= VERIFY_FROM {
            self.nodes.policy.verifying = true;
            let verified = self.value(pos, asked, previous)?;
            self.nodes.policy.verifying = false;
            if verified < beta {
                return Ok(None);
            }
        }
        Ok(Some(beta))
    }

    /// Whether a cut happens that is certain by this `margin`, where `hope` is a wide one.
    fn happens(&self, pos: &G, depth: u32, margin: i32, hope: i32) -> bool {
        let luck = &self.nodes.policy;
        if !luck.thrift.probabilistic {
            return true;
        }
        let sure = (f64::from(margin) / f64::from(hope.max(1))).min(1.0);
        let p = LEAST_SURE + (1.0 - LEAST_SURE) * sure;
        Rng::new(zobrist::mix(pos.hash() ^ luck.seed) ^ u64::from(depth)).unit() < p
    }
}
