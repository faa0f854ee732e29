//! Matches: each pair of games is an item.

use std::time::Duration;

use arena::elo::Strength;
use arena::opening::{Balance, JUDGED_BY, Openings};
use arena::pairing::Pairing;
use arena::player::{Own, Start};
use arena::record::{MatchRecord, MatchTally};
use catalog::Catalog;
use catalog::question::{Question, Ratings, WholeNumber};
use job_queue::{ItemOutcome, ItemResult, NewPiece};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::answer::{JobItemResult, read_done, written};
use super::batch::abandoned;
use super::kind::{CutJob, JobReading, cut_alike};
use crate::json::parse;
use crate::problem::{Problem, ProblemCode};
use crate::service::{Failure, GameLimits, RequestInfo, Service};

/// Most games of a match.
const MOST_GAMES: u64 = 10_000;
/// Most random plies at the beginning.
const MOST_PLIES: u64 = 60;
/// Moves of both games of a pair, where the length of a piece is reckoned.
const MOVES: u32 = 120;

/// A match between two configurations of this service: each opening is played twice, with the seats exchanged.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatchQuestion {
    /// First configuration, from whose view results are told: a question, whose `ratings` are `none` unless it says
    /// otherwise, and whose seed is that of each game unless it names one.
    #[schema(value_type = Question)]
    pub(crate) first: Map<String, Value>,
    /// Second configuration, of the same game.
    #[schema(value_type = Question)]
    pub(crate) second: Map<String, Value>,
    /// Games, an even number.
    #[schema(value_type = u64, minimum = 2, maximum = 10_000)]
    pub(crate) games: WholeNumber,
    /// Random plies at the beginning of each pair.
    #[serde(default = "zero")]
    #[schema(value_type = Option<u64>, maximum = 60, nullable = false)]
    pub(crate) opening: WholeNumber,
    /// Openings are drawn anew until a short search by the first configuration finds neither side ahead by more units
    /// than this.
    #[serde(default)]
    pub(crate) balanced: Option<f64>,
    /// Option of the game that receives the seed of the pair, for games with a dealt start.
    #[serde(default)]
    pub(crate) deal: Option<String>,
    /// Seed of openings, dice and players; 1 unless given.
    #[serde(default = "one")]
    #[schema(value_type = Option<u64>, maximum = 9_007_199_254_740_991_i64, nullable = false)]
    pub(crate) seed: WholeNumber,
}

const fn zero() -> WholeNumber {
    WholeNumber(0)
}

const fn one() -> WholeNumber {
    WholeNumber(1)
}

/// What a match has found.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MatchAnswer {
    /// Games that were played to their end.
    games: usize,
    /// Games that the first configuration has won.
    wins: usize,
    /// Drawn games.
    draws: usize,
    /// Games that it has lost.
    losses: usize,
    /// Pairs without a result.
    failed: usize,
    /// How much stronger the first one is; null without games.
    strength: Option<Strength>,
    /// Thinking time of both in ms.
    time_ms: [u64; 2],
    /// The games, pair by pair.
    records: Vec<MatchRecord>,
}

/// The terms of a match, as workers read them.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct MatchTerms {
    players: [Question; 2],
    /// The players whose seeds are those of their questions.
    seeded: [bool; 2],
    opening: usize,
    balanced: Option<f64>,
    deal: Option<String>,
    seed: u64,
}

/// Pairs for one worker.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct MatchPiece {
    terms: MatchTerms,
    pairs: Vec<u32>,
    /// Longest search that the client may ask for.
    longest: Option<Duration>,
}

/// A problem at a member of the body.
pub(super) fn wrong(pointer: &str, detail: String) -> Problem {
    Problem::new(ProblemCode::InvalidRequest, &detail).at(pointer, detail)
}

/// A number of games within bounds.
pub(super) fn games_within(games: WholeNumber, least: u64) -> Result<u32, Problem> {
    let WholeNumber(games) = games;
    if (least..=MOST_GAMES).contains(&games) && games.is_multiple_of(least) {
        return Ok(games as u32);
    }
    let even = if least == 2 { " and even" } else { "" };
    let detail = format!("must be from {least} to {MOST_GAMES}{even}, got {games}");
    Err(wrong("/games", detail))
}

/// A configuration of games of jobs: workers play several games at once, and each search has one thread.
pub(super) fn configuration(mut body: Map<String, Value>) -> Result<Question, Problem> {
    body.entry("ratings").or_insert_with(|| json!(Ratings::None));
    let question: Question = parse(&written(&body))?;
    if question.threads.0 > 1 {
        let detail = "games of jobs search with one thread each".to_owned();
        return Err(wrong("/threads", detail));
    }
    Ok(question)
}

impl MatchQuestion {
    fn terms(&self) -> Result<MatchTerms, Problem> {
        let first = configuration(self.first.clone()).map_err(|why| why.under("/first"))?;
        let second = configuration(self.second.clone()).map_err(|why| why.under("/second"))?;
        let WholeNumber(opening) = self.opening;
        if opening > MOST_PLIES {
            let detail = format!("must be at most {MOST_PLIES}, got {opening}");
            return Err(wrong("/opening", detail));
        }
        if self.balanced.is_some_and(|most| !(most >= 0.0 && opening > 0)) {
            let detail = "must be 0 or more, with `opening` above 0".to_owned();
            return Err(wrong("/balanced", detail));
        }
        Ok(MatchTerms {
            seeded: [first.seed.is_some(), second.seed.is_some()],
            players: [first, second],
            opening: opening as usize,
            balanced: self.balanced,
            deal: self.deal.clone(),
            seed: self.seed.0,
        })
    }
}

/// Checks that both play the same game from the same position.
fn check_alike([first, second]: &[Question; 2]) -> Result<(), Problem> {
    if first.game != second.game {
        let detail = format!("`{}` and `{}` are different games", first.game, second.game);
        return Err(wrong("/second/game", detail));
    }
    if (&first.state, &first.moves) != (&second.state, &second.moves) {
        let detail = "must be the position of `first`: both play from there".to_owned();
        return Err(wrong("/second", detail));
    }
    Ok(())
}

/// Checks the name of an option that receives a seed: it must be one of the game.
pub(super) fn check_deal(
    question: &Question,
    deal: Option<&String>,
    catalog: &Catalog,
) -> Result<(), Problem> {
    let Some(name) = deal else { return Ok(()) };
    let mut options = question.options.clone();
    options.insert(name.clone(), Value::from(1));
    let start = Start {
        game: &question.game,
        state: question.state.as_ref(),
        moves: &question.moves,
        options: Map::new(),
    };
    match start.open(catalog, options) {
        Ok((_, left)) if !left.contains_key(name) => Ok(()),
        Ok(_) => Err(wrong("/deal", format!("`{}` has no option `{name}`", question.game))),
        Err(why) => Err(wrong("/deal", why)),
    }
}

/// Checks a match, and cuts it.
pub(super) fn cut(question: &MatchQuestion, reading: &JobReading<'_>) -> Result<CutJob, Problem> {
    let terms = question.terms()?;
    let pairs = games_within(question.games, 2)? / 2;
    let [first, second] = &terms.players;
    let expected = reading.expected(first).map_err(|why| why.under("/first"))?
        + reading.expected(second).map_err(|why| why.under("/second"))?;
    check_alike(&terms.players)?;
    check_deal(first, terms.deal.as_ref(), reading.catalog)?;
    let piece = |pairs: Vec<u32>| {
        let piece = MatchPiece { terms: terms.clone(), pairs, longest: reading.request.longest };
        NewPiece { payload: written(&piece), items: piece.pairs }
    };
    let pieces = cut_alike(pairs, expected * MOVES / 2);
    reading.check_length(pieces.len(), written(&terms).len())?;
    Ok(CutJob { head: Vec::new(), pieces: pieces.into_iter().map(piece).collect() })
}

impl MatchTerms {
    fn play(
        &self,
        catalog: &Catalog,
        limits: &GameLimits,
        pair: u32,
    ) -> Result<[MatchRecord; 2], String> {
        let [first, _] = &self.players;
        let cancel = &limits.cancel;
        let judge = |most| Balance::new(most, first.clone(), JUDGED_BY).until(cancel.clone());
        let openings = Openings {
            beginnings: Vec::new(),
            plies: self.opening,
            balance: self.balanced.map(judge),
        };
        let pairing = Pairing {
            game: first.game.clone(),
            basis: Some(first.clone()),
            openings,
            deal: self.deal.clone(),
            seed: self.seed,
        };
        let mut players = [0, 1].map(|n| {
            let own = Own::new(self.players[n].clone()).seeded(self.seeded[n]);
            own.within(limits.allowance, limits.table_entries, cancel.clone())
        });
        pairing.play_pair(catalog, &mut players, pair.into())
    }
}

impl MatchPiece {
    pub(super) async fn item(
        &self,
        place: usize,
        service: &Service,
    ) -> Result<(ItemOutcome, Vec<u8>), Failure> {
        let (terms, pair) = (self.terms.clone(), self.pairs[place]);
        let request = RequestInfo::of_job(0, self.longest);
        let played =
            service.play(request, move |catalog, limits| terms.play(catalog, limits, pair));
        of_games(played.await)
    }
}

/// The result of an item that is games.
pub(super) fn of_games<T: Serialize>(
    played: Result<Result<T, String>, Failure>,
) -> Result<(ItemOutcome, Vec<u8>), Failure> {
    match played {
        Ok(Ok(games)) => Ok((ItemOutcome::Done, written(&games))),
        Ok(Err(why)) => {
            let problem = Problem::new(ProblemCode::InvalidRequest, why);
            Ok((ItemOutcome::Failed, written(&problem)))
        }
        Err(why) if why.is_of_the_moment() => Err(why),
        Err(why) => Ok((ItemOutcome::Failed, written(&Problem::from(why)))),
    }
}

/// A result as clients see it.
pub(super) fn told(result: &ItemResult) -> JobItemResult {
    match result.outcome {
        ItemOutcome::Done | ItemOutcome::Failed => JobItemResult::read(&result.body),
        ItemOutcome::Abandoned => JobItemResult::of(&abandoned()),
    }
}

/// The answer of a match that is over.
pub(super) fn answer(results: &[ItemResult]) -> MatchAnswer {
    let mut tally = MatchTally::default();
    let mut failed = 0;
    for result in results {
        match read_done(result) {
            Some(pair) => tally.add(pair),
            None => failed += 1,
        }
    }
    MatchAnswer {
        games: tally.records.len(),
        wins: tally.count(1.0),
        draws: tally.count(0.5),
        losses: tally.count(0.0),
        failed,
        strength: tally.pairs.strength(),
        time_ms: tally.time_ms(),
        records: tally.records,
    }
}
