import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { secretContent, secretName } from "../../../src/ingest/discover.js";

const { privateKey } = generateKeyPairSync("ed25519");
const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));
const { privateKey: rsa } = generateKeyPairSync("rsa", { modulusLength: 1024 });
const BODY = "lQdGBGWxyzABEADK0pZ1Qm7c3bNfG5h8T2rV4aXw";
const of = (text: string): string | undefined => secretContent(Buffer.from(text));

test.each<[string, string]>([
  ["PKCS #8", pem],
  ["lines of Windows", pem.replaceAll("\n", "\r\n")],
  ["a service account", JSON.stringify({ type: "service_account", private_key: pem }, null, 2)],
  ["a string of a program", `const key = ${JSON.stringify(pem.replaceAll("\n", "\r\n"))};`],
  ["JSON in JSON", JSON.stringify(JSON.stringify({ key: pem }))],
  ["an encrypted one", String(rsa.export({ type: "pkcs1", format: "pem", cipher: "aes-256-cbc", passphrase: "x" }))],
  ["YAML, further in", `key: |\n    ${pem.replaceAll("\n", "\n    ")}`],
  ["a diff", pem.replaceAll(/^/gm, "+")],
  ["one of PGP", `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\nComment: mine\n\n${BODY}\n`],
  ["one of PGP without headers", `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${BODY}\n`],
  ["one of SSH", `-----BEGIN OPENSSH PRIVATE KEY-----\n${BODY}\n`],
  ["one that comes late", `${"Words. ".repeat(20_000)}\n${pem}`],
])("a private key is seen: %s", (_, text) => {
  expect(of(text)).toBe("it contains a private key");
});

test.each([
  "The file starts with `-----BEGIN PRIVATE KEY-----`, and then comes base64.",
  "-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----",
  "-----BEGIN PRIVATE KEY-----\nMIIE…\n-----END PRIVATE KEY-----\n",
  '{"private_key": "-----BEGIN PRIVATE KEY-----\\n<your key here>\\n-----END PRIVATE KEY-----\\n"}',
  "const KEY = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----\\s+[A-Za-z0-9+/=]{20}/;",
  "-----BEGIN PRIVATE KEY-----\nIncomprehensibilities follow here, in words of a page that explains it.",
  pem.replaceAll("PRIVATE", "PUBLIC"),
])("a page that only speaks of one is taken: %s", (text) => {
  expect(of(text)).toBeUndefined();
});

test("text that only starts like a key is scanned quickly", () => {
  for (const part of [" ", "\\", "\\n", "a: ", "a: \n", "a: \\n", "A: a: \n\n"])
    expect([part, of(`-----BEGIN PRIVATE KEY-----\n${part.repeat(1000)}.`)]).toEqual([part, undefined]);
});

test("files are known by their names, and examples of them are none", () => {
  const names = [
    ".env",
    ".env.local",
    "prod.env",
    "id_rsa",
    "kubeconfig",
    "kubeconfig.yaml",
    "dev.kubeconfig",
    "a.ppk",
  ];
  for (const name of names) expect([name, secretName(name)]).toEqual([name, expect.any(String)]);
  for (const name of [".env.example", "prod.env.sample", "environment.md", "kubeconfig.md", "env", "id_rsa.pub"])
    expect([name, secretName(name)]).toEqual([name, undefined]);
});
