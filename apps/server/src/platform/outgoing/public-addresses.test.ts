import type { lookup } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { outcomeOf, pauseAfter } from '../../modules/push/domain.ts';
import { isPublicAddress, isPushEndpoint, NotPublic, publicLookup } from './public-addresses.ts';
import { HttpsPushTransport } from './push-transport.ts';

/** Returns a simulated name resolver that answers every query with the given addresses. */
const resolving = (...addresses: string[]) =>
  ((_: string, __: unknown, callback: (error: null, found: unknown) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as unknown as typeof lookup;

describe('addresses of push services', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    'fd00::1',
    'fe80::1',
    '64:ff9b::7f00:1',
    'localhost',
  ])('PUSH-007 %s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it('PUSH-007 addresses of the internet are public, and endpoints of push services are accepted', () => {
    for (const address of ['8.8.8.8', '2001:4860:4860::8888']) expect(isPublicAddress(address)).toBe(true);
    for (const endpoint of [
      'https://fcm.googleapis.com/fcm/send/abc:def',
      'https://updates.push.services.mozilla.com/wpush/v2/abc',
      'https://web.push.apple.com/abc',
      'https://wns2-par02p.notify.windows.com/w/?token=abc',
    ])
      expect(isPushEndpoint(endpoint)).toBe(true);
  });

  it('PUSH-007 no connection is opened to a name of which any address is private', async () => {
    for (const addresses of [['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], []]) {
      const transport = new HttpsPushTransport({ lookup: publicLookup(resolving(...addresses)) });
      const details = {
        endpoint: 'https://push.example.com/x',
        method: 'POST',
        headers: {},
        body: Buffer.of(1),
      };
      await expect(transport.send(details as never)).rejects.toThrow(NotPublic);
      transport.close();
    }
  });

  it('PUSH-009 pauses double up to an hour, and a push service may ask for a longer one, up to a day', () => {
    expect([1, 2, 3, 10, 40].map((failures) => pauseAfter(failures, undefined))).toEqual([
      5_000, 10_000, 20_000, 2_560_000, 3_600_000,
    ]);
    expect(pauseAfter(1, 120)).toBe(120_000);
    expect(pauseAfter(1, 10 ** 9)).toBe(86_400_000);
  });

  it('PUSH-008 the status of an answer says whether the device is gone, or the push is repeated', () => {
    const outcomes = [200, 201, 404, 410, 429, 500, 503, 400, 403, 413, 301].map(outcomeOf);
    expect(outcomes.join(' ')).toBe('sent sent gone gone retry retry retry refused refused refused refused');
  });
});
