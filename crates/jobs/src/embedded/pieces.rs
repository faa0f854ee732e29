//! Pieces: claimed, held, ended, given back.

use std::time::Duration;

use tokio_rusqlite::rusqlite::{Connection, OptionalExtension, Result, Row, named_params, params};

use super::{ms, now, now_ms};
use crate::deflated::Deflated;
use crate::queue::{Claim, Hold, ItemOutcome, Token};

fn json(items: &str) -> Vec<u32> {
    serde_json::from_str(items).unwrap_or_default()
}

/// Whether there may be a piece to claim: one that waits, or whose lease has ended.
pub(super) fn is_any(db: &Connection) -> Result<bool> {
    let mut any = db.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM job WHERE state = 0 AND waiting > 0)
             OR EXISTS (SELECT 1 FROM piece WHERE state = 1 AND lease_ms < ?1)",
    )?;
    any.query_row([now_ms()], |row| row.get(0))
}

/// Takes back the pieces whose leases have ended. Where one has been held too often without any progress, the item that
/// is next is to blame: it is abandoned.
pub(super) fn reclaim(db: &Connection, tries: u32) -> Result<()> {
    let mut ended = db.prepare_cached(
        "SELECT job, piece, tries, items FROM piece WHERE state = 1 AND lease_ms < ?1",
    )?;
    let place = |row: &Row<'_>| {
        Ok((row.get(0)?, row.get(1)?, row.get::<_, u32>(2)?, row.get::<_, String>(3)?))
    };
    let ended: Vec<(i64, u32, u32, String)> =
        ended.query_map([now_ms()], place)?.collect::<Result<_>>()?;
    for (job, piece, tried, items) in ended {
        put_back(db, job, piece)?;
        if tried < tries {
            continue;
        }
        for item in json(&items) {
            if !has_result(db, job, item)? {
                store(db, job, item, ItemOutcome::Abandoned, &Deflated::of(&[]))?;
                break;
            }
        }
        db.prepare_cached("UPDATE piece SET tries = 0 WHERE job = ?1 AND piece = ?2")?
            .execute(params![job, piece])?;
    }
    Ok(())
}

fn has_result(db: &Connection, job: i64, item: u32) -> Result<bool> {
    db.prepare_cached("SELECT 1 FROM result WHERE job = ?1 AND item = ?2")?
        .exists(params![job, item])
}

/// A held piece waits again.
fn put_back(db: &Connection, job: i64, piece: u32) -> Result<()> {
    db.prepare_cached("UPDATE piece SET state = 0 WHERE job = ?1 AND piece = ?2")?
        .execute(params![job, piece])?;
    db.prepare_cached("UPDATE job SET held = held - 1, waiting = waiting + 1 WHERE number = ?1")?
        .execute([job])?;
    Ok(())
}

/// A held piece is over.
fn end(db: &Connection, job: i64, piece: u32) -> Result<()> {
    db.prepare_cached("DELETE FROM piece WHERE job = ?1 AND piece = ?2")?
        .execute(params![job, piece])?;
    db.prepare_cached("UPDATE job SET held = held - 1 WHERE number = ?1")?.execute([job])?;
    Ok(())
}

/// Hands out the next piece of the owner who has waited longest, of the first job with one that waits.
pub(super) fn claim(db: &Connection, lease: Duration) -> Result<Option<Claim>> {
    let mut turn = db.prepare_cached(
        "SELECT number, id, kind FROM job WHERE state = 0 AND waiting > 0
         ORDER BY turn_us, number LIMIT 1",
    )?;
    let job = |row: &Row<'_>| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?))
    };
    let Some((number, id, kind)) = turn.query_row([], job).optional()? else { return Ok(None) };
    let mut next = db.prepare_cached(
        "UPDATE piece
         SET state = 1, deliveries = deliveries + 1, tries = tries + 1, lease_ms = :lease
         WHERE job = :job AND piece =
             (SELECT min(piece) FROM piece WHERE job = :job AND state = 0)
         RETURNING piece, deliveries, tries, payload, items",
    )?;
    let of_row = |row: &Row<'_>| {
        let job = id.parse().unwrap_or_else(|_| unreachable!("ids are written by this module"));
        let token = Token { job, piece: row.get(0)?, delivery: row.get(1)? };
        let items = json(&row.get::<_, String>(4)?);
        let (tries, payload) = (row.get(2)?, row.get(3)?);
        Ok(Claim { token, kind: kind.clone(), payload, items, done: Vec::new(), tries })
    };
    let lease = now_ms() + ms(lease);
    let mut claim = next.query_row(named_params! { ":job": number, ":lease": lease }, of_row)?;
    let turn = u64::try_from(now().as_micros()).unwrap_or(u64::MAX >> 1);
    db.prepare_cached("UPDATE job SET waiting = waiting - 1, held = held + 1 WHERE number = ?1")?
        .execute([number])?;
    // It was the turn of the owner, whatever the number of jobs.
    db.prepare_cached(
        "UPDATE job SET turn_us = ?2
         WHERE state = 0 AND owner = (SELECT owner FROM job WHERE number = ?1)",
    )?
    .execute(params![number, turn])?;
    for &item in &claim.items {
        if has_result(db, number, item)? {
            claim.done.push(item);
        }
    }
    Ok(Some(claim))
}

/// Number of the job of a claim that holds.
fn held(db: &Connection, token: Token) -> Result<Option<i64>> {
    let mut held = db.prepare_cached(
        "SELECT job.number FROM job JOIN piece ON piece.job = job.number
         WHERE job.id = ?1 AND job.state < 2
             AND piece.piece = ?2 AND piece.deliveries = ?3 AND piece.state = 1",
    )?;
    let token = params![token.job.to_string(), token.piece, token.delivery];
    held.query_row(token, |row| row.get(0)).optional()
}

/// Does something to a claim that holds.
fn if_held(db: &Connection, token: Token, work: impl FnOnce(i64) -> Result<()>) -> Result<Hold> {
    match held(db, token)? {
        Some(job) => work(job).map(|()| Hold::Held),
        None => Ok(Hold::Lost),
    }
}

/// Holds a claim longer. As long as two thirds of its lease are left that is no write, for which processes would wait for
/// each other.
pub(super) fn extend(db: &Connection, token: Token, lease: Duration) -> Result<Hold> {
    if_held(db, token, |job| {
        let (until, least) = (now_ms() + ms(lease), now_ms() + ms(lease * 2 / 3));
        let mut left =
            db.prepare_cached("SELECT lease_ms FROM piece WHERE job = ?1 AND piece = ?2")?;
        if left.query_row(params![job, token.piece], |row| row.get::<_, u64>(0))? >= least {
            return Ok(());
        }
        db.prepare_cached("UPDATE piece SET lease_ms = ?3 WHERE job = ?1 AND piece = ?2")?
            .execute(params![job, token.piece, until])
            .map(drop)
    })
}

pub(super) fn checkpoint(
    db: &Connection,
    token: Token,
    item: u32,
    outcome: ItemOutcome,
    body: &Deflated,
) -> Result<Hold> {
    if_held(db, token, |job| {
        store(db, job, item, outcome, body)?;
        db.prepare_cached("UPDATE piece SET tries = 0 WHERE job = ?1 AND piece = ?2")?
            .execute(params![job, token.piece])
            .map(drop)
    })
}

/// Stores the result of an item unless it has one. With its last one the job is done.
fn store(
    db: &Connection,
    job: i64,
    item: u32,
    outcome: ItemOutcome,
    body: &Deflated,
) -> Result<()> {
    let mut insert = db.prepare_cached(
        "INSERT OR IGNORE INTO result (job, item, event, outcome, body)
         SELECT number, ?2, done + failed + 1, ?3, ?4 FROM job WHERE number = ?1 AND state = 0",
    )?;
    if insert.execute(params![job, item, outcome as u8, body.0])? == 0 {
        return Ok(());
    }
    let is_done = outcome == ItemOutcome::Done;
    db.prepare_cached(
        "UPDATE job SET done = done + ?2, failed = failed + 1 - ?2,
             state = (done + failed + 1 = items),
             ended_ms = CASE WHEN done + failed + 1 = items THEN ?3 END
         WHERE number = ?1",
    )?
    .execute(params![job, is_done, now_ms()])
    .map(drop)
}

pub(super) fn complete(db: &Connection, token: Token) -> Result<Hold> {
    if_held(db, token, |job| end(db, job, token.piece))
}

pub(super) fn release(db: &Connection, token: Token) -> Result<Hold> {
    if_held(db, token, |job| {
        db.prepare_cached(
            "UPDATE piece SET tries = max(tries - 1, 0) WHERE job = ?1 AND piece = ?2",
        )?
        .execute(params![job, token.piece])?;
        put_back(db, job, token.piece)
    })
}
