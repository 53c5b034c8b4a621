import { describe, expect, test } from "vitest";
import { fetchJson } from "../../../../src/transports/http/auth/issuer.js";

describe("a URL in the metadata of a public issuer", () => {
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
      `Cannot fetch ${url}, because the URL points into a private network`,
    );
  });

  test.each([
    ["http://keys.example/", "is not https"],
    ["ftp://keys.example/", "is not https"],
    ["keys", "is invalid"],
  ])("is not fetched from %s, which %s [SEC-06]", async (url, reason) => {
    await expect(fetchJson(url, "https://issuer.example")).rejects.toThrow(
      `Cannot fetch ${url}, because the URL ${reason}`,
    );
  });

  test("must be https in a private network too", async () => {
    await expect(fetchJson("http://10.0.0.1/", "https://10.0.0.2")).rejects.toThrow("the URL is not https");
  });
});
