import { test } from "vitest";
import type { Open } from "./bridge.js";
import { type RunResult, summarize } from "./run-result.js";
import type { Scenarios } from "./scenarios.js";
import { type Check, missing } from "./suite.js";

declare module "vitest" {
  interface TaskMeta {
    /** A column of the table that `npm run conformance` prints. */
    conformance?: { readonly column: string; readonly result: RunResult };
  }
}

/** Some scenarios time out after half a second, so only a few may run at once. */
const AT_ONCE = 3;
/** The timeout of all of them, as each waits for a slot. */
const TIME_LIMIT_MS = 240_000;

/** One run of a suite: the server, the suite, and the checks that must pass. */
export interface Run<S extends Open> {
  readonly column: string;
  readonly open: () => Promise<S>;
  readonly judge: (server: S) => Promise<readonly Check[]>;
  readonly passes: Scenarios;
  /** Checks that the suite skips for every server. */
  readonly skips?: readonly string[];
  readonly afterwards?: (server: S) => void;
}

/** Every check passes, none is missing, and there are no warnings. */
export function expectSuitePasses<S extends Open>(fact: string, run: Run<S>): void {
  test.skipIf(missing !== "")(
    fact + missing,
    ({ expect, task }) =>
      inTurn(async () => {
        const server = await run.open();
        try {
          const result = summarize(await run.judge(server));
          task.meta.conformance = { column: run.column, result };
          expect(result).toEqual({ failures: [], warnings: [], skipped: run.skips ?? [], passed: run.passes });
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
