/** The exit codes of the program; a signal ends it with 128 and its number. */
export const EXIT_CODES = { done: 0, failed: 1, usage: 2, unreachable: 3 } as const;

/** An invalid command line; ends the program with code 2. */
export class UsageError extends Error {
  /** The command whose help explains the problem, such as `task add`. */
  readonly command: string | undefined;

  constructor(message: string, command?: string) {
    super(message);
    this.name = "UsageError";
    this.command = command;
  }
}

/** A failure that ends the program with an exit code of its own. */
export class Failure extends Error {
  /** One of `EXIT_CODES`, or 128 + n for signal n. */
  readonly code: number;

  constructor(message: string, code: number = EXIT_CODES.failed, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "Failure";
    this.code = code;
  }
}
