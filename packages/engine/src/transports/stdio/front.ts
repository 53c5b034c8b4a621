import { internalError } from "../../jsonrpc/errors.js";
import { builtin } from "../../server/builtin.js";
import { tellsExitOfCrash } from "../runtime.js";
import { releaseStdout } from "../stdout-guard.js";
import { explain } from "./explain.js";
import { awaitRead, refuseWaiting } from "./farewell.js";
import { givenReason, giveReason } from "./reason.js";

/** Stdin and stdout of a process in which no server serves yet. */
export interface StdioFront {
  /** Says what is about to end the process, where Node does not know it. Gives it in words. */
  fail(error: unknown): string;
  /** Leaves stdin and stdout alone: nobody speaks MCP over them. */
  release(): void;
  /** Somebody else answers from now on. */
  close(): void;
}

/** Stands at the front until somebody serves. */
export function openFront(): StdioFront {
  let printed: string | undefined;
  let isIdle = false;
  const print = console.error;
  const listen = (...values: unknown[]): void => {
    printed = builtin("node:util").format(...values);
    print.apply(console, values);
  };
  const fail = (error: unknown): string => {
    const words = explain(error);
    giveReason(words);
    return words;
  };
  const rest = (): void => {
    isIdle = true;
  };
  const exit = (code: number): void => {
    if (code !== 0 || isIdle) refuseWaiting(cannotStart(givenReason() ?? reasonOf(code, printed, isIdle)), true);
  };
  const crash = (thrown: unknown): void => {
    if (process.listenerCount("uncaughtException") > 1) return;
    print(thrown);
    void awaitRead().then(() => process.exit(1));
  };
  // Many servers print what they miss, and exit.
  console.error = listen;
  process.on("uncaughtExceptionMonitor", fail);
  if (!tellsExitOfCrash) process.on("uncaughtException", crash);
  process.on("beforeExit", rest);
  process.on("exit", exit);
  const close = (): void => {
    if (console.error === listen) console.error = print;
    process.off("uncaughtExceptionMonitor", fail).off("uncaughtException", crash);
    process.off("beforeExit", rest);
    process.off("exit", exit);
  };
  return {
    fail,
    close,
    release: () => {
      close();
      releaseStdout();
    },
  };
}

/** What every request is answered with when there will be no server. */
const cannotStart = (reason: string) => internalError(`The server cannot start: ${reason}`);

function reasonOf(code: number, printed: string | undefined, isIdle: boolean): string {
  if (isIdle) return "its program came to an end and serves nothing, or waits for something that never comes.";
  if (printed !== undefined) return explain(printed);
  return `it ended itself with exit code ${code} and gave no reason; what it wrote to stderr may say more.`;
}
