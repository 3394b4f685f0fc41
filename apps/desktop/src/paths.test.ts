import { isPublicPath } from '@exchange/web-kit/shell/guard.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { tradePath } from '@exchange/web-kit/market/trade-paths.ts';
import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BASE_PATH, REDIRECTS, resolveRedirect } from './paths.ts';

const OPEN = `
  /main /home /market /trade /scontract /finance/list
  /pool/list /fund/list /fund/detail /subscribe/list /subscribe/detail /subscribe/preview
  /about/us /about/connect /about/protocol /about/legal /login/login /login/register
  /login/forget
`
  .trim()
  .split(/\s+/);
const CLOSED = `
  /finance/record /pool/record /fund/record /subscribe/record /account/assert/2 /account/recharge
  /account/withdrawel /account/dui /account/trade /setting/safty /setting/verify /setting/address
  /setting/message /setting/msg-detail /login/modify /about/policy /account /setting
  /anything-else
`
  .trim()
  .split(/\s+/);

describe('paths', () => {
  it.each(OPEN)('DESK-001 a visitor may open %s', (path) => {
    expect(isPublicPath(resolveRedirect(path))).toBe(true);
  });

  it.each(CLOSED)('DESK-001 a visitor may not open %s', (path) => {
    expect(isPublicPath(resolveRedirect(path))).toBe(false);
  });

  it('DESK-002 a group opens its first screen and is as public as that screen', () => {
    expect(resolveRedirect('/')).toBe('/main');
    expect(resolveRedirect('/finance')).toBe('/finance/list');
    expect(resolveRedirect('/subscribe/')).toBe('/subscribe/list');
    expect(resolveRedirect('/account')).toBe('/account/assert/2');
    expect(resolveRedirect('/setting')).toBe('/setting/safty');
    expect(resolveRedirect('/pool')).toBe('/pool/list');
    expect(resolveRedirect('/fund')).toBe('/fund/list');
    expect(resolveRedirect('/login')).toBe('/login/login');
    expect(resolveRedirect('/about')).toBe('/about/us');
    expect(isPublicPath(resolveRedirect('/'))).toBe(true);
    expect(isPublicPath(resolveRedirect('/finance'))).toBe(true);
  });

  it('DESK-006 a path that exists on the mobile site only redirects to its replacement', () => {
    for (const path of ['/my', '/setting/devices', '/setting/trade-password'])
      expect(resolveRedirect(path)).toBe('/setting/safty');
    expect(resolveRedirect('/setting/alerts')).toBe('/market');
    expect(resolveRedirect('/account/coin')).toBe('/account/assert/2');
  });

  it('DESK-003 no redirect leads to another redirect', () => {
    for (const [, to] of REDIRECTS) expect(resolveRedirect(to)).toBe(to);
    expect(resolveRedirect(paths.trade)).toBe('/trade');
  });

  it('DESK-004 a trading link names its pair', () => {
    expect(tradePath({ base: 'BTC', quote: 'USDT' })).toBe('/trade?symbol=BTC_USDT');
  });

  it('SPEC-006 the site is below /pc and at least 1300 pixels wide, but fits a window of 1280', () => {
    expect(BASE_PATH).toBe('/pc');
    const page = readFileSync(join(import.meta.dirname, 'style/page.css'), 'utf8');
    expect(page).toMatch(/^html \{\s+--page-min-width: 81\.25rem;/m);
    expect(page).toMatch(/@media \(min-width: 78\.75em\) \{\s+html \{\s+--page-min-width: 78\.75rem;/);
  });
});
