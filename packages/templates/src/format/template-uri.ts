import { ToolError } from "@toolwright/engine";
import type { TemplateSource } from "./template.js";

/** The three words by which a template is found. */
export type TemplateAddress = Pick<TemplateSource, "category" | "toolchain" | "variant">;

/** What each of the three words is made of. */
export const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

const SCHEME = "template://";

/** The URI of a template. */
export const uriOf = ({ category, toolchain, variant }: TemplateAddress): string =>
  `${SCHEME}${category}/${toolchain}/${variant}`;

/** Reads the URI of a template. Throws a fault that says what is wrong with it. */
export function readTemplateUri(uri: string): TemplateAddress {
  if (!uri.startsWith(SCHEME)) throw malformed(uri, `it does not begin with ${SCHEME}`);
  const parts = uri.slice(SCHEME.length).split("/");
  if (parts.length !== 3) throw malformed(uri, `it has ${parts.length} of the three parts`);
  const wrong = parts.find((part) => !SLUG.test(part) || part.length > 64);
  if (wrong !== undefined)
    throw malformed(uri, `${JSON.stringify(wrong)} is not made of lower-case letters, digits and single dashes`);
  const [category = "", toolchain = "", variant = ""] = parts;
  return { category, toolchain, variant };
}

function malformed(uri: string, reason: string): ToolError {
  const shown = uri.length > 200 ? `${uri.slice(0, 200)}…` : uri;
  return new ToolError(
    `Cannot read the template URI ${JSON.stringify(shown)}: ${reason}. Write template://category/toolchain/variant, such as template://makefile/rust/cli; list_templates has them all.`,
    { code: "INVALID_TEMPLATE_URI", details: { got: shown, expected: "template://{category}/{toolchain}/{variant}" } },
  );
}
