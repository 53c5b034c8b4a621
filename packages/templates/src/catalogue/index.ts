import type { TemplateSource } from "../template.js";
import { anyTemplates } from "./any.js";
import { bunTemplates } from "./bun/index.js";
import { denoTemplates } from "./deno/index.js";
import { dotnetTemplates } from "./dotnet/index.js";
import { goTemplates } from "./go/index.js";
import { javaTemplates } from "./java/index.js";
import { licenseTemplates } from "./licenses/index.js";
import { nodeTemplates } from "./node-ts/index.js";
import { pythonTemplates } from "./python-uv/index.js";
import { rustTemplates } from "./rust/index.js";

/** Every template that comes with the pack. */
export const catalogue = (): readonly TemplateSource[] => [
  ...rustTemplates,
  ...denoTemplates,
  ...pythonTemplates,
  ...nodeTemplates,
  ...bunTemplates,
  ...goTemplates,
  ...javaTemplates,
  ...dotnetTemplates,
  ...licenseTemplates,
  ...anyTemplates,
];
