//! A game with its methods, its type forgotten: what the service can hold in one list.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::answer::{Answer, GameInfo, OptionInfo, PositionAnswer, StateForms, Stats};
use super::explain;
use super::limits::{self, Allowance, Spending};
use super::methods::{self, MethodInfo, Offer};
use super::question::Question;
use super::refusal::Refusal;
use crate::game::{Chance, Info, Turn, zobrist};
use crate::search::{Cancel, Job, SharedMemory, Value as Worth, Wanted};
use crate::wire::{Facts, Fault, Settings, StateInput, Wire, choices};

/// A game as the service sees it.
pub trait AnyGame: Send + Sync {
    /// The name in questions.
    fn name(&self) -> &'static str;

    /// What clients need to know.
    fn describe(&self) -> GameInfo;

    /// The methods offered.
    fn methods(&self) -> Vec<&'static MethodInfo>;

    /// Sets up a position. The game takes its own options out of `options`.
    ///
    /// # Errors
    /// Says what is wrong with the state, the moves or the game's options.
    fn open(
        &self,
        state: StateInput<'_>,
        moves: &[String],
        options: &mut Map<String, Value>,
    ) -> Result<Box<dyn AnyPosition>, Refusal>;
}

/// A position as the service sees it.
pub trait AnyPosition: Send {
    /// What the rules say about it.
    fn describe(&self) -> PositionAnswer;

    /// Reads the rest of a question; `options` are those that the game has left.
    ///
    /// # Errors
    /// Says what of the question is wrong.
    fn plan(
        self: Box<Self>,
        question: &Question,
        options: Map<String, Value>,
        allowance: &Allowance,
        arrived: Instant,
    ) -> Result<Plan, Refusal>;
}

/// What a search shares with the world while it runs.
pub struct Context<'a> {
    /// What other searches know.
    pub shared: &'a dyn SharedMemory,
    /// Set when nobody waits any more.
    pub cancel: Cancel,
    /// How long the question waited for a slot.
    pub queued: Duration,
    /// The search gives up after this time, whatever the question allows.
    pub patience: Duration,
}

type Run = Box<dyn Fn(&Context<'_>) -> Answer + Send + Sync>;

/// A question that has been read to the last word and only needs to be searched.
pub struct Plan {
    /// The method's name.
    pub algorithm: &'static str,
    /// What the search is expected to take at most; nothing when there is nothing to search.
    pub expected: Duration,
    /// Threads it will use.
    pub threads: u64,
    /// Searches; may be called again when a first try ran out of patience.
    pub run: Run,
}

/// A game and what can play it.
pub struct Entry<G: Wire> {
    facts: Facts,
    offers: Vec<Offer<G>>,
}

impl<G: Wire> Entry<G> {
    /// A game that these methods can play.
    pub fn new(offers: Vec<Vec<Offer<G>>>) -> Self {
        Self { facts: G::facts(), offers: offers.into_iter().flatten().collect() }
    }

    fn names(&self) -> Vec<&'static str> {
        let offered = |method: &&MethodInfo| self.offer(method.name).is_some();
        methods::METHODS.iter().filter(offered).map(|method| method.name).collect()
    }

    fn offer(&self, name: &str) -> Option<&Offer<G>> {
        self.offers.iter().find(|offer| offer.method.name == name)
    }
}

fn forms<G: Wire>(pos: &G) -> StateForms {
    StateForms { text: pos.text(), json: pos.json() }
}

/// Opens a position of the game `G`; also for games that come in several types.
pub(super) fn open<G: Wire>(
    game: &Arc<Entry<G>>,
    state: StateInput<'_>,
    moves: &[String],
    options: &mut Map<String, Value>,
) -> Result<Box<dyn AnyPosition>, Refusal> {
    let settings = Settings::take(game.facts.options, options).map_err(|f| f.under("options"))?;
    let mut pos = G::read(state, &settings).map_err(|fault| fault.under("state"))?;
    for (index, text) in moves.iter().enumerate() {
        let at = |fault: Fault| fault.under(index).under("moves");
        if let Turn::Over(outcome) = pos.standing() {
            let why =
                format!("the game has ended before move {} ({})", index + 1, pos.reason(outcome));
            return Err(at(Fault::illegal(why)).into());
        }
        let mv = pos.find_move(text).map_err(at)?;
        pos.play(mv);
    }
    Ok(Box::new(Position { pos, settings, game: Arc::clone(game) }))
}

/// The description of a game, its start position included.
pub(super) fn describe<G: Wire>(game: &Entry<G>) -> GameInfo {
    let facts = &game.facts;
    let settings = Settings::defaults(facts.options);
    let start = G::read(StateInput::Start, &settings).expect("a game has a start position");
    GameInfo {
        name: facts.name,
        rules: facts.rules,
        sides: G::SIDES,
        text_notation: facts.text,
        move_notation: facts.moves,
        state_schema: facts.schema.clone(),
        move_schema: json!({ "type": "string", "description": facts.moves }),
        start: forms(&start),
        example: facts.example.clone(),
        value_unit: facts.unit,
        chance: G::Chance::EXISTS,
        hidden: G::Info::HIDDEN,
        repeated_movers: facts.repeated_movers,
        algorithms: game.names(),
        default_algorithm: start.strongest(),
        options: facts.options.iter().map(OptionInfo::from).collect(),
        levels: Vec::new(),
        limits: facts.limits,
    }
}

impl<G: Wire> AnyGame for Arc<Entry<G>> {
    fn name(&self) -> &'static str {
        self.facts.name
    }

    fn describe(&self) -> GameInfo {
        describe(self)
    }

    fn methods(&self) -> Vec<&'static MethodInfo> {
        self.offers.iter().map(|offer| offer.method).collect()
    }

    fn open(
        &self,
        state: StateInput<'_>,
        moves: &[String],
        options: &mut Map<String, Value>,
    ) -> Result<Box<dyn AnyPosition>, Refusal> {
        open(self, state, moves, options)
    }
}

struct Position<G: Wire> {
    pos: G,
    settings: Settings,
    game: Arc<Entry<G>>,
}

impl<G: Wire> AnyPosition for Position<G> {
    fn describe(&self) -> PositionAnswer {
        let (pos, facts) = (&self.pos, &self.game.facts);
        let standing = pos.standing();
        PositionAnswer {
            game: facts.name,
            state: forms(pos),
            side_to_move: match standing {
                Turn::Of(side) => Some(G::side_name(side)),
                Turn::Chance(_) => Some("chance"),
                Turn::Over(_) => None,
            },
            legal_moves: choices(pos).into_iter().map(|mv| pos.move_text(mv)).collect(),
            outcome: match standing {
                Turn::Over(outcome) => Some(explain::outcome(pos, outcome, facts)),
                _ => None,
            },
            evaluation: match standing {
                Turn::Of(side) => {
                    Some(explain::evaluation(pos, pos.expert(&self.settings), side, facts))
                }
                _ => None,
            },
        }
    }

    fn plan(
        self: Box<Self>,
        question: &Question,
        options: Map<String, Value>,
        allowance: &Allowance,
        arrived: Instant,
    ) -> Result<Plan, Refusal> {
        limits::check(question, allowance)?;
        let method = self.method(&question.algorithm)?;
        let settings = self.method_settings(method, options)?;
        let moves = self.root_moves(question)?;
        let spending = limits::spending(question, method, allowance, arrived)?;
        let (expected, threads) = (spending.expected, question.threads.0);
        match self.pos.standing() {
            Turn::Over(_) => {
                let question = question.clone();
                let run = move |context: &Context<'_>| {
                    self.over(&question, method, spending.clone(), context)
                };
                Ok(Plan {
                    algorithm: method.name,
                    expected: Duration::ZERO,
                    threads: 1,
                    run: Box::new(run),
                })
            }
            Turn::Chance(_) => {
                let why = "chance acts here; give what it brings as the next of `moves`";
                Err(Refusal::Invalid(Fault::position(why).under("state")))
            }
            Turn::Of(_) => {
                let question = question.clone();
                let run = move |context: &Context<'_>| {
                    self.search(&question, method, &settings, &moves, spending.clone(), context)
                };
                Ok(Plan { algorithm: method.name, expected, threads, run: Box::new(run) })
            }
        }
    }
}

impl<G: Wire> Position<G> {
    fn method(&self, name: &str) -> Result<&'static MethodInfo, Refusal> {
        let name = if name == "auto" { self.pos.strongest() } else { name };
        let Some(method) = methods::method(name) else {
            let known = std::iter::once("auto").chain(methods::METHODS.iter().map(|m| m.name));
            return Err(Refusal::UnknownAlgorithm {
                name: name.to_owned(),
                known: known.collect(),
            });
        };
        if self.game.offer(name).is_some() {
            return Ok(method);
        }
        Err(Refusal::Unsupported {
            algorithm: method.name,
            why: format!("it needs {}", method.needs.describe()),
            offered: self.game.names(),
        })
    }

    /// The method's options are all that is left once the game has taken its own.
    fn method_settings(
        &self,
        method: &MethodInfo,
        mut options: Map<String, Value>,
    ) -> Result<Settings, Refusal> {
        let settings =
            Settings::take(method.options, &mut options).map_err(|f| f.under("options"))?;
        let Some(unknown) = options.keys().next() else { return Ok(settings) };
        let all = method.options.iter().chain(self.game.facts.options);
        let known: Vec<_> = all.map(|option| option.name).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        let why = format!(
            "`{unknown}` is no option of `{}` or of {}; options: {known}",
            method.name, self.game.facts.name
        );
        Err(Refusal::shape(&["options", unknown], why))
    }

    /// The legal moves that the question lets through.
    fn root_moves(&self, question: &Question) -> Result<Vec<G::Move>, Refusal> {
        let find = |list: &[String], name: &str| -> Result<Vec<G::Move>, Refusal> {
            let found = list.iter().enumerate().map(|(index, text)| {
                self.pos.find_move(text).map_err(|fault| fault.under(index).under(name))
            });
            Ok(found.collect::<Result<_, _>>()?)
        };
        let only = find(&question.search_moves, "search_moves")?;
        let not = find(&question.avoid_moves, "avoid_moves")?;
        let mut moves = choices(&self.pos);
        let was_empty = moves.is_empty();
        moves.retain(|mv| (only.is_empty() || only.contains(mv)) && !not.contains(mv));
        if moves.is_empty() && !was_empty {
            let why = "no move is left to choose from";
            return Err(Refusal::shape(&["avoid_moves"], why));
        }
        Ok(moves)
    }

    fn blank(
        &self,
        question: &Question,
        method: &MethodInfo,
        spending: Spending,
        context: &Context<'_>,
    ) -> Answer {
        Answer {
            id: question.id.clone(),
            game: self.game.facts.name,
            algorithm: method.name,
            side_to_move: None,
            best_move: None,
            best_moves: Vec::new(),
            principal_variation: Vec::new(),
            score: None,
            win_probability: None,
            exact: true,
            ratings: Vec::new(),
            outcome: None,
            stats: Stats {
                queue_ms: if question.reproducible { 0 } else { context.queued.as_millis() as u64 },
                stopped_by: "solved",
                threads: question.threads.0,
                seed: question.seed.0,
                reproducible: question.reproducible,
                ..Stats::default()
            },
            warnings: spending.warnings,
        }
    }

    /// The answer where the game is over.
    fn over(
        &self,
        question: &Question,
        method: &MethodInfo,
        spending: Spending,
        context: &Context<'_>,
    ) -> Answer {
        let Turn::Over(outcome) = self.pos.standing() else { unreachable!("the game is over") };
        let outcome = explain::outcome(&self.pos, outcome, &self.game.facts);
        Answer { outcome: Some(outcome), ..self.blank(question, method, spending, context) }
    }

    fn search(
        &self,
        question: &Question,
        method: &'static MethodInfo,
        settings: &Settings,
        moves: &[G::Move],
        spending: Spending,
        context: &Context<'_>,
    ) -> Answer {
        let Turn::Of(mover) = self.pos.standing() else { unreachable!("somebody is to move") };
        let offer = self.game.offer(method.name).expect("the method is offered");
        let expert = self.pos.expert(&self.settings);
        let algorithm = (offer.build)(expert.clone(), settings);
        let memory = self.namespace(method, context.shared);
        let report = algorithm.run(&Job {
            root: &self.pos,
            mover,
            moves,
            limits: spending.limits.clone().within(context.patience),
            wanted: limits::wanted(question.ratings),
            seed: question.seed.0,
            threads: question.threads.0 as usize,
            shared: if question.reproducible { None } else { Some(&memory) },
            cancel: context.cancel.clone(),
        });
        let mut answer = self.blank(question, method, spending, context);
        let facts = &self.game.facts;
        let wanted = limits::wanted(question.ratings);
        let rated = |count: usize| &report.lines[..count.min(report.lines.len())];
        answer.ratings = match wanted {
            Wanted::All => explain::ratings(&self.pos, &report.lines, &expert, facts),
            Wanted::Best(count) => explain::ratings(&self.pos, rated(count), &expert, facts),
            Wanted::One => Vec::new(),
        };
        let best = &report.lines[0];
        let write = |line: &crate::search::Line<G::Move>| self.pos.move_text(line.moves[0]);
        let ties = if wanted == Wanted::All && best.rated { report.best_ties } else { 1 };
        answer.side_to_move = Some(G::side_name(mover));
        answer.best_move = Some(write(best));
        answer.best_moves = rated(ties).iter().map(write).collect();
        answer.principal_variation = explain::line(&self.pos, &best.moves);
        answer.score = Some(explain::score(best.value, facts));
        answer.win_probability = explain::win_probability::<G>(&expert, best);
        answer.exact = best.exact;
        if best.value == Worth::Unknown && method.name != "random" {
            answer.warnings.push("the budget was too small to find anything out".into());
        }
        answer.stats = Stats {
            depth: report.stats.depth,
            nodes: report.stats.nodes,
            simulations: report.stats.simulations,
            cutoffs: report.stats.cutoffs,
            table_hits: report.stats.table_hits,
            time_ms: if question.reproducible { 0 } else { report.stats.time.as_millis() as u64 },
            stopped_by: explain::stop_name(report.stopped),
            ..answer.stats
        };
        answer
    }

    /// The shared memory as this game, its settings and this method see it.
    fn namespace<'a>(&self, method: &MethodInfo, inner: &'a dyn SharedMemory) -> Namespace<'a> {
        let text = format!("{} {:?} {}", self.game.facts.name, self.settings, method.name);
        let salt = text.bytes().fold(0, |salt, byte| zobrist::mix(salt ^ u64::from(byte)));
        Namespace { inner, salt }
    }
}

/// Keys of one game, evaluation and method: entries of others are never read.
struct Namespace<'a> {
    inner: &'a dyn SharedMemory,
    salt: u64,
}

impl SharedMemory for Namespace<'_> {
    fn probe(&self, key: u64) -> Option<crate::search::Entry> {
        self.inner.probe(key ^ self.salt)
    }

    fn store(&self, key: u64, entry: crate::search::Entry) {
        self.inner.store(key ^ self.salt, entry);
    }
}
