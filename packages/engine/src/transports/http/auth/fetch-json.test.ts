import { describe, expect, test } from "vitest";
import { fetchJson } from "./fetch-json.js";

describe("what the metadata of an issuer on the internet name", () => {
  test.each([
    "https://127.0.0.1/keys",
    "http://localhost:9/keys",
    "https://localhost/keys",
    "https://10.1.2.3/keys",
    "https://172.31.0.1/keys",
    "https://192.168.0.1/keys",
    "https://169.254.169.254/latest/meta",
    "https://0.0.0.0/keys",
    "https://2130706433/keys",
    "https://[::1]/keys",
    "https://[::ffff:10.0.0.1]/keys",
    "https://[fe80::1]/keys",
    "https://[fd00::1]/keys",
  ])("is not fetched from %s [SEC-06]", async (url) => {
    await expect(fetchJson(url, "https://issuer.example")).rejects.toThrow(
      `Cannot ask ${url}: the address leads into the inner network`,
    );
  });

  test.each([
    ["http://keys.example/", "is not https"],
    ["ftp://keys.example/", "is not https"],
    ["keys", "is no URL"],
  ])("is not fetched from %s, which %s [SEC-06]", async (url, fault) => {
    await expect(fetchJson(url, "https://issuer.example")).rejects.toThrow(`Cannot ask ${url}: the address ${fault}`);
  });

  test("is not fetched in plain text within the inner network either", async () => {
    await expect(fetchJson("http://10.0.0.1/", "https://10.0.0.2")).rejects.toThrow("the address is not https");
  });
});
