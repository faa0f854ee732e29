//! A review as one HTML page that needs nothing else.

use catalog::review::ReviewAnswer;

use super::{COLUMNS, rows, totals};
use catalog::review::file::word;

/// On a narrow screen a remark has a row of its own, and the chart is scrolled.
const STYLE: &str = "\
body{font:15px/1.45 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
h1{font-size:1.5rem}ul{padding-left:1.2rem}.chart{overflow-x:auto}svg{width:100%;min-width:38rem;height:auto}
table{border-collapse:collapse;width:100%}th,td{padding:.2rem .5rem;text-align:left;border-bottom:1px solid #ddd}
th{white-space:nowrap}.n{text-align:right;font-variant-numeric:tabular-nums}.r{overflow-wrap:anywhere}
tr.inaccuracy{background:#fff8dc}tr.error{background:#ffe4c4}tr.blunder{background:#ffd0cc}
tr.turn td:first-child{box-shadow:inset 3px 0 #c33}
@media(max-width:40rem){thead,tbody{display:block}tr{display:grid;\
grid-template-columns:2.2rem 3.2rem 1fr 3.4rem 2.8rem 3.8rem;border-bottom:1px solid #ddd}th,td{padding:.2rem;border:0}
.r{grid-column:2/-1}th.r{display:none}}
@media(prefers-color-scheme:dark){body{color:#eee;background:#1b1b1b}svg{filter:invert(.9) hue-rotate(180deg)}
th,td,tr{border-color:#444}tr.inaccuracy{background:#4a4520}tr.error{background:#5a3c1c}\
tr.blunder{background:#662a26}}";
/// Class of each column: numbers, words, the remark.
const CLASSES: [&str; 7] = ["n", "w", "w", "n", "n", "n", "r"];

/// Text in which nothing is markup.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '"' => out += "&quot;",
            c => out.push(c),
        }
    }
    out
}

pub(super) fn html(title: &str, chart: &str, review: &ReviewAnswer) -> String {
    let title = escaped(title);
    let head = row("th", "", &COLUMNS.map(str::to_owned));
    let rows: String = rows(review)
        .iter()
        .map(|(ply, cells)| row("td", &row_class(review, *ply), cells))
        .collect();
    let lines = totals(review);
    let lines: String = lines.iter().map(|line| format!("<li>{}</li>", escaped(line))).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>{title}</title><style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n\
         <div class=\"chart\">{chart}</div>\n<ul>{lines}</ul>\n<table><thead>{head}</thead><tbody>\n{rows}</tbody>\
         </table>\n</body></html>\n"
    )
}

/// The label of the move in this place, and whether it turns the game.
fn row_class(review: &ReviewAnswer, ply: usize) -> String {
    let label = review.moves.iter().find(|one| one.ply == ply).and_then(|one| one.label);
    let turn = if review.turning_points.contains(&ply) { " turn" } else { "" };
    format!("{}{turn}", label.map_or_else(String::new, word))
}

fn row(tag: &str, class: &str, cells: &[String; 7]) -> String {
    let cell = |(text, class): (&String, &str)| {
        format!("<{tag} class=\"{class}\">{}</{tag}>", escaped(text))
    };
    let cells: String = cells.iter().zip(CLASSES).map(cell).collect();
    format!("<tr class=\"{}\">{cells}</tr>\n", class.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup() {
        assert_eq!(escaped("<b> & \"c\""), "&lt;b&gt; &amp; &quot;c&quot;");
    }
}
