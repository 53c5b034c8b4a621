import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Made, makeAll, TEMPLATES } from "./kit.js";

const made = await makeAll(TEMPLATES.filter(({ category }) => category === "license"));
const find = (label: string): Made => {
  const found = made.find((file) => file.label === label);
  if (found === undefined) throw new Error(`There is no ${label}`);
  return found;
};

/** Words only: how the lines are broken is no part of a licence. */
const words = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

describe("licences", () => {
  test("are there under their SPDX identifiers", () => {
    const usual = made.filter(({ manner }) => manner === "usual");
    expect(usual.map(({ template }) => template.variant)).toEqual([
      "0bsd",
      "apache-2-0",
      "bsd-2-clause",
      "bsd-3-clause",
      "bsl-1-0",
      "default",
      "isc",
      "mit",
      "mpl-2-0",
      "unlicense",
      "zlib",
    ]);
  });

  test.skipIf(!existsSync("/usr/share/common-licenses/MPL-2.0")).each([
    ["Apache-2.0", "apache-2-0"],
    ["MPL-2.0", "mpl-2-0"],
  ])("%s is word for word what the system has (needs /usr/share/common-licenses)", (name, variant) => {
    const reference = readFileSync(`/usr/share/common-licenses/${name}`, "utf8");
    expect(words(find(`license/any/${variant} usual`).content)).toBe(words(reference));
  });

  test("name the holder and the year of the clock, or the years that are given", () => {
    const signed = ["mit", "bsd-3-clause", "bsd-2-clause", "0bsd", "isc", "zlib"];
    for (const variant of signed) {
      expect(find(`license/any/${variant} usual`).content).toContain("\nCopyright (c) 2031 Ada Lovelace\n");
      expect(find(`license/any/${variant} odd`).content).toContain("\nCopyright (c) 1999-2031 Grüße \"all\" 'of' you");
    }
    const others = made.filter(({ template }) => ![...signed, "default"].includes(template.variant));
    for (const { template } of others) expect(template.parameters).toEqual([]);
  });

  test("are picked by the identifier that manifests name", () => {
    expect(find("license/any/default usual").content).toBe(find("license/any/mit usual").content);
    expect(find("license/any/default odd").content).toBe(find("license/any/unlicense odd").content);
  });
});
