//! Random questions.

use bestmove::game::{Evaluator, Rng};
use bestmove::notation::{Served, StateInput, take_options};
use serde_json::{Map, Value, json};

use crate::Service;

/// A game in one of its forms, small enough for slow oracles.
pub(crate) struct Setup {
    pub(crate) game: &'static str,
    pub(crate) state: Value,
    pub(crate) options: Value,
    /// Largest number of random moves from there.
    pub(crate) longest: usize,
    /// Largest depth over all legal moves, and over those that the game lists.
    pub(crate) depths: [usize; 2],
    /// Largest absolute evaluation, in the game's units.
    pub(crate) reach: f64,
}

/// Largest absolute evaluation of a game with these options, in its units.
fn reach<G: Served>(options: &Value) -> f64 {
    let facts = G::facts();
    let mut given = options.as_object().cloned().unwrap_or_default();
    let settings = take_options(facts.options, &mut given).expect("the options are valid");
    let start = G::read(StateInput::Start, &settings).expect("a game has a start");
    let evaluator = start.evaluator(&settings);
    let most = if G::PAYOFFS { evaluator.bound() } else { evaluator.reach() };
    f64::from(most) / f64::from(facts.scale)
}

fn word(rng: &mut Rng, words: &[&str]) -> Value {
    json!(words[rng.below(words.len())])
}

/// A random evaluation of a game with a network.
fn evaluation(rng: &mut Rng) -> Value {
    json!({ "evaluation": word(rng, &["network", "hand", "material"]) })
}

/// Random options of gomoku. Renju has one size.
fn gomoku(rng: &mut Rng) -> Value {
    let rules = word(rng, &["freestyle", "standard", "renju", "caro"]);
    json!({
        "size": if rules == "renju" { 15 } else { 5 + rng.below(3) },
        "rules": rules,
        "evaluation": word(rng, &["hand", "network", "edge", "seed"]),
    })
}

/// Random options of Snake Go, of games that end soon.
fn snake_go(rng: &mut Rng) -> Value {
    json!({
        "size": 4 + rng.below(2),
        "max_round": 3 + rng.below(8),
        "enclosure": word(rng, &["border", "sides"]),
        "items_seed": rng.below(9),
        "evaluation": word(rng, &["territory", "score"]),
    })
}

/// A question about a random position of a random game, without method and budget.
pub(crate) fn random(service: &Service, rng: &mut Rng) -> (Setup, Value) {
    loop {
        let setup = setup(rng);
        if let Some(question) = setup.question(service, rng) {
            return (setup, question);
        }
    }
}

/// A question about a random position of the card duel in which a side is to move.
pub(crate) fn genius(service: &Service, rng: &mut Rng) -> Option<(Setup, Value)> {
    use bestmove::games::genius::Genius;
    let (state, options) = (Value::Null, json!({ "deal_seed": 1 + rng.below(99) }));
    let reach = reach::<Genius>(&options);
    let setup = Setup { game: "genius", state, options, longest: 40, depths: [1, 1], reach };
    let question = setup.question(service, rng)?;
    Some((setup, question))
}

/// A random form of a random game.
fn setup(rng: &mut Rng) -> Setup {
    use bestmove::games::{
        connect4::Connect4, easycard::EasyCard, gomoku::Gomoku, gomoku_swap2::GomokuSwap2,
        nim::Nim, othello::Othello, snake_go::SnakeGo, tictactoe::TicTacToe, tree::Tree,
        two_eat_one::TwoEatOne, xiangqi::Xiangqi,
    };
    let of = |game, state, options: Value, longest, depths, reach: fn(&Value) -> f64| {
        let reach = reach(&options);
        Setup { game, state, options, longest, depths, reach }
    };
    let start = Value::Null;
    match rng.below(11) {
        0 => {
            let heaps = (0..3).map(|_| (1 + rng.below(4)).to_string()).collect::<Vec<_>>();
            let options = json!({ "misere": rng.below(2) == 0 });
            of("nim", json!(heaps.join(";")), options, 5, [6, 6], reach::<Nim>)
        }
        1 => of("tictactoe", start, json!({}), 8, [6, 6], reach::<TicTacToe>),
        2 => {
            let options = json!({ "evaluation": word(rng, &["threats", "none"]) });
            of("connect4", start, options, 38, [5, 5], reach::<Connect4>)
        }
        3 => {
            let options = json!({
                "evaluation": word(rng, &["stones", "none"]),
                "contempt": rng.below(3),
            });
            of("two_eat_one", start, options, 80, [4, 4], reach::<TwoEatOne>)
        }
        4 => of("othello", start, evaluation(rng), 58, [3, 3], reach::<Othello>),
        5 => {
            let options = gomoku(rng);
            let depths = if options["size"] == 15 { [1, 1] } else { [2, 2] };
            of("gomoku", start, options, 30, depths, reach::<Gomoku>)
        }
        6 => {
            let options = json!({ "size": 5, "rules": word(rng, &["freestyle", "standard"]) });
            of("gomoku_swap2", start, options, 14, [1, 1], reach::<GomokuSwap2>)
        }
        7 => of("snake_go", start, snake_go(rng), 24, [5, 5], reach::<SnakeGo>),
        8 => {
            let options = json!({ "hp": 2 + rng.below(8), "rounds": 1 + rng.below(3) });
            of("easycard", start, options, 10, [5, 5], reach::<EasyCard>)
        }
        9 => {
            let options = json!({ "rules": word(rng, &["computer", "check_only"]) });
            of("xiangqi", start, options, 60, [2, 2], reach::<Xiangqi>)
        }
        _ => {
            let levels = 2 + rng.below(4);
            let state = tree(rng, levels, &mut 0);
            of("tree", state, json!({}), 2, [6, 6], reach::<Tree<std::convert::Infallible>>)
        }
    }
}

/// A random tree in list form, with few different values.
fn tree(rng: &mut Rng, levels: usize, count: &mut usize) -> Value {
    *count += 1;
    let mut node = vec![json!(format!("n{count}"))];
    if levels == 0 {
        node.push(json!(rng.below(9) as i64 - 4));
    } else {
        node.extend((0..2 + rng.below(2)).map(|_| tree(rng, levels - 1, count)));
    }
    Value::Array(node)
}

impl Setup {
    /// A question about a position some random moves on; `None` if the game ends.
    fn question(&self, service: &Service, rng: &mut Rng) -> Option<Value> {
        let game = service.catalog.game(self.game).expect("the game is known");
        let mut options = self.options.as_object().cloned().unwrap_or_default();
        let state = StateInput::read(Some(&self.state));
        let mut position = game.open(state, &[], &mut options).expect("it is valid");
        let mut moves: Vec<String> = Vec::new();
        let wanted = rng.below(self.longest + 1);
        let paces = rng.below(2) == 0;
        while moves.len() < wanted {
            let legal = position.describe().legal_moves;
            let back = moves.len().checked_sub(2).and_then(|n| undone(&moves[n]));
            let back = back.filter(|mv| paces && legal.contains(mv) && rng.below(4) > 0);
            let index = rng.below(legal.len().max(1));
            let mv = back.or_else(|| legal.get(index).cloned())?;
            position.play(&mv).expect("it is legal");
            moves.push(mv);
        }
        let end = position.describe();
        let is_turn = !end.legal_moves.is_empty() && end.side_to_move != Some("chance");
        is_turn.then(|| {
            json!({
                "game": self.game,
                "state": self.state,
                "moves": moves,
                "options": self.options,
            })
        })
    }
}

/// The move that undoes one from square to square, so that positions repeat.
fn undone(mv: &str) -> Option<String> {
    (mv.len() == 4 && mv.is_ascii()).then(|| format!("{}{}", &mv[2..], &mv[..2]))
}

/// The question with these members, and these options besides those of the game.
pub(crate) fn with(question: &Value, members: &Value, options: &Map<String, Value>) -> Value {
    let mut question = question.clone();
    let map = question.as_object_mut().expect("a question is an object");
    map.extend(members.as_object().cloned().unwrap_or_default());
    let all = map["options"].as_object_mut().expect("options are an object");
    all.extend(options.clone());
    question
}
