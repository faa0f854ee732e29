//! Settable options: those of an engine, of its game and of its methods.

use serde_json::{Map, Value};

use super::Dialect;
use catalog::info::{OptionInfo, ValueType};
use catalog::methods::MethodInfo;
use catalog::{AnyGame, Catalog};
use engine::game::SelectiveParameters;
use engine::options::OptionSet;
use games::notation::{OptionKind, StateInput, take_options};

/// Type of an option, as shown by clients.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum OptionType {
    Check(bool),
    Spin { min: i64, max: i64, default: i64 },
    Combo { words: Vec<String>, default: String },
    Text(String),
    Button,
}

/// Option declared to clients.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) kind: OptionType,
}

/// Effect of a change on the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OptionEffect {
    Nothing,
    /// The position must be read again.
    Position,
    /// Another game: full reset.
    Game,
    /// The table must be cleared or resized.
    Memory,
}

/// All settings of an engine.
#[derive(Clone, Debug)]
pub(crate) struct EngineSettings {
    pub(crate) game: String,
    pub(crate) algorithm: String,
    /// Options of the game and of methods, as given.
    pub(crate) options: Map<String, Value>,
    /// Memory for tables in MiB.
    pub(crate) hash: u64,
    pub(crate) threads: u64,
    pub(crate) lines: u64,
    pub(crate) seed: u64,
    pub(crate) reproducible: bool,
    /// UCCI counts in seconds unless both sides agree on milliseconds.
    pub(crate) milliseconds: bool,
    /// True if commands during a search wait for its end.
    pub(crate) batch: bool,
}

/// Divisor of the memory: one part is the private table of a search, the rest is kept from move to move.
const PRIVATE: u64 = 8;
/// Size of an entry of the shared table, in bytes.
const ENTRY_BYTES: u64 = 36;
const HASH: [i64; 3] = [1, 32, 16_384];
const THREADS: [i64; 3] = [1, 1, 256];
const LINES: [i64; 3] = [1, 1, 500];
const SEED: [i64; 3] = [0, 0, (1 << 53) - 1];

/// Method option that sizes the private table.
const TABLE: &str = "table_mib";

impl EngineSettings {
    pub(crate) fn new(game: &str) -> Self {
        Self {
            game: game.to_owned(),
            algorithm: "auto".into(),
            options: Map::new(),
            hash: HASH[1] as u64,
            threads: THREADS[1] as u64,
            lines: LINES[1] as u64,
            seed: SEED[1] as u64,
            reproducible: false,
            milliseconds: false,
            batch: false,
        }
    }

    /// Entries of the table kept from move to move.
    pub(crate) fn table_entries(&self) -> usize {
        let mib = self.hash - self.hash / PRIVATE;
        ((mib << 20) / ENTRY_BYTES) as usize
    }

    /// Options of a method: its own, where given, and the size of its table.
    pub(crate) fn of_method(&self, method: &MethodInfo) -> Map<String, Value> {
        let given = method.options.iter().filter_map(|spec| {
            let value = self.options.get(spec.name).cloned();
            let size = || match spec.kind {
                OptionKind::Integer { min, max, .. } if spec.name == TABLE => {
                    // A hash of any size is a table.
                    Some(((self.hash / PRIVATE) as i64).clamp(min.max(1), max).into())
                }
                _ => None,
            };
            value.or_else(size).map(|value| (spec.name.to_owned(), value))
        });
        given.collect()
    }

    /// Options of the game.
    pub(crate) fn of_game(&self, game: &dyn AnyGame) -> Map<String, Value> {
        let given = game.describe().options.into_iter().filter_map(|option| {
            Some((option.name.to_owned(), self.options.get(option.name)?.clone()))
        });
        given.collect()
    }

    /// Sets an option.
    ///
    /// # Errors
    /// When the option is unknown or the value invalid.
    pub(super) fn set(
        &mut self,
        catalog: &Catalog,
        name: &str,
        value: &str,
    ) -> Result<OptionEffect, String> {
        let spin =
            |[min, _, max]: [i64; 3]| spin(name, value, min, max).map(|number| number as u64);
        match name.to_ascii_lowercase().replace([' ', '_'], "").as_str() {
            "ucivariant" => return self.set_game(catalog, value),
            "algorithm" => self.algorithm = self.known_algorithm(catalog, value)?,
            "hash" | "hashsize" => {
                self.hash = spin(HASH)?;
                return Ok(OptionEffect::Memory);
            }
            "clearhash" | "newgame" => return Ok(OptionEffect::Memory),
            "threads" => self.threads = spin(THREADS)?,
            "multipv" => self.lines = spin(LINES)?,
            "seed" => self.seed = spin(SEED)?,
            "reproducible" => self.reproducible = check(name, value)?,
            "usemillisec" => self.milliseconds = check(name, value)?,
            "batch" => self.batch = check(name, value)?,
            // Decided by the client; nothing here depends on them.
            "ponder" | "debug" => drop(check(name, value)?),
            _ => return self.set_other(catalog, name, value),
        }
        Ok(OptionEffect::Nothing)
    }

    fn set_game(&mut self, catalog: &Catalog, value: &str) -> Result<OptionEffect, String> {
        let game = playable(catalog, value)?;
        if game.name() == self.game {
            return Ok(OptionEffect::Nothing);
        }
        // Settings of another game have no meaning here.
        self.game = game.name().to_owned();
        self.algorithm = "auto".into();
        self.options.clear();
        Ok(OptionEffect::Game)
    }

    fn known_algorithm(&self, catalog: &Catalog, value: &str) -> Result<String, String> {
        let words = algorithms(self.game(catalog));
        match words.iter().find(|word| word.eq_ignore_ascii_case(value)) {
            Some(word) => Ok(word.clone()),
            None => Err(format!("`Algorithm` must be one of: {}", words.join(", "))),
        }
    }

    /// Sets an option of the game or of one of its methods.
    fn set_other(
        &mut self,
        catalog: &Catalog,
        name: &str,
        value: &str,
    ) -> Result<OptionEffect, String> {
        let game = self.game(catalog);
        let is_meant = |known: &str| known.eq_ignore_ascii_case(name);
        if let Some(info) = game.describe().options.iter().find(|info| is_meant(info.name)) {
            let mut trial = Map::from_iter([(info.name.to_owned(), json(info, value))]);
            let opened = game.open(StateInput::Start, &[], &mut trial);
            opened.map_err(|why| why.to_string())?;
            self.options.insert(info.name.to_owned(), json(info, value));
            return Ok(OptionEffect::Position);
        }
        let methods = game.methods();
        let mut specs = methods.iter().flat_map(|method| &method.options);
        let Some(spec) = specs.find(|spec| is_meant(spec.name)) else {
            return Err(format!("unknown option `{name}`"));
        };
        let value = json(&OptionInfo::from(spec), value);
        let mut trial = Map::from_iter([(spec.name.to_owned(), value.clone())]);
        take_options(std::slice::from_ref(spec), &mut trial).map_err(|why| why.detail)?;
        self.options.insert(spec.name.to_owned(), value);
        Ok(OptionEffect::Nothing)
    }

    fn game<'a>(&self, catalog: &'a Catalog) -> &'a dyn AnyGame {
        catalog.game(&self.game).expect("only known games are set")
    }

    /// Options to declare: those of the engine, of the game and of its strongest method. Its numbers can be set, but are
    /// not declared: clients that read a few lines a second would give up before the last.
    pub(super) fn declared(&self, catalog: &Catalog, dialect: Dialect) -> Vec<Declared> {
        let game = self.game(catalog);
        let info = game.describe();
        let of_method = game.methods().into_iter().find(|m| m.name == info.default_algorithm);
        let of_method = of_method.map_or(&[][..], |method| &method.options);
        let is_shown = |name| name != TABLE && !SelectiveParameters::NAMES.contains(&name);
        let of_method = of_method.iter().filter(|spec| is_shown(spec.name)).map(OptionInfo::from);
        let others = info
            .options
            .into_iter()
            .chain(of_method)
            .map(|info| Declared { name: info.name.to_owned(), kind: kind(&info) });
        engine(self, catalog, dialect).into_iter().chain(others).collect()
    }
}

/// The game with this name, if it has a text notation.
///
/// # Errors
/// When the game is unknown or has no text notation.
pub(super) fn playable<'a>(catalog: &'a Catalog, name: &str) -> Result<&'a dyn AnyGame, String> {
    let games = playable_games(catalog);
    let found = catalog.games().find(|game| game.name().eq_ignore_ascii_case(name));
    let found = found.filter(|game| games.iter().any(|known| known == game.name()));
    found.ok_or_else(|| {
        format!("unknown game `{name}`, or one without text notation; known: {}", games.join(", "))
    })
}

fn playable_games(catalog: &Catalog) -> Vec<String> {
    let playable = catalog.games().filter(|game| game.describe().text_notation.is_some());
    playable.map(|game| game.name().to_owned()).collect()
}

fn algorithms(game: &dyn AnyGame) -> Vec<String> {
    let names = game.describe().algorithms.into_iter().map(str::to_owned);
    std::iter::once("auto".to_owned()).chain(names).collect()
}

/// Options of the engine itself. UCCI has its own words for some.
fn engine(settings: &EngineSettings, catalog: &Catalog, dialect: Dialect) -> Vec<Declared> {
    let ucci = dialect == Dialect::Ucci;
    let declared = |name: &str, kind| Declared { name: name.to_owned(), kind };
    let spin = |[min, default, max]: [i64; 3]| OptionType::Spin { min, max, default };
    let either = |uci, other| if ucci { other } else { uci };
    let (games, game) = (playable_games(catalog), settings.game.clone());
    let words = algorithms(settings.game(catalog));
    let mut all = vec![
        declared(either("Hash", "hashsize"), spin(HASH)),
        declared(either("Threads", "threads"), spin(THREADS)),
        declared(either("Ponder", "ponder"), OptionType::Check(false)),
        declared("MultiPV", spin(LINES)),
        declared("UCI_Variant", OptionType::Combo { words: games, default: game }),
        declared("Algorithm", OptionType::Combo { words, default: "auto".into() }),
        declared("Seed", spin(SEED)),
        declared("Reproducible", OptionType::Check(false)),
    ];
    if ucci {
        all.push(declared("usemillisec", OptionType::Check(false)));
        all.push(declared("batch", OptionType::Check(false)));
        all.push(declared("debug", OptionType::Check(false)));
        all.push(declared("newgame", OptionType::Button));
    } else {
        all.push(declared("Clear Hash", OptionType::Button));
    }
    all
}

/// Type of a catalog option, as shown by clients. UCI has no fractions.
fn kind(info: &OptionInfo) -> OptionType {
    let whole = |value: &Option<Value>| value.as_ref().and_then(Value::as_i64).unwrap_or_default();
    let word = info.default.as_str().map_or_else(|| info.default.to_string(), str::to_owned);
    match (info.kind, info.values) {
        (ValueType::Boolean, _) => OptionType::Check(info.default == Value::Bool(true)),
        (ValueType::Integer, _) => OptionType::Spin {
            min: whole(&info.minimum),
            max: whole(&info.maximum),
            default: info.default.as_i64().unwrap_or_default(),
        },
        (_, Some(words)) => OptionType::Combo {
            words: words.iter().map(|&word| word.to_owned()).collect(),
            default: word,
        },
        _ => OptionType::Text(word),
    }
}

/// A value in the catalog's form; the catalog reports what is wrong with it.
fn json(info: &OptionInfo, value: &str) -> Value {
    let number =
        || value.parse::<i64>().map(Value::from).or_else(|_| value.parse::<f64>().map(Value::from));
    match info.kind {
        ValueType::Boolean => check(info.name, value).map_or_else(|_| value.into(), Value::Bool),
        ValueType::Integer | ValueType::Number => number().unwrap_or_else(|_| value.into()),
        _ => value.into(),
    }
}

fn check(name: &str, value: &str) -> Result<bool, String> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "on" => Ok(true),
        "false" | "off" => Ok(false),
        _ => Err(format!("`{name}` must be true or false, got `{value}`")),
    }
}

fn spin(name: &str, value: &str, min: i64, max: i64) -> Result<i64, String> {
    let number = value.parse().ok().filter(|number| (min..=max).contains(number));
    number.ok_or_else(|| {
        format!("`{name}` must be a whole number from {min} to {max}, got `{value}`")
    })
}

#[cfg(test)]
mod tests {
    use catalog::methods::method;

    use super::*;

    #[test]
    fn a_hash_of_any_size_has_a_private_table() {
        let size = |hash| {
            let settings = EngineSettings { hash, ..EngineSettings::new("xiangqi") };
            settings.of_method(method("alphabeta").expect("a method"))[TABLE].clone()
        };
        assert_eq!([1, 64, 16_384].map(size), [1, 8, 256]);
    }
}
