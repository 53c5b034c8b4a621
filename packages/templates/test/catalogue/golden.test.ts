import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { makeAll, TEMPLATES, wordsOf } from "./kit.js";

/*
 * Some files as they are made, to be read by people: a change of them is seen in a review. UPDATE_GOLDEN=1 writes them anew.
 */
const folder = fileURLToPath(new URL("golden/", import.meta.url));
const isUpdate = process.env["UPDATE_GOLDEN"] === "1";
const labels = [
  "makefile/rust/cli usual",
  "makefile/rust/cli odd",
  "makefile/python-uv/service usual",
  "readme/deno/cli usual",
  "readme/rust/cli odd",
  "gitignore/rust/cli bare",
  "manifest/python-uv/cli odd",
  "manifest/node-ts/lib usual",
  "manifest/java/cli odd",
  "ci-github/go/default usual",
  "dockerfile/python-uv/service usual",
  "precommit/rust/default usual",
  "editorconfig/go/default usual",
  "contributing/dotnet/default usual",
  "security/any/default odd",
  "license/any/mit usual",
];

const made = await makeAll(
  TEMPLATES.filter((template) => labels.some((label) => label.startsWith(`${wordsOf(template)} `))),
);

test.each(labels)("%s is made as it was", (label) => {
  const file = made.find((one) => one.label === label);
  const stored = `${folder}${label.replaceAll(/[/ ]/g, "-")}.txt`;
  const text = `${file?.filename}\n\n${file?.content}`;
  if (isUpdate) writeFileSync(stored, text);
  expect(text).toBe(readFileSync(stored, "utf8"));
});
