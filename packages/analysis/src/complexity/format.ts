import { Content, type InferInput, type JsonObject, text } from "@toolwright/engine";
import { toMarkdown } from "./markdown.js";
import type { OUTPUT } from "./output.js";
import { toSarif } from "./sarif.js";
import { toText } from "./text.js";
import type { Shown } from "./view.js";

/** The forms in which a report is written. */
export type Format = "summary" | "full" | "json" | "sarif" | "markdown";

/** Writes a report in a form. */
export function write({ view, found }: Shown, format: Format): string {
  if (format === "json") return JSON.stringify(view);
  if (format === "sarif") return JSON.stringify(toSarif(found));
  return format === "markdown" ? toMarkdown(view) : toText(view);
}

/** A report as the result of a tool: the same structured content in every form. */
export function toResult(shown: Shown, format: Format): Content | InferInput<typeof OUTPUT> {
  if (format === "json") return shown.view as object as InferInput<typeof OUTPUT>;
  return new Content([text(write(shown, format))], shown.view as object as JsonObject);
}
