import { expect, test } from "vitest";
import { nearTemplates } from "../../../../src/cli/use/read.js";

const TEMPLATES = ["test://template/{id}/data", "file:///{name}.txt", "docs://{+path}"];

test("a template is near whose fixed parts are", () => {
  expect(nearTemplates("test://template/12345678901234567890/dta", TEMPLATES)).toEqual(["test://template/{id}/data"]);
  expect(nearTemplates("file:///report.tx", TEMPLATES)).toEqual(["file:///{name}.txt"]);
});

test("nothing is near what has nothing in common", () => {
  expect(nearTemplates("https://example.com/", TEMPLATES)).toEqual([]);
});
