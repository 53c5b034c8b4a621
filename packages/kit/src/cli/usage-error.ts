/** A command line that cannot be meant so; ends the program with code 2. */
export class UsageError extends Error {
  constructor(fault: string) {
    super(fault);
    this.name = "UsageError";
  }
}
