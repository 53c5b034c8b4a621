import { describe, expect, test } from "vitest";
import { formFieldIssue, isSecretName } from "../../../src/server/features/elicitation/form-schema.js";

describe("isSecretName", () => {
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
  ])("is true for %s", (name) => expect(isSecretName(name)).toBe(true));

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
  ])("is false for %s", (name) => expect(isSecretName(name)).toBe(false));
});

describe("formFieldIssue", () => {
  test("allows enums and booleans with the name of a secret", () => {
    expect(formFieldIssue("token", {}, { type: "boolean" })).toBeUndefined();
    expect(formFieldIssue("token", {}, { type: "string", enum: ["a"] })).toBeUndefined();
    expect(formFieldIssue("token", {}, { type: "string" })).toMatch(/^"token" asks for a secret/);
  });

  test("rejects URLs in the texts that the user sees", () => {
    expect(formFieldIssue("a", {}, { type: "string", description: "The host, as in example.com" })).toBeUndefined();
    expect(formFieldIssue("a", {}, { type: "string", description: "See ftp://example.com" })).toMatch(/shows a URL/);
    const oneOf = [{ const: "x", title: "https://example.com" }];
    expect(formFieldIssue("a", {}, { type: "string", oneOf })).toMatch(/shows a URL/);
    const items = { anyOf: [{ const: "x", title: "https://example.com" }] };
    expect(formFieldIssue("a", {}, { type: "array", items })).toMatch(/shows a URL/);
  });
});
