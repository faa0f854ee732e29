//! Names of games and algorithms in the contract.

use std::collections::BTreeSet;

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::info::Language;
use super::{AnyGame, Catalog, methods};

/// Schema of a string that is one of these words.
fn one_of(words: impl IntoIterator<Item = &'static str>, about: &str) -> RefOr<Schema> {
    let words: Vec<_> = words.into_iter().collect();
    let schema = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words));
    schema.description(Some(about)).build().into()
}

fn algorithms() -> impl Iterator<Item = &'static str> {
    methods::METHODS.iter().map(|method| method.name)
}

/// Name of a game.
#[derive(Debug)]
pub(super) enum GameName {}

impl PartialSchema for GameName {
    fn schema() -> RefOr<Schema> {
        one_of(Catalog::default().games().map(AnyGame::name), "Name of a game.")
    }
}

impl ToSchema for GameName {}

/// Reason for the result of a game.
#[derive(Debug)]
pub(super) enum OutcomeReason {}

impl PartialSchema for OutcomeReason {
    fn schema() -> RefOr<Schema> {
        let catalog = Catalog::default();
        let games = catalog.games().map(|game| game.describe_in(Language::English));
        let reasons: BTreeSet<_> = games.flat_map(|game| game.end_reasons).copied().collect();
        one_of(reasons, "Reason for the result of a game, in `end_reasons` of its description.")
    }
}

impl ToSchema for OutcomeReason {}

/// Name of an algorithm.
#[derive(Debug)]
pub(super) enum AlgorithmName {}

impl PartialSchema for AlgorithmName {
    fn schema() -> RefOr<Schema> {
        one_of(algorithms(), "Name of an algorithm.")
    }
}

impl ToSchema for AlgorithmName {}

/// Name of an algorithm, or `auto`.
#[derive(Debug)]
pub(super) enum AlgorithmChoice {}

impl PartialSchema for AlgorithmChoice {
    fn schema() -> RefOr<Schema> {
        let about = "Name of an algorithm; `auto` is the strongest that the game offers.";
        one_of(std::iter::once("auto").chain(algorithms()), about)
    }
}

impl ToSchema for AlgorithmChoice {}

/// A member of a budget.
#[derive(Debug)]
pub(super) enum BudgetMember {}

impl PartialSchema for BudgetMember {
    fn schema() -> RefOr<Schema> {
        one_of(["time_ms", "depth", "nodes", "simulations"], "A member of a budget.")
    }
}

impl ToSchema for BudgetMember {}
