import { instant, later } from '@exchange/core/time.ts';
import { describe, expect, it } from 'vitest';
import { checkTotp, newTotpSecret, totpCode, totpStep, totpUri } from './totp.ts';

// The key "12345678901234567890" of RFC 6238, appendix B, in base32. The vectors have the last six digits of its SHA-1
// codes.
const KEY = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;
const NOW = instant(1_800_000_015_000);
const STEP_MS = 30_000;

describe('authenticator codes', () => {
  it.each(VECTORS)('SEC-001 codes equal those of RFC 6238: at second %i it is %s', (second, code) => {
    const at = instant(second * 1_000);
    expect(totpCode(KEY, at)).toBe(code);
    expect(checkTotp(KEY, code, at, undefined)).toBe(Math.floor(second / 30));
  });

  it('SEC-001 a code is valid in its step and the neighbouring steps only', () => {
    const code = totpCode(KEY, NOW);
    const accepted = [-2, -1, 0, 1, 2].map((steps) =>
      checkTotp(KEY, code, later(NOW, steps * STEP_MS), undefined),
    );
    const step = totpStep(NOW);
    expect(accepted).toEqual([undefined, step, step, step, undefined]);
  });

  it('SEC-002 a code is accepted once: its step and earlier steps are then rejected', () => {
    const step = checkTotp(KEY, totpCode(KEY, NOW), NOW, undefined);
    expect(step).toBe(totpStep(NOW));
    expect(checkTotp(KEY, totpCode(KEY, NOW), NOW, step)).toBeUndefined();
    expect(checkTotp(KEY, totpCode(KEY, later(NOW, -STEP_MS)), NOW, step)).toBeUndefined();
    expect(checkTotp(KEY, totpCode(KEY, later(NOW, STEP_MS)), NOW, step)).toBe(totpStep(NOW) + 1);
  });

  it('SEC-890 used digits are rejected also when the next step has the same digits', () => {
    // With this key, the time step `twin` has the same digits as the next one. No earlier step has.
    const twin = 910_737;
    const code = totpCode(KEY, instant(twin * STEP_MS));
    const inNext = instant((twin + 1) * STEP_MS);
    expect(totpCode(KEY, inNext)).toBe(code);
    expect(checkTotp(KEY, code, inNext, undefined)).toBe(twin);
    expect(checkTotp(KEY, code, inNext, twin)).toBeUndefined();
  });

  it.each(['', '12345', '1234567', 'abcdef', ' 287082', '２８７０８２'])(
    'SEC-001 a code has six digits: "%s" is invalid',
    (code) => {
      expect(checkTotp(KEY, code, instant(59_000), undefined)).toBeUndefined();
    },
  );
});

describe('authenticator keys', () => {
  it('SEC-003 a key has 160 random bits and a URI for the QR code with issuer and account', () => {
    const keys = new Set(Array.from({ length: 50 }, () => newTotpSecret()));
    expect(keys.size).toBe(50);
    for (const key of keys) expect(key).toMatch(/^[A-Z2-7]{32}$/);
    const uri = new URL(totpUri(KEY, 'Exchange', 'ada@example.com'));
    expect(uri.protocol).toBe('otpauth:');
    expect(decodeURIComponent(uri.pathname)).toContain('Exchange:ada@example.com');
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({
      issuer: 'Exchange',
      secret: KEY,
      period: '30',
    });
  });
});
