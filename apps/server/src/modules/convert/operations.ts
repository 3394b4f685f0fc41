import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { ROLES, type Operation } from '../../platform/console/operation.ts';
import { houseAddress, type Ledger } from '../ledger/index.ts';
import type { Convert } from './service.ts';

/** What an operator may do with instant exchange: see what it can hand out, and fill that from the house's fees. */
export function convertOperations(convert: Convert, ledger: Pick<Ledger, 'balance'>): Operation[] {
  return [
    {
      method: 'GET',
      path: '/ops/convert/inventory',
      summary: 'What instant exchange can hand out of each coin.',
      roles: ROLES,
      run: () =>
        Promise.resolve({
          inventory: convert.coins().map(({ currency }) => ({
            asset: currency,
            held: ledger.balance(houseAddress('inventory'), currency).toString(),
          })),
        }),
    },
    {
      method: 'POST',
      path: '/ops/convert/inventory/:asset',
      isFunding: true,
      summary: 'Brings the inventory of a coin to an amount, out of the house’s fees.',
      roles: ['finance'],
      fields: { amount: { label: 'Amount', kind: 'decimal' } },
      needsApproval: () => true,
      run: ({ parameters, fields: { amount = '' } }) => {
        const wanted = Decimal.tryParse(amount);
        if (wanted?.isPositive() !== true)
          throw new Refused(refusal('invalidField', 'l.field_positive', { field: 'amount', value: amount }));
        return convert.fund((parameters['asset'] ?? '').toUpperCase(), wanted, 'fees');
      },
    },
  ];
}
