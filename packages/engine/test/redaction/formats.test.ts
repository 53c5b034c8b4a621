import { expect, test } from "vitest";
import { createRedaction } from "../../src/server/logging/redaction.js";

const redaction = createRedaction();
const hex = (length: number): string => "0123456789abcdef".repeat(6).slice(0, length);
const letters = (length: number): string => "aB3dE5gH7jK9".repeat(10).slice(0, length);

const TOKENS: Readonly<Record<string, string>> = {
  "Azure client secret": `abc8Q~${letters(34)}`,
  "Twilio key": `SK${hex(32)}`,
  "Discord bot": `MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.${letters(38)}`,
  "Telegram bot": `123456789:AA${letters(33)}`,
  "Mailgun key": `key-${hex(32)}`,
  "Mailgun sending key": `${hex(32)}-${hex(8)}-${hex(8)}`,
  "Vault service token": `hvs.${letters(24)}`,
  "Doppler token": `dp.pt.${letters(40)}`,
  "Linear key": `lin_api_${letters(40)}`,
  "Notion token": `ntn_${letters(46)}`,
  "Notion secret": `secret_${letters(43)}`,
  "Databricks token": `dapi${hex(32)}`,
  "Terraform token": `${letters(14)}.atlasv1.${letters(67)}`,
  "GitLab token": `glpat-${letters(20)}`,
  "GitLab trigger token": `glptt-${hex(40)}`,
  "npm token": `npm_${letters(36)}`,
  "PyPI token": `pypi-AgEIcHlwaS5vcmc${letters(60)}`,
  "Hugging Face token": `hf_${letters(34)}`,
  "OpenAI key": `sk-proj-${letters(48)}`,
  "Anthropic key": `sk-ant-api03-${letters(80)}`,
  "Stripe key": `rk_live_${letters(24)}`,
  "SendGrid key": `SG.${letters(22)}.${letters(43)}`,
  "Slack token": `xoxb-123456789012-${letters(24)}`,
  "Slack app token": `xapp-1-A0123456789-${letters(24)}`,
  "Shopify token": `shpat_${hex(32)}`,
  "DigitalOcean token": `dop_v1_${hex(64)}`,
  "GitHub token": `ghp_${letters(36)}`,
};

test.each(Object.entries(TOKENS))(
  "a token is redacted, also percent-encoded or after an encoded sign: %s",
  (_name, token) => {
    expect(redaction.text(`failed with ${token} at line 3`)).toBe("failed with [redacted] at line 3");
    expect(redaction.text(`next=https%3A%2F%2Fhost%2F${encodeURIComponent(token)}`)).toBe(
      "next=https%3A%2F%2Fhost%2F[redacted]",
    );
  },
);

test("signatures of Azure, webhooks of Discord and passwords in URLs are redacted, also percent-encoded", () => {
  const signature = encodeURIComponent(`${letters(43)}=`);
  const url = `https://a.blob.core.windows.net/c?sv=2024-01-01&sig=${signature}`;
  expect(redaction.text(url)).toBe("https://a.blob.core.windows.net/c?sv=2024-01-01&sig=[redacted]");
  expect(redaction.text(encodeURIComponent(url))).not.toContain(letters(20));
  expect(redaction.text(`https://discord.com/api/webhooks/1234567890/${letters(68)}`)).toBe(
    "https://discord.com/api/webhooks/1234567890/[redacted]",
  );
  expect(redaction.text("postgres://app:hunter2@db/x")).toBe("postgres://app:[redacted]@db/x");
  expect(redaction.text("url=postgres%3A%2F%2Fapp%3Ahunter2%40db%2Fx")).toBe(
    "url=postgres%3A%2F%2Fapp%3A[redacted]%40db%2Fx",
  );
});

test.each([
  "commit 5f2b1c0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b changed 3 files",
  "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "request 123e4567-e89b-42d3-a456-426614174000 was cancelled",
  "traceparent 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "hf_transformers_model_loader_utils, npm_lifecycle_script_environment_name and secret_key_rotation_policy_for_the_production_environment",
  "Basic authentication is required. Bearer tokens are not accepted here.",
  "https://example.com/a%2Fb?x=1&y=%7B%7D",
  "from C:%5CUsers%5Cada%5Cfile.txt at 12:30:45",
])("ordinary text is kept: %s", (text) => {
  expect(redaction.text(text)).toBe(text);
});

/** Texts whose repetition is expensive for expressions that backtrack, or that search to the end for each match. */
const HOSTILE = [
  "a",
  "a=",
  "token=",
  "cookie: x ",
  "token: none ",
  "Basic+",
  "Bearer ",
  "sk-",
  "://a:",
  "://a:b@",
  "eyJaaaaaaaa.",
  "-----BEGIN PRIVATE KEY-----",
  "--",
  "--token ",
  "%3a%2f%2f",
  "%3a",
  "%40",
  "SG.aaaaaaaaaaaaaaaaaaaaa",
  "12345678:AA",
  "/api/webhooks/1/",
  "?sig=",
  "deadbeef",
  "a-",
  'token="\\"',
  "token='\\",
  "1/",
  "aaaaaaaaaaaaaa.atlasv1.",
  "  ",
  "a \t=",
];

test.each(HOSTILE)("1 MB of hostile text takes linear time: %j", (part) => {
  const text = part.repeat(Math.ceil(1_000_000 / part.length));
  const before = process.cpuUsage();
  redaction.text(text);
  const { user, system } = process.cpuUsage(before);
  // It takes about 50 ms; anything that is not linear takes seconds.
  expect((user + system) / 1000).toBeLessThan(500);
});
