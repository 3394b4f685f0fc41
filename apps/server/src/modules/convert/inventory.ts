import type { Decimal } from '@exchange/core/decimal.ts';
import type { Exposure } from '@exchange/core/figures.ts';
import { houseAddress, type Ledger } from '../ledger/index.ts';
import type { Convert } from './service.ts';

const INVENTORY = houseAddress('inventory');

/** The balance of each coin in the inventory of instant exchange. */
export function inventoryOf(
  convert: Pick<Convert, 'coins'>,
  ledger: Pick<Ledger, 'balance'>,
): readonly { readonly asset: string; readonly held: Decimal }[] {
  return convert.coins().map(({ currency: asset }) => ({ asset, held: ledger.balance(INVENTORY, asset) }));
}

/** The inventory's amount of each coin, for the operators' overview of the exchange's own risk. */
export function inventoryExposures(
  convert: Pick<Convert, 'coins'>,
  ledger: Pick<Ledger, 'balance'>,
): readonly Exposure[] {
  return inventoryOf(convert, ledger).map(({ asset, held }) => ({
    measure: 'convertInventory',
    subject: asset,
    value: held,
    unit: asset,
  }));
}
