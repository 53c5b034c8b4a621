import { describe, expect, test } from "vitest";
import { read } from "./read.js";

const cases: readonly (readonly [text: string, license: string | undefined])[] = [
  ["// SPDX-License-Identifier: Apache-2.0\ncode", "Apache-2.0"],
  ["/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */", "GPL-2.0-only WITH Linux-syscall-note"],
  ["<!-- SPDX-License-Identifier: (MIT OR Apache-2.0) -->\ntext", "(MIT OR Apache-2.0)"],
  ["# Tool\n\n## License\n\nMIT\n", "MIT"],
  ["# Tool\n\n## Licence\n\n[BSD 3-Clause](LICENSE)\n", "BSD-3-Clause"],
  ["Permission is hereby granted, free of charge, to any person\nobtaining a copy of this software", "MIT"],
  ["Apache License\n                   Version 2.0, January 2004", "Apache-2.0"],
  ["Licensed under the Apache License, Version 2.0 (the License)", "Apache-2.0"],
  ["GNU GENERAL PUBLIC LICENSE\n Version 3, 29 June 2007", "GPL-3.0-only"],
  [
    "under the terms of the GNU General Public License; either version 2 of the License, or (at your option) any later version",
    "GPL-2.0-or-later",
  ],
  ["Redistribution and use in source and binary forms, with or without", "BSD-2-Clause"],
  ["Redistribution and use in source and binary forms. may be used to endorse or promote products", "BSD-3-Clause"],
  ["Permission to use, copy, modify, and/or distribute this software for any purpose with", "ISC"],
  ["This text is licensed under CC BY-SA 4.0.", "CC-BY-SA-4.0"],
  ["Creative Commons Attribution-NonCommercial 3.0 Unported", "CC-BY-NC-3.0"],
  ["See https://creativecommons.org/licenses/by/4.0/ for terms", "CC-BY-4.0"],
  ["This Source Code Form is subject to the terms of the Mozilla Public License, v. 2.0.", "MPL-2.0"],
  ["This is free and unencumbered software released into the public domain.", "Unlicense"],
  ["The tool is released under the MIT license.", "MIT"],
  ["You need a driving license to drive; it is available under request.", undefined],
  ["Nothing of the kind.", undefined],
];

describe("the licence of a document", () => {
  test.each(cases)("of %j is %s", async (text, license) => {
    expect((await read("a.md", text)).license).toBe(license);
  });

  test("of a package is what its JSON says", async () => {
    expect((await read("package.json", '{\n  "name": "a",\n  "license": "Apache-2.0"\n}\n')).license).toBe(
      "Apache-2.0",
    );
  });

  test.each([
    ["MIT", "MIT"],
    ["apache 2.0", "Apache-2.0"],
    ["CC BY 4.0", "CC-BY-4.0"],
    ["GPLv3+", "GPL-3.0-or-later"],
    ["LicenseRef-Own-1", "LicenseRef-Own-1"],
  ])("in front matter as %j is %s", async (named, license) => {
    expect((await read("a.md", `---\nlicense: ${named}\n---\ntext`)).license).toBe(license);
  });
});
