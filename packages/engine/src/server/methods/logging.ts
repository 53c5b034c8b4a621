import { invalidParams } from "../../jsonrpc/errors.js";
import { isLogLevel, LOG_LEVELS } from "../../protocol/caller.js";
import type { QuickMethod } from "./method.js";

/** `logging/setLevel`: holds for this session from now on. */
export const setLevel: QuickMethod = {
  answer({ request, link, caller }) {
    const level = request.params?.["level"];
    if (!isLogLevel(level)) throw invalidParams(`Invalid params: level must be one of ${LOG_LEVELS.join(", ")}`);
    link.session.caller = { ...(link.session.caller ?? caller), logLevel: level };
    return { kind: "text", body: "{}" };
  },
};
