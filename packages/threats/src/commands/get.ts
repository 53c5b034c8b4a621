import { visible } from "@toolwright/kit/terminal";
import { toMarkdown } from "../pattern-markdown.js";
import type { Deed } from "./deed.js";
import { toJson } from "./say.js";

/** `toolwright threats get`: patterns whole. */
export const get: Deed = {
  takes: [],
  formats: ["text", "json"],
  words: [1, 20],
  needs: "the id of a pattern, such as TMKB-AUTHZ-001",
  async run({ desk, words, format, paint }) {
    const patterns = await Promise.all(words.map((id) => desk.library.read(id)));
    if (format === "json") return { text: toJson(patterns.length === 1 ? patterns[0] : patterns) };
    const text = visible(patterns.map((pattern) => toMarkdown(pattern)).join("\n\n"));
    return { text: text.replaceAll(/^#+ .*$/gm, (heading) => paint.bold(heading)) };
  },
};
