import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pathOnSite, fitsOtherSite, chooseSite } from './site.ts';

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1';
const TABLET = 'Mozilla/5.0 (Linux; Android 14; SM-X710) AppleWebKit/537.36 Chrome/130 Safari/537.36';
const DESKTOP = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130 Safari/537.36';
const browse = (name: string) => vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(name);

describe('the two sites', () => {
  beforeEach(() => localStorage.clear());
  afterEach(() => vi.restoreAllMocks());

  it('WEB-110 redirects phones from the desktop site and offers the desktop site to desktops', () => {
    browse(PHONE);
    expect([fitsOtherSite('desktop'), fitsOtherSite('mobile')]).toEqual([true, false]);
    browse(DESKTOP);
    expect([fitsOtherSite('desktop'), fitsOtherSite('mobile')]).toEqual([false, true]);
    browse(TABLET);
    expect(fitsOtherSite('desktop')).toBe(false);
  });

  it('WEB-110 a stored choice wins on every device, so there are no redirect loops', () => {
    for (const name of [PHONE, DESKTOP]) {
      browse(name);
      for (const site of ['desktop', 'mobile'] as const) {
        chooseSite(site);
        expect(fitsOtherSite('desktop') || fitsOtherSite('mobile')).toBe(false);
      }
    }
  });

  it('WEB-110 keeps the path when changing sites', () => {
    expect(pathOnSite('desktop', '/trade?symbol=BTC_USDT')).toBe('/pc/trade?symbol=BTC_USDT');
    expect(pathOnSite('mobile', '/trade?symbol=BTC_USDT')).toBe('/trade?symbol=BTC_USDT');
  });
});
