// A tool whose result hosts can show as a page. The text is there for all others.
import { app, tool } from "@toolwright/engine";
import { z } from "zod";

export const clock = app({
  uri: "ui://everything/clock.html",
  name: "clock",
  title: "Clock",
  prefersBorder: true,
  html: `<!doctype html>
<meta charset="utf-8">
<title>Clock</title>
<output id="time">…</output>
<script>
  const say = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  addEventListener("message", ({ data }) => {
    if (data.id === 1) say({ method: "ui/notifications/initialized" });
    if (data.method === "ui/notifications/tool-result")
      document.getElementById("time").textContent = data.params.structuredContent.time;
  });
  const appInfo = { name: "clock", version: "1.0.0" };
  say({ id: 1, method: "ui/initialize", params: { appInfo, appCapabilities: {}, protocolVersion: "2026-01-26" } });
</script>
`,
});

export const showTime = tool({
  name: "show_time",
  title: "Show the time",
  description: "Says what time it is, and shows it where pages can be shown.",
  annotations: { readOnlyHint: true },
  output: z.object({ time: z.string() }),
  ui: { resource: clock.uri },
  run: () => ({ time: new Date().toISOString() }),
});
