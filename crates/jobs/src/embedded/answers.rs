//! Known answers: the latest ones.

use tokio_rusqlite::rusqlite::types::Type;
use tokio_rusqlite::rusqlite::{Connection, Error, OptionalExtension, Result, Row, params};

use crate::answers::{AnswerKey, KnownAnswer};
use crate::deflated::Deflated;

/// Answers that are kept: of 10 to 45 KiB, deflated to a tenth.
const MOST: u32 = 100_000;

pub(super) fn known(db: &Connection, key: &AnswerKey) -> Result<Option<KnownAnswer>> {
    let read = |row: &Row<'_>| {
        let body = Deflated::inflate(row.get_ref(1)?.as_blob()?)
            .map_err(|why| Error::FromSqlConversionFailure(1, Type::Blob, Box::new(why)))?;
        Ok(KnownAnswer { rank: row.get(0)?, body })
    };
    let mut known = db.prepare_cached("SELECT rank, body FROM answer WHERE key = ?1")?;
    known.query_row([key], read).optional()
}

pub(super) fn learn(db: &Connection, key: &AnswerKey, rank: u64, body: &Deflated) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO answer (key, rank, body) VALUES (?1, ?2, ?3)
         ON CONFLICT (key) DO UPDATE SET rank = ?2, body = ?3 WHERE rank < ?2",
    )?
    .execute(params![key, rank, body.0])?;
    db.prepare_cached("DELETE FROM answer WHERE number <= (SELECT max(number) FROM answer) - ?1")?
        .execute([MOST])
        .map(drop)
}
