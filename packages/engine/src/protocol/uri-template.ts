import { MOST_URI_CHARACTERS } from "./uri.js";
import { expandParts, type TemplateValues } from "./uri-template-expand.js";
import { matchSteps } from "./uri-template-match.js";
import { toSteps } from "./uri-template-steps.js";
import { readParts } from "./uri-template-syntax.js";

/** A URI template (RFC 6570) that was checked once: it tells its own URIs from others, and writes them. */
export interface UriTemplate {
  readonly text: string;
  /** The names of its variables, in the order of the text. */
  readonly variables: readonly string[];
  /**
   * The decoded values in a URI that `normalizeUri` gave, or undefined where it is no URI of this template or a value would go
   * up with `..`. Where two variables could share a text, the first one takes as much as it can.
   */
  match(uri: string): Readonly<Record<string, string | string[]>> | undefined;
  /** The URI that these values make; what has no value is left out. */
  expand(values: TemplateValues): string;
}

/** Reads a URI template; throws with the reason and the place where it is none, or where its variables cannot be told apart. */
export function parseTemplate(text: string): UriTemplate {
  const parts = readParts(text);
  const steps = toSteps(parts);
  const variables = parts.flatMap((part) => (typeof part === "string" ? [] : part.variables.map(({ name }) => name)));
  return Object.freeze({
    text,
    variables: Object.freeze(variables),
    match: (uri: string) => {
      const found = uri.length > MOST_URI_CHARACTERS ? undefined : matchSteps(steps, uri);
      return found && Object.fromEntries(found);
    },
    expand: (values: TemplateValues) => expandParts(parts, values),
  });
}
