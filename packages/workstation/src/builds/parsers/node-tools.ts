import type { Parser } from "../findings.js";
import { eslint } from "./eslint.js";
import { jest } from "./jest.js";
import { markedBlocks } from "./marked-blocks.js";
import { mocha } from "./mocha.js";
import { nodeTest } from "./node-test.js";
import { parenthesisLines } from "./parenthesis-lines.js";
import { vitest } from "./vitest.js";

/** A script can run any of these; each finds nothing in what another has written. */
export const NODE_PARSERS: readonly Parser[] = [parenthesisLines, eslint, markedBlocks, vitest, jest, mocha, nodeTest];
