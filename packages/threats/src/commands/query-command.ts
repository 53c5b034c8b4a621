import { type CommandContext, UsageError } from "@toolwright/kit/cli";
import { visible, visibleLine } from "@toolwright/kit/terminal";
import type { AgentAnswer, BriefPattern } from "../query/agent-answer.js";
import type { HumanAnswer } from "../query/human-answer.js";
import { query as findThreats } from "../query/query.js";
import {
  type CommandOutput,
  type CommonInput,
  indent,
  labelled,
  paintSeverity,
  type ThreatsSession,
  toJson,
  withThreats,
} from "./with-threats.js";

/** The token budget for a person, who can read more than an agent. */
const TEXT_BUDGET = 20_000;

interface QueryInput extends CommonInput {
  readonly words: readonly string[];
  readonly context: string | undefined;
  readonly language: string | undefined;
  readonly framework: string | undefined;
  readonly category: string | undefined;
  readonly files: readonly string[];
  readonly limit: number | undefined;
}

/** `toolwright threats query`. */
export const query = (input: QueryInput, ctx: CommandContext): Promise<void> =>
  withThreats(input, ctx, async (session) => {
    const { words, language, framework, category, files, limit } = input;
    const { threats, isVerbose, format } = session;
    const context = input.context ?? words.join(" ");
    if (context.trim() === "")
      throw new UsageError('the task is missing, such as --context "a webhook that marks orders paid"');
    const isText = format === "text";
    const answer = await findThreats(threats.library, threats.settings.tokenBudget, {
      context,
      language,
      framework,
      category,
      files,
      limit: limit ?? 0,
      verbosity: isVerbose ? "human" : "agent",
      ...(isText && !isVerbose && { token_budget: TEXT_BUDGET }),
    });
    return isText ? formatAnswer(session, answer) : { text: toJson(answer) };
  });

async function formatAnswer(session: ThreatsSession, answer: AgentAnswer | HumanAnswer): Promise<CommandOutput> {
  const { threats, paint, isVerbose } = session;
  const found: readonly BriefPattern[] = "patterns" in answer ? answer.patterns : answer.verbose_patterns;
  const blocks = await Promise.all(
    found.map(async ({ id, severity, threat, check, fix }) => {
      const { name } = await threats.library.find(id);
      const lines = [
        `${paint.bold(id)}  ${paintSeverity(paint, severity)}  ${paint.bold(visibleLine(name))}`,
        labelled(session, "threat", threat),
        labelled(session, "check", check),
        labelled(session, "fix", fix),
      ];
      return [...lines, ...(isVerbose ? [await formatPattern(session, id)] : [])].join("\n");
    }),
  );
  const rest = answer.pattern_count - answer.patterns_included;
  return {
    text: [
      ...blocks,
      ...("patterns" in answer ? formatCode(answer, session) : []),
      ...(rest > 0 ? [paint.faint(`${rest} more; use --limit to show them`)] : []),
      ...(answer.note === undefined ? [] : [answer.note]),
    ].join("\n\n"),
  };
}

/** A pattern in full, as `show` prints it. */
async function formatPattern({ threats, paint }: ThreatsSession, id: string): Promise<string> {
  const { toMarkdown } = await import("../pattern-markdown.js");
  const text = visible(toMarkdown(await threats.library.read(id)));
  return `\n${text.replaceAll(/^#+ .*$/gm, (heading) => paint.bold(heading))}`;
}

function formatCode({ code_pattern: code }: AgentAnswer, { paint }: ThreatsSession): readonly string[] {
  if (code === undefined) return [];
  const stack = `${code.language}${code.framework === "any" ? "" : `, ${code.framework}`}`;
  const note = code.note === undefined ? "" : ` ${visibleLine(code.note)}`;
  return [`${paint.faint(`Secure code (${stack}).${note}`)}\n\n${indent(visible(code.secure_template), "    ")}`];
}
