import type { Prompt } from "@toolwright/engine";
import type { Desk } from "../desk.js";
import { reviewForAuthorization } from "./review-for-authorization.js";
import { threatModelFeature } from "./threat-model-feature.js";

/** What people can start with one word. */
export const prompts = (desk: Desk): readonly Prompt[] => [threatModelFeature(desk), reviewForAuthorization(desk)];
