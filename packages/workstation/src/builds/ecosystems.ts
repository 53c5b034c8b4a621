import type { Ecosystem } from "./ecosystem.js";
import { dotnet } from "./ecosystems/dotnet.js";
import { go } from "./ecosystems/go.js";
import { java } from "./ecosystems/java.js";
import { make } from "./ecosystems/make.js";
import { node } from "./ecosystems/node.js";
import { python } from "./ecosystems/python.js";
import { rust } from "./ecosystems/rust.js";

/** All that are known. Where a folder has several the first one is taken: tools of the last ones often serve the others. */
export const ECOSYSTEMS: readonly Ecosystem[] = [rust, go, java, dotnet, node, python, make];
