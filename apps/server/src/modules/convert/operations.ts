import { ROLES, type Operation } from '../../platform/console/operation.ts';
import { fundingOperation, houseAddress, type Ledger } from '../ledger/index.ts';
import type { Convert } from './service.ts';

/** The operations of instant exchange: read its inventory, and fill it from collected fees. */
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
    fundingOperation(ledger, {
      path: '/ops/convert/inventory/:asset',
      summary: 'Brings the inventory of a coin to an amount, out of the house’s fees.',
      accountOf: () => 'inventory',
      fund: ({ asset, wanted }) => convert.fund(asset, wanted, 'fees'),
    }),
  ];
}
