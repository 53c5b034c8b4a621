import { ToolError } from "@toolwright/engine";
import type { Base } from "../base.js";
import { answeringVersion, findCollection } from "../collections/find-collection.js";
import { noteChange } from "../store/changes.js";
import { type Asked, type AskOptions, askAll } from "./ask-all.js";
import type { Check } from "./check.js";
import { qualityChecks, thresholdsOf } from "./gates.js";
import { findNowhere, nowhereWords } from "./nowhere.js";
import { type GivenQuestion, readGolden, readQuestions, writeGolden } from "./questions.js";

/** What is to be measured. */
export interface EvaluateWish extends AskOptions {
  readonly collection: string;
  readonly version?: number | undefined;
  /** By default those that are kept with the collection. */
  readonly questions?: readonly GivenQuestion[] | undefined;
  /** Keeps the questions with the collection: promotions are measured by them from now on. */
  readonly save?: boolean | undefined;
}

/** What an evaluation came to. */
export interface Evaluation extends Asked {
  readonly collection: string;
  readonly version: number;
  readonly questions: number;
  readonly passed: boolean;
  readonly checks: readonly Check[];
  /** What is to be known about the questions. */
  readonly warnings: readonly string[];
}

/** Measures how well a version answers questions whose answers are known, and writes that down. */
export async function evaluate(base: Base, wish: EvaluateWish): Promise<Evaluation> {
  const ledger = await base.ledger();
  const given = wish.questions && readQuestions(wish.questions);
  if (given?.length === 0)
    throw new ToolError(
      "Cannot evaluate: there is no question in the list. Without a list those that are kept are asked.",
      {
        code: "INVALID_ARGUMENT",
        details: { collection: wish.collection },
      },
    );
  const { collection, version, kept } = await ledger.read(async (sql) => {
    const found = await findCollection(sql, wish.collection);
    return {
      collection: found,
      version: await answeringVersion(sql, found, wish.version),
      kept: await readGolden(sql, found.id),
    };
  });
  const questions = given ?? kept;
  if (questions.length === 0)
    throw new ToolError(
      `Cannot evaluate ${JSON.stringify(wish.collection)}: it keeps no questions. Give "questions", and "save" to keep them.`,
      { code: "INVALID_ARGUMENT", details: { collection: wish.collection } },
    );
  const nowhere = await ledger.read((sql) => findNowhere(sql, collection, version, questions));
  const asked = await askAll(base, { name: collection.name, version: version.number }, questions, wish);
  const checks = qualityChecks(asked.measures, thresholdsOf(collection.metadata));
  const passed = checks.every((check) => check.passed);
  const at = base.now();
  await ledger.write(async (sql) => {
    if (wish.save && given !== undefined) await writeGolden(sql, collection.id, given);
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
    warnings: nowhere.length === 0 ? [] : [nowhereWords(version.number, nowhere)],
    ...asked,
  };
}
