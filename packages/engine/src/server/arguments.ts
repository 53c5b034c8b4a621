import { invalidParams } from "../jsonrpc/errors.js";
import type { Outcome } from "../protocol/outcome.js";
import type { Reading } from "../schema/schema.js";
import type { Exchange } from "./exchange.js";
import { legacyError } from "./legacy-codes.js";
import type { RegisteredTool } from "./register-tool.js";
import { failureResult } from "./tool-result.js";

/** What is wrong with the arguments of a call. */
export type WrongReading = Extract<Reading, { ok: false }>;

/** Arguments that turned out wrong only after the call had begun, because their schema takes its time. */
export class WrongArguments extends Error {
  readonly reading: WrongReading;

  constructor(reading: WrongReading) {
    super("the arguments are not right");
    this.reading = reading;
  }
}

/**
 * Wrong arguments are a result, because a model can only correct what it sees; the switches say otherwise.
 * Where the tool has worded the fault itself, the caller reads that and nothing else.
 */
export function refuseArguments(
  exchange: Exchange,
  entry: RegisteredTool,
  { faults, example: made, isCertain }: WrongReading,
  isWorded: boolean,
): Outcome {
  const { name, annotations } = entry.tool;
  // A model may well send it as it stands.
  const example = isCertain || annotations?.destructiveHint !== true ? made : undefined;
  const { validationErrors, legacyCodes } = exchange.core.settings;
  const correction = example && `A call that would do: ${JSON.stringify({ name, arguments: example })}`;
  const lines = isWorded
    ? faults
    : [
        `The arguments of "${name}" are not right:`,
        ...faults.map((fault) => `- ${fault}`),
        ...(correction ? [correction] : []),
      ];
  const message = lines.join("\n");
  const legacy = exchange.revision.handshake ? legacyError(legacyCodes, "INVALID_ARGUMENTS", message) : undefined;
  if (legacy) throw legacy;
  if (validationErrors === "protocol" || (validationErrors === "by-revision" && exchange.revision.argumentsAreParams)) {
    throw invalidParams(message, { faults: [...faults] });
  }
  const details = { code: "INVALID_ARGUMENTS", faults: [...faults], ...(example && { example }) };
  return { kind: "tool", result: failureResult(message, details, entry.output !== undefined) };
}
