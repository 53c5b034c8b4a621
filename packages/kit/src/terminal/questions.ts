import type { Json } from "@toolwright/engine";
import type { ElicitFormRequest, ElicitResult, ElicitUrlRequest, InputHandlers } from "@toolwright/engine/client";
import { Failure } from "../cli/errors.js";
import { type Field, fieldsOf, introduction, prompt, readField } from "./field.js";
import { type LineReader, openLineReader } from "./line-reader.js";
import type { Report } from "./report.js";
import { visible, visibleLine } from "./visible.js";

/** Brings what a server asks to the person at the terminal, one question after the other; where nobody is there, says no. */
export function answersOf(
  report: Report,
  isSomebodyThere: boolean,
): Required<Pick<InputHandlers, "onElicit" | "onElicitUrl">> {
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = (deed: () => Promise<ElicitResult>): Promise<ElicitResult> => {
    const answer = turn.then(() => report.hold(deed));
    turn = answer.catch(() => undefined);
    return answer;
  };
  const decline = (message: string): ElicitResult => {
    report.line(`The server asks: ${visibleLine(message)}\nDeclined: nobody can answer, for stdin is no terminal.`);
    return { action: "decline" };
  };
  return {
    onElicit: (question) => (isSomebodyThere ? inTurn(() => fillIn(question)) : decline(question.message)),
    onElicitUrl: (question) =>
      isSomebodyThere ? inTurn(() => visit(question)) : decline(`${question.message} ${question.url}`),
  };
}

async function fillIn({ message, requestedSchema, signal }: ElicitFormRequest): Promise<ElicitResult> {
  const fields = fieldsOf(requestedSchema);
  if (fields.length === 0) return agree(message, signal);
  write(`${message}\n(* has to be filled in; Enter takes what stands in brackets; Ctrl-D declines)`);
  const lines = openLineReader(signal);
  try {
    const content: [string, Json][] = [];
    for (const field of fields) {
      const typed = await fillInField(field, lines);
      if (typed === undefined) return declined();
      if (typed.value !== undefined) content.push([field.name, typed.value]);
    }
    return { action: "accept", content: Object.fromEntries(content) };
  } finally {
    lines.close();
  }
}

/** Asks until the answer will do; undefined = the person does not want to. */
async function fillInField(field: Field, lines: LineReader): Promise<{ readonly value: Json | undefined } | undefined> {
  for (const line of introduction(field)) write(line);
  for (;;) {
    const text = await lines.ask(visibleLine(prompt(field)).concat(" "));
    if (text === undefined) return undefined;
    const typed = readField(field, text);
    if (!("fault" in typed)) return typed;
    write(`${typed.fault}.`);
  }
}

/** Nothing is opened here: whoever asks must not choose what this machine visits. */
function visit({ message, url, signal }: ElicitUrlRequest): Promise<ElicitResult> {
  return agree(`${message}\nOpen this page in a browser if you trust it:\n  ${url}\nHas it been opened?`, signal);
}

async function agree(message: string, signal: AbortSignal | undefined): Promise<ElicitResult> {
  write(message);
  const lines = openLineReader(signal);
  try {
    for (;;) {
      const text = await lines.ask("(yes or no) ");
      if (text === undefined) return declined();
      const typed = readField({ name: "It", schema: { type: "boolean" }, isRequired: true }, text);
      if (!("fault" in typed)) return { action: typed.value === true ? "accept" : "decline" };
      write(`${typed.fault}.`);
    }
  } finally {
    lines.close();
  }
}

/** Asks the person at the terminal; without an answer it is no. Throws where Ctrl-C ends everything. */
export async function askYes(message: string): Promise<boolean> {
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort(new Failure("Cancelled", 130));
  process.once("SIGINT", interrupt);
  try {
    const { action } = await agree(message, interruption.signal);
    interruption.signal.throwIfAborted();
    return action === "accept";
  } finally {
    process.removeListener("SIGINT", interrupt);
  }
}

/** The cursor stands behind a question that was left. */
function declined(): ElicitResult {
  process.stderr.write("\n");
  return { action: "decline" };
}

function write(text: string): void {
  process.stderr.write(`${visible(text)}\n`);
}
