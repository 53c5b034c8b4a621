import type { Prompt } from "./prompt.js";
import type { Resource, ResourceTemplate } from "./resource.js";
import type { Tool } from "./tool.js";

/** What authors give to a server. */
export interface Offers {
  readonly tools?: readonly Tool[];
  readonly prompts?: readonly Prompt[];
  readonly resources?: readonly (Resource | ResourceTemplate)[];
}
