import { isObject, type Json, type JsonObject } from "../../jsonrpc/json.js";

/** What must never be typed into a form: it passes through the client, and often through a model. */
const SECRETS = new Set(
  "password passwd passphrase passcode pwd secret token credential credentials pin otp cvv cvc".split(" "),
);
const SECRET_PAIRS = new Set([
  "api key",
  "access key",
  "private key",
  "secret key",
  "card number",
  "credit card",
  "debit card",
  "recovery code",
  "security code",
  "verification code",
]);

const TYPED = new Set<unknown>(["string", "number", "integer"]);

/** Whether a name is that of a secret: `apiKey`, `card-number`, `PASSWORD`. */
export function isSecretName(name: string): boolean {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  return words.some((word, at) => {
    const pair = `${word} ${words[at + 1] ?? ""}`;
    return SECRETS.has(word) || SECRET_PAIRS.has(pair) || word === "apikey";
  });
}

/** Says why a field may not stand in a form; undefined where it may. `field` is as it goes on the wire. */
export function fieldFault(name: string, source: JsonObject, field: JsonObject): string | undefined {
  const { title } = field;
  const isTyped = TYPED.has(field["type"]) && !isChoice(field);
  const isMarked = source["format"] === "password" || source["writeOnly"] === true;
  if (isTyped && (isMarked || isSecretName(name) || (typeof title === "string" && isSecretName(title))))
    return `"${name}" asks for a secret, which would pass through the client; let the user enter it on a page of yours, with call.visit`;
  if (textsOf(field).some((text) => /\b[a-z][a-z0-9+.-]*:\/\//i.test(text)))
    return `"${name}" shows an address that a person might open unwarned; use call.visit`;
  return undefined;
}

function isChoice(field: JsonObject): boolean {
  return "enum" in field || "oneOf" in field;
}

/** Every text of a field that a person reads. */
function textsOf(field: JsonObject): string[] {
  const { title, description, enumNames, oneOf, items } = field;
  const choices = [oneOf, isObject(items) ? items["anyOf"] : undefined].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  const titles: (Json | undefined)[] = choices.map((choice) => (isObject(choice) ? choice["title"] : undefined));
  const shown = [title, description, ...(Array.isArray(enumNames) ? enumNames : []), ...titles];
  return shown.filter((text) => typeof text === "string");
}
