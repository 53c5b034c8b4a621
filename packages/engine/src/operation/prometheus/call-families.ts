import { type CallCounts, DURATION_BOUNDS, type ServerMetrics } from "../../server/metrics.js";
import { type Family, type Sample, writeBound } from "./text.js";

/** What is told of the calls of a server. */
export function callFamilies(metrics: ServerMetrics): Family[] {
  const calls = metrics.all();
  const gauge = (name: string, help: string, value: number): Family => ({
    name,
    help,
    type: "gauge",
    samples: [{ value }],
  });
  return [
    {
      name: "mcp_server_calls",
      help: "Calls that are over, by how they ended: ok, failed (the model was told), refused (an error of the protocol), cancelled.",
      type: "counter",
      samples: calls.flatMap(endings),
    },
    {
      name: "mcp_server_call_duration_seconds",
      help: "How long calls took, the wait for a free place included.",
      type: "histogram",
      samples: calls.flatMap(buckets),
    },
    gauge("mcp_server_calls_running", "Calls that run.", metrics.running),
    gauge("mcp_server_calls_queued", "Calls that wait until they may run.", metrics.queued),
    gauge("mcp_server_sessions", "Sessions that a handshake has opened.", metrics.sessions),
    gauge("mcp_server_streams", "Event streams that are open over HTTP.", metrics.streams),
  ];
}

const endings = ({ kind, name, endings: counts }: CallCounts): Sample[] =>
  Object.entries(counts).map(([ending, value]) => ({ labels: { kind, name, ending }, value }));

function buckets({ kind, name, durations, seconds }: CallCounts): Sample[] {
  let count = 0;
  const samples = durations.map((more, at): Sample => {
    count += more;
    const bound = DURATION_BOUNDS[at];
    const le = bound === undefined ? "+Inf" : writeBound(bound);
    return { suffix: "_bucket", labels: { kind, name, le }, value: count };
  });
  const labels = { kind, name };
  return [...samples, { suffix: "_sum", labels, value: seconds }, { suffix: "_count", labels, value: count }];
}
