/** Spelling variants, abbreviations and synonyms. The first word replaces the others. */
const SYNONYMS: readonly (readonly [canonical: string, variants: string])[] = [
  [
    "authorization",
    "authorisation authorizations authorize authorise authorized authorised authorizes authorizing authz",
  ],
  ["authentication", "authn authenticate authenticated authenticating"],
  ["administrator", "admin admins administrators administration"],
  ["configuration", "config configs configure configured"],
  ["database", "db dbs databases"],
  ["repository", "repo repos repositories"],
  ["environment", "env"],
  ["parameter", "param params parameters"],
  ["argument", "arg args arguments"],
  ["credential", "creds credentials cred"],
  ["password", "passwd pwd pw passphrase passwords"],
  ["notify", "notification notifications notifies notified"],
  ["verify", "verification verifications verifies verified"],
  ["subscribe", "subscription subscriptions subscriber subscribers"],
  ["directory", "dir dirs folder folders directories"],
  ["picture", "photo photos pictures avatar avatars"],
  ["login", "signin logon logins"],
  ["email", "mail mails emails"],
  ["job", "jobs"],
  ["kubernetes", "k8s"],
  ["deserialize", "deserialization deserialisation unserialize unmarshal deserializes"],
  ["serialize", "serialization serialisation serializer"],
  ["sanitize", "sanitise sanitized sanitization"],
  ["encrypt", "encryption encrypted encrypts"],
  ["llm", "llms gpt chatgpt"],
  ["2fa", "mfa totp"],
  ["rating", "ratings"],
  ["production", "prod"],
  ["authored", "author authors"],
  ["permission", "permissions rights privilege privileges"],
  ["organization", "organisation organizations organisations org orgs company companies"],
  ["staff", "employee employees personnel coworker coworkers colleague colleagues"],
  ["cart", "basket baskets carts"],
  ["total", "sum sums totals"],
  ["chatbot", "bot bots chatbots"],
  ["fail", "failure failures"],
  ["request", "req"],
  ["response", "res resp"],
  ["error", "err"],
  ["command", "cmd cmds"],
  ["message", "msg msgs"],
  ["temporary", "tmp temp"],
  ["document", "doc docs"],
  ["signature", "sig"],
  ["webhook", "hook hooks"],
];

const canonicalWords: ReadonlyMap<string, string> = new Map(
  SYNONYMS.flatMap(([canonical, variants]) =>
    [canonical, ...variants.split(" ")].map((word) => [word, canonical] as const),
  ),
);

/** Returns the canonical form of a word. */
export const canonicalWord = (word: string): string => canonicalWords.get(word) ?? word;

/** Words that are not stemmed, because their stems collide with those of words with another meaning. */
const UNSTEMMED: ReadonlySet<string> = new Set([
  "authorization",
  "organization",
  "authored",
  "production",
  "rating",
  "administrator",
]);

/** Whether a word is not stemmed. */
export const isUnstemmed = (word: string): boolean => UNSTEMMED.has(word);

/** Compound words that are often written as two words. Their second word is often a stop word. */
const COMPOUNDS =
  /\b(?:((?:log|sign)(?:s|ged|ging|ed|ing)?[ -](?:in|on)s?)|((?:log|sign)(?:s|ged|ging|ed|ing)?[ -](?:out|off)s?)|(sign(?:s|ed|ing)?[ -]ups?)|(order[ -]by)|(check[ -]outs?)|(timed?[ -]outs?)|(back[ -]ups?)|(roll(?:s|ed)?[ -]backs?)|(zip[ -]codes?))\b/g;
const JOINED = ["login", "logout", "signup", "orderby", "checkout", "timeout", "backup", "rollback", "postal"];

/** Replaces compound words in a lower-case text by one word. */
export const joinCompounds = (text: string): string =>
  text.replace(COMPOUNDS, (_match, ...groups: unknown[]) => JOINED.find((_word, at) => groups[at] !== undefined) ?? "");

/** Names in mixed case that are one word. */
const NAMES =
  /\b(?:OAuth|OpenID|OpenAPI|GraphQL|GitHub|GitLab|JavaScript|TypeScript|PostgreSQL|MySQL|NoSQL|SQLite|MongoDB|DynamoDB|BullMQ|RabbitMQ|WebSocket|NestJS|FastAPI|PayPal|ReDoS|DevOps|YouTube|LinkedIn|LangChain|OpenAI|IDs|URLs|APIs|JWTs|PDFs|CSVs)/g;

/** Lowercases such names, so that they are not split at their capitals. */
export const lowercaseNames = (text: string): string => text.replace(NAMES, (name) => name.toLowerCase());
