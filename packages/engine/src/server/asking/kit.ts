// What only a handler that asks needs; `load-kit.ts` loads it as one piece.
export { createAsker } from "./ask.js";
export { askForm } from "./ask-form.js";
export { askRoots } from "./roots.js";
export { sample } from "./sample.js";
export { askVisit } from "./visit.js";
