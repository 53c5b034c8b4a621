// What a server that has nothing but tools does not serve; `later.ts` loads it as one piece.
export { complete } from "./completion.js";
export { getPrompt, listPrompts } from "./prompts.js";
export { listResources, listTemplates, readResource, subscribe, unsubscribe } from "./resources.js";
export { listen } from "./subscriptions.js";
