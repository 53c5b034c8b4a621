/**
 * The migrations of the schema, in order. Existing steps never change. Row IDs are never reused, because segments keep the IDs of
 * deleted revisions and chunks. Each part of a text has its offset and the number of line breaks before it. A revision with `is_whole`
 * = 0 is being written. A revision that was forced to be read again has the number of its version as `edition`.
 */
export const SQLITE_MIGRATIONS: readonly string[] = [
  `CREATE TABLE collections (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    description TEXT NOT NULL,
    embedder TEXT,
    dimension INTEGER,
    chunk_size INTEGER NOT NULL,
    chunk_overlap INTEGER NOT NULL,
    active INTEGER,
    pinned INTEGER,
    metadata TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE versions (
    collection INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    parent INTEGER,
    status TEXT NOT NULL CHECK (status IN ('building', 'ready', 'failed', 'archived')),
    embedder TEXT NOT NULL,
    dimension INTEGER NOT NULL,
    chunk_size INTEGER NOT NULL,
    chunk_overlap INTEGER NOT NULL,
    documents INTEGER NOT NULL DEFAULT 0,
    chunks INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0,
    checksum TEXT,
    delta TEXT NOT NULL DEFAULT '{}',
    quality TEXT,
    created_at TEXT NOT NULL,
    ready_at TEXT,
    promoted_at TEXT,
    PRIMARY KEY (collection, number)
  ) STRICT;
  CREATE TABLE documents (
    id TEXT PRIMARY KEY,
    collection INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    UNIQUE (collection, source)
  ) STRICT;
  CREATE TABLE revisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    fingerprint TEXT NOT NULL,
    edition INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    is_whole INTEGER NOT NULL,
    origin TEXT NOT NULL CHECK (origin IN ('file', 'text')),
    url TEXT,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    license TEXT,
    language TEXT,
    encoding TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    chunks INTEGER NOT NULL,
    modified_at TEXT,
    metadata TEXT NOT NULL,
    created_at TEXT NOT NULL,
    UNIQUE (document, fingerprint, edition)
  ) STRICT;
  CREATE TABLE texts (
    revision INTEGER NOT NULL REFERENCES revisions (id) ON DELETE CASCADE,
    part INTEGER NOT NULL,
    first INTEGER NOT NULL,
    line INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (revision, part)
  ) STRICT;
  CREATE TABLE maps (
    revision INTEGER PRIMARY KEY REFERENCES revisions (id) ON DELETE CASCADE,
    map BLOB NOT NULL
  ) STRICT;
  CREATE TABLE members (
    collection INTEGER NOT NULL,
    version INTEGER NOT NULL,
    revision INTEGER NOT NULL REFERENCES revisions (id) ON DELETE CASCADE,
    PRIMARY KEY (collection, version, revision),
    FOREIGN KEY (collection, version) REFERENCES versions (collection, number) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX members_by_revision ON members (revision);
  CREATE TABLE chunks (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    revision INTEGER NOT NULL REFERENCES revisions (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    type TEXT NOT NULL,
    headings TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    hash TEXT NOT NULL,
    content TEXT NOT NULL
  ) STRICT;
  CREATE INDEX chunks_by_revision ON chunks (revision, ordinal);
  CREATE INDEX chunks_by_hash ON chunks (hash);
  CREATE TABLE embeddings (
    embedder TEXT NOT NULL,
    hash TEXT NOT NULL,
    scale REAL NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (hash, embedder)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE segments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    collection INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    embedder TEXT NOT NULL,
    dimension INTEGER NOT NULL,
    rows INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE segment_revisions (
    segment INTEGER NOT NULL REFERENCES segments (id) ON DELETE CASCADE,
    revision INTEGER NOT NULL REFERENCES revisions (id) ON DELETE CASCADE,
    rows INTEGER NOT NULL,
    PRIMARY KEY (segment, revision)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX segment_revisions_by_revision ON segment_revisions (revision);
  CREATE TABLE segment_columns (
    segment INTEGER NOT NULL REFERENCES segments (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    part INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (segment, name, part)
  ) STRICT;
  CREATE TABLE segment_terms (
    segment INTEGER NOT NULL REFERENCES segments (id) ON DELETE CASCADE,
    term TEXT NOT NULL,
    postings BLOB NOT NULL,
    PRIMARY KEY (segment, term)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE version_segments (
    collection INTEGER NOT NULL,
    version INTEGER NOT NULL,
    segment INTEGER NOT NULL REFERENCES segments (id) ON DELETE CASCADE,
    PRIMARY KEY (collection, version, segment),
    FOREIGN KEY (collection, version) REFERENCES versions (collection, number) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX version_segments_by_segment ON version_segments (segment);
  CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    collection INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed', 'cancelled')),
    stage TEXT NOT NULL,
    done INTEGER NOT NULL DEFAULT 0,
    total INTEGER NOT NULL DEFAULT 0,
    succeeded INTEGER NOT NULL DEFAULT 0,
    skipped INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    message TEXT,
    holder TEXT NOT NULL,
    beat_at TEXT NOT NULL,
    started_at TEXT NOT NULL,
    ended_at TEXT
  ) STRICT;
  CREATE INDEX runs_by_collection ON runs (collection, started_at);
  CREATE TABLE outcomes (
    run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('success', 'failed', 'skipped')),
    reason TEXT,
    document TEXT,
    PRIMARY KEY (run, source)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE golden (
    collection INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    question TEXT NOT NULL,
    relevant TEXT NOT NULL,
    PRIMARY KEY (collection, question)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE evaluations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    collection INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    at TEXT NOT NULL,
    questions INTEGER NOT NULL,
    measures TEXT NOT NULL,
    passed INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE bound_tools (
    name TEXT PRIMARY KEY,
    collection INTEGER NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    version INTEGER,
    operation TEXT NOT NULL CHECK (operation IN ('search', 'answer')),
    description TEXT NOT NULL,
    defaults TEXT NOT NULL,
    is_active INTEGER NOT NULL,
    created_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE flows (
    id TEXT PRIMARY KEY,
    description TEXT NOT NULL,
    steps TEXT NOT NULL,
    checksum TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    collection TEXT NOT NULL,
    kind TEXT NOT NULL,
    note TEXT
  ) STRICT;`,
  "ALTER TABLE collections ADD COLUMN folder TEXT;",
];

/**
 * Tables that only PostgreSQL has. `segment_vectors` has one row per vector, not compressed up to the size of a page. `chunk_words` has
 * the word positions of passages for phrases; `is_cut` = 1 means that not all of them fit.
 */
const POSTGRES_ONLY = `
  CREATE TABLE segment_vectors (
    segment BIGINT NOT NULL REFERENCES segments (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    vector HALFVEC NOT NULL,
    PRIMARY KEY (segment, place)
  ) WITH (toast_tuple_target = 8160);
  CREATE TABLE chunk_words (
    number BIGINT PRIMARY KEY REFERENCES chunks (number) ON DELETE CASCADE,
    words TSVECTOR NOT NULL,
    is_cut INTEGER NOT NULL
  );
  CREATE INDEX chunk_words_by_word ON chunk_words USING gin (words);
  CREATE INDEX chunk_words_cut ON chunk_words (number) WHERE is_cut = 1;
  ALTER TABLE segment_columns ALTER COLUMN bytes SET STORAGE EXTERNAL;
  ALTER TABLE segment_terms ALTER COLUMN postings SET STORAGE EXTERNAL;`;

/** Translates a migration to PostgreSQL. Text is compared by bytes in both, and IDs are 64-bit integers. */
const toPostgres = (form: string): string =>
  form
    .replace(/\) STRICT(?:, WITHOUT ROWID)?;/g, ");")
    .replaceAll("INTEGER PRIMARY KEY AUTOINCREMENT", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY")
    .replace(/^(\s+(?:collection|revision|segment|bytes)) INTEGER/gm, "$1 BIGINT")
    .replace(/ TEXT\b/g, ' TEXT COLLATE "C"')
    .replace(/ BLOB\b/g, " BYTEA")
    .replace(/ REAL\b/g, " DOUBLE PRECISION");

/** The migrations of the PostgreSQL schema, in order. Existing steps never change. */
export const POSTGRES_MIGRATIONS: readonly string[] = SQLITE_MIGRATIONS.map((form, index) =>
  index === 0 ? toPostgres(form) + POSTGRES_ONLY : toPostgres(form),
);
