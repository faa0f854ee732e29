//! Validation of a question against a game.

use std::time::Instant;

use engine::search::{Calibration, Wanted};
use games::notation::{Facts, Settings, take_options};
use serde_json::{Map, Value};

use super::budget::{self, Allowance, PlannedBudget};
use super::capabilities::Capabilities;
use super::did_you_mean;
use super::info::Language;
use super::levels::{self, LevelInfo, TOP_LEVEL};
use super::methods::{self, MethodInfo};
use super::option_limits::OptionLimits;
use super::question::{BudgetQuestion, Choose, Perspective, Question, Ratings, WholeNumber};
use super::rating::RatingScheme;
use super::refusal::Refusal;

/// Maximum nodes of a search with a trace: an answer of about 2 MB.
const TRACED_NODES: u64 = 10_000;

/// Maximum nodes of a tree: an answer of about 250 kB.
const TREE_NODES: u64 = 2_000;

/// Greatest tolerance of a rating scheme in units of a game: above any evaluation.
pub(super) const MOST_TOLERANCE: f64 = 1e6;

/// Type-erased facts of a game.
pub(super) struct GameFacts {
    pub(super) facts: Facts,
    pub(super) capabilities: Capabilities,
    /// Methods offered, in the order of [`methods::METHODS`].
    pub(super) methods: Vec<&'static MethodInfo>,
    /// Calibration, valid for the default evaluation: that of a file, or the curve of win probabilities alone.
    pub(super) calibration: Calibration,
    /// True if the calibration is that of a file.
    pub(super) calibrated: bool,
    /// Defaults of method options in this game, where they are not those of the method.
    pub(super) defaults: Map<String, Value>,
}

/// Validated question.
#[derive(Clone)]
pub(super) struct Inquiry {
    pub(super) question: Question,
    pub(super) method: &'static MethodInfo,
    pub(super) settings: Settings,
    pub(super) planned_budget: PlannedBudget,
    /// Most ratings in the answer.
    pub(super) max_ratings: usize,
    /// Level at which a move is chosen, below the greatest.
    pub(super) level: Option<PlannedLevel>,
}

/// A level, and what its answer shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlannedLevel {
    pub(super) info: LevelInfo,
    /// Ratings that the question asks for, where all are needed to choose.
    pub(super) ratings: Ratings,
    /// Most ratings in the answer.
    pub(super) max_ratings: usize,
    /// Whose scores are positive in the answer; a choice is the mover's.
    pub(super) perspective: Perspective,
}

impl GameFacts {
    /// Names of the methods offered.
    pub(super) fn names(&self) -> Vec<&'static str> {
        self.methods.iter().map(|method| method.name).collect()
    }

    /// The method with this name, or `strongest` for `auto`.
    ///
    /// # Errors
    /// When the method is unknown or not offered.
    pub(super) fn method(
        &self,
        name: &str,
        strongest: &str,
    ) -> Result<&'static MethodInfo, Refusal> {
        let name = if name == "auto" { strongest } else { name };
        let Some(method) = methods::method(name) else {
            let known = std::iter::once("auto").chain(methods::METHODS.iter().map(|m| m.name));
            return Err(Refusal::UnknownAlgorithm {
                name: name.to_owned(),
                known: known.collect(),
            });
        };
        if self.methods.iter().any(|offered| offered.name == name) {
            return Ok(method);
        }
        Err(Refusal::Unsupported {
            algorithm: method.name,
            why: format!("it requires {}", method.needs.describe(Language::English)),
            offered: self.names(),
        })
    }

    /// Settings of the method; `options` are those left over by the game.
    ///
    /// # Errors
    /// An unknown option, or a value out of range.
    pub(super) fn method_settings(
        &self,
        method: &MethodInfo,
        mut options: Map<String, Value>,
        limits: OptionLimits,
    ) -> Result<Settings, Refusal> {
        for option in &method.options {
            if let Some(default) = self.defaults.get(option.name) {
                options.entry(option.name).or_insert_with(|| default.clone());
            }
        }
        let specs: Vec<_> = method.options.iter().map(|spec| limits.bound(spec)).collect();
        let settings = take_options(&specs, &mut options).map_err(|f| f.under("options"))?;
        let Some(unknown) = options.keys().next() else { return Ok(settings) };
        let all = method.options.iter().chain(self.facts.options);
        let known: Vec<_> = all.map(|option| option.name).collect();
        let similar = did_you_mean(unknown, known.iter().copied());
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        let why = format!(
            "unknown option `{unknown}` for `{}` and {}{similar}; options: {known}",
            method.name, self.facts.name
        );
        Err(Refusal::shape(&["options", unknown], why))
    }

    /// Checks that a trace can be given if it is wanted.
    fn check_trace(&self, question: &Question, method: &MethodInfo) -> Result<(), Refusal> {
        let why = if !question.trace {
            return Ok(());
        } else if !method.traces {
            let with: Vec<_> = self.methods.iter().filter(|other| other.traces).collect();
            let with: Vec<_> = with.iter().map(|other| other.name).collect();
            format!("`{}` has no trace; in this game: {}", method.name, with.join(", "))
        } else if !self.capabilities.open {
            "a trace requires perfect information".to_owned()
        } else if question.threads.0 != 1 {
            "a trace requires `threads` = 1".to_owned()
        } else if question.budget.nodes.is_some_and(|nodes| nodes.0 > TRACED_NODES) {
            format!("a trace has at most {TRACED_NODES} nodes; lower `budget.nodes`")
        } else {
            return Ok(());
        };
        Err(Refusal::shape(&["trace"], why))
    }

    /// Checks that the top of a tree can be given if it is wanted.
    fn check_tree(&self, question: &Question, method: &MethodInfo) -> Result<(), Refusal> {
        let why = match question.tree_nodes.0 {
            0 => return Ok(()),
            _ if !method.grows_tree => {
                let with: Vec<_> = self.methods.iter().filter(|other| other.grows_tree).collect();
                let with: Vec<_> = with.iter().map(|other| other.name).collect();
                format!("`{}` grows no tree; in this game: {}", method.name, with.join(", "))
            }
            _ if !self.capabilities.open => "a tree requires perfect information".to_owned(),
            wanted if wanted > TREE_NODES => format!("must be at most {TREE_NODES}, got {wanted}"),
            _ if question.level.is_some() => {
                "a tree shows one search, and a level chooses; leave out one".to_owned()
            }
            _ => return Ok(()),
        };
        Err(Refusal::shape(&["tree_nodes"], why))
    }

    /// Checks that what is asked of the ratings can be had.
    fn check_ratings(question: &Question, method: &MethodInfo) -> Result<(), Refusal> {
        let most = if method.estimates { 1.0 } else { MOST_TOLERANCE };
        let tolerance = question.scheme.and_then(|scheme| scheme.tolerance);
        match tolerance {
            Some(given) if !(0.0..=most).contains(&given) => {
                let of = if method.estimates { " of expected result" } else { "" };
                let why = format!("must be from 0 to {most}{of}, got {given}");
                return Err(Refusal::shape(&["scheme", "tolerance"], why));
            }
            _ => {}
        }
        if question.ratings != Ratings::None {
            return Ok(());
        }
        if question.scheme.is_some() {
            let why = "a scheme rates moves, and `ratings` is `none`; leave out one of them";
            return Err(Refusal::shape(&["scheme"], why));
        }
        if question.choose == Choose::Random {
            let why = "moves that tie are known by their ratings, and `ratings` is `none`";
            return Err(Refusal::shape(&["choose"], why));
        }
        Ok(())
    }

    /// Validates a question; `options` are those left over by the game, `strongest` is the method for `auto`.
    ///
    /// # Errors
    /// An invalid part of the question.
    pub(super) fn inquire(
        &self,
        question: &Question,
        options: Map<String, Value>,
        strongest: &str,
        allowance: &Allowance,
        arrived: Instant,
    ) -> Result<Inquiry, Refusal> {
        budget::check(question, allowance)?;
        let method = self.method(&question.algorithm, strongest)?;
        self.check_trace(question, method)?;
        self.check_tree(question, method)?;
        Self::check_ratings(question, method)?;
        let limits = OptionLimits {
            thread_memory: allowance.memory,
            threads: question.threads.0,
            worlds: allowance.max_worlds,
        };
        let mut question = question.clone();
        let level = self.level(&mut question, method, allowance)?;
        if question.trace {
            question.budget.nodes.get_or_insert(WholeNumber(TRACED_NODES));
        }
        Ok(Inquiry {
            settings: self.method_settings(method, options, limits)?,
            planned_budget: budget::planned_budget(&question, method, allowance, arrived)?,
            question,
            method,
            max_ratings: if level.is_some() { usize::MAX } else { allowance.max_ratings },
            level,
        })
    }

    /// The level of a question, whose limits become those of the question, and whose search rates all moves.
    fn level(
        &self,
        question: &mut Question,
        method: &MethodInfo,
        allowance: &Allowance,
    ) -> Result<Option<PlannedLevel>, Refusal> {
        let Some(WholeNumber(level)) = question.level else { return Ok(None) };
        let refused = |why: String| Err(Refusal::shape(&["level"], why));
        let own = levels::levels(self.facts.name).into_iter().find(|info| info.level == level);
        let info = question.measured_level.or(own);
        let Some(info) = info else {
            return refused(format!("must be from 1 to {TOP_LEVEL}, got {level}"));
        };
        if question.budget != BudgetQuestion::default() {
            return refused("a level takes the place of a budget; leave out one of them".into());
        }
        if question.trace {
            return refused("a trace shows one search, and a level chooses; leave out one".into());
        }
        if level == TOP_LEVEL {
            return Ok(None);
        }
        if !method.evaluates {
            return refused(format!("`{}` does not rate the moves to choose from", method.name));
        }
        let heeded = |name: &str| method.budgets.contains(&name);
        question.budget.depth = info.depth.filter(|_| heeded("depth")).map(WholeNumber);
        let is_timed = heeded("time_ms") && !question.reproducible;
        let most = allowance.max_ms();
        question.budget.time_ms =
            info.time_ms.filter(|_| is_timed).map(|ms| WholeNumber(ms.min(most)));
        let ratings = std::mem::replace(&mut question.ratings, Ratings::All);
        let scheme = question.scheme.unwrap_or_default();
        let one_depth = scheme.one_depth || !levels::searches_deep(&info);
        question.scheme = Some(RatingScheme { one_depth, ..scheme });
        let perspective = std::mem::take(&mut question.perspective);
        let max_ratings = allowance.max_ratings;
        Ok(Some(PlannedLevel { info, ratings, max_ratings, perspective }))
    }
}

impl Inquiry {
    /// Root moves that need a value. The best few are rated among all.
    pub(super) fn wanted(&self) -> Wanted {
        match (self.question.lines, self.question.ratings) {
            (Some(lines), _) => Wanted::Best(usize::try_from(lines).unwrap_or(usize::MAX)),
            (None, Ratings::All | Ratings::Best(_)) if self.scheme().one_depth => Wanted::Even,
            (None, Ratings::All | Ratings::Best(_)) => Wanted::All,
            (None, Ratings::None) => Wanted::One,
        }
    }

    /// How moves are rated.
    pub(super) fn scheme(&self) -> RatingScheme {
        self.question.scheme.unwrap_or_default()
    }

    /// Number of rated moves in the answer, of `lines` in all.
    pub(super) fn shown(&self, lines: usize) -> usize {
        self.question.ratings.of(lines).min(self.max_ratings)
    }
}

impl PlannedLevel {
    /// Number of rated moves in the answer, of `lines` in all.
    pub(super) fn shown(&self, lines: usize) -> usize {
        self.ratings.of(lines).min(self.max_ratings)
    }
}
