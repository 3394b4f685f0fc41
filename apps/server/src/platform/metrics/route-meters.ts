import {
  Counter,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  type Registry,
} from 'prom-client';

/**
 * Object that counts the answers of an HTTP route. It is created once per route, so that counting costs only
 * a few additions.
 */
export interface RouteMeter {
  answered(code: number, ms: number): void;
}

/** Upper bounds in seconds of the buckets of the response times. Slower answers belong to an additional bucket. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const LIMITS_MS = SECONDS.map((seconds) => seconds * 1_000);

/** Counters of an HTTP route. The library's own counters are slower, because they look up labels at each addition. */
class RouteFigures implements RouteMeter {
  readonly route: string;
  readonly answersByCode = new Map<number, number>();
  /** Number of answers in each bucket of response times, without those of lower buckets. */
  readonly bucketCounts = SECONDS.map(() => 0);
  count = 0;
  totalMs = 0;

  constructor(route: string) {
    this.route = route;
  }

  answered(code: number, ms: number): void {
    this.answersByCode.set(code, (this.answersByCode.get(code) ?? 0) + 1);
    this.count += 1;
    this.totalMs += ms;
    for (let index = 0; index < LIMITS_MS.length; index += 1) {
      if (ms > LIMITS_MS[index]!) continue;
      this.bucketCounts[index]! += 1;
      return;
    }
  }
}

/**
 * Counts answers and their durations by HTTP route. When the metrics are requested, it writes the counts into the
 * library's registry.
 */
export class RouteMeters {
  private readonly routes: RouteFigures[] = [];

  constructor(registry: Registry) {
    const { routes } = this;
    registry.registerMetric(new AnswersByCode(routes));
    registry.registerMetric(new AnswerSeconds(routes));
  }

  ofRoute(route: string): RouteMeter {
    const figures = new RouteFigures(route);
    this.routes.push(figures);
    return figures;
  }
}

class AnswersByCode extends Counter<'route' | 'code'> {
  private readonly routes: readonly RouteFigures[];

  constructor(routes: readonly RouteFigures[]) {
    const help = 'Answers by route and code of the envelope';
    super({ name: 'http_answers_total', help, labelNames: ['route', 'code'], registers: [] });
    this.routes = routes;
  }

  override async get(): Promise<MetricObjectWithValues<MetricValue<'route' | 'code'>>> {
    const values = this.routes.flatMap(({ route, answersByCode }) =>
      [...answersByCode].map(([code, value]) => ({ labels: { route, code: String(code) }, value })),
    );
    return { ...(await super.get()), values };
  }
}

type SecondsValue = MetricValue<'route' | 'le'> & { metricName: string };

class AnswerSeconds extends Histogram<'route'> {
  private readonly routes: readonly RouteFigures[];

  constructor(routes: readonly RouteFigures[]) {
    const help = 'Time from the request to the answer, by route';
    super({ name: 'http_answer_seconds', help, labelNames: ['route'], buckets: SECONDS, registers: [] });
    this.routes = routes;
  }

  // The metrics library calls this method when it builds the text.
  async getForPromString(): Promise<object> {
    const { name, help, aggregator } = this as unknown as Record<string, string>;
    return { name, help, type: 'histogram', aggregator, values: this.routes.flatMap(secondsOf) };
  }
}

/** Returns a route's response times in the export format, in which each bucket includes the lower ones. */
function secondsOf({ route, bucketCounts, count, totalMs }: RouteFigures): SecondsValue[] {
  let below = 0;
  const buckets = SECONDS.map((le, index) => {
    below += bucketCounts[index]!;
    return { labels: { le, route }, value: below, metricName: 'http_answer_seconds_bucket' };
  });
  return [
    ...buckets,
    { labels: { le: '+Inf', route }, value: count, metricName: 'http_answer_seconds_bucket' },
    { labels: { route }, value: totalMs / 1_000, metricName: 'http_answer_seconds_sum' },
    { labels: { route }, value: count, metricName: 'http_answer_seconds_count' },
  ];
}
