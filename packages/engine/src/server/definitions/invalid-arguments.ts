import type { ValidationResult } from "../../schema/schema.js";

/** The validation result of invalid arguments. */
export type InvalidReading = Extract<ValidationResult, { ok: false }>;

/** Thrown for arguments that the schema or a limit rejects. */
export class InvalidArgumentsError extends Error {
  readonly reading: InvalidReading;
  /** Nothing may format the arguments. */
  readonly isOversized: boolean;

  constructor(reading: InvalidReading, isOversized = false) {
    super("the arguments are invalid");
    this.reading = reading;
    this.isOversized = isOversized;
  }
}
