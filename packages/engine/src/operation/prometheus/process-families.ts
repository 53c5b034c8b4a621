import { readEventLoopDelay } from "./event-loop.js";
import type { Family, Sample } from "./text.js";

/** What is told of the process that a server runs in. */
export function processFamilies(): Family[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  const delay = Object.entries(readEventLoopDelay()) as [string, number][];
  const one = (value: number): Sample[] => [{ value }];
  return [
    {
      name: "nodejs_eventloop_delay_seconds",
      help: "By how much the event loop was late since the last look: the median, the 99th percentile, the most.",
      type: "gauge",
      samples: delay.map(([stat, value]) => ({ labels: { stat }, value })),
    },
    {
      name: "nodejs_heap_size_used_bytes",
      help: "Memory that JavaScript uses.",
      type: "gauge",
      samples: one(heapUsed),
    },
    {
      name: "nodejs_heap_size_total_bytes",
      help: "Memory that JavaScript has at hand.",
      type: "gauge",
      samples: one(heapTotal),
    },
    {
      name: "nodejs_external_memory_bytes",
      help: "Memory that belongs to JavaScript values and lies outside of its heap.",
      type: "gauge",
      samples: one(external),
    },
    {
      name: "process_cpu_seconds",
      help: "Time that the processor worked for the process.",
      type: "counter",
      samples: one((user + system) / 1e6),
    },
    {
      name: "process_resident_memory_bytes",
      help: "Memory of the process.",
      type: "gauge",
      samples: one(rss),
    },
    {
      name: "process_start_time_seconds",
      help: "When the process began, in seconds since 1970.",
      type: "gauge",
      samples: one(performance.timeOrigin / 1000),
    },
  ];
}
