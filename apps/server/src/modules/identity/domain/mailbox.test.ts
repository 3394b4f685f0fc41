import { describe, expect, it } from 'vitest';
import { mailboxOf } from './mailbox.ts';

describe('a mailbox', () => {
  it('INV-921 ignores the tag, and dots where the provider ignores them', () => {
    expect(mailboxOf('lilac.garden+two@gmail.com')).toBe('lilacgarden@gmail.com');
    expect(mailboxOf('lilacgarden@googlemail.com')).toBe('lilacgarden@gmail.com');
    expect(mailboxOf('lilac.garden+two@example.com')).toBe('lilac.garden@example.com');
    expect(mailboxOf('lilacgarden@example.com')).not.toBe(mailboxOf('lilac.garden@example.com'));
  });
});
