import { refusal, Refused } from '@exchange/core/refusal.ts';
import { finance as descriptions } from '@exchange/wire/console/products.ts';
import { FieldValues } from '../../platform/console/field-values.ts';
import { serveList, type Operation, type CallOf } from '../../platform/console/operation.ts';
import { earnOperations } from '../earn/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import { AGREEMENT_VERSION, type ProductTerms } from './domain.ts';
import { presentProposed } from './present.ts';
import type { Finance } from './service.ts';

/** The console operations on fixed-term products. */
export function financeOperations(
  finance: Finance,
  ledger: Pick<Ledger, 'balance'>,
  market: Pick<Market, 'usdtPrice'>,
): Operation[] {
  return [
    serveList(descriptions.products, async () => ({
      list: (await finance.listProducts(undefined)).map(({ product, status, remaining, isCovered }) => ({
        id: product.id,
        code: product.code,
        version: product.version,
        asset: product.asset,
        period: product.period,
        payMode: product.payMode,
        isManual: product.isManual,
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
      finance,
      {
        kind: 'finance',
        described: descriptions,
        termsOf,
        days: { field: 'period', of: ({ period }) => period },
        present: presentProposed,
      },
      ledger,
      market,
    ),
  ];
}

function termsOf({ parameters, fields }: CallOf<typeof descriptions.publish>): ProductTerms {
  const values = new FieldValues(fields);
  const payMode = fields.payMode ?? 'maturity';
  if (payMode !== 'maturity' && payMode !== 'daily')
    throw new Refused(refusal('invalidField', 'l.field_choice', { field: 'payMode', value: payMode }));
  return {
    code: parameters['code'] ?? '',
    asset: values.text('asset').toUpperCase(),
    payMode,
    period: values.whole('period'),
    dailyRate: values.decimal('dailyRate'),
    startAmount: values.decimal('startAmount'),
    maxAmount: values.decimal('maxAmount'),
    capacity: values.decimal('capacity'),
    name: values.byLocale('name'),

    source: values.byLocale('source'),
    isManual: values.isOn('manual'),
    opensAt: values.time('opensAt'),
    closesAt: values.isSet('closesAt') ? values.time('closesAt') : undefined,
    agreementVersion: AGREEMENT_VERSION,
  };
}
