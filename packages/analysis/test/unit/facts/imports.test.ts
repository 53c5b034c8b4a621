import type { Language } from "@toolwright/kit/syntax";
import { expect, test } from "vitest";
import { readFacts } from "../../../src/facts/read-facts.js";

const CASES: readonly (readonly [Language, string, readonly object[]])[] = [
  [
    "typescript",
    `import a, { type b } from "./x.js";\nimport type { T } from '../t';\nexport * from "./y";\nconst m = await import("./d.js");\nimport fs = require("fs");\nimport(name);\n`,
    [
      { from: "./x.js", line: 1 },
      { from: "../t", line: 2, isTypeOnly: true },
      { from: "./y", line: 3 },
      { from: "./d.js", line: 4 },
      { from: "fs", line: 5 },
    ],
  ],
  [
    "javascript",
    "const x = require('./a'), y = require(`b`);\nrequire(`./${z}`);\n",
    [
      { from: "./a", line: 1 },
      { from: "b", line: 1 },
    ],
  ],
  [
    "python",
    "import os, a.b as c\nfrom . import x\nfrom ..p import (y as z, w)\nfrom m import *\nif TYPE_CHECKING:\n    import t\n",
    [
      { from: "os", line: 1 },
      { from: "a.b", line: 1 },
      { from: ".", line: 2, names: ["x"] },
      { from: "..p", line: 3, names: ["y", "w"] },
      { from: "m", line: 4 },
      { from: "t", line: 6, isTypeOnly: true },
    ],
  ],
  [
    "rust",
    "use std::io::{self, Read as R};\nmod m;\nmod n { use super::x::Y; use super::super::z; }\nfn f() { crate::a::b(); }\n",
    [
      { from: "std::io", line: 1 },
      { from: "std::io::Read", line: 1 },
      { from: "self::m", line: 2 },
      { from: "self::x::Y", line: 3 },
      { from: "super::z", line: 3 },
      { from: "crate::a::b", line: 4 },
    ],
  ],
  [
    "go",
    'package p\nimport (\n\tm "x/money"\n\t"x/tax/v2"\n)\nvar a = m.Parse(tax.Rate)\n',
    [
      { from: "x/money", line: 3, names: ["Parse"] },
      { from: "x/tax/v2", line: 4, names: ["Rate"] },
    ],
  ],
  [
    "c",
    '#include <stdio.h>\n#ifdef X\n#include "a/b.h"\n#endif\n',
    [
      { from: "<stdio.h>", line: 1 },
      { from: "a/b.h", line: 3 },
    ],
  ],
  [
    "ruby",
    `require "json"\nrequire_relative "a/b"\nload "c.rb"\nobject.require "no"\nrequire "#{x}"\n`,
    [
      { from: "json", line: 1 },
      { from: "./a/b", line: 2 },
      { from: "c.rb", line: 3 },
    ],
  ],
  [
    "java",
    "import java.util.*;\nimport static com.x.Y.z;\nclass A { B b; }\n",
    [
      { from: "java.util.*", line: 1 },
      { from: "com.x.Y.z", line: 2 },
      { from: "*", line: 1, names: ["Y", "A", "B"] },
    ],
  ],
];

test.each(CASES)("%s: what a file uses", async (language, text, expected) => {
  expect((await readFacts(language, text, ["imports"])).imports).toEqual(expected);
});
