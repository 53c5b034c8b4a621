import { type Client, ResponseError } from "@toolwright/engine/client";

import { nearOf } from "./near.js";

/** What a URI that leads nowhere may have been meant to be, as the end of a refusal; nothing where nothing is near. */
export async function nearResources(client: Client, uri: string, signal: AbortSignal): Promise<string> {
  const resources = await orNone(client.listResources({ signal }));
  const templates = await orNone(client.listResourceTemplates({ signal }));
  const near = nearOf(
    uri,
    resources.map((resource) => resource.uri),
  ).all;
  const families = nearTemplates(
    uri,
    templates.map(({ uriTemplate }) => uriTemplate),
  );
  const all = [...near, ...families];
  if (all.length === 0) return resources.length + templates.length === 0 ? ". The server lists no resources" : "";
  return `; did you mean ${all.slice(0, MOST).join(" or ")}?`;
}

const MOST = 3;

/** A list that cannot be had has nothing near in it. */
async function orNone<Each>(list: Promise<readonly Each[]>): Promise<readonly Each[]> {
  try {
    return await list;
  } catch (error) {
    if (error instanceof ResponseError) return [];
    throw error;
  }
}

/** Those of the templates that a URI nearly fits: what stands in the place of a variable is taken for its value. */
export function nearTemplates(uri: string, templates: readonly string[]): readonly string[] {
  return templates.filter((template) => {
    const parts = template.split("/");
    // A value says nothing of whether the rest is near.
    const given = uri.split("/").map((part, at) => (/^\{[^}]*\}$/.test(parts[at] ?? "") ? "" : part));
    const filled = parts.map((part, at) => (part.includes("{") ? fill(part, given[at] ?? "") : part));
    return nearOf(given.join("/"), [filled.join("/")]).only !== undefined;
  });
}

/** A part such as `{name}.txt`, with a value that leaves what stands around it. */
function fill(part: string, given: string): string {
  const [, before = "", after = ""] = /^([^{]*)\{.*\}([^}]*)$/.exec(part) ?? [];
  const from = given.startsWith(before) ? before.length : 0;
  const to = given.endsWith(after) ? given.length - after.length : given.length;
  return `${before}${given.slice(from, to)}${after}`;
}
