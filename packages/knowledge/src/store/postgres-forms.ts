import { SQLITE_FORMS } from "./forms.js";

/**
 * What only PostgreSQL has. Vectors lie in rows of their own, by their place in a segment; a row is not taken apart up to what a page
 * holds. `chunk_words` says in which order a passage has which words, for phrases; `is_cut` = it has more of them than can be said.
 */
const BESIDE = `
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

/** The same tables as PostgreSQL says it: text is compared byte by byte in both, and numbers of rows may become large. */
const inPostgres = (form: string): string =>
  form
    .replace(/\) STRICT(?:, WITHOUT ROWID)?;/g, ");")
    .replaceAll("INTEGER PRIMARY KEY AUTOINCREMENT", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY")
    .replace(/^(\s+(?:collection|revision|segment|bytes)) INTEGER/gm, "$1 BIGINT")
    .replace(/ TEXT\b/g, ' TEXT COLLATE "C"')
    .replace(/ BLOB\b/g, " BYTEA")
    .replace(/ REAL\b/g, " DOUBLE PRECISION");

/** How the tables came to be in PostgreSQL; steps are only ever added. */
export const POSTGRES_FORMS: readonly string[] = SQLITE_FORMS.map((form, index) =>
  index === 0 ? inPostgres(form) + BESIDE : inPostgres(form),
);
