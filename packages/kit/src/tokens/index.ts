export { countTokens } from "./count-tokens.js";
