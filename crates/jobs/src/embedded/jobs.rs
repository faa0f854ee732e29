//! Jobs: taken, cancelled, looked at, forgotten.

use std::time::Duration;

use tokio_rusqlite::rusqlite::types::Type;
use tokio_rusqlite::rusqlite::{
    Connection, Error, OptionalExtension, Result, Row, named_params, params,
};

use super::{ms, now_ms};
use crate::deflated::Deflated;
use crate::queue::{
    Backlog, Enqueued, ItemOutcome, ItemResult, JobFilter, JobId, JobState, JobStatus, NewJob,
    QueueLimits,
};

pub(super) fn enqueue(db: &Connection, job: &NewJob, limits: &QueueLimits) -> Result<Enqueued> {
    if let Some(known) = known(db, job, limits.keep)? {
        return Ok(known);
    }
    let open = "SELECT count(*) FROM job WHERE owner = ?1 AND state = 0";
    let open: u32 = db.prepare_cached(open)?.query_row([&job.owner], |row| row.get(0))?;
    if open >= limits.open_jobs {
        return Ok(Enqueued::TooMany);
    }
    let id = JobId::draw();
    let (key, digest) = job.key.as_ref().map(|key| (&key.key, &key.digest)).unzip();
    // A job without items is done.
    let ended = (job.items() == 0).then(now_ms);
    db.prepare_cached(
        "INSERT INTO job (id, owner, kind, key, digest, items, waiting, created_ms, state, ended_ms, turn_us)
         VALUES (:id, :owner, :kind, :key, :digest, :items, :pieces, :now, :state, :ended,
             coalesce((SELECT max(turn_us) FROM job WHERE owner = :owner AND state = 0), 0))",
    )?
    .execute(named_params! {
        ":id": id.to_string(), ":owner": job.owner, ":kind": job.kind, ":key": key,
        ":digest": digest, ":items": job.items(), ":pieces": job.pieces.len(), ":now": now_ms(),
        ":state": ended.is_some(), ":ended": ended,
    })?;
    let number = db.last_insert_rowid();
    db.prepare_cached("INSERT INTO head (job, head) VALUES (?1, ?2)")?
        .execute(params![number, job.head])?;
    let mut insert = db
        .prepare_cached("INSERT INTO piece (job, piece, items, payload) VALUES (?1, ?2, ?3, ?4)")?;
    for (place, piece) in job.pieces.iter().enumerate() {
        let items = serde_json::to_string(&piece.items).unwrap_or_default();
        insert.execute(params![number, place, items, piece.payload])?;
    }
    let status = status(db, id, limits.keep)?;
    Ok(Enqueued::New(status.unwrap_or_else(|| unreachable!("it has just been written"))))
}

/// What is known under the same name.
fn known(db: &Connection, job: &NewJob, keep: Duration) -> Result<Option<Enqueued>> {
    let Some(key) = &job.key else { return Ok(None) };
    let named = "SELECT id, digest, kind FROM job WHERE owner = ?1 AND key = ?2";
    let found = |row: &Row<'_>| {
        Ok((row.get::<_, String>(0)?, row.get::<_, Vec<u8>>(1)?, row.get::<_, String>(2)?))
    };
    let found = db.prepare_cached(named)?.query_row([&job.owner, &key.key], found).optional()?;
    let Some((id, digest, kind)) = found else { return Ok(None) };
    if digest != key.digest || kind != job.kind {
        return Ok(Some(Enqueued::KeyReused));
    }
    Ok(status(db, read_id(&id), keep)?.map(Enqueued::Known))
}

fn read_id(id: &str) -> JobId {
    id.parse().unwrap_or_else(|_| unreachable!("ids are written by this module"))
}

pub(super) fn cancel(db: &Connection, job: JobId) -> Result<()> {
    let mut cancel =
        db.prepare_cached("UPDATE job SET state = 2, ended_ms = ?2 WHERE id = ?1 AND state = 0")?;
    cancel.execute(params![job.to_string(), now_ms()])?;
    // Nobody needs what waited: there is room for others.
    db.prepare_cached(
        "DELETE FROM piece WHERE state = 0 AND job = (SELECT number FROM job WHERE id = ?1 AND state = 2)",
    )?
    .execute([job.to_string()])
    .map(drop)
}

const STATUS: &str =
    "SELECT id, owner, kind, state, items, done, failed, held, created_ms, ended_ms FROM job";

fn status_of(row: &Row<'_>, keep: Duration) -> Result<JobStatus> {
    let ended_ms: Option<u64> = row.get(9)?;
    let mut status = JobStatus {
        id: read_id(&row.get::<_, String>(0)?),
        owner: row.get(1)?,
        kind: row.get(2)?,
        state: JobState::Running,
        items: row.get(4)?,
        done: row.get(5)?,
        failed: row.get(6)?,
        created_ms: row.get(8)?,
        ended_ms,
        expires_ms: ended_ms.map(|ended| ended + ms(keep)),
    };
    status.state = match row.get(3)? {
        0 if row.get::<_, u32>(7)? == 0 && status.done + status.failed == 0 => JobState::Waiting,
        0 => JobState::Running,
        1 => JobState::Done,
        _ => JobState::Cancelled,
    };
    Ok(status)
}

pub(super) fn status(db: &Connection, job: JobId, keep: Duration) -> Result<Option<JobStatus>> {
    let mut status = db.prepare_cached(&format!("{STATUS} WHERE id = ?1"))?;
    status.query_row([job.to_string()], |row| status_of(row, keep)).optional()
}

pub(super) fn list(db: &Connection, filter: &JobFilter, keep: Duration) -> Result<Vec<JobStatus>> {
    let (states, begun) = match filter.state {
        None => ("0, 1, 2", None),
        Some(JobState::Waiting) => ("0", Some(false)),
        Some(JobState::Running) => ("0", Some(true)),
        Some(JobState::Done) => ("1", None),
        Some(JobState::Cancelled) => ("2", None),
    };
    let mut list = db.prepare_cached(&format!(
        "{STATUS} WHERE owner = :owner AND state IN ({states})
             AND (:kind IS NULL OR kind = :kind)
             AND (:begun IS NULL OR (held + done + failed > 0) = :begun)
         ORDER BY number DESC LIMIT :limit"
    ))?;
    let wanted = named_params! {
        ":owner": filter.owner, ":kind": filter.kind, ":begun": begun, ":limit": filter.limit,
    };
    list.query_map(wanted, |row| status_of(row, keep))?.collect()
}

pub(super) fn head(db: &Connection, job: JobId) -> Result<Option<Vec<u8>>> {
    let mut head = db.prepare_cached(
        "SELECT head.head FROM head JOIN job ON job.number = head.job WHERE job.id = ?1",
    )?;
    head.query_row([job.to_string()], |row| row.get(0)).optional()
}

const RESULT: &str = "SELECT result.event, result.item, result.outcome, result.body
                      FROM result JOIN job ON job.number = result.job WHERE job.id = ?1";

fn result_of(row: &Row<'_>) -> Result<ItemResult> {
    let outcome = match row.get(2)? {
        0 => ItemOutcome::Done,
        1 => ItemOutcome::Failed,
        _ => ItemOutcome::Abandoned,
    };
    let body = Deflated::inflate(row.get_ref(3)?.as_blob()?)
        .map_err(|why| Error::FromSqlConversionFailure(3, Type::Blob, Box::new(why)))?;
    Ok(ItemResult { event: row.get(0)?, item: row.get(1)?, outcome, body })
}

pub(super) fn events(
    db: &Connection,
    job: JobId,
    after: u64,
    limit: u32,
) -> Result<Vec<ItemResult>> {
    let order = format!("{RESULT} AND result.event > ?2 ORDER BY result.event LIMIT ?3");
    let mut events = db.prepare_cached(&order)?;
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    events.query_map(params![job.to_string(), after, limit], result_of)?.collect()
}

pub(super) fn results(
    db: &Connection,
    job: JobId,
    from: u32,
    limit: u32,
) -> Result<Vec<ItemResult>> {
    let order = format!("{RESULT} AND result.item >= ?2 ORDER BY result.item LIMIT ?3");
    let mut results = db.prepare_cached(&order)?;
    results.query_map(params![job.to_string(), from, limit], result_of)?.collect()
}

pub(super) fn backlog(db: &Connection) -> Result<Backlog> {
    let mut sums = db.prepare_cached(
        "SELECT coalesce(sum(waiting), 0), coalesce(sum(held), 0),
             min(created_ms) FILTER (WHERE waiting > 0)
         FROM job WHERE state = 0",
    )?;
    sums.query_row([], |row| {
        let since: Option<u64> = row.get(2)?;
        let oldest = since.map_or(0, |since| now_ms().saturating_sub(since));
        let oldest = Duration::from_millis(oldest);
        Ok(Backlog { waiting: row.get(0)?, held: row.get(1)?, oldest })
    })
}

pub(super) fn expire(db: &Connection, ended_ms: u64) -> Result<()> {
    let mut expire = db.prepare_cached("DELETE FROM job WHERE ended_ms < ?1")?;
    expire.execute([ended_ms]).map(drop)
}
