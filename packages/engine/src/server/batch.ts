import { invalidRequest, limitExceeded, type RpcError } from "../jsonrpc/errors.js";
import { sizeFault } from "./answer-size.js";
import type { Link, Refusal } from "./link.js";
import type { Settings } from "./settings.js";

/** Why a batch of so many messages is not served, or undefined. `isKnown`: the revisions that it may be in have batches. */
export function batchFault({ batch, limits }: Settings, count: number, isKnown: boolean): RpcError | undefined {
  const isServed = batch === "always" || (batch === "auto" && isKnown);
  if (!isServed) return invalidRequest("batches are not part of this revision; send each message on its own");
  if (count === 0) return invalidRequest("the batch is empty");
  if (count <= limits.batchMessages) return undefined;
  return limitExceeded("batchMessages", `the batch has ${count} messages; the limit is ${limits.batchMessages}`);
}

/** A link for the messages of a batch: their answers leave together when the last one has come. */
export function createBatchLink(link: Link, count: number, mostBytes: number): Link {
  const answers: string[] = [];
  const refusals: Refusal[] = [];
  let open = count;
  return {
    session: link.session,
    transport: link.transport,
    sessionId: link.sessionId,
    principal: link.principal,
    scopes: link.scopes,
    get headers() {
      return link.headers;
    },
    narrowing: link.narrowing,
    claims: link.claims,
    get isFull() {
      return link.isFull === true;
    },
    send: (message) => link.send(message),
    lasts: () => link.lasts?.(),
    answer(message, refusal) {
      if (message !== undefined) answers.push(message);
      if (refusal !== undefined) refusals.push(refusal);
      open -= 1;
      // Where nothing of it was served, the whole was refused.
      if (open === 0)
        answerTogether(answers, mostBytes, link, refusals.length === answers.length ? refusals[0] : undefined);
    },
  };
}

/** As one array, or one by one where that would be over the limit. */
function answerTogether(answers: readonly string[], mostBytes: number, link: Link, refusal?: Refusal): void {
  const batch = `[${answers.join(",")}]`;
  if (answers.length === 0) link.answer(undefined);
  else if (sizeFault(batch, mostBytes) === undefined) link.answer(batch, refusal);
  else {
    for (const message of answers) link.send(message);
    link.answer(undefined);
  }
}
