import { expect, test } from "vitest";
import { stemOf, termsOf, wordsOf } from "../../src/ranking/tokenize.js";

test.each([
  ["getUserById", ["get", "user", "by", "id"]],
  ["user_id=HTTPServer2", ["user", "id", "http", "server2"]],
  ["2FA for user2Name", ["2fa", "for", "user2", "name"]],
  ["OAuth and GraphQL for GitHub", ["oauth", "and", "graphql", "for", "github"]],
  ["the webhook's body", ["the", "webhook", "body"]],
  ["sign-in, logged out, time-out, ORDER BY", ["login", "logout", "timeout", "orderby"]],
  ["naïve Größe 日本語", ["naïve", "größe", "日本語"]],
  ["", []],
])("%j has the words %j", (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

test.each([
  ["Users upload a picture to their own folder", ["user", "upload", "pictur", "directori"]],
  ["the authors are authorised", ["authored", "authorization"]],
  ["a 404 x in 2026", []],
  ["a".repeat(41), []],
])("of %j the stems %j count", (text, stems) => {
  expect(termsOf(text).map(({ stem }) => stem)).toEqual(stems);
});

test.each([
  ["anonymised", "anonymizes"],
  ["customisation", "customization"],
])("%s and %s are one word", (one, other) => {
  expect(stemOf(one)).toBe(stemOf(other));
});
