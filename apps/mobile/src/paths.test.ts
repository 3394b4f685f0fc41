import { VISITOR_PATHS } from '@exchange/wire/browser.ts';
import { matchPath } from 'react-router';
import { describe, expect, it } from 'vitest';
import { mayVisit } from '@exchange/web-kit/shell/guard.ts';
import { paths, placePath, REDIRECTS, resolved, tradePath } from './paths.ts';

describe('addresses', () => {
  const screens: readonly string[] = Object.values(paths);

  it('MSG-961 the digest of a day’s income leads to what products paid', () => {
    expect(placePath('statement', '')).toBe('/account/trade?type=3');
  });

  it('MOB-002 exist for every page that visitors may open, as a screen or as a way to one', () => {
    const known = [...screens, ...REDIRECTS.map(([from]) => from)];
    for (const path of VISITOR_PATHS) {
      expect(
        known.some((pattern) => matchPath(pattern, path) !== null),
        path,
      ).toBe(true);
    }
  });

  it('MOB-002 redirect to screens only', () => {
    for (const [from, to] of REDIRECTS) expect(screens, from).toContain(to);
  });

  it('MOB-002 let a visitor into a group as far as its first screen, as the desktop does', () => {
    for (const group of ['/', '/finance', '/subscribe/', '/pool', '/fund', '/login', '/about'])
      expect(mayVisit(resolved(group)), group).toBe(true);
    for (const group of ['/account', '/setting']) expect(mayVisit(resolved(group)), group).toBe(false);
  });

  it('MOB-002 name a pair as links everywhere do', () => {
    expect(tradePath({ base: 'BTC', quote: 'USDT' })).toBe('/trade?symbol=BTC_USDT');
  });
});
