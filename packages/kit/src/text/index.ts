export { INVISIBLE } from "./invisible.js";
export { nearest } from "./nearest.js";
export { stem } from "./stem.js";
