import { Failure } from "@toolwright/kit/cli";
import {
  createPaint,
  openLineReader,
  outliveReaders,
  type Paint,
  visible,
  wantsColour,
} from "@toolwright/kit/terminal";

/** Whether a person can be asked. */
export const isSomebodyThere = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** Asks a question; undefined if the input has ended. */
type Ask = (question: string) => Promise<string | undefined>;

/** Opens the terminal for questions. Throws `Failure` after Ctrl-C. */
export async function withQuestions<Result>(run: (ask: Ask) => Promise<Result>): Promise<Result> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once("SIGINT", interrupt);
  const lines = openLineReader(stop.signal);
  try {
    return await run(async (question) => {
      const answer = await lines.ask(question);
      if (answer === undefined) process.stderr.write("\n");
      if (stop.signal.aborted) throw new Failure("Interrupted; nothing was changed", 130);
      return answer;
    });
  } finally {
    lines.close();
    process.removeListener("SIGINT", interrupt);
  }
}

/** Asks for each item whether it should be done; "all" answers for the rest. Throws `Failure` after Ctrl-C. */
export async function askEach<Item>(
  items: readonly Item[],
  show: (item: Item) => Promise<string>,
): Promise<readonly Item[]> {
  const choices = items.length > 1 ? "yes, no or all" : "yes or no";
  return withQuestions(async (ask) => {
    const agreed: Item[] = [];
    let isAll = false;
    for (const item of items) {
      const question = await show(item);
      let answer: Answer | undefined = isAll ? "yes" : undefined;
      while (answer === undefined) {
        const typed = await ask(`${question} (${choices}) `);
        // The end of the input declines the rest.
        if (typed === undefined) return agreed;
        answer = ANSWERS[typed.trim().toLowerCase()];
      }
      isAll ||= answer === "all" && items.length > 1;
      if (answer !== "no") agreed.push(item);
    }
    return agreed;
  });
}

type Answer = "yes" | "no" | "all";

const ANSWERS: Readonly<Record<string, Answer>> = {
  y: "yes",
  yes: "yes",
  n: "no",
  no: "no",
  a: "all",
  all: "all",
};

/** Colours for the results. */
export const paintOut = (): Paint => createPaint(wantsColour(process.stdout, process.env));

/** Prints a warning. */
export const warn = (text: string): void => note("yellow", "!", text);

/** Prints an error. */
export const complain = (text: string): void => note("red", "✗", text);

/** On stderr, because results go to stdout. */
function note(colour: "yellow" | "red", sign: string, text: string): void {
  outliveReaders();
  const paint = createPaint(wantsColour(process.stderr, process.env));
  process.stderr.write(`${paint[colour](sign)} ${visible(text)}\n`);
}
