/** Terms that stand for a piece of code or an idiom. The patterns contain these terms. */
interface Hint {
  readonly expression: RegExp;
  readonly terms: string;
}

const hint = (expression: RegExp, terms: string): Hint => ({ expression, terms });

/** Hints for code whose identifiers do not say what it does. All expressions are linear, because a query can contain any text. */
const CODE: readonly Hint[] = [
  hint(/\b(?:SELECT\b[^;]{1,200}\bFROM|INSERT INTO|DELETE FROM|UPDATE \w+ SET|WHERE \w+ ?=)\b/, "sql query"),
  hint(/\b(?:execute|query|raw|prepareStatement|createStatement|executeQuery)\(\s*(?:f["']|`|["'])/, "raw sql query"),
  hint(
    /\b(?:os\.system|os\.popen|shell_exec|execSync|exec|spawn|popen|check_output)\(|shell ?= ?True/i,
    "run shell command",
  ),
  hint(
    /\b(?:fetch|urlopen|axios(?:\.\w+)?|requests\.(?:get|post)|httpx\.\w+|http\.Get|got)\(\s*[^"'`\s)]/,
    "fetch url the user gave",
  ),
  hint(/\b(?:os\.path\.join|path\.(?:join|resolve)|filepath\.Join|Path\.Combine)\(/, "file path"),
  hint(
    /\b(?:open|fopen|readFile(?:Sync)?|createReadStream|sendFile|send_file|ReadFile)\(\s*[^"'`\s)]/,
    "read file by name",
  ),
  hint(/\.(?:innerHTML|outerHTML)\b|dangerouslySetInnerHTML|\bv-html\b|\|\s*safe\b|<%==|\{!!/, "render user html"),
  hint(
    /\b(?:pickle|cPickle|dill|marshal)\.loads?\(|\byaml\.load\(|\bunserialize\(|\breadObject\(|\bMarshal\.load\b/,
    "deserialize serialized object",
  ),
  hint(
    /\b(?:find|findOne|find_one|findOneAndUpdate|updateOne|deleteOne|deleteMany|aggregate)\(\s*\{?[^)]{0,80}\b(?:req|request|ctx|body)\b/,
    "mongo filter from the body",
  ),
  hint(
    /\b(?:create|update|assign|merge|fill|build|new)\w*\([^)]{0,60}(?:req\.body|request\.(?:json|data|form|all)|params\b|\*\*)/i,
    "mass assignment",
  ),
  hint(/(?:\.\.\.|\*\*)\s?(?:req\.body|request\.(?:json|data|form)|body\b|payload\b)/, "mass assignment"),
  hint(/\b(?:Math\.random|random\.(?:random|randint|choices?)|mt_rand|rand\.Intn?)\b/, "random token"),
  hint(
    /\b(?:md5|sha1|sha256|sha512)\b[^\n]{0,60}passw|passw[^\n]{0,60}\b(?:md5|sha1|sha256|sha512)\b/i,
    "hash passwords",
  ),
  hint(
    /(?:signature|hmac|digest|token|secret|api_?key|\bsig)\w{0,20} ?[=!]==? ?\w|\w ?[=!]==? ?(?:\w{1,30}[._])?(?:signature|hmac|digest|expected|secret)/i,
    "compare signature",
  ),
  hint(
    /verify ?= ?False|rejectUnauthorized["']?: ?false|InsecureSkipVerify|CERT_NONE|VERIFYPEER|_REJECT_UNAUTHORIZED/,
    "disable ssl verification",
  ),
  hint(/(?:key|secret|token|passw(?:or)?d|pwd)\w{0,20}["']? ?[:=] ?["'`][^"'`\s]{3,}["'`]/i, "hardcoded secret"),
  hint(/\/(?::\w+|\{\w+\}|<[\w:]+>)\/[\w-]+\/(?::\w+|\{\w+\}|<[\w:]+>)/, "nested route"),
  hint(/\/[\w-]+\/(?::\w+|\{\w+\}|<[\w:]+>)(?![\w/-])/, "record by id"),
  hint(
    /\b(?:get|find|findById|find_by_id|findUnique|findByPk|findOrFail|get_object_or_404)\(\s*\{?[^)]{0,40}\b(?:pk|id)\b/,
    "record by id",
  ),
  hint(
    /\b(?:err|error|e|ex|exc)\.(?:stack|stackTrace)\b|format_exc\(|printStackTrace\(|\bstr\((?:e|ex|exc|err)\)/,
    "stack trace in the error response",
  ),
  hint(
    /\b(?:except|catch|rescue)\b[^\n]{0,60}[\n:{]\s*(?:return (?:true|next\(\))|\w+ ?= ?true|next\(\)|pass\b)/i,
    "fail open",
  ),
  hint(
    /\b(?:console\.\w+|log(?:ger|ging)?\.\w+|log\.Printf|print(?:f|ln)?)\([^)]{0,80}\b(?:req|request|body|headers|password|token|user)\b/i,
    "log request logging",
  ),
  hint(
    /\b(?:jsonify|res\.json|JSON\.stringify|json\.dumps|render json:?|Ok|c\.JSON)\(?[^)\n]{0,30}\b(?:user|account|member|customer|row|entity|__dict__|to_dict)\b/,
    "return a record as json",
  ),
  hint(/\bjwt\.(?:decode|verify|parse)\b|\bjwt_decode\b/i, "verify jwt"),
  hint(/\bextract(?:all|All)?\(|\bZipFile\b|\bunzip\b|\bAdmZip\b|\btar (?:-?x|\.x)/, "extract an uploaded archive"),
  hint(/\b(?:local|session)Storage\b/, "store the token in the browser"),
  hint(/addEventListener\(\s*["']message["']|\bonmessage\b|\bpostMessage\(/, "message event from another window"),
  hint(/Access-Control-Allow|origin: ?(?:true|["']\*)|allow_origins/i, "cors allowed origins"),
  hint(/\$\{\{\s*github\.(?:event|head_ref)/, "workflow expression"),
  hint(/\bpull_request_target\b/, "forked pull request"),
  hint(/\buses: ?[\w-]+\/|^FROM [\w./-]+(?::latest)?\s*$/m, "pinned version"),
  hint(/\b(?:curl|wget)\b[^\n|]{0,200}\|\s*(?:sudo )?(?:ba|z)?sh\b/, "pipe a script into a shell"),
  hint(
    /\bredirect(?:_to)?\([^)\n]{0,60}\b(?:next|return\w*|url|req|request|params|args|query)\b/i,
    "redirect to a parameter",
  ),
  hint(/\b(?:render_template_string|Template|from_string|compile)\(\s*[^"'`\s)]/, "render a user defined template"),
  hint(/\b(?:eval|new Function)\(/, "evaluate an expression"),
  hint(
    /\b(?:balance|stock|quantity|credits?|points|seats?)\w{0,20} ?(?:-=|>=|<=|>|<|--)/i,
    "race condition on a balance",
  ),
  hint(/\b0\.0\.0\.0\b|::\/0|\b(?:3389|5432|3306|6379|27017|9200)\b/, "open port bind address"),
  hint(/\b(?:auto_?retry|max_retries|retry_on|maxAttempts|attempts: ?\d)/i, "retry policy of a job"),
  hint(/\bX-(?:Tenant|Company|Org|Workspace|Account|Customer|Shop|Store|Team)/i, "tenant header"),
  hint(/\/(?:authorize|oauth2?|oidc)\b/, "oauth flow"),
  hint(/\/[\w-]+\/\d+\/[\w-]+\/\d+\b/, "nested route"),
  hint(/(?<!\/\d{1,9})\/[a-z][\w-]*\/\d{1,9}\b(?!\/)/, "sequential ids record by id"),
  hint(/[?&](?:next|return\w*|redirect\w*|continue|goto|url)=/i, "redirect to a parameter return url"),
  hint(/\b(?:Location|header)\b[^\n]{0,20}(?:\$_GET|req\.query|params)/, "redirect to a parameter"),
  hint(/[?&](?:path|file|filename|page|doc|template)=/i, "filename parameter file path"),
  hint(
    /\b(?:AES|DES|Cipher|createCipher\w*)\b[^\n]{0,40}\b(?:ECB|CBC|MODE_\w+)\b|createCipher/,
    "encrypt with a block cipher",
  ),
  hint(/"?(?:Action|Resource)"?\s*[:=]\s*\[?"\*"/, "iam policy full access"),
  hint(
    /\b(?:environ\.get|getenv|process\.env)\b[^\n]{0,40}(?:,\s*["']|\|\|\s*["']|\?\?\s*["'])/,
    "default secret environment variable",
  ),
  hint(/\bdebug ?[=:] ?true\b/i, "debug mode"),
];

/** Hints for idioms that consist of stop words. */
const IDIOMS: readonly Hint[] = [
  hint(
    /\b(?:log(?:s|ged|ging)?|sign(?:s|ed|ing)?)[ -]?in as\b|\bas if (?:they|you|he|she|i|we) (?:were|was)\b|\bwhat they see\b/i,
    "impersonate",
  ),
  hint(
    /\b(?:create|save|write|insert|charge|book|update)\w*\b[^.;\n]{0,80}\bthen\b[^.;\n]{0,80}\b(?:then|send|charge|create|save|update|publish|call)\w*/i,
    "multiple writes partial failure",
  ),
  hint(
    /\b(?:once|one|one time|only one|at most one) (?:per|for each|for every) \w+|\b\w+ (?:only|counts?|vote|redeem\w*|use\w*) (?:only )?once\b/i,
    "limit per account one per customer",
  ),
  hint(/\bif (?:\w+ ){1,4}(?:is|are) (?:not set|unset|missing|empty|undefined)\b/i, "missing setting default"),
  hint(
    /\b(?:does not|doesn't|do not|cannot) (?:answer|respond|reply|be reached)\b|\bis (?:down|unreachable|unavailable)\b/i,
    "not available time-out fall back",
  ),
  hint(/\b(?:is |name |slug |email |username )?already (?:taken|exists?|in use)\b/i, "unique name taken"),
  hint(/\bport 22\b/i, "open port ssh access"),
  hint(
    /\bevery (?:night|morning|evening|day|hour|week|month|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d+ \w+)\b|\bonce (?:a|per|an) (?:day|night|week|month|hour)\b|\bat midnight\b/i,
    "scheduled task",
  ),
  hint(
    /\b(?:one|same|single|shared) (?:\w+ )?(?:postgres\w*|mysql|mongo\w*|database|db|schema|instance)\b/i,
    "shared database",
  ),
  hint(/\b(?:in|with) (?:one|a single) (?:call|request|go|click)\b|\bat once\b|\ball at once\b/i, "bulk operation"),
  hint(/\bonly (?:\w+ ){1,2}(?:should |can |may |must )?(?:see|click|open|access|use|reach)\b/i, "role check"),
  hint(/\b(?:must|has to|have to|needs to|should) (?:\w+ ){1,8}before\b/i, "step order"),
  hint(
    /\b(?:remember|keep|hold|store|cache)\w* [^.;\n]{1,60}\bfor (?:\w+ )?(?:seconds?|minutes?|hours?|an hour|a day|a minute)\b/i,
    "cache",
  ),
  hint(/\b(?:their|his|her|my|your|one's) own \w+/i, "ownership"),
  hint(/\bby (?:its |their |the |an? )?id\b/i, "record by id"),
  hint(/\b(?:accepts?|takes?|gets?|with|of|given|several|many) (?:\w+ )?ids\b/i, "list of ids"),
  hint(/\bwho (?:did|changed|saw|approved|edited|deleted)\b/i, "audit trail"),
  hint(/\b(?:two times|several times|more than once|a second time|the same \w+ (?:twice|again))\b/i, "delivered twice"),
];

const HINTS: readonly Hint[] = [...CODE, ...IDIOMS];

/** Syntax that prose rarely contains. */
const IS_CODE = /\w\((?!s\))|[=!]=|=>|\$\{|[\w"'\]] ?= ?["'`\w[{]|[{};]$|\w{2}\.\w{2,}[.[]/m;

/** The maximum number of characters that are searched for hints. The topic of a text is usually at its start. */
const MAX_LENGTH = 8000;

/** Whether a text contains code. Unknown identifiers in code count less than unknown words in prose. */
export const hasCode = (text: string): boolean => IS_CODE.test(text.slice(0, MAX_LENGTH));

/** The terms for the code and the idioms in a text, or "" if there are none. */
export function hintsIn(text: string): string {
  const start = text.slice(0, MAX_LENGTH);
  return HINTS.filter(({ expression }) => expression.test(start))
    .map(({ terms }) => terms)
    .join(". ");
}
