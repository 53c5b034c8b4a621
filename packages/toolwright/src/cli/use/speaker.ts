import type { ClientOptions, LogMessage } from "@toolwright/engine/client";
import { showValue } from "@toolwright/kit/cli";
import { answersOf, type Report } from "@toolwright/kit/terminal";

/** Who talks to a server for a person: servers are told the name, and whoever sits at the terminal hears and answers them. */
export function speakerFor(version: string, report: Report, isSomebodyThere: boolean): ClientOptions {
  return {
    info: { name: "toolwright", version },
    onLog: (line) => report.aside(logText(line)),
    ...answersOf(report, isSomebodyThere),
  };
}

function logText({ level, logger, data }: LogMessage): string {
  // A server may have left out what has to be there.
  return `[${showValue(level ?? "log").toUpperCase()}] ${logger === undefined ? "" : `${logger}: `}${showValue(data)}`;
}
