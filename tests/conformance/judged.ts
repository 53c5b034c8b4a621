import { test } from "vitest";
import type { Open } from "./bridge.js";
import type { Scenarios } from "./scenarios.js";
import { type Check, missing } from "./suite.js";
import { sumUp, type Verdict } from "./verdict.js";

declare module "vitest" {
  interface TaskMeta {
    /** A column of the table that `npm run conformance` prints. */
    conformance?: { readonly column: string; readonly verdict: Verdict };
  }
}

/** Some scenarios give a server half a second for an answer, so only a few may run at the same time. */
const AT_ONCE = 3;
/** For all of them, as each waits for its turn. */
const TIME_LIMIT_MS = 240_000;

/** One run of a suite: the server, who judges it, and which checks it has to pass. */
export interface Run<S extends Open> {
  readonly column: string;
  readonly open: () => Promise<S>;
  readonly judge: (server: S) => Promise<readonly Check[]>;
  readonly passes: Scenarios;
  /** Checks that the suite skips with every server. */
  readonly skips?: readonly string[];
  readonly afterwards?: (server: S) => void;
}

/** Every check passes, none is missing, and there is nothing to warn of. */
export function judged<S extends Open>(fact: string, run: Run<S>): void {
  test.skipIf(missing !== "")(
    fact + missing,
    ({ expect, task }) =>
      inTurn(async () => {
        const server = await run.open();
        try {
          const verdict = sumUp(await run.judge(server));
          task.meta.conformance = { column: run.column, verdict };
          expect(verdict).toEqual({ failures: [], warnings: [], skipped: run.skips ?? [], passed: run.passes });
          run.afterwards?.(server);
        } finally {
          await server.close();
        }
      }),
    TIME_LIMIT_MS,
  );
}

const waiting: (() => void)[] = [];
let running = 0;

async function inTurn(work: () => Promise<void>): Promise<void> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => void waiting.push(resolve));
  running += 1;
  try {
    await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}
