import { resourceTemplate } from "@toolwright/engine";
import type { Completer } from "@toolwright/engine/types";
import type { Workshop } from "./context.js";
import type { TemplateAddress } from "./format/template-uri.js";

/** Every template as a resource: its text as the author wrote it, and the schema of its parameters beside it. */
export const templateResource = ({ library }: Workshop) => {
  const complete =
    (part: keyof TemplateAddress): Completer =>
    async (typed, others) => {
      const fitting = await library.list({ ...others, [part]: undefined });
      return [...new Set(fitting.map((entry) => entry[part]))].filter((word) => word.startsWith(typed.toLowerCase()));
    };
  return resourceTemplate({
    uri: "template://{category}/{toolchain}/{variant}",
    name: "template",
    title: "Template of a project file",
    description: "The text of a template before it is filled in. generate_template fills it in.",
    complete: { category: complete("category"), toolchain: complete("toolchain"), variant: complete("variant") },
    async list() {
      const entries = await library.list();
      return {
        resources: entries.map(({ uri, name, description, mimeType }) => ({ uri, name, description, mimeType })),
      };
    },
    async read({ category, toolchain, variant }) {
      const entry = await library.look({ category, toolchain, variant });
      if (entry === undefined) return undefined;
      const { uri, mimeType, source, schema } = entry;
      return { uri, mimeType, text: source.body, meta: { "toolwright/parameters": schema } };
    },
  });
};
