import {
  Counter,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  type Registry,
} from 'prom-client';

/** What one route counts with; made once per route, so that a call costs a few additions. */
export interface RouteMeter {
  answered(code: number, ms: number): void;
}

/** Upper ends of the classes of answer times, in seconds; one class more is for everything slower. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const LIMITS_MS = SECONDS.map((seconds) => seconds * 1_000);

/** The figures of one route, plainly: the library's own counters look labels up at every addition. */
class RouteFigures implements RouteMeter {
  readonly route: string;
  readonly answersByCode = new Map<number, number>();
  /** How many answers took as long as their class says and longer than the class before. */
  readonly classes = SECONDS.map(() => 0);
  count = 0;
  totalMs = 0;

  constructor(route: string) {
    this.route = route;
  }

  answered(code: number, ms: number): void {
    this.answersByCode.set(code, (this.answersByCode.get(code) ?? 0) + 1);
    this.count += 1;
    this.totalMs += ms;
    for (let at = 0; at < LIMITS_MS.length; at += 1) {
      if (ms > LIMITS_MS[at]!) continue;
      this.classes[at]! += 1;
      return;
    }
  }
}

/** Counts answers and their times by route, and tells them to a registry when somebody asks. */
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

  // What the library makes the text from; `get` of the base class asks for it too.
  async getForPromString(): Promise<object> {
    const { name, help, aggregator } = this as unknown as Record<string, string>;
    return { name, help, type: 'histogram', aggregator, values: this.routes.flatMap(secondsOf) };
  }
}

/** A route's times as the format wants them: each class counts what all faster ones counted too. */
function secondsOf({ route, classes, count, totalMs }: RouteFigures): SecondsValue[] {
  let below = 0;
  const buckets = SECONDS.map((le, at) => {
    below += classes[at]!;
    return { labels: { le, route }, value: below, metricName: 'http_answer_seconds_bucket' };
  });
  return [
    ...buckets,
    { labels: { le: '+Inf', route }, value: count, metricName: 'http_answer_seconds_bucket' },
    { labels: { route }, value: totalMs / 1_000, metricName: 'http_answer_seconds_sum' },
    { labels: { route }, value: count, metricName: 'http_answer_seconds_count' },
  ];
}
