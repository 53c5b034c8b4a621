import { ToolError } from "@toolwright/engine";
import type { Sql } from "@toolwright/kit/storage";
import type { Hit } from "../search/search-types.js";

/** What should be found: a passage or a document by its id, a source by its path, or a part of it below a heading. */
export interface Relevant {
  /** The id of a passage or a document, or the path of a source. */
  readonly source: string;
  readonly heading?: string | undefined;
  /** How much it is worth, 1 by default. */
  readonly grade?: number | undefined;
}

/** A question, and what should be found by it. */
export interface Question {
  readonly question: string;
  readonly relevant: readonly Relevant[];
}

/** A question as people give it: of what is relevant, "docs/a.md#Heading" says the same as an object. */
export interface QuestionInput {
  readonly question: string;
  readonly relevant: readonly (string | Relevant)[];
}

const MAX_LENGTH = 10_000;
const MAX_RELEVANT = 100;
const MAX_GRADE = 10;

/** Reads questions. Throws if one says nothing. */
export function readQuestions(given: readonly QuestionInput[]): readonly Question[] {
  const seen = new Set<string>();
  return given.map((each, at) => {
    if (!isQuestion(each))
      throw invalidQuestion(at, 'it has to be {"question": text, "relevant": [id, path or path#heading]}');
    const { question, relevant } = each;
    if (question.trim() === "") throw invalidQuestion(at, "it is empty");
    if (question.length > MAX_LENGTH) throw invalidQuestion(at, `it has more than ${MAX_LENGTH} characters`);
    if (seen.has(question)) throw invalidQuestion(at, "it is asked twice");
    seen.add(question);
    if (relevant.length === 0) throw invalidQuestion(at, 'it has nothing in "relevant", so that nothing can be right');
    if (relevant.length > MAX_RELEVANT)
      throw invalidQuestion(at, `more than ${MAX_RELEVANT} things are relevant to it`);
    return { question, relevant: relevant.map(readRelevant) };
  });
}

/** What a model or a file has written may be anything. */
function isQuestion(given: unknown): boolean {
  const { question, relevant } = (given ?? {}) as Partial<Record<keyof QuestionInput, unknown>>;
  return typeof question === "string" && Array.isArray(relevant) && relevant.every(isRelevant);
}

function isRelevant(given: unknown): boolean {
  if (typeof given === "string") return given !== "";
  const { source, heading, grade } = (given ?? {}) as Partial<Record<keyof Relevant, unknown>>;
  return (
    typeof source === "string" &&
    source !== "" &&
    (heading === undefined || typeof heading === "string") &&
    (grade === undefined || (typeof grade === "number" && grade > 0 && grade <= MAX_GRADE))
  );
}

function readRelevant(given: string | Relevant): Relevant {
  if (typeof given !== "string") return given;
  const at = given.indexOf("#");
  return at === -1 ? { source: given } : { source: given.slice(0, at), heading: given.slice(at + 1) };
}

const invalidQuestion = (at: number, reason: string): ToolError =>
  new ToolError(`Cannot use question ${at + 1}: ${reason}.`, { code: "INVALID_ARGUMENT", details: { question: at } });

/** Which of the relevant things a result is. */
export const matches = (hit: Hit, relevant: readonly Relevant[]): readonly number[] =>
  relevant.flatMap((each, at) => (isRelevantHit(hit, each) ? [at] : []));

function isRelevantHit(hit: Hit, { source, heading }: Relevant): boolean {
  const names = [hit.chunk_id, hit.document_id, hit.citation.source_path, hit.citation.source_url];
  if (!names.includes(source)) return false;
  return heading === undefined || hit.headings.includes(heading) || headingsIn(hit.content).has(heading);
}

/** A passage of several sections has headings of its own. */
const headingsIn = (content: string): ReadonlySet<string> =>
  new Set([...content.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => heading.trim()));

/** The questions that are kept with a collection. */
export async function readGolden(sql: Sql, collection: number): Promise<readonly Question[]> {
  const rows = await sql.all(
    "SELECT question, relevant FROM golden WHERE collection = ? ORDER BY question",
    collection,
  );
  return rows.map((row) => ({
    question: String(row["question"]),
    relevant: JSON.parse(String(row["relevant"])) as Relevant[],
  }));
}

/** Keeps questions with a collection, in place of those that it had. */
export async function writeGolden(sql: Sql, collection: number, questions: readonly Question[]): Promise<void> {
  await sql.run("DELETE FROM golden WHERE collection = ?", collection);
  for (const { question, relevant } of questions)
    await sql.run(
      "INSERT INTO golden (collection, question, relevant) VALUES (?, ?, ?)",
      collection,
      question,
      JSON.stringify(relevant),
    );
}
