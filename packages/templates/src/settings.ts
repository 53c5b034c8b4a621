import type { InferInput } from "@toolwright/engine";
import { FILE_SETTINGS } from "@toolwright/kit/files";

/** What people can say of the pack in their configuration. */
export const SETTINGS = {
  type: "object",
  properties: {
    directory: {
      type: "string",
      minLength: 1,
      description:
        "A folder with templates of your own: category/toolchain/variant/template.yaml and a body beside it.",
    },
    read_only: { type: "boolean", default: false, description: "Whether nothing may be written." },
    ...FILE_SETTINGS,
  },
} as const;

/** What the pack was told, with the defaults filled in. */
export type Settings = InferInput<typeof SETTINGS>;
