import { createHash } from "node:crypto";
import { escapeHtml } from "./html.js";

/** What a page is made of that is one file. */
export interface SinglePage {
  readonly title: string;
  readonly style: string;
  readonly script?: string;
  /** What stands in its body, as HTML. */
  readonly body: string;
}

/** Writes a page that is one file: it asks no network, and nothing runs in it but its own script. */
export function writeSinglePage({ title, style, script, body }: SinglePage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(style, script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
${body}${script === undefined ? "" : `\n<script>${script}</script>`}
</body>
</html>
`;
}

/** Style and script each by its hash; the empty icon keeps browsers from asking for one. */
const policyOf = (style: string, script: string | undefined): string =>
  [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    `style-src ${hashOf(style)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
