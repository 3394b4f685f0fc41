import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** Path to which browsers report violations of a page's content security policy. */
export const CSP_REPORTS_PATH = '/csp-reports';

/** Content types of reports: the older type contains a single report, the newer one a list. */
const REPORT_TYPES = ['application/csp-report', 'application/reports+json'];
const BODY_BYTES_MAX = 16_384;
const REPORTS_MAX = 20;
const LOGGED_PER_MINUTE = 10;
const TEXT_MAX = 200;
const MINUTE_MS = 60_000;

const text = z.optional(z.string());
const legacyReport = z.object({
  'csp-report': z.object({ 'effective-directive': text, 'violated-directive': text, 'blocked-uri': text }),
});
const reportList = z.array(
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
 * Serves the path to which browsers report violations. Because any client may send anything there, a body may have at
 * most 16 KiB, at most 20 of its reports are counted, and at most ten reports per minute, of all clients together, are
 * logged, with directive and origin only. The client's address is charged before the body is read. A body of a
 * permitted size and type is answered with 204, whatever its content.
 */
export async function serveCspReports(
  app: FastifyInstance,
  { clock, log, metrics }: { readonly clock: Clock; readonly log: Log; readonly metrics: Metrics },
): Promise<void> {
  const violationCounter = metrics.counter(
    'csp_violations_total',
    'Violations of page policies that browsers reported',
  );
  let minute = 0;
  let logged = 0;
  const report = (violation: Violation) => {
    violationCounter.add();
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

/** Parses the violations in a body, at most `REPORTS_MAX`; empty for a body that is not a report. */
export function violationsIn(body: string): readonly Violation[] {
  const json = parsedJson(body);
  const single = legacyReport.safeParse(json);
  if (single.success) {
    const report = single.data['csp-report'];
    return [
      violationOf(report['effective-directive'] ?? report['violated-directive'], report['blocked-uri']),
    ];
  }
  const list = reportList.safeParse(json);
  if (!list.success) return [];
  return list.data
    .filter(({ type }) => type === 'csp-violation')
    .slice(0, REPORTS_MAX)
    .map(({ body: report }) => violationOf(report?.effectiveDirective, report?.blockedURL));
}

function violationOf(directive = '', blocked = ''): Violation {
  return { directive: printable(directive), blocked: printable(originOf(blocked)) };
}

/**
 * Reduces a URL to its origin, or to its scheme if it has no origin, because path and query may contain personal
 * data. Keywords such as `inline` stay unchanged.
 */
function originOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const { origin, protocol } = new URL(address);
  return origin === 'null' ? protocol : origin;
}

function printable(text: string): string {
  return text.slice(0, TEXT_MAX).replaceAll(/[^\x20-\x7e]/g, '?');
}

function parsedJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
