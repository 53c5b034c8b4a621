import type { Context } from "../context.js";
import { type Check, type Finding, fault, good, type NotApplicable, notApplicable, note, warning } from "../finding.js";
import { chooseProbe, type Probe } from "../tool-probe.js";
import { codeOf, describeReply, type Reply, resultOf } from "../wire/connection.js";
import { CODES } from "../wire/protocol.js";

const PROTOCOL_ERROR_ADVICE = {
  why: "Most clients only log protocol errors: the model never learns what was wrong, and gives up or repeats the call.",
  next: "Return a result with isError: true whose text says which argument is wrong.",
};

const NO_RESPONSE_ADVICE = {
  why: "The client waits until its timeout, and so does the user.",
  next: "Respond to every request, also with errors.",
};

const unknownTool: Check<Context> = {
  id: "errors.unknown-tool",
  title: "Rejects a call of an unknown tool",
  group: "errors",
  async run(context) {
    const { best, tools } = await context.snapshot();
    if (best === undefined || tools.length === 0) return notApplicable("It lists no tools.");
    const conversation = await context.share(best.revision);
    const reply = await conversation.ask("tools/call", { name: "toolwright_doctor_no_such_tool", arguments: {} });
    const code = codeOf(reply);
    if (reply.kind !== "answer")
      return [fault(`An unknown tool gets ${describeReply(reply)}.`, NO_RESPONSE_ADVICE, reply.evidence)];
    if (code === CODES.invalidParams) return [good(`It responds with ${code}.`, reply.evidence)];
    if (code !== undefined)
      return [note(`It responds with ${code}; the specification says ${CODES.invalidParams}.`, reply.evidence)];
    if (isError(reply)) return [note("It responds with an error result, which the model can read.", reply.evidence)];
    const advice = {
      why: "A model that misspells a name believes that the call succeeded.",
      next: "Reject unknown names.",
    };
    return [fault("A tool that does not exist can be called.", advice, reply.evidence)];
  },
};

const isError = (reply: Reply): boolean => resultOf(reply)?.["isError"] === true;

/** Calls the probe with some arguments, and judges the reply. */
async function callProbe(
  context: Context,
  argsOf: (probe: Probe) => unknown,
  judge: (reply: Reply, probe: Probe) => Finding,
): Promise<readonly Finding[] | NotApplicable> {
  const { best, tools } = await context.snapshot();
  if (best === undefined || tools.length === 0) return notApplicable("It lists no tools.");
  const probe = chooseProbe(tools, context.limits.allowedTool);
  if (probe === undefined)
    return notApplicable("No tool is marked as read-only (readOnlyHint). To test one anyway, use --call TOOL.");
  const args = argsOf(probe);
  if (args === undefined) return notApplicable(`The tool ${probe.tool} has no argument that can be invalid.`);
  const conversation = await context.share(best.revision);
  const reply = await conversation.ask("tools/call", { name: probe.tool, arguments: args });
  if (reply.kind !== "answer")
    return [fault(`${probe.tool}: the call gets ${describeReply(reply)}.`, NO_RESPONSE_ADVICE, reply.evidence)];
  return [judge(reply, probe)];
}

/** Judges the reply to a call with invalid arguments. */
function judgeInvalidCall(reply: Reply, tool: string, what: string): Finding {
  if (isError(reply)) return good(`${tool}: ${what} gets an error result that the model can read.`, reply.evidence);
  const code = codeOf(reply);
  if (code !== undefined)
    return warning(
      `${tool}: ${what} gets the protocol error ${code}, which models do not see.`,
      PROTOCOL_ERROR_ADVICE,
      reply.evidence,
    );
  return warning(
    `${tool}: ${what} is accepted.`,
    {
      why: "A model that omits or confuses an argument gets the answer to another question, and believes it.",
      next: "Validate the arguments against the input schema before the tool runs.",
    },
    reply.evidence,
  );
}

const missingArgument: Check<Context> = {
  id: "errors.missing-argument",
  title: "Tells the model which argument is missing",
  group: "errors",
  run: (context) =>
    callProbe(
      context,
      ({ required }) => (required.length === 0 ? undefined : {}),
      (reply, { tool, required }) => judgeInvalidCall(reply, tool, `a call without "${required[0] ?? ""}"`),
    ),
};

const wrongType: Check<Context> = {
  id: "errors.wrong-type",
  title: "Tells the model which argument has the wrong type",
  group: "errors",
  run: (context) =>
    callProbe(
      context,
      ({ wrong }) => wrong?.args,
      (reply, { tool, wrong }) => judgeInvalidCall(reply, tool, `a wrong type for "${wrong?.name ?? ""}"`),
    ),
};

const EXTRA = "toolwright_doctor_extra";

const unknownArgument: Check<Context> = {
  id: "errors.misspelt-argument",
  title: "Reports unknown arguments",
  group: "errors",
  run: (context) =>
    callProbe(
      context,
      ({ valid }) => ({ ...valid, [EXTRA]: 1 }),
      (reply, { tool }) => {
        if (JSON.stringify(reply.message).includes(EXTRA))
          return good(`${tool}: an unknown argument is reported.`, reply.evidence);
        return warning(
          `${tool}: an unknown argument is silently ignored.`,
          {
            why: "A misspelled argument is lost, and the model gets the answer to a question that it did not ask.",
            next: "Reject arguments that are not in the schema (additionalProperties: false), and suggest the closest name.",
          },
          reply.evidence,
        );
      },
    ),
};

const argumentsAsString: Check<Context> = {
  id: "errors.arguments-as-text",
  title: "Handles arguments that are sent as a JSON string",
  group: "errors",
  run: (context) =>
    callProbe(
      context,
      ({ valid }) => JSON.stringify(valid),
      (reply, { tool }) => {
        const code = codeOf(reply);
        if (code === undefined)
          return good(
            `${tool}: arguments as a string are parsed, or rejected with a message for the model.`,
            reply.evidence,
          );
        return note(
          `${tool}: arguments as a string get the protocol error ${code}.`,
          reply.evidence,
          "Some clients send arguments in this way; their calls fail.",
        );
      },
    ),
};

/** The checks that call a tool. */
export const CALL_CHECKS: readonly Check<Context>[] = [
  unknownTool,
  missingArgument,
  wrongType,
  unknownArgument,
  argumentsAsString,
];
