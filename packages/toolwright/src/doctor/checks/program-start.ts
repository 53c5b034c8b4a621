import { type ProgramContext, QUIET_MS } from "../context.js";
import { type Check, fault, good, notApplicable, note, warning } from "../finding.js";
import { few, remark, shorten } from "../wire/evidence.js";

/** After how long users wonder, and how much a server may write beside the wire. */
const SLOW_MS = 3000;
const MUCH_STDERR = 64 * 1024;

/** How long does it take to the first answer, and how much memory? */
const firstAnswer: Check<ProgramContext> = {
  id: "start.first-answer",
  title: "Answers soon after its start",
  group: "start",
  async run(context) {
    const { opening, program, openedMs } = await context.open();
    const took = Math.round(openedMs);
    if (opening.kind !== "answer") return notApplicable("It gave no answer.");
    const bytes = (program.members ?? []).reduce((sum, member) => sum + member.bytes, 0);
    const memory = bytes === 0 ? "" : `, with ${Math.round(bytes / 1024 / 1024)} MB of memory`;
    const saw = `The first answer came after ${took.toLocaleString("en")} ms${memory}.`;
    if (took <= SLOW_MS) return [good(saw)];
    return [
      warning(saw, {
        why: "Clients start every server with every window; slow ones hold them up, and some are given up after a few seconds.",
        next: "Load what a server needs when it is first used, and install it instead of fetching it at each start (npx).",
      }),
    ];
  },
};

/** Is stdout left to the protocol? */
const cleanStdout: Check<ProgramContext> = {
  id: "start.clean-stdout",
  title: "Writes nothing but messages to stdout",
  group: "start",
  async run(context) {
    const talk = await context.open();
    const { program } = talk;
    if (talk.opening.kind === "answer") await talk.ask("tools/list");
    await program.until(() => (program.strayLines.length > 0 ? true : undefined), QUIET_MS);
    const { strayLines } = program;
    if (strayLines.length === 0) return [good("Nothing but messages came.")];
    return [
      fault(
        `It writes ${strayLines.length} ${strayLines.length === 1 ? "line" : "lines"} to stdout that no client can read.`,
        {
          why: "Stdout is the wire: clients fail to parse the line, and many close the connection at once.",
          next: "Write logs to stderr (console.error), also those of libraries.",
        },
        few(strayLines.map((line) => `← ${line}`)),
      ),
    ];
  },
};

/** Is there little beside the wire? */
const stderr: Check<ProgramContext> = {
  id: "start.stderr",
  title: "Keeps stderr short",
  group: "start",
  async run(context) {
    const talk = await context.open();
    const { program } = talk;
    if (talk.opening.kind === "answer") await talk.ask("tools/list");
    const { stderrBytes } = program;
    const said = stderrBytes === 0 ? [] : [remark(shorten(program.stderr))];
    if (stderrBytes <= MUCH_STDERR) return [good(`${stderrBytes} bytes on stderr.`, said)];
    return [note(`${stderrBytes} bytes on stderr by the first list.`, said, "Clients keep all of it in their logs.")];
  },
};

/** The checks of a start. */
export const START_CHECKS: readonly Check<ProgramContext>[] = [firstAnswer, cleanStdout, stderr];
