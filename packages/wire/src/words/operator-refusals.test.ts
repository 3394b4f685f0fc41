import type { RefusalKey } from '@exchange/core/refusal.ts';
import { describe, expect, it } from 'vitest';
import { OPERATOR_REFUSALS, operatorRefusal } from './operator-refusals.ts';
import { REFUSAL_WORDS } from './refusals.ts';

const placeholders = (sentence: string) =>
  [...new Set([...sentence.matchAll(/\{\{(\w+)/g)].map(([, name = '']) => name))].toSorted();

describe('refusals for operators', () => {
  it('TRE-112 speak of the account instead of to its owner, with the placeholders of the usual sentence', () => {
    const keys = Object.keys(OPERATOR_REFUSALS) as RefusalKey[];
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) {
      const sentence = operatorRefusal(key);
      expect(sentence, key).not.toMatch(/\byou(?:r|rs)?\b|\bus\b|\bwe\b|contact support/i);
      expect(placeholders(sentence), key).toEqual(placeholders(REFUSAL_WORDS['en-US'][key]));
    }
    expect(operatorRefusal('l.second_person')).toBe(REFUSAL_WORDS['en-US']['l.second_person']);
  });
});
