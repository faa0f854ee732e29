//! Text and JSON notation of xiangqi.

mod human;
mod read;
#[cfg(test)]
mod tests;

use serde_json::{Value, json};

use super::evaluator::{XiangqiEvaluation, XiangqiEvaluator};
use super::pieces::PieceKind;
use super::rules::{QUIET_PLIES, Xiangqi, XiangqiMove};
use super::squares::{FILES, RANKS, bit, file_of, has, rank_of, squares};
use crate::notation::display::{
    BoardFacts, MoveForm, Ornaments, Paint, PieceForm, PieceMark, Places, Title, Titles, letters,
    numbers,
};
use crate::notation::{
    Facts, Fault, Notation, OptionKind, OptionSpec, Served, Settings, StateInput, schema_of,
};
use engine::game::{Game, Outcome, Side};

/// Piece letters in kind order; upper case for Red, lower case for Black.
const LETTERS: &str = "KABNRCP";

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "rules",
        kind: OptionKind::Choice(&["computer", "check_only"]),
        about: "what a position that stands for the third time brings: by `computer` who alone \
                checks or chases perpetually has lost, by `check_only` who alone checks perpetually; \
                else it is a draw",
    },
    OptionSpec {
        name: "lax",
        kind: OptionKind::Flag { default: false },
        about: "read soldiers anywhere, as some old diagrams have them where none can come",
    },
    OptionSpec {
        name: "evaluation",
        kind: OptionKind::Choice(&["network", "hand", "material"]),
        about: "`network`: the hand-made evaluation, corrected by a network trained by self-play; `hand`: \
                placement, mobility, attacks and guards with fitted weights; `material`: values of the pieces alone, the usual scale of chariot 9, cannon 4.5, horse 4, elephant and advisor 2, soldier 1 \
                and beyond the river 2",
    },
];

impl Notation for Xiangqi {
    const SIDES: [&'static str; 2] = ["red", "black"];
    const TITLES: Titles = Titles {
        game: Title::new("Xiangqi (Chinese chess)", "中国象棋"),
        sides: [Title::new("Red", "红方"), Title::new("Black", "黑方")],
    };
    const NOTATIONS: &'static [&'static str] = &["chinese", "wxf"];
    const END_REASONS: &'static [&'static str] = &[
        "checkmate",
        "stalemate",
        "dead_material",
        "threefold_repetition",
        "perpetual_check",
        "mutual_perpetual_check",
        "perpetual_chase",
        "mutual_perpetual_chase",
        "sixty_moves",
    ];

    fn facts() -> Facts {
        Facts {
            name: "xiangqi",
            rules: Title::new(
                "Chinese chess, red moves first. A side without a legal move has lost, in check or \
                    not. The third occurrence of a position ends the game: a side that alone checked \
                    perpetually has lost; without any check, a side that alone chased a piece \
                    perpetually has lost; otherwise it is a draw. So are 120 plies without a capture, \
                    of which checks beyond a side's tenth and the replies to them do not count, and \
                    material that cannot win.",
                "中国象棋,红方先走。无着可走的一方负,无论是否被将军。局面第三次出现时对局结束:单方长将者负;双方都不将军时,单方长捉者负;否则为和。连续 120 步没有吃子也为和(双方各自第十次以后的将军及其应着不计),子力不足以取胜亦然。",
            ),
            source: "中国象棋; repetition by the computer rule of xiangqi engines",
            text: Some(
                "FEN: ranks from 9 down to 0, each from file a to i; `K` general, `A` advisor, `B` \
                 or `E` elephant, `N` or `H` horse, `R` chariot, `C` cannon, `P` soldier, in upper \
                 case red's, in lower black's; numbers for empty points; then the side to move, `w` \
                 or `r` for red and `b` for black, `- -`, the plies since the last capture and the \
                 number of the move, which may be left out: \
                 `rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1`; last, where \
                 there were any, the checks by red and black since the last capture: `2/0`",
            ),
            moves: Title::new(
                "file and rank of both points, ranks from 0 on red's side to 9: `h2e2` or `H2-E2`; or as \
                    players write it, in Chinese, `炮二平五`, or in WXF notation, `C2=5`",
                "起点和终点的列与行,行从红方一侧 0 数到 9:`h2e2` 或 `H2-E2`;或照棋手的写法,中文 `炮二平五`,或 WXF 记法 `C2=5`",
            ),
            move_pattern: r"^([a-i][0-9]){2}$",
            unit: "100 = one soldier",
            scale: 1,
            point: 100.0,
            schema: schema_of::<read::XiangqiState>(),
            example: json!({
                "game": "xiangqi", "moves": ["h2e2", "h9g7"], "budget": { "time_ms": 500 }
            }),
            repeated_movers: false,
            options: OPTIONS,
            limits: "the pieces of one set",
        }
    }

    fn read(state: StateInput<'_>, settings: &Settings) -> Result<Self, Fault> {
        match state {
            StateInput::Start => Ok(Self::start(read::rules(settings))),
            StateInput::Text(text) => read::from_text(text, settings),
            StateInput::Json(value) => read::from_json(value, settings),
        }
    }

    // A game ended by the sixty-move rule has no FEN: its clock ends at 119.
    fn text(&self) -> Option<String> {
        let ranks: Vec<_> = (0..RANKS).rev().map(|rank| rank_text(self, rank)).collect();
        let side = if self.mover() == Side::First { 'w' } else { 'b' };
        let (board, quiet, number) = (ranks.join("/"), self.quiet(), self.number());
        let checks = match self.checks() {
            [0, 0] => String::new(),
            [by_red, by_black] => format!(" {by_red}/{by_black}"),
        };
        (quiet < QUIET_PLIES).then(|| format!("{board} {side} - - {quiet} {number}{checks}"))
    }

    fn json(&self) -> Value {
        let row = |rank| (0..FILES).map(|file| mark(self, rank, file).unwrap_or('.')).collect();
        let rows: Vec<String> = (0..RANKS).rev().map(row).collect();
        json!({
            "board": rows,
            "turn": Self::side_name(self.mover()),
            "quiet": self.quiet(),
            "number": self.number(),
            "checks": self.checks(),
        })
    }

    fn move_text(&self, step: XiangqiMove) -> String {
        point(step.from) + &point(step.to)
    }

    fn also_written(&self, step: XiangqiMove) -> Option<String> {
        Some(format!("{}-{}", point(step.from), point(step.to)))
    }

    fn human(&self, step: XiangqiMove, notation: &str) -> String {
        if notation == "wxf" { human::wxf(self, step) } else { human::chinese(self, step) }
    }

    fn meant_by(&self, text: &str) -> Vec<XiangqiMove> {
        human::meant_by(self, text)
    }

    fn objection(&self, text: &str) -> Option<String> {
        if let Some(why) = human::objection(self, text) {
            return Some(why);
        }
        let points: String = text.chars().filter(|&mark| mark != '-').collect();
        let (from, to) = points.split_at_checked(2)?;
        let step = XiangqiMove { from: read_point(from)?, to: read_point(to)? };
        Some(objection(self, step))
    }

    fn board() -> Option<BoardFacts> {
        Some(BoardFacts {
            places: Places::Points,
            columns: letters(FILES),
            rows: numbers(0..=RANKS - 1, true),
            moves: MoveForm::FromTo,
            pieces: PIECES.to_vec(),
            ornaments: ornaments(),
        })
    }

    fn reason(&self, outcome: Outcome) -> &'static str {
        match outcome {
            Outcome::Draw => "dead_material",
            _ if self.in_check() => "checkmate",
            _ => "stalemate",
        }
    }
}

impl Served for Xiangqi {
    type Evaluator = XiangqiEvaluator;

    fn evaluator(&self, settings: &Settings) -> XiangqiEvaluator {
        XiangqiEvaluator::new(match settings.choice("evaluation") {
            "hand" => XiangqiEvaluation::Hand,
            "material" => XiangqiEvaluation::Material,
            _ => XiangqiEvaluation::Network,
        })
    }

    fn strongest(&self) -> &'static str {
        "selective"
    }
}

/// A disc with the character that is its Chinese name.
const fn token(side: usize, mark: char, en: &'static str, zh: &'static str) -> PieceMark {
    let paint = if side == 0 { Paint::Red } else { Paint::Black };
    PieceMark::of(side, mark, en, zh).drawn(PieceForm::Token, paint).written(zh)
}

/// The diagonals of the palaces, the river, and the dots of cannons and soldiers.
fn ornaments() -> Ornaments {
    let palace = |top: usize| [[[3, top], [5, top + 2]], [[5, top], [3, top + 2]]];
    let dots = [(2, [1, 7].as_slice()), (3, &[0, 2, 4, 6, 8]), (6, &[0, 2, 4, 6, 8]), (7, &[1, 7])];
    Ornaments {
        lines: [palace(0), palace(7)].concat(),
        dots: dots
            .iter()
            .flat_map(|&(row, files)| files.iter().map(move |&file| [file, row]))
            .collect(),
        river: Some(4),
    }
}

/// The pieces in the characters that stand for them in a diagram.
const PIECES: [PieceMark; 14] = [
    token(0, 'K', "General", "帅"),
    token(0, 'A', "Advisor", "仕"),
    token(0, 'B', "Elephant", "相"),
    token(0, 'N', "Horse", "马"),
    token(0, 'R', "Chariot", "车"),
    token(0, 'C', "Cannon", "炮"),
    token(0, 'P', "Soldier", "兵"),
    token(1, 'k', "General", "将"),
    token(1, 'a', "Advisor", "士"),
    token(1, 'b', "Elephant", "象"),
    token(1, 'n', "Horse", "马"),
    token(1, 'r', "Chariot", "车"),
    token(1, 'c', "Cannon", "炮"),
    token(1, 'p', "Soldier", "卒"),
];

fn letter(side: Side, kind: PieceKind) -> char {
    let letter = char::from(LETTERS.as_bytes()[kind.index()]);
    if side == Side::First { letter } else { letter.to_ascii_lowercase() }
}

fn mark(pos: &Xiangqi, rank: usize, file: usize) -> Option<char> {
    pos.at((rank * FILES + file) as u8).map(|(side, kind)| letter(side, kind))
}

/// A rank in FEN, with counts of empty points.
fn rank_text(pos: &Xiangqi, rank: usize) -> String {
    let (mut text, mut empty) = (String::new(), 0);
    for file in 0..FILES {
        match mark(pos, rank, file) {
            None => empty += 1,
            Some(mark) => {
                text.extend(char::from_digit(empty, 10).filter(|_| empty > 0));
                text.push(mark);
                empty = 0;
            }
        }
    }
    text.extend(char::from_digit(empty, 10).filter(|_| empty > 0));
    text
}

fn point(square: u8) -> String {
    format!("{}{}", char::from(b'a' + file_of(square)), rank_of(square))
}

fn read_point(text: &str) -> Option<u8> {
    (0..(FILES * RANKS) as u8).find(|&square| point(square).eq_ignore_ascii_case(text))
}

/// English name of a piece kind.
fn word(kind: PieceKind) -> &'static str {
    ["general", "advisor", "elephant", "horse", "chariot", "cannon", "soldier"][kind.index()]
}

/// Reason why a move is illegal.
fn objection(pos: &Xiangqi, step: XiangqiMove) -> String {
    let (from, to) = (point(step.from), point(step.to));
    let own = pos.mover();
    let Some((_, kind)) = pos.at(step.from).filter(|(side, _)| *side == own) else {
        let mover = Xiangqi::side_name(own);
        let found = pos.at(step.from).map_or("nothing".into(), |(side, kind)| {
            format!("a {} {}", Xiangqi::side_name(side), word(kind))
        });
        return format!("it is {mover}'s turn, and {found} stands on {from}");
    };
    let kind_name = word(kind);
    if has(pos.of(own), step.to) {
        return format!("a piece of the same side stands on {to}");
    }
    if !has(pos.reach(step.from, kind), step.to) {
        return format!("the {kind_name} on {from} cannot go to {to}");
    }
    let next = pos.after(step);
    format!("it leaves the general attacked by {}", attackers(&next, own))
}

/// The attackers of a side's general, in words.
fn attackers(pos: &Xiangqi, side: Side) -> String {
    let general = pos.general(side);
    let other = pos.general(side.other());
    let mut all = pos.attackers_to(general, pos.occupied()) & pos.of(side.other());
    if pos.generals_face() {
        all |= bit(other);
    }
    let name = |square| {
        let kind = pos.kind_at(square).map_or("piece", word);
        format!("the {kind} on {}", point(square))
    };
    squares(all).map(name).collect::<Vec<_>>().join(" and ")
}
