/** What was seen to fail on a runtime, and what is known of the reason. */
const KNOWN_FAULTS = [
  ["bun", /conversations\.test\.ts > .*errors\.txt/, "its JSON parser does not say where a text breaks off"],
  ["bun", /conversations\.test\.ts > .*has its conversations/, "it lists folders in another order"],
  ["bun", /messages\.test\.ts > an unexpected fault/, "it words errors of its own differently"],
  [
    "bun",
    /closing\.test\.ts|stateless\.test\.ts > .*when the server closes/,
    "its HTTP server may cut off last answers",
  ],
  ["bun", /renewal\.test\.ts/, "its servers cannot change their certificate"],
  ["bun deno", /attacks\.test\.ts > a client that asks for HTTP\/2/, "it does not take a request back for another try"],
  ["bun deno", /websocket-door\.test\.ts > a request for another/, "it does not take a request back for another try"],
  [
    "bun deno",
    /streams\.test\.ts > a far end that does not read/,
    "its streams hand out what they hold in other pieces",
  ],
  ["bun deno", /client\/http\.test\.ts > a server that is not there/, "it words errors of its own differently"],
  [
    "bun deno",
    /client\/(published|official)-servers\.test\.ts/,
    "servers of others, started on it, time out; nobody has looked why",
  ],
  [
    "deno",
    /client\/stdio\.test\.ts > a server that does not go/,
    "it tells the signal that was sent for the way that a process ended",
  ],
  ["deno", /replay\/command\.test\.ts/, "it tells the signal that was sent for the way that a process ended"],
  [
    "deno",
    /custom-transport\.test\.ts|closing\.test\.ts > .*no handle/,
    "the process of the test ends with code 1; nobody has looked why",
  ],
  [
    "deno",
    /limits\.test\.ts > connections|too many|one too many/,
    "the limit of connections of a server has no effect",
  ],
  ["deno", /behind\.test\.ts > TLS|renewal\.test\.ts/, "a key or certificate that is none is not refused at once"],
  [
    "deno",
    /malformed\.test\.ts|refuses what comes meanwhile/,
    "its HTTP server closes connections that Node's answers on",
  ],
  ["deno", /tasks\/durable\.test\.ts/, "the bundler that the test uses fails on it"],
];

/** Why a test cannot pass on a runtime; undefined = it should. */
export function reasonOf(/** @type {string} */ runtime, /** @type {string} */ test) {
  const found = KNOWN_FAULTS.find(([where, names]) => where.split(" ").includes(runtime) && names.test(test));
  return found?.[2];
}
