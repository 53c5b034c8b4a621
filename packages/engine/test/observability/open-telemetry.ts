import { context, metrics, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  AggregationTemporality,
  type DataPoint,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";

/** The OpenTelemetry of one test file: the real SDK, registered for the whole process, which keeps what it collects in memory. */
export class Collector {
  readonly #spans = new InMemorySpanExporter();
  readonly #points = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  readonly #reader = new PeriodicExportingMetricReader({ exporter: this.#points, exportIntervalMillis: 2 ** 30 });

  register(): void {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(
      new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
    );
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(this.#spans)] }));
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [this.#reader] }));
  }

  /** The spans that have ended since the last look, by their order of ending. */
  takeSpans(): readonly ReadableSpan[] {
    const spans = [...this.#spans.getFinishedSpans()];
    this.#spans.reset();
    return spans;
  }

  /** What a histogram has counted so far. */
  async readHistogram(name: string): Promise<readonly DataPoint<Histogram>[]> {
    this.#points.reset();
    await this.#reader.forceFlush();
    const all = this.#points.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
    const found = all.find(({ descriptor }) => descriptor.name === name);
    if (found === undefined) return [];
    return found.dataPoints as readonly DataPoint<Histogram>[];
  }
}
