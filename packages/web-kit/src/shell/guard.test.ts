import { addressesOf, ALL_SCREENS } from '@exchange/wire/screens.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redirectFromLogin, loginPathFor, isPublicPath, pathAfterLogin } from './guard.ts';

describe('the guard', () => {
  it('WEB-070 admits visitors to public pages only', () => {
    for (const [name, screen] of ALL_SCREENS)
      for (const path of addressesOf(screen))
        expect(isPublicPath(path), name).toBe(screen.audience === 'everyone');
    expect(['/', '/login', '/trade/', '/trade?symbol=BTC_USDT', '/market#x'].every(isPublicPath)).toBe(true);
    const closed = [
      '/about/policy',
      '/login/modify',
      '/finance/record',
      '/trade/x',
      '/Trade',
      '/my',
      '//trade',
    ];
    expect(closed.some(isPublicPath)).toBe(false);
  });

  it('WEB-071 sends a visitor to the login and back to the requested path', () => {
    const path = '/account/trade?type=4';
    const from = new URL(loginPathFor(path), 'http://x').searchParams.get('from');
    expect(pathAfterLogin(from, '/main')).toBe(path);
  });

  it('WEB-071 never redirects to another site or back to the login', () => {
    for (const from of [
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      'https://evil.example',
      '/login/login',
      null,
    ]) {
      expect(pathAfterLogin(from, '/main')).toBe('/main');
    }
    fc.assert(
      fc.property(fc.string(), (from) => {
        const url = new URL(pathAfterLogin(from, '/main'), 'http://our.example');
        expect(url.origin).toBe('http://our.example');
      }),
    );
  });

  it('WEB-304 redirects signed-in users away from login and registration only', () => {
    expect(redirectFromLogin(loginPathFor('/account/trade?type=4'), '/assets')).toBe('/account/trade?type=4');
    for (const path of [
      '/login',
      '/login/login',
      '/login/login/',
      '/login/register?code=A1',
      '/login/login?from=//evil',
    ])
      expect(redirectFromLogin(path, '/assets'), path).toBe('/assets');
    for (const path of ['/login/modify', '/login/forget', '/trade?from=/login/login', '/'])
      expect(redirectFromLogin(path, '/assets'), path).toBeUndefined();
  });
});
