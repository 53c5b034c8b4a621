import { numberOf } from "@toolwright/kit/cli";
import { visible } from "@toolwright/kit/terminal";
import { readContext, writeContext } from "../context/context.js";
import type { Deed } from "./deed.js";
import { forPeople } from "./words.js";

/** `toolwright analyze context`: a map of the project within so many tokens. */
export const context: Deed = {
  takes: ["--include", "--exclude", "--max-tokens"],
  formats: ["markdown", "json"],
  async run({ analysis, call, path, options, format }) {
    const found = await readContext(analysis, call, {
      path,
      include: options["--include"],
      exclude: options["--exclude"],
      maxTokens: numberOf(options, "--max-tokens", 200, 100_000) ?? 4000,
    });
    if (format === "json") return { text: JSON.stringify(found, null, 2) };
    const hint = found.hint === undefined ? {} : { hint: forPeople(found.hint) };
    return { text: visible(writeContext({ ...found, ...hint })) };
  },
};
