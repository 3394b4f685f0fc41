import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { ownNames, openHostWarning } from './own-names.ts';

const FOREIGN = [
  'evil.test',
  'localhost.evil.test',
  '127.0.0.1.evil.test',
  'evil.test:3000',
  '',
  '[::2]',
  '10.0.0.9',
  'evil@localhost',
];
const LOOPBACK = [
  'localhost',
  'LOCALHOST:3000',
  'localhost.',
  '127.0.0.1:3000',
  '127.0.0.53',
  '[::1]:3000',
  undefined,
];

describe('names of a server', () => {
  it('EDGE-181 the loopback names are accepted', () => {
    const isOwn = ownNames({ host: '127.0.0.1', publicUrl: undefined });
    for (const name of LOOPBACK) expect([name, isOwn(name)]).toEqual([name, true]);
    for (const name of [...FOREIGN, hostname()]) expect([name, isOwn(name)]).toEqual([name, false]);
  });

  it('EDGE-181 the names in HOST and PUBLIC_URL are accepted', () => {
    const isOwn = ownNames({ host: '192.168.1.5', publicUrl: 'https://Demo.example.test:8443/x' });
    for (const name of ['192.168.1.5:3000', 'demo.example.test', 'demo.example.test:8443', ...LOOPBACK])
      expect([name, isOwn(name)]).toEqual([name, true]);
    for (const name of FOREIGN) expect([name, isOwn(name)]).toEqual([name, false]);
    expect(ownNames({ host: '::2', publicUrl: undefined })('[::2]:3000')).toBe(true);
  });

  it('EDGE-181 a server that listens on all addresses accepts any address and the machine’s own name', () => {
    const isOwn = ownNames({ host: '0.0.0.0', publicUrl: undefined });
    for (const name of ['10.0.0.9:3000', '[fe80::1]', hostname(), `${hostname()}.local:3000`, ...LOOPBACK])
      expect([name, isOwn(name)]).toEqual([name, true]);
    for (const name of ['evil.test', 'localhost.evil.test', ''])
      expect([name, isOwn(name)]).toEqual([name, false]);
  });

  it('EDGE-180 the operator is warned about a demo that others can reach, more so when its mail is shown', () => {
    for (const host of ['127.0.0.1', 'localhost', '::1', '127.8.0.1'])
      expect(openHostWarning({ host }, true)).toBeUndefined();
    for (const host of ['0.0.0.0', '::', '192.168.1.5', 'demo.example.test']) {
      const warning = openHostWarning({ host }, true);
      expect(warning).toContain(`HOST=${host} opens this demo to everybody`);
      expect(warning).toContain('/dev/mail');
      expect(openHostWarning({ host }, false)).not.toContain('/dev/mail');
    }
  });
});
