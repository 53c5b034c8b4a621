import { createRequire } from "node:module";

/** The values of the variables of a template. */
export type TemplateValues = Readonly<Record<string, unknown>>;

interface Router {
  readonly Expression: { from(content: string): { toString(values: TemplateValues): string } };
}

const { Expression } = createRequire(import.meta.url)("uri-template-router") as Router;

/** Expands a URI template with an independent implementation of RFC 6570. */
export function expandUriTemplate(template: string, values: TemplateValues): string {
  return template.replaceAll(/\{([^}]*)\}/g, (_, content: string) => Expression.from(content).toString(values));
}
