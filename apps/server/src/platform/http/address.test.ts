import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { addressOf } from './address.ts';
import { addressGroup } from '../limits/address-group.ts';

const request = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;

describe('caller address', () => {
  it('EDGE-033 the address is the socket’s; a header counts only from a configured proxy', () => {
    const spoofed = request('::ffff:198.51.100.7', { 'x-forwarded-for': '10.0.0.1' });
    expect(addressOf(spoofed, undefined)).toBe('198.51.100.7');
    expect(addressOf(spoofed, 'x-real-ip')).toBe('198.51.100.7');
    expect(addressOf(spoofed, 'x-forwarded-for')).toBe('10.0.0.1');
  });

  it('EDGE-033 behind a proxy the address is the last entry, which the proxy appended', () => {
    const claimed = request('127.0.0.1', { 'x-forwarded-for': '1.1.1.1, 203.0.113.5' });
    expect(addressOf(claimed, 'x-forwarded-for')).toBe('203.0.113.5');
    const nonsense = request('127.0.0.1', { 'x-forwarded-for': 'unknown' });
    expect(addressOf(nonsense, 'x-forwarded-for')).toBe('127.0.0.1');
  });

  it('EDGE-893 a port appended by the proxy is removed', () => {
    const addressFrom = (header: string) =>
      addressOf(request('127.0.0.1', { 'x-forwarded-for': header }), 'x-forwarded-for');
    expect(addressFrom('1.1.1.1, 203.0.113.5:4711')).toBe('203.0.113.5');
    expect(addressFrom('[2001:db8::1]:4711')).toBe('2001:db8::1');
    expect(addressFrom('[2001:db8::1]')).toBe('2001:db8::1');
    expect(addressFrom('::ffff:198.51.100.7')).toBe('198.51.100.7');
    expect(addressFrom('fe80::1%eth0')).toBe('fe80::1%eth0');
    for (const nonsense of ['', '203.0.113', '01.2.3.4', '0x7f.0.0.1', '1::2::3', '256.1.1.1'])
      expect([nonsense, addressFrom(nonsense)]).toEqual([nonsense, '127.0.0.1']);
    for (const nonsense of ['203.0.113.5:', '203.0.113:80', '[203.0.113.5', ':80', '203.0.113.5:123456'])
      expect([nonsense, addressFrom(nonsense)]).toEqual([nonsense, '127.0.0.1']);
  });

  it('EDGE-034 a /64 network of IPv6 counts as one caller in every notation', () => {
    const group = addressGroup('2001:db8:1:2:3:4:5:6');
    expect(group).toBe('2001:db8:1:2::/64');
    expect(addressGroup('2001:0DB8:0001:0002::9')).toBe(group);
    expect(addressGroup('2001:db8:1:3::1')).not.toBe(group);
    expect(addressGroup('::1')).toBe('0:0:0:0::/64');
    expect(addressGroup('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
    expect(addressGroup('203.0.113.5')).toBe('203.0.113.5');
  });
});
