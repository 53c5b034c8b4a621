import { ToolError } from "@toolwright/engine";
import { type Html, html } from "@toolwright/kit/html";
import type { Page, PageContent } from "@toolwright/kit/pages";

const STATUSES: Readonly<Record<string, number>> = {
  NOT_FOUND: 404,
  INVALID_ARGUMENT: 400,
  FORBIDDEN: 403,
  CONFLICT: 409,
};

/** The content of any page, with its HTTP status. */
export interface SystemPage extends PageContent {
  readonly title: string;
  readonly status: number;
}

/** The page for an unknown path. */
export const notFoundPage = (): SystemPage => ({
  status: 404,
  title: "Page not found",
  main: html`<h1>Page not found</h1><p>There is no page at this address. <a href="/">Go to the start page</a></p>`,
});

/** The page for a `ToolError`; `above` is the page that it links to. Throws every other error. */
export function errorPage(error: unknown, above: Page | undefined): SystemPage {
  if (!(error instanceof ToolError)) throw error;
  const title = error.code === "NOT_FOUND" ? "Not found" : error.code === "CONFLICT" ? "Conflict" : "Error";
  return {
    status: STATUSES[error.code ?? ""] ?? 503,
    title,
    main: html`<h1>${title}</h1><p dir="auto">${error.message}</p><p><a href="${above?.path ?? "/"}">Back to ${above?.title ?? "the start page"}</a></p>`,
  };
}

/** Whether actions can run: never, only after unlocking, or in this browser. */
export type WriteState = "never" | "locked" | "unlocked";

/** What the page for unlocking says. */
export interface UnlockPageOptions {
  readonly state: WriteState;
  /** What the actions of all pages do. */
  readonly descriptions: readonly string[];
  /** The process serves only the dashboard. */
  readonly isStandalone: boolean;
  readonly isWrongToken?: boolean;
}

/** The page with the form for the write token. */
export function unlockPage({ state, descriptions, isStandalone, isWrongToken = false }: UnlockPageOptions): SystemPage {
  const can = new Intl.ListFormat("en").format([...new Set(descriptions)]) || "change nothing";
  return {
    status: isWrongToken ? 403 : 200,
    title: "Changes",
    main: html`<h1>Changes</h1>
${
  state === "never"
    ? html`<p>This dashboard is read-only. ${howToEnable(isStandalone)} Then you can ${can}.</p>`
    : state === "locked"
      ? html`<p>With the write token you can ${can}. The person who started the ${isStandalone ? "dashboard" : "server"} has it.</p>
${isWrongToken && html`<p class="fault" role="alert">This is not the write token.</p>`}
<form class="unlock" method="post" action="/unlock"><label for="token">Write token</label>
<input id="token" name="token" type="password" required autocomplete="off" maxlength="500"> <button class="main">Unlock</button></form>`
      : html`<p>For 12 hours, or until you close this browser, you can ${can}.</p>
<form method="post" action="/lock"><button class="main">Lock again</button></form>`
}`,
  };
}

const howToEnable = (isStandalone: boolean): Html =>
  isStandalone
    ? html`To allow changes, start it with <code>--write-token</code>.`
    : html`To allow changes, set <code>http.writeToken</code> in the configuration, or the environment variable <code>TOOLWRIGHT_WRITE_TOKEN</code>, to a token of at least 16 characters.`;
