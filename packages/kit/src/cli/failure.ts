/** A failure that ends the program with a code of its own. */
export class Failure extends Error {
  /** 1 = the far end said no, 2 = what was asked for is not there, 3 = there is no way to the server, 128 + n = signal n. */
  readonly code: number;

  constructor(message: string, code: number, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "Failure";
    this.code = code;
  }
}
