import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { destinationOf, type Visit } from './site-choice.ts';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1';
const IPAD = 'Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1';
const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/156.0 Mobile Safari/537.36';
const TABLET = 'Mozilla/5.0 (Linux; Android 15; SM-X910) AppleWebKit/537.36 Chrome/156.0 Safari/537.36';
const LAPTOP = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0 Safari/537.36';

const visit = (url: string, userAgent: string, more: Partial<Visit> = {}) =>
  destinationOf({ url, userAgent, mobileHint: undefined, cookie: undefined, ...more });

describe('choice of the site', () => {
  it('EDGE-090 a phone on the desktop site is redirected to the same path on the mobile site', () => {
    expect(visit('/pc/trade?symbol=BTC_USDT', IPHONE).location).toBe('/trade?symbol=BTC_USDT');
    expect(visit('/pc/trade', ANDROID).location).toBe('/trade');
    expect(visit('/pc', ANDROID).location).toBe('/');
    expect(visit('/pc/trade', LAPTOP, { mobileHint: '?1' }).location).toBe('/trade');
  });

  it('EDGE-091 computers and tablets stay on the desktop site, and everybody stays on the mobile site', () => {
    for (const agent of [LAPTOP, IPAD, TABLET]) expect(visit('/pc/trade', agent).location).toBeUndefined();
    expect(visit('/pc/trade', ANDROID, { mobileHint: '?0' }).location).toBeUndefined();
    expect(visit('/trade', LAPTOP).location).toBeUndefined();
    expect(visit('/pcs', IPHONE).location).toBeUndefined();
  });

  it('EDGE-092 a choice in the URL is stored and takes precedence over the device', () => {
    expect(visit('/trade?site=desktop&symbol=X', IPHONE)).toEqual({
      location: '/pc/trade?symbol=X',
      remembered: 'desktop',
    });
    expect(visit('/pc/trade?site=mobile', LAPTOP)).toEqual({ location: '/trade', remembered: 'mobile' });
    expect(visit('/pc/trade', IPHONE, { cookie: 'a=b; site=desktop' }).location).toBeUndefined();
    expect(visit('/pc/trade', IPHONE, { cookie: 'site=mobile' }).location).toBe('/trade');
    expect(visit('/pc/trade?site=elsewhere', LAPTOP).remembered).toBeUndefined();
  });

  it('EDGE-188 any request target is treated as a path', () => {
    for (const url of ['//[', '//[::1', '//a:b/', '/\\\\[', 'http://evil.test', '//%', '/:80', '//@', '*']) {
      const { location } = visit(`${url}?site=mobile`, LAPTOP);
      expect(new URL(location ?? '', 'http://own.test').host).toBe('own.test');
    }
  });

  it('EDGE-093 a redirect never leads to another host', () => {
    expect(visit('/pc//evil.test/x', IPHONE).location).toBe('/evil.test/x');
    expect(visit('/pc/\\evil.test', IPHONE).location).toBe('/evil.test');
    fc.assert(
      fc.property(fc.webPath(), fc.constantFrom('', '?site=mobile', '?site=desktop'), (path, query) => {
        const { location } = visit(`/pc/${path}${query}`, IPHONE);
        expect(new URL(location ?? '', 'http://own.test').host).toBe('own.test');
      }),
    );
  });
});
