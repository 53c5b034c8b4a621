import { type CommandContext, print, readWords, UsageError } from "@toolwright/kit/cli";
import { checkWritable, createPaint, wantsColour, writeOut } from "@toolwright/kit/terminal";
import { nearest } from "@toolwright/kit/text";
import type { Deed, Result } from "./deed.js";
import { OPTIONS, type Option, type Options } from "./options.js";
import { withAnalysis } from "./with-analysis.js";

/** Every analysis; one that is not asked for is not even read. */
const DEEDS: Readonly<Record<string, () => Promise<Deed>>> = {
  complexity: async () => (await import("./complexity.js")).complexity,
  churn: async () => (await import("./churn.js")).churn,
  hotspots: async () => (await import("./hotspots.js")).hotspots,
  gate: async () => (await import("./gate.js")).gate,
  satd: async () => (await import("./satd.js")).satd,
  duplicates: async () => (await import("./duplicates.js")).duplicates,
  dag: async () => (await import("./dag.js")).dag,
  context: async () => (await import("./context.js")).context,
};

/** What all of them take. */
const COMMON: readonly Option[] = ["--format", "--json", "--output", "--quiet", "--no-cache"];

/** Does what follows `analyze`: looks at code, and says what it found in the form that was asked for. */
export async function runAnalyze([name, ...words]: readonly string[], context: CommandContext): Promise<void> {
  const deed = await findDeed(name);
  const plain: string[] = [];
  const takes = [...COMMON, ...deed.takes];
  const kinds = Object.fromEntries(Object.entries(OPTIONS).filter(([option]) => takes.some((one) => one === option)));
  const options = readWords<Option>(words, explained(kinds as typeof OPTIONS, name ?? "", words), plain);
  const [given = ".", stray] = plain;
  if (stray !== undefined) throw new UsageError(`analyze ${name} takes one folder or file; "${stray}" is one too many`);
  const format = formatOf(deed, options, name ?? "");
  const files = [options["--output"]?.[0], options["--html"]?.[0]].filter((file) => file !== undefined);
  for (const file of files) checkWritable(file);
  const isForScreen = format === deed.formats[0] && options["--output"] === undefined;
  const result = await withAnalysis(
    { given, isQuiet: options["--quiet"] !== undefined, isUncached: options["--no-cache"] !== undefined },
    context,
    (open) =>
      deed.run({
        ...open,
        options,
        format,
        width: (isForScreen && process.stdout.isTTY && process.stdout.columns) || Number.POSITIVE_INFINITY,
        paint: createPaint(isForScreen && wantsColour(process.stdout, process.env)),
      }),
  );
  await deliver(result, options, isForScreen);
}

async function findDeed(name: string | undefined): Promise<Deed> {
  const names = Object.keys(DEEDS);
  const load = name !== undefined && Object.hasOwn(DEEDS, name) ? DEEDS[name] : undefined;
  if (load !== undefined) return load();
  if (name === undefined) throw new UsageError(`analyze needs one of ${names.join(", ")}`);
  const meant = nearest(name, names);
  throw new UsageError(`"analyze ${name}" is unknown${meant === undefined ? "" : `; did you mean ${meant}?`}`);
}

/** Says so where an option belongs to another analysis; mistyped ones are found by `readWords`. */
function explained(kinds: typeof OPTIONS, name: string, words: readonly string[]): typeof OPTIONS {
  const stray = words.map((word) => word.replace(/=.*/s, "")).find((word) => word in OPTIONS && !(word in kinds));
  if (stray !== undefined)
    throw new UsageError(
      stray === "--html"
        ? `analyze ${name} makes no page; "toolwright analyze hotspots --html FILE" does`
        : `analyze ${name} takes no ${stray}`,
    );
  return kinds;
}

function formatOf({ formats }: Deed, options: Options, name: string): string {
  const given = options["--format"]?.[0];
  // Full says how much is told, and JSON in which form.
  const isBoth = given === "full" && formats.includes("full");
  if (options["--json"] !== undefined && given !== undefined && given !== "json" && !isBoth)
    throw new UsageError(`--json and --format ${given} exclude each other`);
  const format = options["--json"] === undefined ? (given ?? formats[0]) : "json";
  if (formats.includes(format)) return format;
  const meant = nearest(format, formats);
  const hint = meant === undefined ? `it can be ${formats.join(", ")}` : `did you mean ${meant}?`;
  throw new UsageError(`analyze ${name} has no format ${JSON.stringify(format)}; ${hint}`);
}

async function deliver({ text, hasFailed, files = [] }: Result, options: Options, isForScreen: boolean): Promise<void> {
  const whole = text.endsWith("\n") ? text : `${text}\n`;
  const [output] = options["--output"] ?? [];
  for (const { name, text: content } of files) writeOut(name, content);
  if (output !== undefined) writeOut(output, whole);
  // What is made for the screen has its colours by now, and nothing else that could move the cursor.
  else if (isForScreen) await new Promise<void>((resolve) => process.stdout.write(whole, () => resolve()));
  else await print(whole);
  if (options["--quiet"] === undefined)
    for (const name of [...files.map((file) => file.name), ...(output === undefined ? [] : [output])])
      process.stderr.write(`Written: ${name}\n`);
  if (hasFailed === true) process.exitCode = 1;
}
