use std::convert::Infallible;

use serde_json::{Value, json};

use super::{MAX_DEPTH, MAX_NODES, Nature, NodeKind, Tree, TreeEvaluator, parse};
use crate::notation::laws::{
    check_forms, check_notation, check_refused, check_same_game_from, walk,
};
use crate::notation::{FaultKind, Notation, Served, Settings, StateInput};
use engine::game::laws::{check_evaluator, check_game};
use engine::game::{Game, Outcome, Side, Turn};

const UNQUOTED: &str =
    "[A, [B, (E, 3), (F, 12), (G, 8)], [C, (H, 2), (I, 4), (J, 6)], [D, (K, 14), (L, 5), (M, 2)]]";
const QUOTED: &str = "['A', ['B', ('E', 3), ('F', 12), ('G', 8)], [\"C\", (\"H\", 2), ('I', 4), \
                      ('J', 6)], ['D', ('K', 14), ('L', 5), ('M', 2)]]";

fn read<C: super::TreeChance>(state: &Value) -> Tree<C> {
    let fault = |fault| panic!("{state}: {fault}");
    Tree::read(StateInput::read(Some(state)), &Settings::default()).unwrap_or_else(fault)
}

fn plain(text: &str) -> Tree<Infallible> {
    read(&json!(text))
}

/// The value of a tree as the textbook defines it.
fn minimax<C: super::TreeChance>(tree: &Tree<C>) -> f64 {
    let value = |&child: &u16| minimax(&tree.after(child));
    match &tree.node().kind {
        NodeKind::Leaf(value) => f64::from(*value),
        NodeKind::Choice(Side::First, children) => {
            children.iter().map(value).fold(f64::MIN, f64::max)
        }
        NodeKind::Choice(Side::Second, children) => {
            children.iter().map(value).fold(f64::MAX, f64::min)
        }
        NodeKind::Nature(children) => children.iter().map(|(child, p)| p * value(child)).sum(),
    }
}

fn dice() -> Value {
    json!({
        "name": "root", "mover": "max",
        "children": [
            { "name": "safe", "value": 1.5 },
            { "name": "bet", "mover": "chance", "children": [
                { "name": "win", "value": 10, "probability": 0.25 },
                { "name": "again", "probability": 0.75, "mover": "max", "children": [
                    { "name": "stop", "value": -1 },
                    { "name": "coin", "mover": "chance", "children": [
                        { "name": "heads", "value": 3 }, { "name": "tails", "value": -4 }
                    ]}
                ]}
            ]}
        ]
    })
}

#[test]
fn trees_keep_the_laws() {
    check_game(&plain(UNQUOTED), 1, 30);
    check_evaluator(&plain(UNQUOTED), &TreeEvaluator::of(&plain(UNQUOTED)), 3, 2, 10);
    let dice: Tree<Nature> = read(&dice());
    check_game(&dice, 3, 50);
    check_evaluator(&dice, &TreeEvaluator::of(&dice), 4, 4, 20);
}

#[test]
fn trees_can_be_read_back_wherever_they_stand() {
    check_notation(&plain("(A, -2.125)"), &Settings::default(), 1, 1);
    walk(&plain(UNQUOTED), 2, 20, |pos| check_forms(pos, &Settings::default()));
    let dice: Tree<Nature> = read(&dice());
    walk(&dice, 3, 20, |pos| check_forms(pos, &Settings::default()));
    for tree in [plain(UNQUOTED), plain(QUOTED)] {
        let text = tree.text().expect("the sides alternate");
        assert_eq!(text, UNQUOTED);
        assert_eq!(plain(&text).hash(), tree.hash());
        assert_eq!(read::<Infallible>(&tree.json()).hash(), tree.hash());
    }
}

/// A tree read back begins where the old one stands; its hash is that of another tree, lest equal branches
/// of one tree be taken for one position.
#[test]
fn a_state_read_back_is_the_same_game() {
    let settings = Settings::default();
    check_same_game_from(&[(plain(UNQUOTED), settings.clone())], 1, |_| 0);
    check_same_game_from(&[(read::<Nature>(&dice()), settings)], 2, |_| 0);
}

#[test]
fn the_textbook_tree_is_the_start() {
    let start = Tree::<Infallible>::read(StateInput::Start, &Settings::default());
    assert_eq!(start.expect("a tree").text().as_deref(), Some(UNQUOTED));
}

#[test]
fn the_textbook_tree_is_worth_three_in_every_form() {
    let list = json!(["A",
        ["B", { "E": 3 }, { "F": 12 }, { "G": 8 }],
        ["C", ["H", 2], ["I", 4], ["J", 6]],
        { "name": "D", "children": [{ "K": 14 }, ["L", 5], { "name": "M", "value": 2 }] }
    ]);
    for tree in [plain(UNQUOTED), plain(QUOTED), read(&list)] {
        assert_eq!(minimax(&tree), 3_000.0);
        assert_eq!(tree.text().as_deref(), Some(UNQUOTED));
    }
}

#[test]
fn a_leaf_worth_nothing_is_a_leaf() {
    let tree = plain("[A, (B, 0), [C, (D, -1)]]");
    assert_eq!(tree.after(1).turn(), Turn::Over(Outcome::Payoff(0)));
    assert_eq!(minimax(&tree), 0.0);
    assert_eq!(plain("(A, 0)").turn(), Turn::Over(Outcome::Payoff(0)));
}

#[test]
fn sides_alternate_unless_a_node_names_its_mover() {
    let movers = |state: &Value, path: &[u16]| {
        let tree: Tree<Infallible> = read(state);
        path.iter().fold(tree, |pos, &mv| pos.after(mv)).turn()
    };
    let twice = json!({ "name": "A", "children": [
        { "name": "B", "mover": "max", "children": [["C", ["D", 1]]] }
    ]});
    assert_eq!(movers(&twice, &[]), Turn::Of(Side::First));
    assert_eq!(movers(&twice, &[1]), Turn::Of(Side::First));
    assert_eq!(movers(&twice, &[1, 2]), Turn::Of(Side::Second));
    let tree: Tree<Infallible> = read(&twice);
    assert_eq!(tree.text(), None, "a list cannot say that MAX moves twice");
    assert_eq!(read::<Infallible>(&tree.json()).hash(), tree.hash());
}

#[test]
fn chance_nodes_weigh_their_children() {
    let tree: Tree<Nature> = read(&dice());
    // The coin is worth -0.5, better than -1; the bet 0.25 * 10 - 0.75 * 0.5.
    assert_eq!(minimax(&tree), 2_125.0);
    assert_eq!(tree.text(), None);
    assert_eq!(tree.strongest(), "expectiminimax");
}

#[test]
fn a_tree_with_chance_is_no_tree_without() {
    check_refused::<Tree<Infallible>>(
        &dice(),
        FaultKind::Shape,
        "",
        "a chance node in a tree without chance",
    );
}

#[test]
fn names_that_need_quotes_are_written_with_quotes() {
    for name in
        ["a b", "a'b", "é", "a,b", "[x]", "(", " a ", "", "'a", "\"a", "it's, so", "\"a\", b"]
    {
        let tree: Tree<Infallible> = read(&json!([name, ["x", ["leaf", 1]], ["y", 2]]));
        let text = tree.text().expect("one kind of quotes suffices");
        assert_eq!(plain(&text).json(), tree.json(), "{text}");
    }
    let both: Tree<Infallible> = read(&json!(["\"it's, so\"", ["leaf", 1]]));
    assert_eq!(both.text(), None, "no quotes are left for this name");
    assert_eq!(plain("[a b, (c  d, 1)]").text().as_deref(), Some("[a b, (c  d, 1)]"));
}

#[test]
fn values_keep_three_decimals() {
    let value = |text: &str| match plain(&format!("(A, {text})")).turn() {
        Turn::Over(Outcome::Payoff(value)) => value,
        other => panic!("{other:?}"),
    };
    let values = ["1", "-1.5", "0.001", "-0.0004", "1e3", "+7", "1000000", "-1000000"].map(value);
    assert_eq!(values, [1_000, -1_500, 1, 0, 1_000_000, 7_000, 1_000_000_000, -1_000_000_000]);
}

#[test]
fn children_are_found_by_their_exact_names() {
    let tree = plain("[A, (b, 1), (B, 2)]");
    assert_eq!((tree.find_move("b"), tree.find_move("B")), (Ok(1), Ok(2)));
    let fault = tree.find_move("c").expect_err("no such child");
    assert_eq!(fault.kind, FaultKind::Move);
    assert!(fault.detail.contains("`c` is not a child of `A`; children: b, B"), "{}", fault.detail);
}

fn refused(state: &Value, pointer: &str, words: &str) {
    check_refused::<Tree<Nature>>(state, FaultKind::Shape, pointer, words);
}

#[test]
fn wrong_literals_are_refused_with_the_place() {
    let text = |text: &str, words| refused(&json!(text), "", words);
    text("", "expected a node, found the end (character 1)");
    text("A", "expected `[` or `(`, found `A` (character 1); a node is `[name, child, ...]`");
    text("[A]", "`A` has no children");
    text("[]", "expected a name or a number (character 2)");
    text("[A, (B, 1)", "expected `]`, found the end");
    text("[A, (B, 1)] x", "`x` after the end of the tree (character 13)");
    text("[A, (B)]", "expected `,`, found `)`");
    text("[A, (B, )]", "expected a name or a number");
    text("[A, (B, one)]", "`one` is not a number");
    text("[A, (B, 1, 2)]", "expected `)`, found `,`");
    text("[A, B]", "expected `[` or `(`, found `B`");
    text("['A, (B, 1)]", "a quote is not closed");
    text("[é, é]", "found `é` (character 5)");
    for value in ["NaN", "inf", "-inf", "1e99", "1000000.1"] {
        text(&format!("(A, {value})"), "a leaf value is from -1000000 to 1000000, got ");
    }
    text("[A, (B, 1), (B, 2)]", "duplicate name `B`; names must be unique");
    text("[A, [B, (A, 1)]]", "duplicate name `A`");
}

#[test]
fn wrong_json_is_refused_with_the_place() {
    refused(&json!(7), "", "expected a node");
    refused(&json!({}), "", "expected a node");
    refused(&json!({ "a": 1, "b": 2 }), "", "expected a node");
    refused(&json!({ "a": "1" }), "", "expected a number as the value of a leaf");
    refused(&json!([]), "/0", "expected a name as the first element of a node");
    refused(&json!([1, 2]), "/0", "expected a name as the first element of a node");
    refused(&json!(["A"]), "", "`A` has no children");
    refused(&json!(["A", ["B", 1], 7]), "/2", "expected a node");
    refused(&json!(["A", ["B", 1e9]]), "/1/1", "a leaf value is from -1000000 to 1000000");
    refused(&json!({ "name": 1, "value": 1 }), "/name", "expected a string, got 1");
    refused(&json!({ "name": "A" }), "", "`A` needs either a `value` or a list of `children`");
    refused(&json!({ "name": "A", "children": [] }), "", "either a `value` or a list");
    refused(&json!({ "name": "A", "children": [["B", 1]], "value": 1 }), "", "either a `value`");
    refused(&json!({ "name": "A", "value": null }), "", "`A` needs either a `value`");
    refused(&json!({ "name": "A", "value": "1" }), "/value", "expected a number, got \"1\"");
    refused(&json!({ "name": "A", "value": 1, "worth": 1 }), "/worth", "unknown field `worth`");
    let child = |child: Value| json!({ "name": "A", "children": [["B", 1], child] });
    refused(&child(json!({ "name": "C" })), "/children/1", "`C` needs either");
    refused(
        &child(json!({ "name": "C", "value": 1, "mover": 1 })),
        "/children/1/mover",
        "`chance`",
    );
    refused(&json!({ "name": "A", "mover": "nature", "children": [["B", 1]] }), "/mover", "`max`");
    refused(&json!(["A", ["B", 1], ["B", 2]]), "", "duplicate name `B`");
}

#[test]
fn probabilities_must_make_sense() {
    let event = |first: Value, second: Value| json!({ "name": "A", "mover": "chance", "children": [first, second] });
    let leaf = |name: &str, p: f64| json!({ "name": name, "value": 1, "probability": p });
    refused(
        &event(leaf("B", 0.5), leaf("C", 0.4)),
        "",
        "`A`: the probabilities must sum to 1, got 0.9",
    );
    refused(
        &event(leaf("B", 0.5), json!(["C", 1])),
        "",
        "either all children have a probability or none",
    );
    for p in [0.0, -0.5, 1.5] {
        let pointer = "/children/1/probability";
        refused(
            &event(leaf("B", 1.0), leaf("C", p)),
            pointer,
            "expected a probability above 0 and at most 1",
        );
    }
    let unasked = json!({ "name": "A", "children": [leaf("B", 0.5), leaf("C", 0.5)] });
    refused(&unasked, "", "its parent is not a chance node");
    let nearly: Tree<Nature> = read(&event(leaf("B", 0.333_333_3), leaf("C", 0.666_666_6)));
    check_game(&nearly, 1, 1);
}

#[test]
fn trees_have_limits() {
    let chain = |levels: usize| {
        (0..levels).fold(json!(["leaf", 1]), |child, n| json!([format!("n{n}"), child]))
    };
    let text = |levels: usize| {
        let open: String = (0..levels).map(|n| format!("[n{n}, ")).collect();
        format!("{open}(leaf, 1){}", "]".repeat(levels))
    };
    for state in [chain(MAX_DEPTH), json!(text(MAX_DEPTH))] {
        assert!(parse(StateInput::read(Some(&state))).is_ok(), "{MAX_DEPTH} levels are allowed");
    }
    refused(&json!(text(MAX_DEPTH + 1)), "", "at most 60 levels");
    refused(&chain(MAX_DEPTH + 1), &"/1".repeat(MAX_DEPTH + 1), "at most 60 levels");
    let wide = |leaves: usize| {
        let leaves = (0..leaves).map(|n| json!([format!("n{n}"), 1]));
        Value::from([vec![json!("root")], leaves.collect()].concat())
    };
    let most: Tree<Infallible> = read(&wide(MAX_NODES - 1));
    assert_eq!(minimax(&most), 1_000.0);
    refused(&wide(MAX_NODES), "", "at most 10000 nodes");
}
