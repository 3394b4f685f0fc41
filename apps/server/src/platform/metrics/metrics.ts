import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { RouteMeters, type RouteMeter } from './route-meters.ts';

/** What is measured while the server runs, in the text format of Prometheus. */
export class Metrics {
  readonly registry = new Registry();
  readonly #routes = new RouteMeters(this.registry);

  /** Adds the process's own figures: memory, CPU, garbage collection, lag of the event loop. */
  measureProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** What one route counts its answers and their times with. */
  ofRoute(route: string): RouteMeter {
    return this.#routes.ofRoute(route);
  }

  /** A count that only grows; its name ends in `_total`. */
  counter(name: string, help: string): { add(amount?: number): void } {
    const counter = new Counter({ name, help, registers: [this.registry] });
    return { add: (amount = 1) => counter.inc(amount) };
  }

  /** A figure that is read when somebody asks for it; what cannot be read is left out. */
  gauge(name: string, help: string, read: () => number | undefined | Promise<number | undefined>): void {
    const collect = async () => {
      const value = await reading(read);
      if (value === undefined) gauge.remove();
      else gauge.set(value);
    };
    const gauge: Gauge = new Gauge({ name, help, registers: [], collect });
    this.registry.registerMetric(gauge);
  }

  /** The same of several things, each told apart by a label. */
  gauges(
    { name, help, label }: { readonly name: string; readonly help: string; readonly label: string },
    read: () => Promise<Readonly<Record<string, number>>>,
  ): void {
    const collect = async () => {
      const values = await reading(read);
      gauge.reset();
      for (const [of, value] of Object.entries(values ?? {})) gauge.set({ [label]: of }, value);
    };
    const gauge: Gauge = new Gauge({ name, help, labelNames: [label], registers: [], collect });
    this.registry.registerMetric(gauge);
  }

  /** Everything as text, for a scraper. */
  text(): Promise<string> {
    return this.registry.metrics();
  }
}

const READ_MAX_MS = 2_000;

/** What is read, or undefined where it fails or hangs: the other figures are told nevertheless. */
async function reading<T>(read: () => T | Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), READ_MAX_MS);
  });
  try {
    return await Promise.race([read(), late]);
  } catch {
    // Reason: health tells why a part cannot be read.
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
