import type { Server } from "../../server/server.js";
import { callFamilies } from "./call-families.js";
import { processFamilies } from "./process-families.js";
import { type Family, type TextForm, writeFamilies } from "./text.js";

/** What a server counts, as Prometheus reads it. */
export interface MetricsText {
  readonly contentType: string;
  readonly text: string;
}

const CONTENT_TYPES: Readonly<Record<TextForm, string>> = {
  prometheus: "text/plain; version=0.0.4; charset=utf-8",
  openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
};

/** Writes what a server counts, in the form that `accept` asks for. */
export function writeMetrics(server: Server, accept = ""): MetricsText {
  const form = /application\/openmetrics-text/i.test(accept) ? "openmetrics" : "prometheus";
  const families = [...callFamilies(server.metrics), ...processFamilies(), buildInfo(server)];
  return { contentType: CONTENT_TYPES[form], text: writeFamilies(families, form) };
}

function buildInfo({ name, version }: Server): Family {
  return {
    name: "toolwright_build",
    help: "The server, and what it runs on.",
    type: "info",
    samples: [{ labels: { server: name, version, node: process.versions.node }, value: 1 }],
  };
}
