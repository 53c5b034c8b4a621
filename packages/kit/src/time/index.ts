export { TimedScript, TimeLimit } from "./time-limit.js";
