import type { Context } from "../context.js";
import { STATELESS } from "../eras.js";
import { type Check, fault, good, notApplicable, note, warning } from "../finding.js";
import { asObject, codeOf, resultOf, sayReply } from "../wire/reply.js";

const PROBE = {
  why: "Newer clients ask server/discover before anything else, and fall back to initialize when it is refused. A server that dies of it or stays silent is taken for broken, or started twice.",
  next: "Answer server/discover, or refuse it like any unknown method, and then take initialize.",
};

/** Does the question that newer clients begin with hurt it? */
const discoverFirst: Check<Context> = {
  id: "handshake.discover-first",
  title: "Survives server/discover before initialize",
  group: "handshake",
  async run(context) {
    const { opening } = await context.open(STATELESS);
    if (opening.kind === "end")
      return [fault(`It dies of server/discover: ${sayReply(opening)}.`, PROBE, opening.evidence)];
    if (opening.kind === "silence" && opening.status === undefined)
      return [fault("It says nothing to server/discover.", PROBE, opening.evidence)];
    if (opening.kind === "silence")
      return [
        warning(`It refuses server/discover without a JSON-RPC error: ${opening.reason}.`, PROBE, opening.evidence),
      ];
    const code = codeOf(opening);
    if (code === undefined) return [good("It answers server/discover.", opening.evidence)];
    return [
      good(`It refuses server/discover with error ${code}, as clients expect of older servers.`, opening.evidence),
    ];
  },
};

/** Does it serve requests that stand alone? */
const alone: Check<Context> = {
  id: "handshake.stateless",
  title: `Serves requests that stand alone (${STATELESS.version})`,
  group: "handshake",
  async run(context) {
    const { visits, stateless } = await context.survey();
    const visit = visits.find(({ era }) => !era.handshake);
    if (stateless === undefined)
      return [
        note(
          `It does not speak ${STATELESS.version}; clients of that revision fall back to initialize.`,
          visit?.opening.evidence ?? [],
        ),
      ];
    const troubles = [...stateless.lists.values()].flatMap(({ trouble }) => trouble ?? []);
    if (troubles.length === 0) return [good(`It speaks ${STATELESS.version}, and its lists need no handshake.`)];
    return [
      fault(
        `It says that it speaks ${STATELESS.version}, but ${troubles.join("; ")}.`,
        {
          why: "Clients that believe server/discover never try initialize, and see nothing.",
          next: "Serve every method without a handshake, or leave the version out of supportedVersions.",
        },
        [...stateless.lists.values()].flatMap(({ replies }) => replies.flatMap(({ evidence }) => evidence)),
      ),
    ];
  },
};

/** Do declared features answer, and only those? */
const capabilities: Check<Context> = {
  id: "handshake.capabilities",
  title: "Answers exactly what its capabilities promise",
  group: "handshake",
  async run(context) {
    const { best } = await context.survey();
    if (best === undefined) return notApplicable("It came to no agreement.");
    const broken = [...best.lists].filter(([, { trouble }]) => trouble !== undefined);
    const hidden = [...best.replies].filter(([method, reply]) => method !== "ping" && resultOf(reply) !== undefined);
    const mute = [...best.replies].filter(([, { kind, status }]) => kind !== "answer" && status === undefined);
    return [
      ...broken.map(([, { trouble, replies }]) =>
        fault(
          `It declares the capability, but ${trouble}.`,
          {
            why: "Clients ask for every list that is declared, and many give the whole server up when one fails.",
            next: "Answer the list, were it empty, or do not declare the capability.",
          },
          replies.flatMap(({ evidence }) => evidence),
        ),
      ),
      ...mute.map(([method, reply]) =>
        fault(
          `It says nothing to ${method}, which it has not declared.`,
          {
            why: "A client that asks all the same waits until its time is over.",
            next: "Answer every unknown method with the error for that.",
          },
          reply.evidence,
        ),
      ),
      ...hidden
        .filter(([, reply]) => hasItems(resultOf(reply)))
        .map(([method, reply]) =>
          warning(
            `${method} has something to list, but the capability is not declared.`,
            { why: "No client will ever ask for it.", next: "Declare the capability." },
            reply.evidence,
          ),
        ),
      ...(broken.length + mute.length === 0
        ? [good(`It declares ${Object.keys(best.capabilities).sort().join(", ") || "nothing"}, and answers that.`)]
        : []),
    ];
  },
};

const hasItems = (result: unknown): boolean =>
  Object.values(asObject(result) ?? {}).some((value) => Array.isArray(value) && value.length > 0);

/** The checks of eras and capabilities. */
export const ERA_CHECKS: readonly Check<Context>[] = [discoverFirst, alone, capabilities];
