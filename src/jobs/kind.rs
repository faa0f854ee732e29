//! Kinds of jobs: how each is read, cut, searched and told.

use std::time::Duration;

use catalog::question::Question;
use catalog::review::ReviewQuestion;
use catalog::{Allowance, Catalog};
use job_queue::{Claim, ItemOutcome, JobStatus, NewPiece};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::batch::{BatchPiece, JobBatch};
use super::matches::{MatchPiece, MatchQuestion};
use super::review::ReviewPiece;
use super::self_play::{SelfPlayPiece, SelfPlayQuestion};
use super::study::StudyQuestion;
use super::{ItemResult, JobItem, Jobs, batch, matches, review, self_play, study};
use crate::json::{longer_than, parse};
use crate::problem::{Problem, ProblemCode};
use crate::service::{Failure, RequestInfo, SearchTold, Service};

/// Expected time of a piece. Pieces of a review of 200 plies with 100 ms each keep eight workers busy to the end, and what
/// a piece costs beside its searches is a hundredth of it: `benches/jobs.py`.
const PIECE: Duration = Duration::from_millis(200);
/// Most items of a piece, however short.
const MOST_ITEMS: usize = 64;
/// Most bytes of the questions of a piece: a message of NATS has a MiB at most, unless its server is told otherwise.
const MOST_BYTES: usize = 512 << 10;
/// Room of a job, in questions of the longest kind: as the body of a batch has.
const MOST_QUESTIONS_LONG: usize = 64;
/// Items at the end of a job that are pieces of their own: no worker has two left when the others have none.
const LAST: usize = 16;

/// Kind of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum JobKind {
    /// Best moves of many positions.
    Batch,
    /// The review of a game.
    Review,
    /// Games between two configurations.
    Match,
    /// Games of a configuration against itself, to learn from.
    Selfplay,
    /// Every position of an opening.
    Study,
}

/// A job: its kind, and what the direct endpoint of that kind takes, if there is one.
// The contract is derived from how it would be written.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "kind", content = "body", rename_all = "snake_case")]
pub(crate) enum JobQuestion {
    /// As for `/v1/batch`, only longer.
    #[schema(title = "BatchJob")]
    Batch(JobBatch),
    /// As for `/v1/review`.
    #[schema(title = "ReviewJob")]
    Review(Box<ReviewQuestion>),
    /// Two configurations and the terms of their match.
    #[schema(title = "MatchJob")]
    Match(Box<MatchQuestion>),
    /// A configuration and the terms of its games.
    #[schema(title = "SelfPlayJob")]
    Selfplay(Box<SelfPlayQuestion>),
    /// A start, and how far its positions are searched.
    #[schema(title = "StudyJob")]
    Study(Box<StudyQuestion>),
}

/// A job whose body is unread. Where the kind stands behind the body, that would have to be read without it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct UnreadJob {
    pub(super) kind: JobKind,
    pub(super) body: Box<RawValue>,
}

/// What a job is read with.
pub(super) struct JobReading<'a> {
    pub(super) catalog: &'a Catalog,
    allowance: &'a Allowance,
    pub(super) request: RequestInfo,
    /// Longest question in bytes: as where it comes alone.
    pub(super) longest_question: usize,
}

impl JobReading<'_> {
    /// Checks that what is written anew for each of so many pieces or questions takes no more room than a long batch.
    pub(super) fn check_length(&self, count: usize, bytes: usize) -> Result<(), Problem> {
        let most = MOST_QUESTIONS_LONG * self.longest_question;
        if count * bytes <= most {
            return Ok(());
        }
        let detail = format!(
            "takes {} bytes as {count} pieces, and may take {most}: give a `state` in place of `moves`, or ask for less",
            count * bytes
        );
        Err(Problem::new(ProblemCode::BodyTooLarge, &detail).at("", detail))
    }

    /// How long a question may take that the rules allow.
    pub(super) fn expected(&self, question: &Question) -> Result<Duration, Problem> {
        let plan = self.catalog.plan(question, self.allowance, self.request.arrived)?;
        Ok(plan.expected)
    }
}

/// A job cut into pieces.
pub(super) struct CutJob {
    /// What is needed to make one answer of the results.
    pub(super) head: Vec<u8>,
    pub(super) pieces: Vec<NewPiece>,
}

impl UnreadJob {
    fn read(&self) -> Result<JobQuestion, Problem> {
        let body = self.body.get().as_bytes();
        match self.kind {
            JobKind::Batch => parse(body).map(JobQuestion::Batch),
            JobKind::Review => parse(body).map(JobQuestion::Review),
            JobKind::Match => parse(body).map(JobQuestion::Match),
            JobKind::Selfplay => parse(body).map(JobQuestion::Selfplay),
            JobKind::Study => parse(body).map(JobQuestion::Study),
        }
    }
}

impl JobQuestion {
    /// Checks all of it by the rules, and cuts it.
    fn cut(&self, reading: &JobReading<'_>) -> Result<CutJob, Problem> {
        match self {
            Self::Batch(batch) => batch::cut(batch, reading),
            Self::Review(question) => review::cut(question, reading),
            Self::Match(question) => matches::cut(question, reading),
            Self::Selfplay(question) => self_play::cut(question, reading),
            Self::Study(question) => study::cut(question, reading),
        }
    }
}

impl Jobs {
    /// Reads a job, checks all of it by the rules, and cuts it.
    pub(super) async fn cut(
        &self,
        job: UnreadJob,
        request: RequestInfo,
    ) -> Result<CutJob, Problem> {
        let longest_question = self.longest_question;
        let cut = move |catalog: &Catalog, allowance: &Allowance| {
            let reading = JobReading { catalog, allowance, request, longest_question };
            let is_long = job.kind != JobKind::Batch && job.body.get().len() > longest_question;
            let question = if is_long { Err(longer_than(longest_question)) } else { job.read() };
            let cut = question.and_then(|question| question.cut(&reading));
            cut.map_err(|why| why.under("/body"))
        };
        self.service.read_job(request, cut).await?
    }
}

/// An item to be cut into a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CutItem {
    /// Its number.
    pub(super) item: u32,
    /// How long it is expected to take.
    pub(super) expected: Duration,
    /// Length of what is written of it alone; 0 where a piece says the same of all.
    pub(super) bytes: usize,
}

/// Cuts items in their order.
pub(super) fn cut_items(items: &[CutItem]) -> Vec<Vec<u32>> {
    let mut pieces: Vec<Vec<u32>> = Vec::new();
    let (mut time, mut room) = (Duration::ZERO, 0);
    for (place, &CutItem { item, expected, bytes }) in items.iter().enumerate() {
        let may_share = place + LAST < items.len() || expected.is_zero();
        let is_short = pieces.last().is_some_and(|piece| piece.len() < MOST_ITEMS);
        let fits = may_share && is_short && expected <= time && bytes <= room;
        match pieces.last_mut().filter(|_| fits) {
            Some(piece) => {
                piece.push(item);
                time -= expected;
                room -= bytes;
            }
            None => {
                pieces.push(vec![item]);
                time = PIECE.saturating_sub(expected);
                room = MOST_BYTES.saturating_sub(bytes);
            }
        }
    }
    pieces
}

/// Cuts as many items as this that are expected to take so long each.
pub(super) fn cut_alike(count: u32, expected: Duration) -> Vec<Vec<u32>> {
    let item = |item| CutItem { item, expected, bytes: 0 };
    cut_items(&(0..count).map(item).collect::<Vec<_>>())
}

/// A claimed piece, as it is searched.
pub(super) enum PieceWork {
    /// Of a batch, or of a study.
    Batch(BatchPiece),
    Review(Box<ReviewPiece>),
    Match(Box<MatchPiece>),
    SelfPlay(Box<SelfPlayPiece>),
}

impl PieceWork {
    /// Reads a piece. `None` if another version of the program has written it.
    pub(super) fn read(claim: &Claim) -> Option<Self> {
        match JobKind::named(&claim.kind)? {
            JobKind::Batch | JobKind::Study => {
                serde_json::from_slice(&claim.payload).ok().map(Self::Batch)
            }
            JobKind::Review => serde_json::from_slice(&claim.payload).ok().map(Self::Review),
            JobKind::Match => serde_json::from_slice(&claim.payload).ok().map(Self::Match),
            JobKind::Selfplay => serde_json::from_slice(&claim.payload).ok().map(Self::SelfPlay),
        }
    }

    /// Searches the item at this place of the piece.
    ///
    /// # Errors
    /// When the service is too busy, or shuts down.
    pub(super) async fn item(
        &mut self,
        place: usize,
        service: &Service,
        told: SearchTold,
    ) -> Result<(ItemOutcome, Vec<u8>), Failure> {
        match self {
            Self::Batch(piece) => piece.item(place, service, told).await,
            Self::Review(piece) => piece.item(place, service, told).await,
            Self::Match(piece) => piece.item(place, service).await,
            Self::SelfPlay(piece) => piece.item(place, service).await,
        }
    }
}

impl JobKind {
    /// The kind of this name; a later version of the program may have others.
    pub(super) fn named(name: &str) -> Option<Self> {
        serde_json::from_value(name.into()).ok()
    }

    /// The kind of a job that clients see.
    pub(super) fn of(job: &JobStatus) -> Self {
        Self::named(&job.kind).expect("jobs of other kinds are not shown")
    }

    /// A result as clients see it.
    pub(super) fn item(self, result: &ItemResult) -> JobItem {
        let told = match self {
            Self::Batch | Self::Study => batch::told(result),
            Self::Review => review::told(result),
            Self::Match | Self::Selfplay => matches::told(result),
        };
        JobItem { id: result.event, item: result.item, result: told }
    }
}

/// The word in JSON.
impl std::fmt::Display for JobKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.serialize(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_as_long_as_they_may_be_and_in_order() {
        let ms = Duration::from_millis;
        let item = |(item, &time): (u32, &u64)| CutItem { item, expected: ms(time), bytes: 0 };
        let cut = |times: &[u64]| {
            let items: Vec<_> = (0..).zip(times).map(item).collect();
            cut_items(&items).iter().map(Vec::len).collect::<Vec<_>>()
        };
        let alone = [1; LAST];
        assert_eq!(cut(&[100; 5 + LAST]), [&[2, 2, 1][..], &alone].concat());
        assert_eq!(cut(&[&[1_000, 1, 1][..], &[1; LAST]].concat()), [&[1, 2][..], &alone].concat());
        assert_eq!(cut(&[]), [0; 0]);
        assert_eq!(cut(&[0; 100]), [64, 36], "what takes no time is no burden");
        assert!(cut_alike(30, ms(90)).concat().iter().copied().eq(0..30));
    }

    #[test]
    fn pieces_fit_a_message_of_the_queue() {
        let bytes = [1, 1, 1, 4, 0, 2, 0].map(|halves| halves * MOST_BYTES / 2);
        let item = |(item, bytes)| CutItem { item, expected: Duration::ZERO, bytes };
        let items: Vec<_> = (0..).zip(bytes).map(item).collect();
        let pieces = [&[0, 1][..], &[2], &[3, 4], &[5, 6]].map(<[u32]>::to_vec);
        assert_eq!(cut_items(&items), pieces);
    }
}
