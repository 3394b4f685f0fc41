import * as described from '@exchange/wire/console/products.ts';
import { serveList, type Operation } from '../../platform/console/operation.ts';
import { fundingOperation, type FundingParts } from '../ledger/index.ts';
import { inventoryOf } from './inventory.ts';
import type { Convert } from './service.ts';

/** Console operations of instant exchange: read its inventory, and fill the inventory from collected fees. */
export function convertOperations(convert: Convert, parts: FundingParts): Operation[] {
  return [
    serveList(described.convertInventory, () =>
      Promise.resolve({
        list: inventoryOf(convert, parts.ledger).map(({ asset, held }) => ({ asset, held: held.toString() })),
      }),
    ),
    fundingOperation(parts, described.fundInventory, {
      accountOf: () => 'inventory',
      fund: ({ asset, wanted }) => convert.fund(asset, wanted, 'fees'),
    }),
  ];
}
