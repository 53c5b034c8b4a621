import type { StoreSchema } from "@toolwright/kit/storage";

/** The number of open blockers of a row of `tasks`. It is stored in the row, because every list needs it. */
const OPEN_BLOCKERS = `(SELECT count(*) FROM blockers b JOIN tasks o ON o.id = b.blocked_by_id
  WHERE b.task_id = tasks.id AND o.status <> 'completed')`;

/** The migrations for SQLite. Released ones never change; add new ones at the end. */
const SQLITE_MIGRATIONS: readonly string[] = [
  `CREATE TABLE tasks (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    parent_id TEXT REFERENCES tasks (id),
    description TEXT NOT NULL,
    context TEXT NOT NULL,
    priority INTEGER NOT NULL CHECK (priority BETWEEN 1 AND 5),
    status TEXT NOT NULL CHECK (status IN ('pending', 'in_progress', 'completed', 'failed')),
    result TEXT,
    done_when TEXT,
    version INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    started_at TEXT,
    completed_at TEXT,
    updated_at TEXT NOT NULL,
    created_by TEXT,
    claimed_by TEXT,
    lease_until TEXT,
    open_blockers INTEGER NOT NULL DEFAULT 0,
    to_start INTEGER GENERATED ALWAYS AS (
      CASE WHEN open_blockers = 0 AND status IN ('pending', 'in_progress') THEN 1 ELSE 0 END
    ) VIRTUAL
  ) STRICT;
  CREATE INDEX tasks_by_priority ON tasks (priority, id DESC);
  CREATE INDEX tasks_by_status ON tasks (status, priority, id DESC);
  CREATE INDEX tasks_by_end ON tasks (status, completed_at DESC, id DESC);
  CREATE INDEX tasks_to_start ON tasks (to_start, priority, id);
  CREATE INDEX tasks_to_start_newest ON tasks (to_start, priority, id DESC);
  CREATE INDEX tasks_free ON tasks (to_start, status, lease_until);
  CREATE INDEX tasks_that_wait ON tasks (status) WHERE open_blockers > 0;
  CREATE INDEX tasks_by_parent ON tasks (parent_id);
  CREATE TABLE blockers (
    task_id TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
    blocked_by_id TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
    PRIMARY KEY (task_id, blocked_by_id),
    CHECK (task_id <> blocked_by_id)
  ) STRICT;
  CREATE INDEX blockers_by_blocker ON blockers (blocked_by_id);
  CREATE TRIGGER waits_for_one_more AFTER INSERT ON blockers BEGIN
    UPDATE tasks SET open_blockers = ${OPEN_BLOCKERS} WHERE id = new.task_id;
  END;
  CREATE TRIGGER waits_for_one_less AFTER DELETE ON blockers BEGIN
    UPDATE tasks SET open_blockers = ${OPEN_BLOCKERS} WHERE id = old.task_id;
  END;
  CREATE TRIGGER blocker_opens_or_ends AFTER UPDATE OF status ON tasks
  WHEN (old.status = 'completed') <> (new.status = 'completed') BEGIN
    UPDATE tasks SET open_blockers = ${OPEN_BLOCKERS}
      WHERE id IN (SELECT task_id FROM blockers WHERE blocked_by_id = new.id);
  END;
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    actor TEXT,
    deed TEXT NOT NULL,
    kind TEXT NOT NULL,
    task_id TEXT NOT NULL,
    before TEXT,
    after TEXT,
    reason TEXT,
    undoes TEXT
  ) STRICT;
  CREATE INDEX events_by_task ON events (task_id, seq);
  CREATE INDEX events_by_deed ON events (deed);
  CREATE INDEX events_by_undone ON events (undoes) WHERE undoes IS NOT NULL;
  CREATE VIRTUAL TABLE task_words USING fts5 (
    description, context, result, content = 'tasks', content_rowid = 'number', tokenize = 'porter unicode61'
  );
  CREATE TRIGGER words_come AFTER INSERT ON tasks BEGIN
    INSERT INTO task_words (rowid, description, context, result)
      VALUES (new.number, new.description, new.context, new.result);
  END;
  CREATE TRIGGER words_go AFTER DELETE ON tasks BEGIN
    INSERT INTO task_words (task_words, rowid, description, context, result)
      VALUES ('delete', old.number, old.description, old.context, old.result);
  END;
  CREATE TRIGGER words_change AFTER UPDATE OF description, context, result ON tasks
  WHEN old.description <> new.description OR old.context <> new.context OR old.result IS NOT new.result BEGIN
    INSERT INTO task_words (task_words, rowid, description, context, result)
      VALUES ('delete', old.number, old.description, old.context, old.result);
    INSERT INTO task_words (rowid, description, context, result)
      VALUES (new.number, new.description, new.context, new.result);
  END;`,
];

/** The same migrations for PostgreSQL. */
const POSTGRES_MIGRATIONS: readonly string[] = [
  `CREATE TABLE tasks (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    parent_id TEXT COLLATE "C" REFERENCES tasks (id),
    description TEXT NOT NULL,
    context TEXT NOT NULL,
    priority INTEGER NOT NULL CHECK (priority BETWEEN 1 AND 5),
    status TEXT NOT NULL CHECK (status IN ('pending', 'in_progress', 'completed', 'failed')),
    result TEXT,
    done_when TEXT,
    version INTEGER NOT NULL,
    created_at TEXT COLLATE "C" NOT NULL,
    started_at TEXT COLLATE "C",
    completed_at TEXT COLLATE "C",
    updated_at TEXT COLLATE "C" NOT NULL,
    created_by TEXT,
    claimed_by TEXT,
    lease_until TEXT COLLATE "C",
    open_blockers INTEGER NOT NULL DEFAULT 0,
    to_start INTEGER GENERATED ALWAYS AS (
      CASE WHEN open_blockers = 0 AND status IN ('pending', 'in_progress') THEN 1 ELSE 0 END
    ) STORED,
    words TSVECTOR GENERATED ALWAYS AS (
      to_tsvector('english', description || ' ' || context || ' ' || coalesce(result, ''))
    ) STORED
  );
  CREATE INDEX tasks_by_priority ON tasks (priority, id DESC);
  CREATE INDEX tasks_by_status ON tasks (status, priority, id DESC);
  CREATE INDEX tasks_by_end ON tasks (status, completed_at DESC, id DESC);
  CREATE INDEX tasks_to_start ON tasks (to_start, priority, id);
  CREATE INDEX tasks_to_start_newest ON tasks (to_start, priority, id DESC);
  CREATE INDEX tasks_free ON tasks (to_start, status, lease_until);
  CREATE INDEX tasks_that_wait ON tasks (status) WHERE open_blockers > 0;
  CREATE INDEX tasks_by_parent ON tasks (parent_id);
  CREATE INDEX tasks_by_words ON tasks USING gin (words);
  CREATE TABLE blockers (
    task_id TEXT COLLATE "C" NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
    blocked_by_id TEXT COLLATE "C" NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
    PRIMARY KEY (task_id, blocked_by_id),
    CHECK (task_id <> blocked_by_id)
  );
  CREATE INDEX blockers_by_blocker ON blockers (blocked_by_id);
  CREATE FUNCTION count_blockers() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE tasks SET open_blockers = ${OPEN_BLOCKERS} WHERE id = coalesce(new.task_id, old.task_id);
    RETURN NULL;
  END $$;
  CREATE TRIGGER waits_for_others AFTER INSERT OR DELETE ON blockers FOR EACH ROW EXECUTE FUNCTION count_blockers();
  CREATE FUNCTION count_for_waiting() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE tasks SET open_blockers = ${OPEN_BLOCKERS}
      WHERE id IN (SELECT task_id FROM blockers WHERE blocked_by_id = new.id);
    RETURN NULL;
  END $$;
  CREATE TRIGGER blocker_opens_or_ends AFTER UPDATE OF status ON tasks FOR EACH ROW
    WHEN ((old.status = 'completed') <> (new.status = 'completed')) EXECUTE FUNCTION count_for_waiting();
  CREATE TABLE events (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at TEXT COLLATE "C" NOT NULL,
    actor TEXT,
    deed TEXT NOT NULL,
    kind TEXT NOT NULL,
    task_id TEXT COLLATE "C" NOT NULL,
    before TEXT,
    after TEXT,
    reason TEXT,
    undoes TEXT
  );
  CREATE INDEX events_by_task ON events (task_id, seq);
  CREATE INDEX events_by_deed ON events (deed);
  CREATE INDEX events_by_undone ON events (undoes) WHERE undoes IS NOT NULL;`,
];

/** The database of tasks, for `openSqlStore`. */
export const TODO_STORE: StoreSchema = {
  what: "the tasks",
  sqlite: SQLITE_MIGRATIONS,
  postgres: POSTGRES_MIGRATIONS,
  schema: "toolwright_todo",
  lock: 7_207_611_014,
  newest: "SELECT max(seq) AS seq FROM events",
};
