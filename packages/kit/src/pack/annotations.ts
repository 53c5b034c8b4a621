import type { ToolAnnotations } from "@toolwright/engine";

/** All four hints, so that no client has to guess one. */
const annotations = (
  readOnlyHint: boolean,
  destructiveHint: boolean,
  idempotentHint: boolean,
  openWorldHint: boolean,
): Required<Omit<ToolAnnotations, "title">> => ({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint });

/** The tool changes nothing. */
export const READ = annotations(true, false, true, false);

/** The tool adds or changes something with each call, and removes nothing. */
export const CREATE = annotations(false, false, false, false);

/** The tool changes something that can be changed back. Repeating the call changes nothing more. */
export const UPDATE = annotations(false, false, true, false);

/** The tool replaces something, and repeating the call may change more. */
export const REPLACE = annotations(false, true, false, false);

/** The tool replaces something as a whole. Repeating the call changes nothing more. */
export const OVERWRITE = annotations(false, true, true, false);

/** The tool removes something. Repeating the call changes nothing more. */
export const DELETE = annotations(false, true, true, false);

/** The tool runs programs, which can do whatever the user of the server can. */
export const RUN = annotations(false, true, false, true);
