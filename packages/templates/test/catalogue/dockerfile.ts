const INSTRUCTIONS = new Set("ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK RUN USER WORKDIR".split(" "));

/** What is wrong with a Dockerfile; docker itself needs a daemon to say so. */
export function dockerfileFaults(text: string): readonly string[] {
  const lines = instructionsOf(text);
  const faults = lines.filter(([word]) => !INSTRUCTIONS.has(word)).map(([word]) => `${word} is no instruction`);
  const images = lines.filter(([word]) => word === "FROM").map(([, rest]) => rest);
  if (images.length < 2) faults.push("it is built and run in one stage");
  for (const image of images)
    if (!/^[a-z0-9][a-z0-9./-]*:[a-z0-9][A-Za-z0-9._-]*(?: AS [a-z]+)?$/.test(image) || image.includes(":latest"))
      faults.push(`${image} is not pinned to a tag`);
  const stages = new Set(images.map((image) => / AS (?<stage>[a-z]+)$/.exec(image)?.groups?.["stage"]));
  for (const [, rest] of lines.filter(([word]) => word === "COPY")) {
    const from = /--from=(?<stage>\S+)/.exec(rest)?.groups?.["stage"];
    if (from !== undefined && !stages.has(from)) faults.push(`there is no stage ${from}`);
  }
  const last = lines.slice(lines.findLastIndex(([word]) => word === "FROM"));
  return [...faults, ...startFaults(last)];
}

function startFaults(last: readonly Instruction[]): string[] {
  const user = last.findIndex(([word]) => word === "USER");
  const start = last.findIndex(([word]) => word === "ENTRYPOINT");
  const faults: string[] = [];
  if (user === -1 || /^(?:root|0)\b/.test(last[user]?.[1] ?? "")) faults.push("it runs as root");
  if (start < user) faults.push("it starts before the user is set");
  if (!isList(last[start]?.[1] ?? "")) faults.push("the entry point is no list");
  return faults;
}

function isList(text: string): boolean {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((item) => typeof item === "string");
  } catch {
    return false;
  }
}

type Instruction = readonly [word: string, rest: string];

function instructionsOf(text: string): readonly Instruction[] {
  const joined = text.replaceAll(/\\\n\s*/g, "");
  const lines = joined.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => {
    const at = line.indexOf(" ");
    return at === -1 ? [line, ""] : [line.slice(0, at), line.slice(at + 1)];
  });
}
