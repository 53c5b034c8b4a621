import readline from "node:readline/promises";
import type { Json } from "@toolwright/engine";
import type { ElicitFormRequest, ElicitResult, ElicitUrlRequest, InputHandlers } from "@toolwright/engine/client";
import { Failure } from "../cli/errors.js";
import { describeField, type Field, fieldsOf, promptOf, readField } from "./field.js";
import type { Report } from "./report.js";
import { visible, visibleLine } from "./text.js";

/** Asks the person at the terminal what a server asks, one question at a time; declines if there is no terminal. */
export function answersOf(
  report: Report,
  isSomebodyThere: boolean,
): Required<Pick<InputHandlers, "onElicit" | "onElicitUrl">> {
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = (operation: () => Promise<ElicitResult>): Promise<ElicitResult> => {
    const answer = turn.then(() => report.hold(operation));
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
  write(`${message}\n(* = required; Enter accepts the default in brackets; Ctrl-D declines)`);
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

/** Asks until the answer is valid; undefined if the person declines. */
async function fillInField(field: Field, lines: LineReader): Promise<{ readonly value: Json | undefined } | undefined> {
  for (const line of describeField(field)) write(line);
  for (;;) {
    const text = await lines.ask(visibleLine(promptOf(field)).concat(" "));
    if (text === undefined) return undefined;
    const typed = readField(field, text);
    if (!("fault" in typed)) return typed;
    write(`${typed.fault}.`);
  }
}

/** Opens no browser: the server must not choose what this machine visits. */
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

/** Asks a yes-or-no question at the terminal; without an answer it is no. Ctrl-C throws `Failure`. */
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

/** Ends the line of a question without an answer. */
function declined(): ElicitResult {
  process.stderr.write("\n");
  return { action: "decline" };
}

function write(text: string): void {
  process.stderr.write(`${visible(text)}\n`);
}

/** Asks for lines at the terminal; undefined if the input has ended or the question is no longer needed. */
export interface LineReader {
  ask(prompt: string): Promise<string | undefined>;
  close(): void;
}

/** Opens the terminal for questions. Ctrl-C interrupts the whole command, as at any other time. */
export function openLineReader(signal: AbortSignal | undefined): LineReader {
  const { stdin: input, stderr: output } = process;
  const lines = readline.createInterface({ input, output, terminal: true });
  const closed = new Promise<undefined>((resolve) => void lines.once("close", () => resolve(undefined)));
  const close = (): void => lines.close();
  lines.on("SIGINT", () => process.emit("SIGINT"));
  if (signal?.aborted) close();
  signal?.addEventListener("abort", close, { once: true });
  return {
    // If the input ends, an open question stays pending or fails, depending on the version of Node.
    ask: (prompt) =>
      Promise.race([
        closed,
        lines.question(prompt).catch((error: unknown) => {
          if ((error as Error).name === "AbortError") return undefined;
          throw error;
        }),
      ]),
    close: () => {
      signal?.removeEventListener("abort", close);
      close();
    },
  };
}
