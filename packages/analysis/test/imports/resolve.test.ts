import { describe, expect, test } from "vitest";
import { linksOf } from "./links.js";

describe("an import leads to a file of the project", () => {
  test("in TypeScript by a relative path, with the end of the compiled file, none, or an index", async () => {
    const files = {
      "src/a.ts": `import { b } from "./b.js";\nexport * from "./c";\nconst d = await import("./d/index.js");\nimport "./style.css";\n`,
      "src/b.tsx": `import type { A } from "../src/a";\n`,
      "src/c/index.ts": `const e = require("../e");\n`,
      "src/d/index.mts": "export {};\n",
      "src/e.js": "import fs from 'node:fs';\n",
    };
    expect(await linksOf(files)).toEqual([
      "src/a.ts → src/b.tsx",
      "src/a.ts → src/c/index.ts",
      "src/b.tsx → src/a.ts",
      "src/c/index.ts → src/e.js",
    ]);
  });

  test("in TypeScript by paths of tsconfig.json, and by the names of packages in the workspace", async () => {
    const files = {
      "tsconfig.json": `{ // comments are fine\n "compilerOptions": { "baseUrl": ".", "paths": { "@app/*": ["app/src/*"], } } }`,
      "package.json": `{ "workspaces": ["lib"] }`,
      "lib/package.json": `{ "name": "@x/lib", "exports": { ".": { "types": "./dist/index.d.ts" }, "./deep/*": "./src/deep/*.ts" } }`,
      "lib/src/index.ts": "export {};\n",
      "lib/src/deep/one.ts": "export {};\n",
      "app/src/main.ts": `import "@app/part";\nimport "@x/lib";\nimport "@x/lib/deep/one";\nimport "zod";\n`,
      "app/src/part.ts": "export {};\n",
    };
    expect(await linksOf(files)).toEqual([
      "app/src/main.ts → app/src/part.ts",
      "app/src/main.ts → lib/src/deep/one.ts",
      "app/src/main.ts → lib/src/index.ts",
    ]);
  });

  test("in Python by dots, by names, and in a src layout", async () => {
    const files = {
      "src/shop/__init__.py": "",
      "src/shop/cart.py": "from . import money\nfrom .tax.rates import rate\nimport os\n",
      "src/shop/money.py": "from shop import tax\n",
      "src/shop/tax/__init__.py": "",
      "src/shop/tax/rates.py": "from ..money import Euro\n",
      "tests/test_cart.py": "import shop.cart\n",
    };
    expect(await linksOf(files)).toEqual([
      "src/shop/cart.py → src/shop/money.py",
      "src/shop/cart.py → src/shop/tax/rates.py",
      "src/shop/money.py → src/shop/tax/__init__.py",
      "src/shop/tax/rates.py → src/shop/money.py",
      "tests/test_cart.py → src/shop/cart.py",
    ]);
  });

  test("in Rust along the tree of modules, and from crate to crate", async () => {
    const files = {
      "core/Cargo.toml": '[package]\nname = "my-core"\n',
      "core/src/lib.rs": "pub mod io;\nmod net;\n",
      "core/src/io.rs": "use crate::net::Socket;\n",
      "core/src/net/mod.rs": "mod wire;\nuse std::fmt;\n",
      "core/src/net/wire.rs": "use super::super::io::Read;\nmod tests { use super::*; }\n",
      "app/Cargo.toml": '[package]\nname = "app"\n',
      "app/src/main.rs": "use my_core::io::Reader;\nuse serde::Serialize;\n",
    };
    expect(await linksOf(files)).toEqual([
      "app/src/main.rs → core/src/io.rs",
      "core/src/io.rs → core/src/net/mod.rs",
      "core/src/lib.rs → core/src/io.rs",
      "core/src/lib.rs → core/src/net/mod.rs",
      "core/src/net/mod.rs → core/src/net/wire.rs",
      "core/src/net/wire.rs → core/src/io.rs",
    ]);
  });

  test("in Go by the path of the module, to the files that declare what is taken", async () => {
    const files = {
      "go.mod": "module example.com/shop\n\ngo 1.22\n",
      "main.go":
        'package main\n\nimport (\n\t"fmt"\n\t"example.com/shop/money"\n)\n\nfunc main() { fmt.Println(money.Parse("1")) }\n',
      "money/euro.go": "package money\n\ntype Euro int\n",
      "money/parse.go": "package money\n\nfunc Parse(text string) Euro { return 0 }\n",
    };
    expect(await linksOf(files)).toEqual(["main.go → money/parse.go"]);
  });

  test("in Java and Kotlin by package, also without an import inside one", async () => {
    const files = {
      "src/com/shop/Cart.java":
        "package com.shop;\nimport com.shop.tax.Rate;\nimport java.util.List;\npublic class Cart { Item item; Rate rate; }\n",
      "src/com/shop/Item.java": "package com.shop;\npublic class Item {}\n",
      "src/com/shop/tax/Rate.kt": "package com.shop.tax\nimport com.shop.*\nclass Rate(val item: Item)\n",
    };
    expect(await linksOf(files)).toEqual([
      "src/com/shop/Cart.java → src/com/shop/Item.java",
      "src/com/shop/Cart.java → src/com/shop/tax/Rate.kt",
      "src/com/shop/tax/Rate.kt → src/com/shop/Item.java",
    ]);
  });

  test("in C# and PHP by namespace, in Swift by type", async () => {
    const files = {
      "Cart.cs": "using System;\nusing Shop.Tax;\nnamespace Shop;\npublic class Cart { Rate rate; }\n",
      "Rate.cs": "namespace Shop.Tax;\npublic class Rate {}\n",
      "Cart.php": "<?php\nnamespace Shop;\nuse Shop\\Tax\\Duty;\nclass Basket { private Duty $duty; }\n",
      "Duty.php": "<?php\nnamespace Shop\\Tax;\nclass Duty {}\n",
      "Cart.swift": "import Foundation\nstruct Trolley { let price: Price }\n",
      "Price.swift": "struct Price {}\n",
    };
    expect(await linksOf(files)).toEqual(["Cart.cs → Rate.cs", "Cart.php → Duty.php", "Cart.swift → Price.swift"]);
  });

  test("in C and C++ by include, in Ruby by require", async () => {
    const files = {
      "src/main.c": '#include <stdio.h>\n#include "stack.h"\n#include "util/list.h"\n',
      "src/stack.h": "int top(void);\n",
      "include/util/list.h": "int length(void);\n",
      "src/view.cpp": "#include <util/list.h>\n",
      "lib/shop.rb": 'require "json"\nrequire "shop/cart"\n',
      "lib/shop/cart.rb": 'require_relative "item"\n',
      "lib/shop/item.rb": "class Item; end\n",
    };
    expect(await linksOf(files)).toEqual([
      "lib/shop.rb → lib/shop/cart.rb",
      "lib/shop/cart.rb → lib/shop/item.rb",
      "src/main.c → include/util/list.h",
      "src/main.c → src/stack.h",
      "src/view.cpp → include/util/list.h",
    ]);
  });
});
