import { isObject, type Json, type JsonObject } from "../../jsonrpc/json.js";
import type { Request } from "../../jsonrpc/messages.js";
import { registerTool } from "../register-tool.js";
import type { Settings } from "../settings.js";
import type { Tool } from "../tool.js";
import type { Front } from "./front.js";
import { CALL_TOOL, createCallTool, createDescribeTool, createSearchTool } from "./front-tools.js";

/** Makes the three tools that stand before all others, in place of which they are listed. */
export function createFront(settings: Settings): Front {
  const register = (tool: Tool) => registerTool(tool, settings, { isOwn: true });
  return {
    before(tools) {
      const { entries } = tools;
      const three = [createSearchTool(tools), createDescribeTool(tools), createCallTool(entries)].map(register);
      return {
        tools: tools.having([...entries, ...three]),
        // What the engine brings itself is named in results, and so must be there by its name.
        listed: tools.having([...three, ...entries.filter(({ isOwn }) => isOwn)]),
      };
    },
    redirect(request: Request): Request {
      const { params } = request;
      if (params?.["name"] !== CALL_TOOL) return request;
      const wanted = readWanted(params["arguments"], settings.repair);
      return wanted === undefined ? request : { ...request, params: { ...params, ...wanted } };
    },
  };
}

/** The call that is wanted; undefined = it cannot be told, and the tool itself refuses it with what is wrong about it. */
function readWanted(given: Json | undefined, repairs: boolean): JsonObject | undefined {
  const read = typeof given === "string" && repairs ? parsed(given) : given;
  if (!isObject(read)) return undefined;
  const { name, arguments: inner = {}, ...others } = read;
  if (typeof name !== "string" || name === CALL_TOOL || Object.keys(others).length > 0) return undefined;
  // Arguments as JSON in a string are left to the schema of the tool that is called.
  return isObject(inner) || typeof inner === "string" ? { name, arguments: inner } : undefined;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
