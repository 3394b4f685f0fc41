import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { RouteMeters, type RouteMeter } from './route-meters.ts';
import { inTime } from '../in-time.ts';

/** The default metrics of this process, created by the first call of `measureProcess`. */
let processRegistry: Registry | undefined;

/**
 * Returns the default metrics of the process, e.g. memory and event loop lag. They are created once per process,
 * because the library's observers of garbage collections and its timer of the event loop cannot be stopped.
 */
function metricsOfProcess(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

/** Collects the server's metrics and returns them in the text format of Prometheus. */
export class Metrics {
  readonly registry = new Registry();
  readonly #routes = new RouteMeters(this.registry);
  #process: Registry | undefined;

  /** Includes the default metrics of the process (e.g. memory) in the text. */
  measureProcess(): void {
    this.#process = metricsOfProcess();
  }

  /** Creates the meter that counts an HTTP route's answers and their durations. Call it once per route. */
  ofRoute(route: string): RouteMeter {
    return this.#routes.ofRoute(route);
  }

  /** Creates a metric whose value only grows. By convention `name` ends with `_total` (not checked). */
  counter(name: string, help: string): { add(amount?: number): void } {
    const counter = new Counter({ name, help, registers: [this.registry] });
    return { add: (amount = 1) => counter.inc(amount) };
  }

  /**
   * Creates a metric whose value is read when the metrics are requested. The metric is left out if its value is
   * undefined or cannot be read.
   */
  gauge(name: string, help: string, read: () => number | undefined | Promise<number | undefined>): void {
    const collect = async () => {
      const value = await readSafely(read);
      if (value === undefined) gauge.remove();
      else gauge.set(value);
    };
    const gauge: Gauge = new Gauge({ name, help, registers: [], collect });
    this.registry.registerMetric(gauge);
  }

  /**
   * Creates a metric with several values, which are distinguished by a label. `read` returns the values by label. If it
   * fails, the metric has no values.
   */
  gauges(
    { name, help, label }: { readonly name: string; readonly help: string; readonly label: string },
    read: () => Promise<Readonly<Record<string, number>>>,
  ): void {
    const collect = async () => {
      const values = await readSafely(read);
      gauge.reset();
      for (const [labelValue, value] of Object.entries(values ?? {}))
        gauge.set({ [label]: labelValue }, value);
    };
    const gauge: Gauge = new Gauge({ name, help, labelNames: [label], registers: [], collect });
    this.registry.registerMetric(gauge);
  }

  /** Returns all metrics in the text format of Prometheus. */
  async text(): Promise<string> {
    const own = await this.registry.metrics();
    return this.#process === undefined ? own : (await this.#process.metrics()) + own;
  }
}

const READ_MAX_MS = 2_000;

/**
 * Resolves to the value of a metric, or to undefined if reading it fails or takes longer than `READ_MAX_MS`,
 * so that other metrics are not affected.
 */
async function readSafely<T>(read: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await inTime<T | undefined>(Promise.resolve(read()), READ_MAX_MS, () => undefined);
  } catch {
    // Reading the metric has failed, so it is left out.
    return undefined;
  }
}
