import { ToolError } from "@toolwright/engine";
import type { Sql } from "@toolwright/kit/storage";
import type { Collection, Version } from "../collections/collection.js";
import { answeringVersion, findCollection } from "../collections/find-collection.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { noteChange } from "../store/knowledge-store.js";
import { type AskOptions, type AskResult, askQuestions } from "./ask-questions.js";
import { type Check, qualityChecks, thresholdsOf } from "./gates.js";
import { type Question, type QuestionInput, readGolden, readQuestions, writeGolden } from "./questions.js";

/** Options for an evaluation. */
export interface EvaluateOptions extends AskOptions {
  readonly collection: string;
  readonly version?: number | undefined;
  /** The default is the saved questions of the collection. */
  readonly questions?: readonly QuestionInput[] | undefined;
  /** Saves the questions with the collection. Later promotions are checked against them. */
  readonly save?: boolean | undefined;
}

/** The result of an evaluation. */
export interface Evaluation extends AskResult {
  readonly collection: string;
  readonly version: number;
  readonly questions: number;
  readonly passed: boolean;
  readonly checks: readonly Check[];
  /** Problems of the questions. */
  readonly warnings: readonly string[];
}

/** Measures how well a version answers questions with known answers, and stores the result. */
export async function evaluate(context: KnowledgeContext, options: EvaluateOptions): Promise<Evaluation> {
  const store = await context.store();
  const questionsInput = options.questions && readQuestions(options.questions);
  if (questionsInput?.length === 0)
    throw new ToolError("Cannot evaluate: the list of questions is empty.", {
      code: "INVALID_ARGUMENT",
      details: { collection: options.collection },
    });
  const { collection, version, saved } = await store.read(async (sql) => {
    const found = await findCollection(sql, options.collection);
    return {
      collection: found,
      version: await answeringVersion(sql, found, options.version),
      saved: await readGolden(sql, found.id),
    };
  });
  const questions = questionsInput ?? saved;
  if (questions.length === 0)
    throw new ToolError(`Cannot evaluate ${JSON.stringify(options.collection)}: it has no saved questions.`, {
      code: "INVALID_ARGUMENT",
      details: { collection: options.collection },
      hint: { action: "provide questions, and save them for later evaluations" },
    });
  const unknownSources = await store.read((sql) => findUnknownSources(sql, collection, version, questions));
  const asked = await askQuestions(context, { name: collection.name, version: version.number }, questions, options);
  const checks = qualityChecks(asked.measures, thresholdsOf(collection.metadata));
  const passed = checks.every((check) => check.passed);
  const at = context.now();
  await store.write(async (sql) => {
    if (options.save && questionsInput !== undefined) await writeGolden(sql, collection.id, questionsInput);
    await sql.run(
      "INSERT INTO evaluations (collection, version, at, questions, measures, passed) VALUES (?, ?, ?, ?, ?, ?)",
      collection.id,
      version.number,
      at,
      questions.length,
      JSON.stringify(asked.measures),
      passed ? 1 : 0,
    );
    await sql.run(
      "UPDATE versions SET quality = ? WHERE collection = ? AND number = ?",
      JSON.stringify({ ...asked.measures, questions: questions.length, passed, at }),
      collection.id,
      version.number,
    );
    await noteChange(sql, { at, collection: collection.name, kind: "evaluated", note: `version ${version.number}` });
  });
  return {
    collection: collection.name,
    version: version.number,
    questions: questions.length,
    passed,
    checks,
    warnings: unknownSources.length === 0 ? [] : [unknownSourcesWarning(version.number, unknownSources)],
    ...asked,
  };
}

const NAMES_AT_ONCE = 200;
const MAX_LISTED = 10;

/** The columns that a relevant source can refer to. Only URLs are looked up in `url`. */
const COLUMNS = ["d.source", "d.id", "c.id", "r.url"] as const;
const ADDRESS = /^[a-z][a-z0-9+.-]*:/i;

/** Returns the relevant sources that no document of the version has. */
async function findUnknownSources(
  sql: Sql,
  { id }: Collection,
  { number }: Version,
  questions: readonly Question[],
): Promise<readonly string[]> {
  const left = new Set(questions.flatMap(({ relevant }) => relevant.map(({ source }) => source)));
  for (const column of COLUMNS) {
    const names = [...left].filter((name) => column !== "r.url" || ADDRESS.test(name));
    const from = `members m JOIN revisions r ON r.id = m.revision JOIN documents d ON d.id = r.document${column === "c.id" ? " JOIN chunks c ON c.revision = r.id" : ""}`;
    for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
      const some = names.slice(at, at + NAMES_AT_ONCE);
      const rows = await sql.all(
        `SELECT DISTINCT ${column} AS name FROM ${from} WHERE m.collection = ? AND m.version = ? AND ${column} IN (${some.map(() => "?").join(", ")})`,
        id,
        number,
        ...some,
      );
      for (const row of rows) left.delete(String(row["name"]));
    }
  }
  return [...left].toSorted();
}

/** The warning for sources that no search can find. They are probably misspelt, or belong to another version. */
const unknownSourcesWarning = (version: number, names: readonly string[]): string =>
  `Version ${version} does not contain ${names.slice(0, MAX_LISTED).join(", ")}${names.length > MAX_LISTED ? `, and ${names.length - MAX_LISTED} more` : ""}: no search can find that.`;
