import type { TemplateParameter, TemplateSource } from "../../template.js";
import { templatesOf, VARIANTS, type Variant, WORDS } from "./of.js";
import { hasTests, projectName } from "./parameters.js";
import type { Toolchain } from "./toolchain.js";

/** One thing that `make` can do. */
export interface Target {
  readonly name: string;
  /** What `make help` says of it. */
  readonly about: string;
  /** What is made first; may have tags. */
  readonly needs?: string;
  /** The parameter without which there is no such target. */
  readonly when?: string;
  readonly run?: readonly string[];
}

/** The Makefile of one kind of project. */
export interface Form {
  /** What it is told beside the name of the project and whether there are tests. */
  readonly parameters?: readonly TemplateParameter[];
  /** The variables of make. */
  readonly settings: string;
  readonly targets: readonly Target[];
}

/** The Makefiles of a toolchain. */
export function makefiles({ name, title }: Toolchain, forms: Readonly<Record<Variant, Form>>): TemplateSource[] {
  const template = templatesOf(name);
  return VARIANTS.map((variant) => {
    const { parameters = [], settings, targets } = forms[variant];
    return template("makefile", variant, {
      description: `Makefile that builds, tests and checks a ${title} ${WORDS[variant]}.`,
      filename: "Makefile",
      parameters: [projectName, hasTests, ...parameters],
      body: makefile(settings, targets),
    });
  });
}

const HELP = `.DEFAULT_GOAL := help

.PHONY: help
help: ## Show this help
	@awk 'BEGIN {FS = ":.*## "} /^[a-zA-Z0-9_-]+:.*## / {printf "  %-14s %s\\n", $$1, $$2}' $(MAKEFILE_LIST)`;

/** What it sets, then a help that lists its targets, then the targets. */
function makefile(settings: string, targets: readonly Target[]): string {
  const about = "# {{ project_name }}: what there is to do with it. `make` alone lists it.";
  return `${about}\n\n${settings.trim()}\n\n${HELP}${targets.map(toRule).join("")}\n`;
}

function toRule({ name, about, needs, when, run = [] }: Target): string {
  const head = `${name}:${needs === undefined ? "" : ` ${needs}`} ## ${about}`;
  const rule = `\n\n.PHONY: ${name}\n${head}${run.map((command) => `\n\t${command}`).join("")}`;
  return when === undefined ? rule : `{% if ${when} %}${rule}{% endif %}`;
}

/** Targets without some of them. */
export const without = (targets: readonly Target[], ...names: readonly string[]): readonly Target[] =>
  targets.filter(({ name }) => !names.includes(name));

/** What a server has beside the targets of a program: it is run without arguments, and put into an image. */
export const ofServer = (targets: readonly Target[], run: string): readonly Target[] => [
  ...targets.map((target) => (target.name === "run" ? { ...target, about: "Run the server", run: [run] } : target)),
  {
    name: "image",
    about: "Build the image of the server",
    run: ["docker build --tag {{ project_name | kebab }} ."],
  },
];
