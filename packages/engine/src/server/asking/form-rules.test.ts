import { describe, expect, test } from "vitest";
import { fieldFault, isSecretName } from "./form-rules.js";

describe("a secret is known by its name:", () => {
  test.each([
    "password",
    "Password",
    "user_password",
    "newPassword",
    "PASSPHRASE",
    "api_key",
    "apiKey",
    "apikey",
    "API key",
    "OpenAI API Key",
    "access-token",
    "token",
    "clientSecret",
    "private_key",
    "card number",
    "creditCard",
    "cvc",
    "pin",
    "otp",
    "credentials",
  ])("%s", (name) => expect(isSecretName(name)).toBe(true));

  test.each([
    "name",
    "tokens",
    "max_tokens",
    "shipping",
    "opinion",
    "spin",
    "key",
    "keyboard",
    "api",
    "card",
    "number",
    "secretary",
    "passport",
    "compass",
    "",
  ])("not %s", (name) => expect(isSecretName(name)).toBe(false));
});

describe("a field", () => {
  test("that is a choice or yes and no reveals no secret", () => {
    expect(fieldFault("token", {}, { type: "boolean" })).toBeUndefined();
    expect(fieldFault("token", {}, { type: "string", enum: ["a"] })).toBeUndefined();
    expect(fieldFault("token", {}, { type: "string" })).toMatch(/^"token" asks for a secret/);
  });

  test("may say what it is about, but not where to click", () => {
    expect(fieldFault("a", {}, { type: "string", description: "The host, as in example.com" })).toBeUndefined();
    expect(fieldFault("a", {}, { type: "string", description: "See ftp://example.com" })).toMatch(/shows an address/);
    expect(fieldFault("a", {}, { type: "string", enum: ["x"], enumNames: ["https://example.com"] })).toMatch(
      /shows an address/,
    );
    const items = { anyOf: [{ const: "x", title: "https://example.com" }] };
    expect(fieldFault("a", {}, { type: "array", items })).toMatch(/shows an address/);
  });
});
