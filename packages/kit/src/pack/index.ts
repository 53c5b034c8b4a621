export { CREATE, DELETE, OVERWRITE, READ, REPLACE, RUN, UPDATE } from "./annotations.js";
export { bindPack, type PackEnvironment, parseSettings } from "./bind-pack.js";
export {
  type CommandHost,
  definePack,
  isPackDefinition,
  type PackContents,
  type PackDefinition,
  type PackHost,
  /** @public */
  type PackOptions,
} from "./define-pack.js";
export { CURSOR, invalidCursor, NEXT_CURSOR, nextCursor, nextOffset, offsetOf, parseCursor } from "./paging.js";
