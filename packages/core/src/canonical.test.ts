import { expect, it } from 'vitest';
import { boundText } from './canonical.ts';
import { Decimal } from './decimal.ts';

it('SEC-014 the bound text does not depend on the notation of a number, but on the field of each value', () => {
  const names = ['amount', 'address', 'memo'];
  const bound = boundText(names, { amount: Decimal.parse('20'), address: 'a', remark: 'any' });
  expect(boundText(names, { amount: Decimal.parse('20.00'), address: 'a' })).toBe(bound);
  for (const changedFields of [{ address: 'b' }, { memo: '1' }, { amount: Decimal.parse('200') }])
    expect(boundText(names, { amount: Decimal.parse('20'), address: 'a', ...changedFields })).not.toBe(bound);
  expect(boundText(names, { address: 'a', memo: 'b' })).not.toBe(
    boundText(names, { amount: 'a', address: 'b' }),
  );
});
