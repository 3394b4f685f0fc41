import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { instant } from '@exchange/core/time.ts';
import type { Operation, OperatorCall } from '../../platform/console/operation.ts';
import { AGREEMENT_VERSION, payModeOf, type ProductTerms } from './domain.ts';
import type { Finance } from './service.ts';

/**
 * What an operator may do with products: see them, publish one or the next version of its terms, with a reason, and
 * fund the account that interest is paid from with the house's fees.
 */
export function financeOperations(finance: Finance): Operation[] {
  return [
    {
      method: 'GET',
      path: '/ops/finance/products',
      run: async () => ({
        products: (await finance.offered(undefined)).map(({ product, status, remaining, isCovered }) => ({
          ...{ ...product, status, remaining, isCovered },
        })),
      }),
    },
    {
      method: 'POST',
      path: '/ops/finance/products/:code',
      run: (call) => finance.publish(termsOf(call), whyOf(call)),
    },
    {
      method: 'POST',
      path: '/ops/finance/interest/:asset',
      run: ({ parameters, fields }) =>
        finance.fund(
          (parameters['asset'] ?? '').toUpperCase(),
          decimalOf('amount', fields['amount']),
          'fees',
        ),
    },
  ];
}

function termsOf({ parameters, fields }: OperatorCall): ProductTerms {
  const { asset = '', payMode = 'maturity', closesAt } = fields;
  if (payMode !== 'maturity' && payMode !== 'daily')
    throw new Refused(refusal('invalidField', 'l.field_choice', { field: 'payMode', value: payMode }));
  const amounts = ['dailyRate', 'startAmount', 'maxAmount', 'capacity'].map((field) =>
    decimalOf(field, fields[field]),
  );
  const [dailyRate, startAmount, maxAmount, capacity] = amounts as [Decimal, Decimal, Decimal, Decimal];
  return {
    ...{ code: parameters['code'] ?? '', asset: asset.toUpperCase(), payMode: payModeOf(payMode) },
    ...{ period: wholeOf('period', fields['period']), dailyRate, startAmount, maxAmount, capacity },
    name: { 'en-US': required('nameEn', fields['nameEn']), 'zh-CN': required('nameZh', fields['nameZh']) },
    source: {
      'en-US': required('sourceEn', fields['sourceEn']),
      'zh-CN': required('sourceZh', fields['sourceZh']),
    },
    ...{ isManual: fields['manual'] === '1', opensAt: instant(wholeOf('opensAt', fields['opensAt'])) },
    closesAt: closesAt === undefined ? undefined : instant(wholeOf('closesAt', closesAt)),
    agreementVersion: AGREEMENT_VERSION,
  };
}

function whyOf({ fields: { reason = '', by } }: OperatorCall): { by: string; reason: string } {
  // One token for all operators: who it was is what they say, and that it was one of them is certain.
  return { by: by === undefined ? 'operator' : `operator ${by}`, reason };
}

function required(field: string, text: string | undefined): string {
  if (text === undefined || text.trim() === '')
    throw new Refused(refusal('invalidField', 'l.field_required', { field }));
  return text;
}

function decimalOf(field: string, text: string | undefined): Decimal {
  const number = Decimal.tryParse(required(field, text));
  if (number?.isPositive() === true) return number;
  throw new Refused(refusal('invalidField', 'l.field_positive', { field, value: text! }));
}

function wholeOf(field: string, text: string | undefined): number {
  const number = Number(required(field, text));
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new Refused(refusal('invalidField', 'l.field_number', { field, value: text! }));
}
