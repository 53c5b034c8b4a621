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

/** What a page is about, for those who find nothing there. */
export interface Subject {
  readonly missing: string;
  /** The page that leads on, and what it is called. */
  readonly path: string;
  readonly name: string;
}

const TASKS: Subject = { missing: "No such task", path: "/", name: "the board" };

/** What is shown in place of a page that cannot be made. Throws what is our own fault. */
export function showFault(error: unknown, { missing, path, name }: Subject = TASKS): Shown {
  if (!(error instanceof ToolError)) throw error;
  const title = error.code === "NOT_FOUND" ? missing : "Not possible";
  return {
    status: STATUSES[error.code ?? ""] ?? 503,
    title,
    main: html`<h1>${title}</h1><p dir="auto">${error.message}</p><p><a href="${path}">Back to ${name}</a></p>`,
  };
}
