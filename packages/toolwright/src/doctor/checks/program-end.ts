import type { ProgramContext } from "../context.js";
import { type Check, fault, good, notApplicable, warning } from "../finding.js";
import { remark } from "../wire/evidence.js";
import type { ProgramTalk } from "../wire/program-talk.js";

/** How long an end may take; on a machine that is slow to start it, longer. */
const END_MS = 2000;
const patienceFor = ({ openedMs }: ProgramTalk): number => Math.max(END_MS, 4 * openedMs);

/** Does it go when its client goes? */
const endsAtEof: Check<ProgramContext> = {
  id: "start.ends-at-eof",
  title: "Ends when its client closes stdin",
  group: "start",
  async run(context) {
    const talk = await context.open();
    const { opening, program } = talk;
    if (opening.kind !== "answer") return notApplicable("It gave no answer.");
    program.endInput();
    if (await program.endsWithin(patienceFor(talk))) return [good(`It ends: ${program.ending}.`)];
    return [
      fault(
        `It still runs ${END_MS / 1000} s after its stdin was closed.`,
        {
          why: "Clients end servers by closing stdin. This one stays behind, with its memory, for each window that was ever opened.",
          next: "End the process when stdin ends, whatever timers, sockets or watchers are alive.",
        },
        [remark(`${program.members?.length ?? 1} of its processes were alive, and were ended by the doctor`)],
      ),
    ];
  },
};

/** Does it go when it is asked to? */
const endsAtSignal: Check<ProgramContext> = {
  id: "start.ends-at-sigterm",
  title: "Ends at SIGTERM",
  group: "start",
  async run(context) {
    if (process.platform === "win32") return notApplicable("Windows has no SIGTERM.");
    const talk = await context.open();
    const { opening, program } = talk;
    if (opening.kind !== "answer") return notApplicable("It gave no answer.");
    program.terminate();
    if (await program.endsWithin(patienceFor(talk))) return [good(`It ends: ${program.ending}.`)];
    return [
      warning(`It still runs ${END_MS / 1000} s after SIGTERM.`, {
        why: "Clients wait that long at each restart, and then kill it, with whatever it was writing.",
        next: "End in good order at SIGTERM, within a second or two.",
      }),
    ];
  },
};

/** Does it take its children along? */
const leavesNothing: Check<ProgramContext> = {
  id: "start.leaves-nothing",
  title: "Leaves no process behind",
  group: "start",
  async run(context) {
    const talk = await context.open();
    const { opening, program } = talk;
    if (opening.kind !== "answer") return notApplicable("It gave no answer.");
    if (program.members === undefined) return notApplicable("This system does not tell which processes there are.");
    program.endInput();
    if (!(await program.endsWithin(patienceFor(talk)))) return notApplicable("It did not end.");
    const isEmpty = (): true | undefined => (program.members?.length === 0 ? true : undefined);
    for (let look = 0; look < 10 && isEmpty() === undefined; look++) await pause(patienceFor(talk) / 10);
    const left = program.members?.length ?? 0;
    if (left === 0) return [good("Nothing was left behind.")];
    return [
      fault(`It ended, but ${left} of the processes that it had started live on.`, {
        why: "Each start of a client adds to them, until the machine has no memory left.",
        next: "End every child before the process ends.",
      }),
    ];
  },
};

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** The checks of an end. */
export const END_CHECKS: readonly Check<ProgramContext>[] = [endsAtEof, endsAtSignal, leavesNothing];
