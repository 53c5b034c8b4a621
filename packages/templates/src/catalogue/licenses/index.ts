import type { TemplateParameter, TemplateSource } from "../../template.js";
import { author, choice } from "../shared/parameters.js";
import { APACHE_2_0 } from "./apache.js";
import { MPL_2_0_FIRST } from "./mpl-first.js";
import { MPL_2_0_SECOND } from "./mpl-second.js";
import { BSD_2_CLAUSE, BSD_3_CLAUSE, BSL_1_0, ISC, MIT, UNLICENSE, ZERO_BSD, ZLIB } from "./short.js";

/** Licences by their SPDX identifiers, with their names and texts. */
const LICENSES: Readonly<Record<string, readonly [name: string, text: string]>> = {
  MIT: ["MIT License", MIT],
  "Apache-2.0": ["Apache License 2.0", APACHE_2_0],
  "BSD-3-Clause": ["BSD 3-Clause License", BSD_3_CLAUSE],
  "BSD-2-Clause": ["BSD 2-Clause License", BSD_2_CLAUSE],
  "0BSD": ["BSD Zero Clause License", ZERO_BSD],
  ISC: ["ISC License", ISC],
  "MPL-2.0": ["Mozilla Public License 2.0", MPL_2_0_FIRST + MPL_2_0_SECOND],
  "BSL-1.0": ["Boost Software License 1.0", BSL_1_0],
  Zlib: ["zlib License", ZLIB],
  Unlicense: ["The Unlicense", UNLICENSE],
};

const holder: TemplateParameter = {
  name: author.name,
  type: "string",
  description: "Who holds the copyright, such as Ada Lovelace.",
  required: true,
  minLength: 1,
  ...(author.pattern !== undefined && { pattern: author.pattern }),
};

const year: TemplateParameter = {
  name: "year",
  type: "string",
  description: "Year or years of the copyright, such as 2024-2026; without it the year in which the file is made.",
  default: "",
  pattern: "^(?:\\d{4}(?:-\\d{4})?)?$",
};

const template = (
  variant: string,
  name: string,
  about: string,
  parameters: readonly TemplateParameter[],
  body: string,
) => ({
  category: "license",
  toolchain: "any",
  variant,
  name,
  description: about,
  filename: "LICENSE",
  parameters,
  body,
});

const one = ([id, [name, text]]: readonly [string, readonly [string, string]]): TemplateSource => {
  const isSigned = text.includes("{{ author }}");
  const variant = id.toLowerCase().replaceAll(".", "-");
  return template(
    variant,
    name,
    `Text of the ${name.replace(/^The /, "")} (SPDX ${id}).`,
    isSigned ? [holder, year] : [],
    text,
  );
};

const ALL = `{% case license %}${Object.entries(LICENSES)
  .map(([id, [, text]]) => `{% when "${id}" %}${text}`)
  .join("")}{% endcase %}`;

const [first = "", ...others] = Object.keys(LICENSES);

/** The licences, each for itself, and one template that picks the text by its SPDX identifier. */
export const licenseTemplates: readonly TemplateSource[] = [
  template(
    "default",
    "Licence by its SPDX identifier",
    "Text of the licence that the project names, picked by its SPDX identifier.",
    [choice("license", "SPDX identifier of the licence.", [first, ...others]), holder, year],
    ALL,
  ),
  ...Object.entries(LICENSES).map(one),
];
