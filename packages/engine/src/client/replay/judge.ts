import type { JsonObject } from "../../jsonrpc/json.js";
import type { Revision } from "../../revisions/revision.js";
import { textOf } from "../text.js";
import type { Comparison, Difference } from "./compare.js";
import { errorIn, resultIn } from "./normal-form.js";
import type { Step } from "./plan.js";
import type { AskingPlay } from "./recorded-answers.js";

/** What a request came to when it was played. */
export type Played =
  | { readonly result: JsonObject }
  | { readonly error: JsonObject }
  /** There is no answer, and why. */
  | { readonly failed: string }
  | { readonly cancelled: true };

/** How one request of a recording went. */
export interface ReplayedRequest {
  /** The conversation, as the recording numbers it. */
  readonly session: number;
  readonly method: string;
  /** The tool, prompt or URI that it is about. */
  readonly name: string | undefined;
  readonly verdict: "same" | "differs" | "not compared" | "not played";
  /** Why it was not played or compared. */
  readonly reason: string | undefined;
  readonly differences: readonly Difference[];
  /** Secrets had been taken out of what was sent. */
  readonly isRedacted: boolean;
}

/** A request about which there is nothing more to say than why. */
export const passedOver = (
  step: Pick<Step, "session" | "method" | "name">,
  verdict: ReplayedRequest["verdict"],
  reason: string | undefined,
  isRedacted = false,
): ReplayedRequest => ({
  session: step.session,
  method: step.method,
  name: step.name,
  verdict,
  reason,
  differences: [],
  isRedacted,
});

/** Compares what a request came to with what it came to when it was recorded. */
export function judge(
  { step, unexpected }: AskingPlay,
  played: Played,
  comparison: Comparison,
  revisions: readonly Revision[],
): ReplayedRequest {
  const { method, outcome, params } = step;
  const isRedacted = comparison.isRedacted(params);
  const uncompared = (reason: string): ReplayedRequest => passedOver(step, "not compared", reason, isRedacted);
  if (step.cancelledAfter !== undefined) return uncompared("it was cancelled");
  if (outcome === undefined) return uncompared("the recording has no answer to it");
  if ("cut" in outcome) return uncompared(`its answer had ${outcome.cut} characters, which were too many to keep`);
  const differences = [
    ...comparison.compare(...formsOf(method, outcome, played, revisions)),
    ...questionsOf(step, unexpected).filter(({ path }) => !comparison.isIgnored(path)),
  ];
  const verdict = differences.length === 0 ? "same" : "differs";
  return { ...passedOver(step, verdict, undefined, isRedacted), differences };
}

/** Both as values that can be compared: results by their members, everything else under its kind. */
function formsOf(
  method: string,
  recorded: { readonly result: JsonObject } | { readonly error: JsonObject },
  now: Played,
  revisions: readonly Revision[],
): [JsonObject, JsonObject] {
  const formOf = (outcome: Played): JsonObject => {
    if ("result" in outcome) return { result: resultIn(revisions, outcome.result) };
    if ("error" in outcome) return { error: errorIn(revisions, method, outcome.error) };
    return { failure: "failed" in outcome ? outcome.failed : "it was cancelled" };
  };
  const [before, after] = [formOf(recorded), formOf(now)];
  const areResults = "result" in before && "result" in after;
  return areResults ? [before["result"] as JsonObject, after["result"] as JsonObject] : [before, after];
}

function questionsOf({ asked }: Step, unexpected: readonly string[]): Difference[] {
  const unasked = asked.filter(({ isUsed, method }) => !isUsed && method !== "roots/list");
  return [
    ...unasked.map(({ name, method, params }) => ({
      path: "question",
      recorded: textOf(params["message"], name === "" ? method : name),
      now: undefined,
    })),
    ...unexpected.map((message) => ({ path: "question", recorded: undefined, now: message })),
  ];
}
