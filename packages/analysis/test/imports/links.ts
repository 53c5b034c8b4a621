import type { JsonObject } from "@toolwright/engine";
import { openBench } from "../kit.js";

/** The links that analyze_dag finds between some files, each as "from → to". */
export async function linksOf(files: Readonly<Record<string, string>>, args: JsonObject = {}): Promise<string[]> {
  const { call } = await openBench({ files });
  return linksIn(await call("analyze_dag", { level: "file", ...args }));
}

/** The links of a result, each as "from → to". */
export function linksIn(result: JsonObject): string[] {
  const nodes = result["nodes"] as object as readonly { id: string; name: string }[];
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  return (result["edges"] as object as readonly { from: string; to: string }[])
    .map(({ from, to }) => `${names.get(from)} → ${names.get(to)}`)
    .sort();
}
