import { instant } from '@exchange/core/time.ts';
import { logout } from '@exchange/wire/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendHttp } from '../../../testing/calling.ts';
import { runningEdge, type RunningEdge } from '../../../testing/edge.ts';
import { CSP_REPORTS_PATH, violationsIn } from './csp-reports.ts';
import { route } from './route.ts';
import { pageHeaders, transportHeaders } from './security-headers.ts';

describe('reports of violated content security policies', () => {
  let edge: RunningEdge;
  beforeAll(async () => {
    // The test's monotonic clock stands still, so that all reports fall into the same minute.
    edge = await runningEdge({ clock: { now: () => instant(Date.now()), monotonicMs: () => 0 } });
  });
  afterAll(() => edge.app.close());

  const legacyReport = JSON.stringify({
    'csp-report': {
      'document-uri': 'https://own.test/reset?code=secret',
      'effective-directive': 'script-src',
      'blocked-uri': 'https://evil.test/x.js?token=secret',
    },
  });
  const send = async (body: string, type = 'application/csp-report') =>
    (await sendHttp(edge.url + CSP_REPORTS_PATH, { method: 'POST', headers: { 'content-type': type }, body }))
      .status;

  it('EDGE-895 pages name the report path, and both formats are read without path and query', () => {
    const headers = pageHeaders('https://own.test');
    expect(headers['content-security-policy']).toContain(`report-uri ${CSP_REPORTS_PATH}; report-to csp`);
    expect(headers['reporting-endpoints']).toBe(`csp="${CSP_REPORTS_PATH}"`);
    expect(violationsIn(legacyReport)).toEqual([{ directive: 'script-src', blocked: 'https://evil.test' }]);
    const body = { effectiveDirective: 'style-src-elem', blockedURL: 'inline' };
    const reportList = [{ type: 'deprecation' }, { type: 'csp-violation', body }];
    expect(violationsIn(JSON.stringify(reportList))).toEqual([
      { directive: 'style-src-elem', blocked: 'inline' },
    ]);
    const many = Array.from({ length: 1_000 }, () => ({ type: 'csp-violation', body }));
    expect(violationsIn(JSON.stringify(many))).toHaveLength(20);
    for (const nonsense of ['', 'null', '{}', '[1]', '{"csp-report":{"blocked-uri":1}}'])
      expect([nonsense, violationsIn(nonsense)]).toEqual([nonsense, []]);
  });

  it('EDGE-895 reports are counted, logged ten times a minute, and limited in size, type and number', async () => {
    for (let n = 0; n < 12; n += 1) expect(await send(legacyReport)).toBe(204);
    const logged = edge.log.events.filter(({ event }) => event === 'http.csp_violation');
    expect(logged).toHaveLength(10);
    expect(JSON.stringify(logged)).not.toContain('secret');
    // A body of a wrong size or type is refused in the usual form, so its status is not 204.
    expect(await send('x'.repeat(20_000))).not.toBe(204);
    expect(await send(legacyReport, 'text/plain')).not.toBe(204);
    expect(await edge.metrics.text()).toContain('csp_violations_total 12');
    let status = 204;
    for (let n = 0; n < 4_000 && status === 204; n += 1) status = await send('{}');
    expect(status).toBe(429);
  });

  it('EDGE-896 HSTS includes subdomains, and signing out clears the cache', async () => {
    expect(transportHeaders('https://own.test')).toEqual({
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    });
    expect(transportHeaders('http://own.test')).toEqual({});
    const logoutEdge = await runningEdge({ routes: [route(logout, () => Promise.resolve({}))] });
    const answer = await fetch(`${logoutEdge.url}/bb/app${logout.path}`, { method: 'POST' });
    expect(answer.headers.get('clear-site-data')).toBe('"cache"');
    await logoutEdge.app.close();
  });
});
