export { INVISIBLE, nearest } from "./nearest.js";
export { stem } from "./stem.js";
