import { expect, it } from "vitest";
import { parseMake } from "../../../../src/builds/ecosystems/make.js";

it("make reads what make and the linker give up on", () => {
  const text = `/usr/bin/ld: /tmp/ccXY.o: in function \`main':
good.c:(.text+0x5): undefined reference to \`missing'
collect2: error: ld returned 1 exit status
make: *** [Makefile:4: bad.o] Error 1
make[1]: *** [all] Error 2
make: *** No rule to make target 'x', needed by 'all'.  Stop.
make: Target 'all' not remade because of errors.
`;
  expect(parseMake(text).failures).toEqual([
    { message: "undefined reference to `missing'", severity: "error" },
    { file: "Makefile", line: 4, message: "[Makefile:4: bad.o] Error 1", severity: "error" },
    { message: "[all] Error 2", severity: "error" },
    { message: "No rule to make target 'x', needed by 'all'.  Stop.", severity: "error" },
  ]);
});
