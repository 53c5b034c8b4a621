// What clients can read: single resources, and families of them behind a template.
import { resource, resourceTemplate } from "@toolwright/engine";
import { PNG } from "./media.mjs";

const staticText = resource({
  uri: "test://static-text",
  name: "static-text",
  title: "Static text",
  description: "A text that never changes.",
  mimeType: "text/plain",
  cache: { ttlMs: 60_000, scope: "public" },
  read: () => "This is the content of the static text resource.",
});

const staticBinary = resource({
  uri: "test://static-binary",
  name: "static-binary",
  title: "Static picture",
  description: "A picture that never changes.",
  mimeType: "image/png",
  cache: { ttlMs: 60_000, scope: "public" },
  read: () => ({ blob: PNG }),
});

const watched = resource({
  uri: "test://watched-resource",
  name: "watched-resource",
  title: "Watched resource",
  description: "A text that clients can watch; test_trigger_resource_change changes it.",
  mimeType: "text/plain",
  read: () => "Watched resource content",
});

const family = resourceTemplate({
  uri: "test://template/{id}/data",
  name: "template-data",
  title: "Records",
  description: "One record for each id.",
  mimeType: "application/json",
  complete: { id: ["123", "124", "456"] },
  read: ({ id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
});

export const resources = [staticText, staticBinary, watched, family];
