import { DAY_MS, instant, later } from '@exchange/core/time.ts';
import { describe, expect, it } from 'vitest';
import {
  acceptedOrigins,
  counterVerdict,
  isWarningDue,
  leavesOnlyMail,
  parseAssertion,
  parseClientData,
  parseRegistration,
  passkeyKind,
} from './passkeys.ts';

describe('passkeys', () => {
  it('PKY-009 a counter has to grow; passkeys that never count are accepted', () => {
    const verdicts = [
      [0, 0],
      [0, 7],
      [7, 8],
      [7, 7],
      [7, 3],
      [7, 0],
    ].map(([stored, received]) => counterVerdict(stored!, received!));
    expect(verdicts).toEqual(['accepted', 'accepted', 'accepted', 'copied', 'copied', 'suspicious']);
  });

  it('PKY-009 the owner is warned about a passkey at most once a day', () => {
    const now = instant(1_800_000_000_000);
    expect(isWarningDue(instant(0), now)).toBe(true);
    expect(isWarningDue(later(now, -DAY_MS + 1), now)).toBe(false);
    expect(isWarningDue(later(now, -DAY_MS), now)).toBe(true);
  });

  it('PKY-007 only the last passkey without an authenticator leaves password and mailbox alone', () => {
    expect(leavesOnlyMail({ passkeys: 1, hasAuthenticator: false })).toBe(true);
    expect(leavesOnlyMail({ passkeys: 2, hasAuthenticator: false })).toBe(false);
    expect(leavesOnlyMail({ passkeys: 1, hasAuthenticator: true })).toBe(false);
  });

  it('PKY-002 the kind says where a passkey is', () => {
    expect(passkeyKind(true, ['hybrid', 'internal'])).toBe('synced');
    expect(passkeyKind(false, ['internal'])).toBe('device');
    expect(passkeyKind(false, ['usb', 'nfc'])).toBe('key');
  });

  it('PKY-012 localhost is accepted on any port only where the site has no address of its own', () => {
    const data = { challenge: 'a', origin: 'http://localhost:5173' };
    expect(acceptedOrigins({ origins: [], anyLocalPort: true }, data)).toEqual(['http://localhost:5173']);
    const site = { origins: ['https://www.example.com'], anyLocalPort: false };
    expect(acceptedOrigins(site, data)).toEqual(['https://www.example.com']);
    for (const origin of ['http://localhost.evil.example', 'http://localhost:1/x', 'https://localhost@evil'])
      expect(acceptedOrigins({ origins: [], anyLocalPort: true }, { ...data, origin })).toEqual([]);
  });

  it('PKY-003 texts that are no answers of a device are recognised', () => {
    const assertion = {
      id: 'aWQ',
      type: 'public-key',
      response: { clientDataJSON: 'e30', authenticatorData: 'AAA', signature: 'AAA', userHandle: null },
    };
    expect(parseAssertion(JSON.stringify(assertion))?.response).toEqual({
      clientDataJSON: 'e30',
      authenticatorData: 'AAA',
      signature: 'AAA',
    });
    for (const text of [
      '',
      'null',
      '[]',
      '{',
      '"x"',
      JSON.stringify({ ...assertion, type: 'password' }),
      JSON.stringify({ ...assertion, id: 'not base64!' }),
      JSON.stringify({ ...assertion, id: 'a'.repeat(1_365) }),
      JSON.stringify({ ...assertion, response: [] }),
      JSON.stringify({ ...assertion, response: { ...assertion.response, signature: 7 } }),
    ]) {
      expect(parseAssertion(text), text).toBeUndefined();
      expect(parseRegistration(text), text).toBeUndefined();
    }
    const response = { clientDataJSON: 'e30', attestationObject: 'AAA', transports: ['usb', 'teleport', 3] };
    expect(parseRegistration(JSON.stringify({ ...assertion, response }))?.response.transports).toEqual([
      'usb',
    ]);
    expect(parseClientData('e30')).toEqual({ challenge: undefined, origin: undefined });
    expect(parseClientData('bm90IGpzb24')).toEqual({ challenge: undefined, origin: undefined });
  });
});
