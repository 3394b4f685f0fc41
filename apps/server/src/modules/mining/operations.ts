import { mining as descriptions } from '@exchange/wire/console/products.ts';
import { FieldValues } from '../../platform/console/field-values.ts';
import { serveList, type Operation, type CallOf } from '../../platform/console/operation.ts';
import { earnOperations } from '../earn/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import { AGREEMENT_VERSION, type ProductTerms } from './domain.ts';
import { presentProposed } from './present.ts';
import type { Mining } from './service.ts';

/** The console operations on mining products. */
export function miningOperations(
  mining: Mining,
  ledger: Pick<Ledger, 'balance'>,
  market: Pick<Market, 'usdtPrice'>,
): Operation[] {
  return [
    serveList(descriptions.products, async () => ({
      list: (await mining.listProducts(undefined)).map(({ product, status, remaining, isCovered }) => ({
        id: product.id,
        code: product.code,
        version: product.version,
        asset: product.asset,
        cycle: product.cycle,
        name: product.name,
        source: product.source,
        dailyRate: product.dailyRate,
        startAmount: product.startAmount,
        maxAmount: product.maxAmount,
        capacity: product.capacity,
        opensAt: product.opensAt,
        closesAt: product.closesAt,
        agreementVersion: product.agreementVersion,
        status,
        remaining,
        isCovered,
      })),
    })),
    ...earnOperations(
      mining,
      {
        kind: 'mining',
        described: descriptions,
        termsOf,
        days: { field: 'cycle', of: ({ cycle }) => cycle },
        present: presentProposed,
      },
      ledger,
      market,
    ),
  ];
}

function termsOf({ parameters, fields }: CallOf<typeof descriptions.publish>): ProductTerms {
  const values = new FieldValues(fields);
  return {
    code: parameters['code'] ?? '',
    asset: values.text('asset').toUpperCase(),
    name: values.byLocale('name'),
    source: values.byLocale('source'),
    cycle: values.whole('cycle'),
    dailyRate: values.decimal('dailyRate'),
    startAmount: values.decimal('startAmount'),
    maxAmount: values.decimal('maxAmount'),
    capacity: values.decimal('capacity'),
    opensAt: values.time('opensAt'),
    closesAt: values.isSet('closesAt') ? values.time('closesAt') : undefined,
    agreementVersion: AGREEMENT_VERSION,
  };
}
