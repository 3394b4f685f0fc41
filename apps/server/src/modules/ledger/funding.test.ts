import { Decimal } from '@exchange/core/decimal.ts';
import { fundInventory } from '@exchange/wire/console/products.ts';
import { expect, it } from 'vitest';
import type { OperatorCall } from '../../platform/console/operation.ts';
import { houseAddress } from './domain.ts';
import { fundingOperation } from './funding.ts';

const keyOf = (address: ReturnType<typeof houseAddress>) => JSON.stringify(address);
const FIGURES = new Map([
  [keyOf(houseAddress('inventory')), Decimal.parse('3')],
  [keyOf(houseAddress('fees')), Decimal.parse('4.5')],
]);

it.each([
  ['5', '20000 USDT at 4000 USDT', '2 ETH of the fees, of which 2.5 ETH are left'],
  ['1', '4000 USDT at 4000 USDT', '0 ETH of the fees, of which 4.5 ETH are left'],
])(
  'TRE-124 the preview shows next to the target %s its worth, the greatest target, and the amount paid from the fees',
  async (amount, market, cost) => {
    const parts = {
      ledger: {
        balance: (address: Parameters<typeof keyOf>[0]) => FIGURES.get(keyOf(address)) ?? Decimal.zero,
      },
      market: { usdtPrice: () => Decimal.parse('4000') },
    };
    const operation = fundingOperation(parts, fundInventory, {
      accountOf: () => 'inventory',
      fund: () => Promise.reject(new Error('a preview moves nothing')),
    });
    const call = { parameters: { asset: 'eth' }, fields: { amount } } as unknown as OperatorCall;
    expect(await operation.neighbours?.(call)).toEqual([
      { field: 'amount', market },
      { field: 'amount', ceiling: '7.5 ETH: what it holds and all of the fees', cost },
    ]);
  },
);
