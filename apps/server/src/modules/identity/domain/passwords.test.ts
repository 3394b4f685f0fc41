import { passwordProblem } from '@exchange/core/password.ts';
import { describe, expect, it } from 'vitest';
import { COMMON_PASSWORD_COUNT, isCommonPassword } from './common-passwords.ts';
import { newPasswordProblem } from './new-password.ts';

describe('new passwords', () => {
  it('ID-050 at least 3,000 common passwords of valid format are refused, ignoring case', () => {
    expect(COMMON_PASSWORD_COUNT).toBeGreaterThanOrEqual(3_000);
    const common = [
      'password1',
      'Password123',
      'QWERTY123',
      'iloveyou1',
      'amethyst2026',
      'Bitcoin1',
      'a1b2c3d4',
    ];
    for (const password of common) {
      expect(passwordProblem(password)).toBeUndefined();
      expect(isCommonPassword(password)).toBe(true);
    }
  });

  it('ID-050 look-alike digits, an exclamation mark and repetition do not help', () => {
    for (const password of [
      'p4ssw0rd',
      'Passw0rd1',
      'dr4g0n123!',
      'a1a1a1a1',
      'abc1abc1',
      'password1!',
      'b1tc01n2024',
    ]) {
      expect(isCommonPassword(password)).toBe(true);
    }
    for (const password of ['Violet7stone', 'Lilac7garden', 'Indigo8river', 'dragonfly84lamp', 'q8WmT4zp']) {
      expect(isCommonPassword(password)).toBe(false);
    }
  });

  it('ID-890 leaked passwords are refused, also repeated twice; long phrases are accepted', () => {
    const stolen = ['rush2112', 'blink182', 'NCC1701d', 'usuckballz1', 'zaq12wsx', 'rush2112!', 'jordan23'];
    for (const password of stolen) {
      expect(passwordProblem(password)).toBeUndefined();
      expect([password, newPasswordProblem(password, password, 'vio@example.com')?.key]).toEqual([
        password,
        'l.password_common',
      ]);
    }
    for (const password of ['rush2112rush2112', 'Password1Password1Password1'])
      expect([password, isCommonPassword(password)]).toEqual([password, true]);
    const phrase = 'correct horse battery staple, seven of them in a green field 7';
    expect(phrase.length).toBeGreaterThan(24);
    expect(newPasswordProblem(phrase, phrase, 'vio@example.com')).toBeUndefined();
    // A very long password is refused before the check for common passwords, which would be slow for it.
    expect(newPasswordProblem('a1'.repeat(50_000), 'a', 'vio@example.com')?.key).toBe('l.password_length');
  });

  it('ID-051 a password must not contain the local part of its address, unless it is too short to matter', () => {
    expect(newPasswordProblem('Xmaria88', 'Xmaria88', 'maria@example.com')?.key).toBe(
      'l.password_contains_email',
    );
    expect(newPasswordProblem('Violet7stone', 'Violet7stone', 'vio@example.com')).toBeUndefined();
  });
});
