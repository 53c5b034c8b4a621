/** One word for several spellings, short forms and words of the same meaning; the stem of the right side stands for all. */
const SAME: readonly (readonly [one: string, others: string])[] = [
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

const known: ReadonlyMap<string, string> = new Map(
  SAME.flatMap(([one, others]) => [one, ...others.split(" ")].map((word) => [word, one] as const)),
);

/** The word that stands for a word: itself, unless it is another spelling. */
export const spellingOf = (word: string): string => known.get(word) ?? word;

/** Words that must not be cut: their stems would meet those of words with another meaning. */
const KEPT: ReadonlySet<string> = new Set([
  "authorization",
  "organization",
  "authored",
  "production",
  "rating",
  "administrator",
]);

/** Whether the stemmer must leave a word alone. */
export const isKeptWhole = (word: string): boolean => KEPT.has(word);

/** Words that people write in two, though together they mean one thing; the little one would be lost, or mean something else. */
const PAIRS =
  /\b(?:((?:log|sign)(?:s|ged|ging|ed|ing)?[ -](?:in|on)s?)|((?:log|sign)(?:s|ged|ging|ed|ing)?[ -](?:out|off)s?)|(sign(?:s|ed|ing)?[ -]ups?)|(order[ -]by)|(check[ -]outs?)|(timed?[ -]outs?)|(back[ -]ups?)|(roll(?:s|ed)?[ -]backs?)|(zip[ -]codes?))\b/g;
const ONES = ["login", "logout", "signup", "orderby", "checkout", "timeout", "backup", "rollback", "postal"];

/** Writes such pairs, in small letters, as one word. */
export const joinPairs = (text: string): string =>
  text.replace(PAIRS, (_pair, ...groups: unknown[]) => ONES.find((_one, at) => groups[at] !== undefined) ?? "");

/** Names that are one word, though they have large letters inside. */
const NAMES =
  /\b(?:OAuth|OpenID|OpenAPI|GraphQL|GitHub|GitLab|JavaScript|TypeScript|PostgreSQL|MySQL|NoSQL|SQLite|MongoDB|DynamoDB|BullMQ|RabbitMQ|WebSocket|NestJS|FastAPI|PayPal|ReDoS|DevOps|YouTube|LinkedIn|LangChain|OpenAI|IDs|URLs|APIs|JWTs|PDFs|CSVs)/g;

/** Writes such names in small letters, so that they are not taken apart. */
export const joinNames = (text: string): string => text.replace(NAMES, (name) => name.toLowerCase());
