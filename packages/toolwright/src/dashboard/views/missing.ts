import { ToolError } from "@toolwright/engine";
import { html } from "../html.js";
import type { Shown } from "../view.js";

/** What is shown where there is nothing. */
export const showNothing = (): Shown => ({
  status: 404,
  title: "Nothing here",
  main: html`<h1>Nothing here</h1><p><a href="/">Back to the board</a></p>`,
});

const STATUSES: Readonly<Record<string, number>> = {
  NOT_FOUND: 404,
  INVALID_ARGUMENT: 400,
  FORBIDDEN: 403,
  CONFLICT: 409,
};

/** What is shown in place of a page that cannot be made. Throws what is our own fault. */
export function showFault(error: unknown): Shown {
  if (!(error instanceof ToolError)) throw error;
  const isMissing = error.code === "NOT_FOUND";
  return {
    status: STATUSES[error.code ?? ""] ?? 503,
    title: isMissing ? "No such task" : "Not possible",
    main: html`<h1>${isMissing ? "No such task" : "Not possible"}</h1><p dir="auto">${error.message}</p><p><a href="/">Back to the board</a></p>`,
  };
}
