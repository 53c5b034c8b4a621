import { resourceTemplate } from "@toolwright/engine";
import type { Completer } from "@toolwright/engine/types";
import type { TemplatesContext } from "./context.js";
import type { TemplateAddress } from "./format/template.js";

/** Every template as a resource: its body, with the schema of its parameters in the metadata. */
export const templateResource = ({ library }: TemplatesContext) => {
  const complete =
    (part: keyof TemplateAddress): Completer =>
    async (typed, others) => {
      const entries = await library.list({ ...others, [part]: undefined });
      return [...new Set(entries.map((entry) => entry[part]))].filter((word) => word.startsWith(typed.toLowerCase()));
    };
  return resourceTemplate({
    uri: "template://{category}/{toolchain}/{variant}",
    name: "template",
    title: "Template of a project file",
    requires: ["generate_template"],
    description: "The source text of a template. generate_template renders it.",
    complete: { category: complete("category"), toolchain: complete("toolchain"), variant: complete("variant") },
    async list() {
      const entries = await library.list();
      return {
        resources: entries.map(({ uri, name, description, mimeType }) => ({ uri, name, description, mimeType })),
      };
    },
    async read({ category, toolchain, variant }) {
      const entry = await library.find({ category, toolchain, variant });
      if (entry === undefined) return undefined;
      const { uri, mimeType, source, schema } = entry;
      return { uri, mimeType, text: source.body, meta: { "toolwright/parameters": schema } };
    },
  });
};
