CREATE TABLE IF NOT EXISTS job (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    kind TEXT NOT NULL,
    key TEXT,
    digest BLOB,
    -- 0 open, 1 done, 2 cancelled
    state INTEGER NOT NULL DEFAULT 0,
    items INTEGER NOT NULL,
    done INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    -- Pieces that wait, and pieces that are held.
    waiting INTEGER NOT NULL,
    held INTEGER NOT NULL DEFAULT 0,
    -- When a piece of its owner was last claimed, in us since 1970. In every open job, so that an index finds the next.
    turn_us INTEGER NOT NULL DEFAULT 0,
    created_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    UNIQUE (owner, key)
) STRICT;

CREATE INDEX IF NOT EXISTS job_turn ON job (turn_us, number) WHERE state = 0 AND waiting > 0;
-- Open ones, of one owner and of all.
CREATE INDEX IF NOT EXISTS job_open ON job (owner) WHERE state = 0;
CREATE INDEX IF NOT EXISTS job_owner ON job (owner, number);
CREATE INDEX IF NOT EXISTS job_ended ON job (ended_ms) WHERE ended_ms IS NOT NULL;

-- Apart: a row of `job` changes with every result.
CREATE TABLE IF NOT EXISTS head (
    job INTEGER PRIMARY KEY REFERENCES job ON DELETE CASCADE,
    head BLOB NOT NULL
) STRICT;

-- Those that are not over.
CREATE TABLE IF NOT EXISTS piece (
    job INTEGER NOT NULL REFERENCES job ON DELETE CASCADE,
    piece INTEGER NOT NULL,
    -- Numbers of its items, as JSON.
    items TEXT NOT NULL,
    payload BLOB NOT NULL,
    -- 0 waiting, 1 held
    state INTEGER NOT NULL DEFAULT 0,
    deliveries INTEGER NOT NULL DEFAULT 0,
    -- Deliveries without any progress.
    tries INTEGER NOT NULL DEFAULT 0,
    lease_ms INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (job, piece)
) STRICT;

CREATE INDEX IF NOT EXISTS piece_waiting ON piece (job, piece) WHERE state = 0;
CREATE INDEX IF NOT EXISTS piece_lease ON piece (lease_ms) WHERE state = 1;

CREATE TABLE IF NOT EXISTS result (
    job INTEGER NOT NULL REFERENCES job ON DELETE CASCADE,
    item INTEGER NOT NULL,
    event INTEGER NOT NULL,
    -- 0 done, 1 failed, 2 abandoned
    outcome INTEGER NOT NULL,
    -- Deflated: answers repeat themselves.
    body BLOB NOT NULL,
    PRIMARY KEY (job, item)
) STRICT;

CREATE UNIQUE INDEX IF NOT EXISTS result_event ON result (job, event);

CREATE TABLE IF NOT EXISTS answer (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    key BLOB NOT NULL UNIQUE,
    rank INTEGER NOT NULL,
    body BLOB NOT NULL
) STRICT;
