export { TimeLimit } from "./time-limit.js";
export { TimedScript } from "./timed-script.js";
