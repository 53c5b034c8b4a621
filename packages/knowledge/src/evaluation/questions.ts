import { ToolError } from "@toolwright/engine";
import type { Sql } from "@toolwright/kit/storage";
import type { Hit } from "../search/search-types.js";

/** A relevant result: a passage or document ID, or a source path, optionally with a heading. */
export interface Relevant {
  /** The ID of a passage or a document, or the path or URL of a source. */
  readonly source: string;
  readonly heading?: string | undefined;
  /** The relevance; the default is 1. */
  readonly grade?: number | undefined;
}

/** A question with its relevant results. */
export interface Question {
  readonly question: string;
  readonly relevant: readonly Relevant[];
}

/** A question as input. A string such as "docs/a.md#Heading" is short for an object. */
export interface QuestionInput {
  readonly question: string;
  readonly relevant: readonly (string | Relevant)[];
}

const MAX_LENGTH = 10_000;
const MAX_RELEVANT = 100;
const MAX_GRADE = 10;

/** Validates and normalises questions. */
export function readQuestions(input: readonly QuestionInput[]): readonly Question[] {
  const seen = new Set<string>();
  return input.map((each, at) => {
    if (!isQuestion(each))
      throw invalidQuestion(at, 'it must be {"question": text, "relevant": [id, path or path#heading]}');
    const { question, relevant } = each;
    if (question.trim() === "") throw invalidQuestion(at, "it is empty");
    if (question.length > MAX_LENGTH) throw invalidQuestion(at, `it has more than ${MAX_LENGTH} characters`);
    if (seen.has(question)) throw invalidQuestion(at, "it is a duplicate");
    seen.add(question);
    if (relevant.length === 0) throw invalidQuestion(at, '"relevant" is empty');
    if (relevant.length > MAX_RELEVANT) throw invalidQuestion(at, `"relevant" has more than ${MAX_RELEVANT} entries`);
    return { question, relevant: relevant.map(readRelevant) };
  });
}

/** The input is not trusted: it comes from a model or a file. */
function isQuestion(value: unknown): boolean {
  const { question, relevant } = (value ?? {}) as Partial<Record<keyof QuestionInput, unknown>>;
  return typeof question === "string" && Array.isArray(relevant) && relevant.every(isRelevant);
}

function isRelevant(value: unknown): boolean {
  if (typeof value === "string") return value !== "";
  const { source, heading, grade } = (value ?? {}) as Partial<Record<keyof Relevant, unknown>>;
  return (
    typeof source === "string" &&
    source !== "" &&
    (heading === undefined || typeof heading === "string") &&
    (grade === undefined || (typeof grade === "number" && grade > 0 && grade <= MAX_GRADE))
  );
}

function readRelevant(input: string | Relevant): Relevant {
  if (typeof input !== "string") return input;
  const at = input.indexOf("#");
  return at === -1 ? { source: input } : { source: input.slice(0, at), heading: input.slice(at + 1) };
}

const invalidQuestion = (at: number, reason: string): ToolError =>
  new ToolError(`Cannot use question ${at + 1}: ${reason}.`, { code: "INVALID_ARGUMENT", details: { question: at } });

/** Returns the indexes of the relevant entries that a result matches. */
export const matches = (hit: Hit, relevant: readonly Relevant[]): readonly number[] =>
  relevant.flatMap((each, at) => (isRelevantHit(hit, each) ? [at] : []));

function isRelevantHit(hit: Hit, { source, heading }: Relevant): boolean {
  const names = [hit.chunk_id, hit.document_id, hit.citation.source_path, hit.citation.source_url];
  if (!names.includes(source)) return false;
  return heading === undefined || hit.headings.includes(heading) || headingsIn(hit.content).has(heading);
}

/** Returns the headings inside a passage that spans several sections. */
const headingsIn = (content: string): ReadonlySet<string> =>
  new Set([...content.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => heading.trim()));

/** Reads the golden questions of a collection. */
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

/** Replaces the golden questions of a collection. */
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
