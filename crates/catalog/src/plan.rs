//! Validation of a question against a game.

use std::time::Instant;

use engine::search::{Calibration, Wanted};
use games::notation::{Facts, Settings, take_options};
use serde_json::{Map, Value};

use super::budget::{self, Allowance, PlannedBudget};
use super::capabilities::Capabilities;
use super::methods::{self, MethodInfo};
use super::question::Question;
use super::refusal::Refusal;

/// Type-erased facts of a game.
pub(super) struct GameFacts {
    pub(super) facts: Facts,
    pub(super) capabilities: Capabilities,
    /// Methods offered, in the order of [`methods::METHODS`].
    pub(super) methods: Vec<&'static MethodInfo>,
    /// Calibration, valid for the default evaluation.
    pub(super) calibration: Calibration,
}

/// Validated question.
pub(super) struct Inquiry {
    pub(super) question: Question,
    pub(super) method: &'static MethodInfo,
    pub(super) settings: Settings,
    pub(super) planned_budget: PlannedBudget,
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
            why: format!("it requires {}", method.needs.describe()),
            offered: self.names(),
        })
    }

    /// Settings of the method; `options` are those left over by the game.
    fn method_settings(
        &self,
        method: &MethodInfo,
        mut options: Map<String, Value>,
    ) -> Result<Settings, Refusal> {
        let settings =
            take_options(&method.options, &mut options).map_err(|f| f.under("options"))?;
        let Some(unknown) = options.keys().next() else { return Ok(settings) };
        let all = method.options.iter().chain(self.facts.options);
        let known: Vec<_> = all.map(|option| option.name).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        let why = format!(
            "unknown option `{unknown}` for `{}` and {}; options: {known}",
            method.name, self.facts.name
        );
        Err(Refusal::shape(&["options", unknown], why))
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
        Ok(Inquiry {
            settings: self.method_settings(method, options)?,
            planned_budget: budget::planned_budget(question, method, allowance, arrived)?,
            question: question.clone(),
            method,
        })
    }
}

impl Inquiry {
    /// Root moves that need an exact value.
    pub(super) fn wanted(&self) -> Wanted {
        budget::wanted(self.question.ratings)
    }
}
