use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::literal;
use super::rules::{MAX_VALUE, NodeKind, Tree, TreeChance, TreeEvaluator, TreeNode, TreeNodes};
use crate::notation::display::{Title, Titles};
use crate::notation::{
    Facts, Fault, Notation, Served, Settings, StateInput, choices, read_state, schema_of,
    similar_move,
};
use engine::game::{Outcome, Side};

/// Maximum number of nodes.
pub const MAX_NODES: usize = 10_000;
/// Maximum depth below the root.
pub const MAX_DEPTH: usize = 60;
/// Internal units per unit of a written value.
const SCALE: i32 = 1_000;
/// Tolerance for the sum of the probabilities at a chance node; they are normalized.
const SUM_TOLERANCE: f64 = 1e-6;

/// A parsed node with nested children.
pub(super) struct TreeDraft {
    pub(super) name: String,
    pub(super) probability: Option<f64>,
    pub(super) kind: DraftKind,
}

pub(super) enum DraftKind {
    Leaf(i32),
    Inner { mover: Option<Mover>, children: Vec<TreeDraft> },
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mover {
    Player(Side),
    Chance,
}

/// Internal value of a written one.
pub(super) fn thousandths(value: f64) -> Result<i32, String> {
    let scaled = value * f64::from(SCALE);
    if !scaled.is_finite() || scaled.abs() > f64::from(MAX_VALUE) {
        let most = MAX_VALUE / SCALE;
        return Err(format!("a leaf value is from -{most} to {most}, got {value}"));
    }
    Ok(scaled.round() as i32)
}

/// Parses a tree in any of its forms. `Start` is the textbook tree of three branches.
///
/// # Errors
/// If the form is invalid, a name is not unique, or the tree is too large or too deep.
pub fn parse(state: StateInput<'_>) -> Result<TreeNodes, Fault> {
    const TEXTBOOK: &str = "[A, [B, (E, 3), (F, 12), (G, 8)], [C, (H, 2), (I, 4), (J, 6)], \
                            [D, (K, 14), (L, 5), (M, 2)]]";
    let draft = match state {
        StateInput::Start => literal::read(TEXTBOOK),
        StateInput::Text(text) => literal::read(text),
        StateInput::Json(value) => from_json(value, 0),
    }?;
    let mut nodes = Vec::new();
    flatten(draft, Side::First, &mut nodes, &mut HashMap::new())?;
    Ok(nodes)
}

/// Flattens the nodes, parents before children; `next` is the default side to move.
fn flatten(
    draft: TreeDraft,
    next: Side,
    nodes: &mut TreeNodes,
    names: &mut HashMap<String, usize>,
) -> Result<u16, Fault> {
    let index = nodes.len();
    if index >= MAX_NODES {
        return Err(Fault::shape(format!("a tree has at most {MAX_NODES} nodes")));
    }
    if names.insert(draft.name.clone(), index).is_some() {
        let why = format!("duplicate name `{}`; names must be unique", draft.name);
        return Err(Fault::shape(why));
    }
    nodes.push(TreeNode { name: draft.name, kind: NodeKind::Leaf(0) });
    nodes[index].kind = match draft.kind {
        DraftKind::Leaf(value) => NodeKind::Leaf(value),
        DraftKind::Inner { mover: Some(Mover::Chance), children } => {
            let weights = probabilities(&nodes[index].name, &children)?;
            let children = children.into_iter().map(|child| flatten(child, next, nodes, names));
            let children = children.collect::<Result<Vec<_>, _>>()?;
            NodeKind::Nature(children.into_iter().zip(weights).collect())
        }
        DraftKind::Inner { mover, children } => {
            if let Some(child) = children.iter().find(|child| child.probability.is_some()) {
                let why = format!(
                    "`{}` has a probability, but its parent is not a chance node (\"mover\": \"chance\")",
                    child.name
                );
                return Err(Fault::shape(why));
            }
            let side = match mover {
                Some(Mover::Player(side)) => side,
                _ => next,
            };
            let children =
                children.into_iter().map(|child| flatten(child, side.other(), nodes, names));
            NodeKind::Choice(side, children.collect::<Result<_, _>>()?)
        }
    };
    Ok(index as u16)
}

fn probabilities(name: &str, children: &[TreeDraft]) -> Result<Vec<f64>, Fault> {
    let even = 1.0 / children.len() as f64;
    let given = children.iter().filter(|child| child.probability.is_some()).count();
    if given != 0 && given != children.len() {
        let why = format!("chance node `{name}`: either all children have a probability or none");
        return Err(Fault::shape(why));
    }
    let weights: Vec<_> = children.iter().map(|child| child.probability.unwrap_or(even)).collect();
    let sum: f64 = weights.iter().sum();
    if (sum - 1.0).abs() > SUM_TOLERANCE {
        let why = format!("chance node `{name}`: the probabilities must sum to 1, got {sum}");
        return Err(Fault::shape(why));
    }
    Ok(weights.into_iter().map(|weight| weight / sum).collect())
}

/// `["A", child, ...]`, `["E", 3]`, `{"E": 3}`, or objects with `name` and `value` or `children`.
fn from_json(value: &Value, depth: usize) -> Result<TreeDraft, Fault> {
    if depth > MAX_DEPTH {
        return Err(Fault::shape(format!("a tree has at most {MAX_DEPTH} levels")));
    }
    match value {
        Value::Array(items) => from_array(items, depth),
        Value::Object(map) if map.contains_key("name") => from_object(value, depth),
        Value::Object(map) if map.len() == 1 => {
            let (name, number) = map.iter().next().expect("a map of length one has an entry");
            Ok(TreeDraft { name: name.clone(), probability: None, kind: leaf(number)? })
        }
        _ => Err(Fault::shape(
            "expected a node: [name, child, ...], {name: value} or {\"name\", \"value\" | \"children\"}",
        )),
    }
}

fn leaf(value: &Value) -> Result<DraftKind, Fault> {
    let number =
        value.as_f64().ok_or_else(|| Fault::shape("expected a number as the value of a leaf"))?;
    thousandths(number).map(DraftKind::Leaf).map_err(Fault::shape)
}

fn from_array(items: &[Value], depth: usize) -> Result<TreeDraft, Fault> {
    let Some(Value::String(name)) = items.first() else {
        return Err(Fault::shape("expected a name as the first element of a node").under(0));
    };
    let kind = match &items[1..] {
        [number @ Value::Number(_)] => leaf(number).map_err(|fault| fault.under(1))?,
        [] => return Err(Fault::shape(format!("`{name}` has no children"))),
        rest => {
            let child = |(index, item): (usize, &Value)| {
                from_json(item, depth + 1).map_err(|fault| fault.under(index + 1))
            };
            let children = rest.iter().enumerate().map(child).collect::<Result<_, _>>()?;
            DraftKind::Inner { mover: None, children }
        }
    };
    Ok(TreeDraft { name: name.clone(), probability: None, kind })
}

/// Who decides at a node.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum TreeMover {
    Max,
    Min,
    Chance,
}

/// A node by its members; its children may be written in any form.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TreeNodeState {
    name: String,
    /// Of a leaf.
    value: Option<f64>,
    #[schemars(length(min = 1))]
    children: Option<Vec<Value>>,
    /// `max`, `min` or `chance`; by default the side that did not move before.
    mover: Option<TreeMover>,
    /// Of this child of a chance node.
    #[schemars(extend("exclusiveMinimum" = 0, "maximum" = 1))]
    probability: Option<f64>,
}

fn schema() -> Value {
    json!({
        "oneOf": [
            { "type": "array", "description": "[name, child, ...] or [name, value]" },
            schema_of::<TreeNodeState>()
        ]
    })
}

fn from_object(value: &Value, depth: usize) -> Result<TreeDraft, Fault> {
    let TreeNodeState { name, value, children, mover, probability } = read_state(value)?;
    if probability.is_some_and(|p| p <= 0.0 || p > 1.0) {
        let why = "expected a probability above 0 and at most 1";
        return Err(Fault::shape(why).under("probability"));
    }
    let mover = mover.map(|mover| match mover {
        TreeMover::Max => Mover::Player(Side::First),
        TreeMover::Min => Mover::Player(Side::Second),
        TreeMover::Chance => Mover::Chance,
    });
    let kind = match (value, children) {
        (Some(value), None) => {
            let value = thousandths(value).map_err(|why| Fault::shape(why).under("value"))?;
            DraftKind::Leaf(value)
        }
        (None, Some(items)) if !items.is_empty() => {
            let child = |(index, item): (usize, &Value)| {
                from_json(item, depth + 1).map_err(|fault| fault.under(index).under("children"))
            };
            let children = items.iter().enumerate().map(child).collect::<Result<_, _>>()?;
            DraftKind::Inner { mover, children }
        }
        _ => {
            let why = format!("`{name}` needs either a `value` or a list of `children`");
            return Err(Fault::shape(why));
        }
    };
    Ok(TreeDraft { name, probability, kind })
}

impl<C: TreeChance> Notation for Tree<C> {
    const SIDES: [&'static str; 2] = ["max", "min"];
    const TITLES: Titles = Titles {
        game: Title::new("Game tree", "博弈树"),
        sides: [Title::new("Max", "极大方"), Title::new("Min", "极小方")],
    };
    const END_REASONS: &'static [&'static str] = &["leaf"];

    fn facts() -> Facts {
        Facts {
            name: "tree",
            rules: Title::new(
                "An explicit tree. MAX receives the value of the leaf that is reached, MIN pays \
                    it. MAX moves at the root and the sides alternate unless a node names its \
                    mover: `max`, `min` or `chance`.",
                "明确给出的树。到达叶节点时,MAX 得到其值,MIN 付出。根节点由 MAX 走,双方轮流,除非节点写明由谁走:`max`、`min` 或 `chance`。",
            ),
            source: "von Neumann 1928, games in extensive form",
            text: Some("`[A, [B, (E, 3), (F, 12)], [C, (H, 2)]]`, names quoted or not"),
            moves: Title::new("the name of the child", "子节点的名字"),
            move_pattern: r"^[\s\S]*$",
            unit: "1 = one unit of a leaf's value",
            scale: SCALE,
            point: 1.0,
            schema: schema(),
            example: json!({
                "game": "tree",
                "state": "[A, [B, (E, 3), (F, 12), (G, 8)], [C, (H, 2), (I, 4), (J, 6)], [D, (K, 14), (L, 5), (M, 2)]]",
                "algorithm": "alphabeta"
            }),
            repeated_movers: true,
            options: &[],
            limits: "10,000 nodes, 60 levels, leaves up to 1,000,000 with three decimals",
        }
    }

    fn read(state: StateInput<'_>, _: &Settings) -> Result<Self, Fault> {
        Self::new(parse(state)?)
            .ok_or_else(|| Fault::shape("a chance node in a tree without chance"))
    }

    // Only a tree expressible in list form has a text: sides alternate, and no name has both kinds
    // of quotes and a delimiter.
    fn text(&self) -> Option<String> {
        if self.alternates() { self.literal(self.node()) } else { None }
    }

    fn json(&self) -> Value {
        self.node_json(self.node(), None)
    }

    fn move_text(&self, mv: u16) -> String {
        self.node_at(mv).name.clone()
    }

    fn find_move(&self, text: &str) -> Result<u16, Fault> {
        let moves = choices(self);
        moves.iter().copied().find(|&mv| self.node_at(mv).name == text).ok_or_else(|| {
            let names: Vec<_> = moves.iter().map(|&mv| self.move_text(mv)).collect();
            Fault::illegal(format!(
                "`{text}` is not a child of `{}`; children: {}{}",
                self.node().name,
                names[..names.len().min(12)].join(", "),
                similar_move(text, &names)
            ))
        })
    }

    fn reason(&self, _: Outcome) -> &'static str {
        "leaf"
    }
}

impl<C: TreeChance> Served for Tree<C> {
    type Evaluator = TreeEvaluator;

    fn evaluator(&self, _: &Settings) -> TreeEvaluator {
        TreeEvaluator::of(self)
    }

    fn strongest(&self) -> &'static str {
        if C::EVENT.is_some() { "expectiminimax" } else { "alphabeta" }
    }
}

/// JSON form of an internal value: whole numbers without a fraction.
fn plain_number(thousandths: i32) -> Value {
    if thousandths % SCALE == 0 {
        json!(thousandths / SCALE)
    } else {
        json!(f64::from(thousandths) / f64::from(SCALE))
    }
}

impl<C: TreeChance> Tree<C> {
    fn alternates(&self) -> bool {
        fn walk<C: TreeChance>(tree: &Tree<C>, node: &TreeNode, side: Side) -> bool {
            match &node.kind {
                NodeKind::Leaf(_) => true,
                NodeKind::Nature(_) => false,
                NodeKind::Choice(mover, children) => {
                    *mover == side
                        && children.iter().all(|&c| walk(tree, tree.node_at(c), side.other()))
                }
            }
        }
        walk(self, self.node(), Side::First)
    }

    fn literal(&self, node: &TreeNode) -> Option<String> {
        let name = literal::quoted(&node.name)?;
        match &node.kind {
            NodeKind::Leaf(value) => Some(format!("({name}, {})", plain_number(*value))),
            NodeKind::Nature(_) => None,
            NodeKind::Choice(_, children) => {
                let inside = children.iter().map(|&c| self.literal(self.node_at(c)));
                let inside = inside.collect::<Option<Vec<_>>>()?;
                Some(format!("[{name}, {}]", inside.join(", ")))
            }
        }
    }

    fn node_json(&self, node: &TreeNode, probability: Option<f64>) -> Value {
        let mut map = Map::new();
        map.insert("name".into(), json!(node.name));
        if let Some(probability) = probability {
            map.insert("probability".into(), json!(probability));
        }
        match &node.kind {
            NodeKind::Leaf(value) => {
                map.insert("value".into(), plain_number(*value));
            }
            NodeKind::Choice(side, children) => {
                map.insert("mover".into(), json!(Self::SIDES[side.index()]));
                let children = children.iter().map(|&c| self.node_json(self.node_at(c), None));
                map.insert("children".into(), children.collect());
            }
            NodeKind::Nature(children) => {
                map.insert("mover".into(), json!("chance"));
                let children =
                    children.iter().map(|(c, p)| self.node_json(self.node_at(*c), Some(*p)));
                map.insert("children".into(), children.collect());
            }
        }
        Value::Object(map)
    }
}
