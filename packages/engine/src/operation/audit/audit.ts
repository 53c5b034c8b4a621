import path from "node:path";
import { ToolError } from "../../protocol/outcome.js";
import { monotonic } from "../../server/clock.js";
import { refuseUnknown } from "../../server/known-members.js";
import type { Layer, LayerHost } from "../../server/layers/layer.js";
import { type Ended, endingOf, endingOfFailure } from "../ending.js";
import { beginLine, endLine, entryOf, lossLine } from "./entry.js";
import type { AuditOptions } from "./options.js";
import { RotatingFile } from "./rotating-file.js";

const DEED = "open the audit log";

/** Opens the audit log of a server. Throws `TypeError` for wrong options, and `Error` that says why the file cannot be opened. */
export async function openAudit(options: AuditOptions, host: LayerHost): Promise<Layer> {
  const { onFailure, ...place } = readOptions(options);
  const isStrict = onFailure === "refuse";
  const lines = new RotatingFile({ ...place, tellLoss: lossLine }, (entry) => host.log(entry));
  try {
    await lines.open();
  } catch (error) {
    throw new Error(`Cannot ${DEED} ${place.file}: ${(error as Error).message}`, { cause: error });
  }
  /** Whether a line was handed to the system. */
  const write = (line: string): Promise<boolean> =>
    new Promise((resolve) => lines.add(line, (error) => resolve(error === undefined)));
  const layer: Layer = async (request, next) => {
    if (request.method !== "tools/call") return next();
    const startedAt = monotonic();
    const entry = entryOf(request, host);
    if (isStrict && !(await write(beginLine(entry)))) throw unavailable();
    const end = async (ended: Ended): Promise<void> => {
      const line = endLine(entry, ended, monotonic() - startedAt);
      // What was done cannot be taken back; where its end is missing, its beginning is on record.
      if (isStrict) await write(line);
      else lines.add(line);
    };
    try {
      const outcome = await next();
      await end(endingOf(outcome));
      return outcome;
    } catch (error) {
      await end(endingOfFailure(error, request.method));
      throw error;
    }
  };
  layer.close = () => lines.close();
  return layer;
}

function readOptions(options: AuditOptions): Required<AuditOptions> {
  const fault = (reason: string): TypeError => new TypeError(`Cannot ${DEED}: ${reason}`);
  refuseUnknown(DEED, options, { file: true, maxBytes: true, keep: true, onFailure: true });
  const { file, maxBytes = 10 * 1024 * 1024, keep = 5, onFailure = "continue" } = options;
  if (typeof file !== "string" || file === "") throw fault("file must be a path");
  if (!(Number.isInteger(maxBytes) && maxBytes > 0)) throw fault("maxBytes must be a positive whole number");
  if (!(Number.isInteger(keep) && keep > 0)) throw fault("keep must be a positive whole number");
  if (onFailure !== "continue" && onFailure !== "refuse") throw fault("onFailure must be continue or refuse");
  // In full, so that it stays the same whatever folder the process goes to.
  return { file: path.resolve(file), maxBytes, keep, onFailure };
}

function unavailable(): ToolError {
  return new ToolError(
    "The call was not made: this server records each call, and its record cannot be written at the moment. Try again later.",
    { code: "AUDIT_UNAVAILABLE", details: { retryable: true } },
  );
}
