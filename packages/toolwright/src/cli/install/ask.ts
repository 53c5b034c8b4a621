import { Failure } from "@toolwright/kit/cli";
import {
  createPaint,
  openLineReader,
  outliveReaders,
  type Paint,
  visible,
  wantsColour,
} from "@toolwright/kit/terminal";

/** Whether somebody is there to be asked. */
export const isSomebodyThere = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** Asks, one after the other, which of some things are to be done; "all" answers for the rest. Throws `Failure` at Ctrl-C. */
export async function askEach<Thing>(
  things: readonly Thing[],
  show: (thing: Thing) => Promise<string>,
): Promise<readonly Thing[]> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once("SIGINT", interrupt);
  const lines = openLineReader(stop.signal);
  const agreed: Thing[] = [];
  const choices = things.length > 1 ? "yes, no or all" : "yes or no";
  try {
    let isAll = false;
    for (const thing of things) {
      const question = await show(thing);
      let answer: Answer | undefined = isAll ? "yes" : undefined;
      while (answer === undefined) {
        const typed = await lines.ask(`${question} (${choices}) `);
        if (stop.signal.aborted) throw new Failure("Interrupted; nothing was changed", 130);
        // Whoever ends the input wants nothing more.
        if (typed === undefined) return agreed;
        answer = ANSWERS[typed.trim().toLowerCase()];
      }
      isAll ||= answer === "all" && things.length > 1;
      if (answer !== "no") agreed.push(thing);
    }
    return agreed;
  } finally {
    lines.close();
    process.removeListener("SIGINT", interrupt);
  }
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

/** Says that something may go wrong later. */
export const warn = (text: string): void => note("yellow", "!", text);

/** Says that something could not be done. */
export const complain = (text: string): void => note("red", "✗", text);

/** Beside the results, on stderr. */
function note(colour: "yellow" | "red", sign: string, text: string): void {
  outliveReaders();
  const paint = createPaint(wantsColour(process.stderr, process.env));
  process.stderr.write(`${paint[colour](sign)} ${visible(text)}\n`);
}
