import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkWritable, writeOut } from "../../../src/terminal/output.js";

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), "toolwright-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test("a file is replaced as a whole, with the permissions it had, and through a link", () => {
  const place = folder();
  const file = path.join(place, "real.html");
  writeFileSync(file, "old", { mode: 0o600 });
  symlinkSync(file, path.join(place, "link.html"));
  writeOut(path.join(place, "link.html"), "new");
  expect(readFileSync(file, "utf8")).toBe("new");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(place).sort()).toEqual(["link.html", "real.html"]);
});

test("what cannot be written is refused in words, and leaves nothing behind", () => {
  const place = folder();
  mkdirSync(path.join(place, "taken"));
  const absent = path.join(place, "no", "report.html");
  expect(() => checkWritable(absent)).toThrow(`Cannot write ${JSON.stringify(absent)}: its folder does not exist`);
  expect(() => writeOut(absent, "")).toThrow("its folder does not exist");
  expect(() => checkWritable(path.join(place, "taken"))).toThrow("it is a folder");
  expect(() => writeOut(path.join(place, "taken"), "", 1)).toThrow(
    expect.objectContaining({ message: expect.stringMatching(/: it is a folder$/), code: 1 }),
  );
  expect(() => checkWritable(path.join(place, "fine.html"))).not.toThrow();
  expect(readdirSync(place)).toEqual(["taken"]);
});
