import { tradePath } from '@exchange/web-kit/market/trade-paths.ts';
import { paths, messageLinkPath } from '@exchange/web-kit/paths.ts';
import { isPublicPath } from '@exchange/web-kit/shell/guard.ts';
import { describe, expect, it } from 'vitest';
import { orderPath, REDIRECTS, resolveRedirect } from './paths.ts';

describe('paths', () => {
  it('MSG-961 the daily income message links to the payments of products', () => {
    expect(messageLinkPath('statement', '', orderPath)).toBe('/account/trade?type=3');
    expect(messageLinkPath('order', 'a', orderPath)).toBe('/account/order?id=a');
  });

  it('MOB-002 redirects lead to screens only', () => {
    const screens: readonly string[] = Object.values(paths);
    for (const [source, to] of REDIRECTS) expect(screens, source).toContain(to);
    expect(REDIRECTS.get('/home')).toBe('/main');
  });

  it('MOB-002 a group is as public as its first screen, as on desktop', () => {
    for (const group of ['/', '/finance', '/subscribe/', '/pool', '/fund', '/login', '/about'])
      expect(isPublicPath(resolveRedirect(group)), group).toBe(true);
    for (const group of ['/account', '/setting'])
      expect(isPublicPath(resolveRedirect(group)), group).toBe(false);
  });

  it('MOB-002 links name a pair in the common format', () => {
    expect(tradePath({ base: 'BTC', quote: 'USDT' })).toBe('/trade?symbol=BTC_USDT');
  });
});
