import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** What one route counts with; made once per route, so that a call costs two additions. */
export interface RouteMeter {
  answered(code: number, ms: number): void;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** What is measured while the server runs, in the text format of Prometheus. */
export class Metrics {
  readonly registry = new Registry();
  readonly #answers: Counter<'route' | 'code'>;
  readonly #seconds: Histogram<'route'>;

  constructor() {
    this.#answers = new Counter({
      name: 'http_answers_total',
      help: 'Answers by route and code of the envelope',
      labelNames: ['route', 'code'],
      registers: [this.registry],
    });
    this.#seconds = new Histogram({
      name: 'http_answer_seconds',
      help: 'Time from the request to the answer, by route',
      labelNames: ['route'],
      buckets: SECONDS,
      registers: [this.registry],
    });
  }

  /** Adds the process's own figures: memory, CPU, garbage collection, lag of the event loop. */
  measureProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  ofRoute(route: string): RouteMeter {
    const seconds = this.#seconds.labels(route);
    const answers = new Map<number, { inc(): void }>();
    return {
      answered: (code, ms) => {
        let counter = answers.get(code);
        if (counter === undefined) {
          counter = this.#answers.labels(route, String(code));
          answers.set(code, counter);
        }
        counter.inc();
        seconds.observe(ms / 1_000);
      },
    };
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
