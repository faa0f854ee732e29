//! A review as one HTML page that needs nothing else.

use catalog::review::ReviewAnswer;
use catalog::review::answer::MoveReview;

use super::{number, percent, remark, side_line, word};

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;\
color:#222;background:#fff}svg{width:100%;height:auto}table{border-collapse:collapse;width:100%}\
th,td{padding:.2rem .5rem;text-align:left;border-bottom:1px solid #ddd}td.n{text-align:right;\
font-variant-numeric:tabular-nums}tr.inaccuracy{background:#fff8dc}tr.error{background:#ffe4c4}\
tr.blunder{background:#ffd0cc}@media(prefers-color-scheme:dark){body{color:#eee;background:#1b1b1b}\
svg{background:#fff}tr.inaccuracy{background:#4a4520}tr.error{background:#5a3c1c}tr.blunder{background:#662a26}}";

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
    let rows: String = review.moves.iter().map(row).collect();
    let sides: String =
        review.sides.iter().map(|side| format!("<li>{}</li>", escaped(&side_line(side)))).collect();
    let shares = &review.shares;
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>{title}</title><style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n\
         {chart}\n<ul>{sides}<li>excitement {}, {} changes of the lead</li><li>start {} % + skill {} + luck {} + \
         unexplained {} = result {} %</li></ul>\n<table><thead><tr><th>ply</th><th>side</th><th>move</th><th>win %</th>\
         <th>loss</th><th>points</th><th>remark</th></tr></thead><tbody>\n{rows}</tbody></table>\n</body></html>\n",
        number(review.excitement),
        review.drama.lead_changes,
        percent(shares.start),
        percent(shares.skill),
        percent(shares.luck),
        percent(shares.unexplained),
        percent(shares.result),
    )
}

fn row(one: &MoveReview) -> String {
    format!(
        "<tr class=\"{}\"><td class=\"n\">{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
         <td class=\"n\">{}</td><td>{}</td></tr>\n",
        word(one.label),
        one.ply + 1,
        escaped(one.side),
        escaped(&one.mv),
        percent(one.win_probability),
        percent(one.loss),
        number(one.points),
        escaped(&remark(one)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup() {
        assert_eq!(escaped("<b> & \"c\""), "&lt;b&gt; &amp; &quot;c&quot;");
    }
}
