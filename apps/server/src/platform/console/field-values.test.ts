import { describe, expect, it } from 'vitest';
import { FieldValues } from './field-values.ts';

describe('a day that an operator enters', () => {
  const dayOf = (text: string) => new FieldValues({ from: text }).day('from');

  it('OPS-1224 is the start of that day in UTC, or nothing for an empty field', () => {
    expect(dayOf('2026-02-28')).toBe(Date.UTC(2026, 1, 28));
    expect(dayOf(' 2024-02-29 ')).toBe(Date.UTC(2024, 1, 29));
    expect(dayOf('')).toBeUndefined();
  });

  it.each(['2026-02-29', '2026-02-31', '2026-04-31', '2026-13-01', '2026-00-10', '2026-1-5', 'today'])(
    'OPS-1224 %s is refused with the name of its field',
    (text) => {
      expect(() => dayOf(text)).toThrow(
        expect.objectContaining({ refusal: expect.objectContaining({ key: 'l.field_invalid' }) }),
      );
    },
  );
});
