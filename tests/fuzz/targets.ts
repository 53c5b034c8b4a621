import { codec } from "./targets/codec.js";
import { conversation } from "./targets/conversation.js";
import { events } from "./targets/events.js";
import { frames } from "./targets/frames.js";
import { framing } from "./targets/framing.js";
import { headers } from "./targets/headers.js";
import { schema } from "./targets/schema.js";
import type { Target } from "./targets/target.js";

/** All fuzz targets, by name. */
export const TARGETS: Readonly<Record<string, Target>> = {
  framing,
  codec,
  schema,
  headers,
  frames,
  events,
  conversation,
};
