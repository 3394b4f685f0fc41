import { describe, expect, it } from 'vitest';
import { placingKey } from './placing-key.ts';

describe('placing twice', () => {
  it('DESK-023 repeats an unanswered order under its key, and sends any other under a new one', () => {
    const unanswered = { order: 'buy 1', clientId: 'first' };
    const newKey = () => 'second';
    expect(placingKey('buy 1', unanswered, newKey)).toBe('first');
    expect(placingKey('buy 2', unanswered, newKey)).toBe('second');
    expect(placingKey('buy 1', undefined, newKey)).toBe('second');
  });
});
