import { isObject, type Json, type JsonObject } from "../../jsonrpc/json.js";
import type { Request } from "../../jsonrpc/messages.js";
import { parseCompound } from "../../schema/json-text.js";
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
      const wanted = readWanted(params["arguments"]);
      return wanted === undefined ? request : { ...request, params: { ...params, ...wanted } };
    },
  };
}

/** The call that is wanted; undefined = it cannot be told, and the tool itself refuses it with what is wrong about it. */
function readWanted(given: Json | undefined): JsonObject | undefined {
  const isText = typeof given === "string";
  const read = isText ? parseCompound(given) : given;
  if (!isObject(read)) return undefined;
  const { name, arguments: inner = {}, ...others } = read;
  if (typeof name !== "string" || name === CALL_TOOL || Object.keys(others).length > 0) return undefined;
  // Whether arguments may come as JSON in a string is for the tool that is called to say.
  if (isObject(inner)) return { name, arguments: isText ? JSON.stringify(inner) : inner };
  return typeof inner === "string" ? { name, arguments: inner } : undefined;
}
