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

  /** A figure that is read when somebody asks for it. */
  gauge(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({ name, help, registers: [], collect: () => gauge.set(read()) });
    this.registry.registerMetric(gauge);
  }

  /** Everything as text, for a scraper. */
  text(): Promise<string> {
    return this.registry.metrics();
  }
}
