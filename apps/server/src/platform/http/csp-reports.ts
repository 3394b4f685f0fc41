import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** Where browsers send what a page's policy has blocked. */
export const CSP_REPORTS_PATH = '/csp-reports';

/** What browsers send: the older single report, and the newer list of them. */
const REPORT_TYPES = ['application/csp-report', 'application/reports+json'];
const BODY_BYTES_MAX = 16_384;
const REPORTS_MAX = 20;
const LOGGED_PER_MINUTE = 10;
const TEXT_MAX = 200;
const MINUTE_MS = 60_000;

const text = z.optional(z.string());
const older = z.object({
  'csp-report': z.object({ 'effective-directive': text, 'violated-directive': text, 'blocked-uri': text }),
});
const newer = z.array(
  z.object({
    type: z.string(),
    body: z.optional(z.object({ effectiveDirective: text, blockedURL: text })),
  }),
);

interface Violation {
  readonly directive: string;
  readonly blocked: string;
}

/**
 * Serves the address for reports of violated page policies. Anybody can send anything there: a body is at most 16 KiB, at
 * most 20 reports of it are counted and at most ten a minute are logged, with directive and origin alone. The caller's
 * address is charged before the body is read, like that of every request. Always answers 204.
 */
export async function serveCspReports(
  app: FastifyInstance,
  { clock, log, metrics }: { readonly clock: Clock; readonly log: Log; readonly metrics: Metrics },
): Promise<void> {
  const counted = metrics.counter(
    'csp_violations_total',
    'Violations of page policies that browsers reported',
  );
  let minute = 0;
  let logged = 0;
  const report = (violation: Violation) => {
    counted.add();
    const present = Math.floor(clock.monotonicMs() / MINUTE_MS);
    if (present !== minute) logged = 0;
    minute = present;
    logged += 1;
    if (logged <= LOGGED_PER_MINUTE) log.warn('http.csp_violation', { ...violation });
  };
  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      REPORT_TYPES,
      { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
      (_request, body, parsed) => parsed(null, body),
    );
    scope.post(CSP_REPORTS_PATH, (request, reply) => {
      for (const violation of violationsIn(String(request.body))) report(violation);
      return reply.code(204).send();
    });
    done();
  });
}

/** The violations in a body; none in one that is no report. */
export function violationsIn(body: string): readonly Violation[] {
  const json = parsedJson(body);
  const single = older.safeParse(json);
  if (single.success) {
    const report = single.data['csp-report'];
    return [
      violationOf(report['effective-directive'] ?? report['violated-directive'], report['blocked-uri']),
    ];
  }
  const list = newer.safeParse(json);
  if (!list.success) return [];
  return list.data
    .filter(({ type }) => type === 'csp-violation')
    .slice(0, REPORTS_MAX)
    .map(({ body: about }) => violationOf(about?.effectiveDirective, about?.blockedURL));
}

function violationOf(directive = '', blocked = ''): Violation {
  return { directive: printable(directive), blocked: printable(originOf(blocked)) };
}

/** Paths and queries may hold a person's data; the origin says enough. Words such as `inline` stay as they are. */
function originOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const { origin, protocol } = new URL(address);
  return origin === 'null' ? protocol : origin;
}

function printable(words: string): string {
  return words.slice(0, TEXT_MAX).replaceAll(/[^\x20-\x7e]/g, '?');
}

function parsedJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
