import { ToolError, tool } from "@toolwright/engine";

/** Tells the time, which models do not know. */
export const currentTime = tool({
  name: "current_time",
  title: "Current time",
  description: "Tells the current date and time, in UTC and in a time zone.",
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
  annotations: { readOnlyHint: true, openWorldHint: false },
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
