import { expect, it, vi } from 'vitest';
import './passkeys.ts';

const loaded = vi.hoisted(() => ({ count: 0 }));
vi.mock('@simplewebauthn/server', () => {
  loaded.count += 1;
  return { verifyAuthenticationResponse: () => undefined };
});

it('PKY-014 the library is loaded with the first passkey, not with the module', async () => {
  expect(loaded.count).toBe(0);
  await import('@simplewebauthn/server');
  expect(loaded.count).toBe(1);
});
