import { tradePath } from '@exchange/web-kit/market/trade-paths.ts';
import { paths, placePath } from '@exchange/web-kit/paths.ts';
import { mayVisit } from '@exchange/web-kit/shell/guard.ts';
import { describe, expect, it } from 'vitest';
import { orderPath, REDIRECTS, resolved } from './paths.ts';

describe('addresses', () => {
  it('MSG-961 the digest of a day’s income leads to what products paid', () => {
    expect(placePath('statement', '', orderPath)).toBe('/account/trade?type=3');
    expect(placePath('order', 'a', orderPath)).toBe('/account/order?id=a');
  });

  it('MOB-002 redirect to screens only', () => {
    const screens: readonly string[] = Object.values(paths);
    for (const [from, to] of REDIRECTS) expect(screens, from).toContain(to);
    expect(REDIRECTS.get('/home')).toBe('/main');
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
