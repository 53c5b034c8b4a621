import { analysisBounds } from "./analysis.mjs";
import { channelCell } from "./channels.mjs";
import { churnBounds } from "./churn.mjs";
import { serveColdBounds } from "./serve-cold.mjs";
import { templatesBounds } from "./templates.mjs";
import { threatBounds } from "./threats.mjs";
import { todoBounds } from "./todo.mjs";
import { watchingCells } from "./watching.mjs";
import { workstationBounds } from "./workstation.mjs";

/**
 * @typedef {object} Target
 * @property {string} what
 * @property {string} key what the summary calls it
 * @property {number} floor at most so many times the floor
 * @property {number} sdk at most so many times SDK v2; infinity where nothing is asked
 */

const target = (what, key, floor, /** @type {number} */ sdk) => ({ what, key, floor, sdk });

/** @type {Target[]} What our server is to reach, as ratios within one run. */
export const targets = [
  target("tools/call echo 100 B, 64 in flight", "legacy.echo-100.w64", 1.5, 0.12),
  target("tools/call echo 100 B, 128 in flight", "legacy.echo-100.w128", 1.5, 0.12),
  target("tools/call six validated properties, 64 in flight", "legacy.fill6.w64", 1.6, 0.13),
  target("2026-07-28: tools/call echo 100 B, 64 in flight", "modern.echo-100.w64", 1.6, 0.09),
  target("2026-07-28: six validated properties, 64 in flight", "modern.fill6.w64", 1.6, 0.09),
  target("tools/call echo 100 B, one at a time", "legacy.echo-100.seq", 1.35, 0.28),
  target("ping, 64 in flight", "legacy.ping.w64", 1.1, 0.07),
  target("tools/list, 1 tool", "legacy.list-1.w16", 1.25, 0.045),
  target("tools/list, 20 tools", "legacy.list-20.w16", 1.25, 0.007),
  target("tools/list, 200 tools", "legacy.list-200.w16", 1.25, 0.017),
  target("tools/call echo 10 KB", "legacy.echo-10k.w64", 1.25, 0.6),
  target("tools/call echo 10 KB, half of it not ASCII", "legacy.echo-10k-utf8.w64", 1.25, 0.6),
  target("tools/call echo 900 KB", "legacy.echo-900k.w64", 1.25, 0.8),
  target("mixed traffic", "legacy.mixed.w64", 1.3, 0.07),
  target("2026-07-28: mixed traffic", "modern.mixed.w64", 1.3, 0.07),
  target("resources/read, 1 MB of text", "legacy.read-1m.w8", 1.3, Number.POSITIVE_INFINITY),
  target("2026-07-28: resources/read, 1 MB of text", "modern.read-1m.w8", 1.3, Number.POSITIVE_INFINITY),
  target("cold start (CPU) to the answer of initialize", "cold.initialize", 1.15, 0.42),
  target("cold start (CPU) to the response of the first call", "cold.call", 1.15, 0.38),
  target("resident memory after the handshake", "memory.handshake", 1.08, 0.67),
  target("resident memory after many calls", "memory.after", 1.6, 0.75),
  target("HTTP, sessions: echo 100 B, 1 connection", "http.legacy.echo-100.c1", 1.3, 0.07),
  target("HTTP, sessions: echo 100 B, 32 connections", "http.legacy.echo-100.c32", 1.3, 0.07),
  target("HTTP, sessions: echo 10 KB", "http.legacy.echo-10k.c32", 1.2, 0.15),
  target("HTTP, sessions: tools/list, 20 tools", "http.legacy.list-20.c32", 1.2, 0.012),
  target("HTTP, stateless: echo 100 B, 1 connection", "http.modern.echo-100.c1", 1.3, 0.05),
  target("HTTP, stateless: echo 100 B, 32 connections", "http.modern.echo-100.c32", 1.3, 0.05),
  target("HTTP, stateless: echo 10 KB", "http.modern.echo-10k.c32", 1.2, 0.09),
  target("HTTP, stateless: tools/list, 20 tools", "http.modern.list-20.c32", 1.2, 0.012),
  target("HTTP: live heap of a held session", "sessions.live", 1.5, 0.15),
  target("HTTP: resident memory of a held session", "sessions.resident", 1.6, 0.3),
];

/**
 * Targets that are no ratios: what was measured, against an upper bound.
 * @param {import("./summary.mjs").Summary} summary
 * @param {{ calls: string, streamMegabytes: number, stream: import("./stream.mjs").StreamUse[], inProcess?: import("./validate.mjs").InProcess,
 *   surface?: import("./surface.mjs").SurfaceCost, passedSessions?: import("./sessions.mjs").PassedSessions,
 *   install?: import("./install-size.mjs").InstallSize, workstation?: import("./workstation.mjs").Workstation,
 *   templates?: import("./templates.mjs").TemplatesCost, analysis?: import("./analysis.mjs").Analysis,
 *   churn?: import("./churn.mjs").ChurnCost, todo?: import("./todo.mjs").TodoCost,
 *   threats?: import("./threats.mjs").ThreatCost, serveCold?: import("./serve-cold.mjs").ServeCold }} measured
 */
export function boundsOf(
  summary,
  {
    calls,
    streamMegabytes,
    stream,
    inProcess,
    surface,
    passedSessions: passed,
    install,
    workstation,
    templates,
    analysis,
    churn,
    todo,
    threats,
    serveCold,
  },
) {
  const difference = (key, server, otherKey, other) => {
    const [a, b] = [summary.least(key, server), summary.least(otherKey, other)];
    return a === undefined || b === undefined ? undefined : a - b;
  };
  const buffers = stream.filter((use) => use.server === "ours" && use.subject === "echo-10k").map((use) => use.buffers);
  return [
    {
      what: `live heap: growth over ${calls} calls`,
      value: difference("heap.after", "ours", "heap.before", "ours"),
      bound: 0.3,
      unit: "MiB",
    },
    {
      what: `message buffers while a stream of ${streamMegabytes} MB passes`,
      value: buffers[0],
      bound: 10,
      unit: "MB",
    },
    { what: "validation of six properties", value: inProcess?.validationMicros, bound: 10, unit: "µs" },
    { what: "protocol overhead of a call, in process", value: inProcess?.overheadMicros, bound: 100, unit: "µs" },
    { what: "one change to 1,000 subscribers, × the bare writes", value: surface?.fanOut, bound: 2, unit: "×" },
    {
      what: "list of 10,000 resources: the last page, × the first",
      value: surface?.lastPage,
      bound: 1.5,
      unit: "×",
    },
    {
      what: "a page of 10,000 resources, × a page of 1,000",
      value: surface?.longList,
      bound: 1.5,
      unit: "×",
    },
    {
      what: "HTTP: live heap of a held session with its stream",
      value: summary.value("sessions.live", "ours")?.value,
      bound: 7.5,
      unit: "KiB",
    },
    {
      what: `HTTP: live heap, growth over ${passed?.count.toLocaleString("en-US")} sessions opened and closed`,
      value: passed && passed.after - passed.before,
      bound: 0.3,
      unit: "MiB",
    },
    {
      what: "Unix socket: a call, × the same over stdio",
      value: summary.ratio(channelCell, "unix", "stdio")?.value,
      bound: 1.3,
      unit: "×",
    },
    {
      what: "WebSocket: a call, × the same over stdio",
      value: summary.ratio(channelCell, "websocket", "stdio")?.value,
      bound: 1.3,
      unit: "×",
    },
    {
      what: "kept messages and traces: a call over stdio, × one without them",
      value: summary.ratio(watchingCells.stdio, "watched", "bare")?.value,
      bound: 1.1,
      unit: "×",
    },
    {
      what: "kept messages and traces: a call over HTTP, × one without them",
      value: summary.ratio(watchingCells.http, "watched", "bare")?.value,
      bound: 1.1,
      unit: "×",
    },
    { what: "installing the engine, HTTP included", value: install?.megabytes, bound: 1.5, unit: "MB" },
    {
      what: "stretch: cold start above bare Node, CPU",
      value: difference("cold.initialize", "ours", "cold.initialize", "node"),
      bound: 8,
      unit: "ms",
    },
    ...workstationBounds(workstation),
    ...templatesBounds(templates),
    ...analysisBounds(analysis),
    ...churnBounds(churn),
    ...todoBounds(todo),
    ...threatBounds(threats),
    ...serveColdBounds(serveCold),
  ];
}
