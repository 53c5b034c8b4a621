import { numberOf, UsageError } from "@toolwright/kit/cli";
import { visible, visibleLine } from "@toolwright/kit/terminal";
import type { AgentAnswer, BriefPattern } from "../query/agent-answer.js";
import type { HumanAnswer } from "../query/human-answer.js";
import { query as ask } from "../query/query.js";
import type { Bench, Deed, Result } from "./deed.js";
import { forPeople, indent, labelled, paintSeverity, toJson } from "./say.js";

/** A person has room for what an agent has not. */
const ROOM = 20_000;

/** `toolwright threats query`: which threats belong to a task. */
export const query: Deed = {
  takes: ["--context", "--language", "--framework", "--category", "--limit", "--files"],
  formats: ["text", "json"],
  words: [0, Number.POSITIVE_INFINITY],
  async run(bench) {
    const { desk, options, words, isVerbose, format } = bench;
    const context = options["--context"]?.[0] ?? words.join(" ");
    if (context.trim() === "")
      throw new UsageError(
        'threats query needs --context with the task in words, such as "a webhook that marks orders paid"',
      );
    const isForPeople = format === "text";
    const answer = await ask(desk.library, desk.tokenBudget, {
      context,
      language: options["--language"]?.[0],
      framework: options["--framework"]?.[0],
      category: options["--category"]?.[0],
      files: options["--files"],
      limit: numberOf(options, "--limit", 0, 50) ?? 0,
      verbosity: isVerbose ? "human" : "agent",
      ...(isForPeople && !isVerbose && { token_budget: ROOM }),
    });
    return isForPeople ? draw(bench, answer) : { text: toJson(answer) };
  },
};

async function draw(bench: Bench, answer: AgentAnswer | HumanAnswer): Promise<Result> {
  const { desk, paint, isVerbose } = bench;
  const found: readonly BriefPattern[] = "patterns" in answer ? answer.patterns : answer.verbose_patterns;
  const blocks = await Promise.all(
    found.map(async ({ id, severity, threat, check, fix }) => {
      const { name } = await desk.library.find(id);
      const lines = [
        `${paint.bold(id)}  ${paintSeverity(paint, severity)}  ${paint.bold(visibleLine(name))}`,
        labelled(bench, "threat", threat),
        labelled(bench, "check", check),
        labelled(bench, "fix", fix),
      ];
      return [...lines, ...(isVerbose ? [await whole(bench, id)] : [])].join("\n");
    }),
  );
  const more = answer.pattern_count - answer.patterns_included;
  return {
    text: [
      ...blocks,
      ...("patterns" in answer ? drawCode(answer, bench) : []),
      ...(more > 0 ? [paint.faint(`${more} more; --limit shows them`)] : []),
      ...(answer.note === undefined ? [] : [forPeople(answer.note)]),
    ].join("\n\n"),
  };
}

/** Scenario, mitigations and code, as `get` shows them. */
async function whole({ desk, paint }: Bench, id: string): Promise<string> {
  const { toMarkdown } = await import("../pattern-markdown.js");
  const text = visible(toMarkdown(await desk.library.read(id)));
  return `\n${text.replaceAll(/^#+ .*$/gm, (heading) => paint.bold(heading))}`;
}

function drawCode({ code_pattern: code }: AgentAnswer, { paint }: Bench): readonly string[] {
  if (code === undefined) return [];
  const about = `${code.language}${code.framework === "any" ? "" : `, ${code.framework}`}`;
  const note = code.note === undefined ? "" : ` ${visibleLine(code.note)}`;
  return [
    `${paint.faint(`How it is done right (${about}).${note}`)}\n\n${indent(visible(code.secure_template), "    ")}`,
  ];
}
