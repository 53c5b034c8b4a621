import {
  type CommandContext,
  Failure,
  type Given,
  type OptionKind,
  print,
  readWords,
  UsageError,
  writeJson,
} from "@toolwright/kit/cli";
import { search } from "../library/search.js";
import { generate, validate } from "../rendering/generate.js";
import { toListed } from "../tools/listing.js";
import { askMissing } from "./ask.js";
import { type OpenShop, toUri, withWorkshop } from "./open.js";
import { readParameters } from "./parameters.js";
import { showFaults, showTemplate, showTemplates } from "./show.js";

const OPTIONS = {
  "--toolchain": { value: "a toolchain" },
  "--category": { value: "a category" },
  "--variant": { value: "a variant" },
  "--directory": { value: "a folder" },
  "--json": {},
  "--parameters": { value: "parameters in JSON" },
  "--text": {},
} as const satisfies Record<string, OptionKind>;

type Options = Given<keyof typeof OPTIONS>;
type Deed = (shop: OpenShop, options: Options, plain: readonly string[]) => Promise<void>;

const DEEDS: Readonly<Record<string, { readonly run: Deed; readonly takes: readonly (keyof typeof OPTIONS)[] }>> = {
  list: { run: list, takes: ["--toolchain", "--category", "--variant", "--json"] },
  search: { run: find, takes: ["--toolchain", "--json"] },
  show: { run: show, takes: ["--json", "--text"] },
  generate: { run: make, takes: ["--json", "--parameters"] },
  validate: { run: check, takes: ["--json", "--parameters"] },
};

/** Does what follows `template`: lists, finds, shows, fills in or checks templates. */
export async function runTemplate([deed, ...words]: readonly string[], context: CommandContext): Promise<void> {
  const known = deed !== undefined && Object.hasOwn(DEEDS, deed) ? DEEDS[deed] : undefined;
  if (known === undefined)
    throw new UsageError(
      deed === undefined ? `template needs one of ${Object.keys(DEEDS).join(", ")}` : `"template ${deed}" is unknown`,
    );
  const plain: string[] = [];
  const options = readWords<keyof typeof OPTIONS>(words, OPTIONS, plain);
  const stray = Object.keys(options).find((name) => name !== "--directory" && !known.takes.some((one) => one === name));
  if (stray !== undefined) throw new UsageError(`template ${deed} takes no ${stray}`);
  await withWorkshop(options["--directory"]?.[0], context, (shop) => known.run(shop, options, plain));
}

async function list({ workshop: { library } }: OpenShop, options: Options, plain: readonly string[]): Promise<void> {
  refuse(plain[0]);
  const [toolchain, category, variant] = [options["--toolchain"], options["--category"], options["--variant"]];
  const entries = await library.list({ toolchain: toolchain?.[0], category: category?.[0], variant: variant?.[0] });
  const faults = await library.faults();
  if (options["--json"]) await print(writeJson(entries.map((entry) => toListed(entry, "detailed"))));
  else if (entries.length > 0) await print(showTemplates(entries, columns()));
  if (faults.length > 0) process.stderr.write(`${showFaults(faults)}\n`);
  if (entries.length === 0) throw new Failure("No template fits", 1);
}

async function find({ workshop: { library } }: OpenShop, options: Options, plain: readonly string[]): Promise<void> {
  if (plain.length === 0) throw new UsageError("template search needs words to look for");
  const hits = search(await library.list({ toolchain: options["--toolchain"]?.[0] }), plain.join(" "));
  const listed = hits.map(({ entry, relevance, matched: [...matched] }) => ({
    ...toListed(entry, "full"),
    relevance,
    matched: [...matched],
  }));
  if (options["--json"]) await print(writeJson(listed));
  else if (hits.length > 0)
    await print(
      hits
        .map(
          ({ entry, relevance }) =>
            `${String(relevance).padStart(3)}  ${entry.uri}  ${entry.name}: ${entry.description}`,
        )
        .join("\n"),
    );
  if (hits.length === 0) throw new Failure(`No template has "${plain.join(" ")}"`, 1);
}

async function show({ workshop: { library } }: OpenShop, options: Options, plain: readonly string[]): Promise<void> {
  const entry = await library.find(uriIn(plain, "show"));
  refuse(plain[1]);
  if (options["--text"]) process.stdout.write(entry.source.body);
  else if (options["--json"]) await print(writeJson(toListed(entry, "detailed")));
  else await print(showTemplate(entry));
}

async function make({ workshop }: OpenShop, options: Options, plain: readonly string[]): Promise<void> {
  const entry = await workshop.library.find(uriIn(plain, "generate"));
  const given = readParameters(plain.slice(1), options["--parameters"]?.[0], [entry]);
  const made = await generate(
    workshop,
    entry.uri,
    await askMissing([entry], given, `${entry.name} (${entry.source.filename})`),
  );
  if (options["--json"]) await print(writeJson(made));
  else process.stdout.write(made.content);
}

async function check({ workshop }: OpenShop, options: Options, plain: readonly string[]): Promise<void> {
  const entry = await workshop.library.find(uriIn(plain, "validate"));
  const said = await validate(
    workshop,
    entry.uri,
    readParameters(plain.slice(1), options["--parameters"]?.[0], [entry]),
  );
  if (options["--json"]) await print(writeJson(said));
  else
    await print(
      said.valid
        ? "These parameters will do."
        : said.errors.map(({ field, message }) => `${field} ${message}`).join("\n"),
    );
  if (!said.valid) throw new Failure(`The parameters will not do for ${entry.uri}`, 1);
}

function uriIn([word]: readonly string[], deed: string): string {
  if (word === undefined) throw new UsageError(`template ${deed} needs a template, such as makefile/rust/cli`);
  return toUri(word);
}

function refuse(word: string | undefined): void {
  if (word !== undefined) throw new UsageError(`"${word}" is unknown`);
}

const columns = (): number => (process.stdout.isTTY && process.stdout.columns) || Number.POSITIVE_INFINITY;
