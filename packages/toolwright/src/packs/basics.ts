import { ToolError, tool } from "@toolwright/engine";
import { definePack, READ } from "@toolwright/kit/pack";

const echo = tool({
  name: "echo",
  title: "Echo",
  description: "Returns the given text, to check the connection.",
  toolset: "basics",
  input: {
    type: "object",
    properties: { text: { type: "string", description: "The text to return." } },
    required: ["text"],
  },
  annotations: READ,
  run: ({ text }) => text,
});

const currentTime = tool({
  name: "current_time",
  title: "Current time",
  description: "Returns the current date and time, in UTC and in a time zone.",
  toolset: "basics",
  input: {
    type: "object",
    properties: {
      time_zone: { type: "string", description: "An IANA time zone such as Europe/Paris.", default: "UTC" },
    },
  },
  output: {
    type: "object",
    properties: { utc: { type: "string" }, local: { type: "string" }, time_zone: { type: "string" } },
    required: ["utc", "local", "time_zone"],
  },
  annotations: { ...READ, idempotentHint: false },
  run({ time_zone }) {
    const now = new Date();
    return { utc: now.toISOString(), local: localTime(now, time_zone), time_zone };
  },
});

function localTime(now: Date, timeZone: string): string {
  try {
    return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" }).format(now);
  } catch {
    throw new ToolError(
      `Unknown time zone "${timeZone}". Give an IANA name such as Europe/Paris or America/New_York.`,
      {
        code: "UNKNOWN_TIME_ZONE",
      },
    );
  }
}

/** Tools that every server should have: a way to see that it works, and a clock. */
export default definePack({
  name: "basics",
  summary: "The current time, and a connection check",
  toolsets: { basics: ["echo", "current_time"] },
  prevalidated: true,
  open: () => ({ tools: [echo, currentTime] }),
});
