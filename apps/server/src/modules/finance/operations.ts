import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { instant } from '@exchange/core/time.ts';
import { ROLES, whyOf, type Operation, type OperatorCall } from '../../platform/console/operation.ts';
import { AGREEMENT_VERSION, payModeOf, type ProductTerms } from './domain.ts';
import type { Finance } from './service.ts';

const TERMS_FIELDS: NonNullable<Operation['fields']> = {
  asset: { label: 'Coin', kind: 'text' },
  nameEn: { label: 'Name (English)', kind: 'text' },
  nameZh: { label: 'Name (Chinese)', kind: 'text' },
  sourceEn: { label: 'Source of yield (English)', kind: 'longText' },
  sourceZh: { label: 'Source of yield (Chinese)', kind: 'longText' },
  period: { label: 'Term, days', kind: 'whole' },
  dailyRate: { label: 'Daily rate', kind: 'decimal' },
  payMode: { label: 'Interest is paid', kind: 'choice', choices: ['maturity', 'daily'] },
  startAmount: { label: 'Minimum', kind: 'decimal' },
  maxAmount: { label: 'Maximum per person', kind: 'decimal' },
  capacity: { label: 'Capacity', kind: 'decimal' },
  manual: { label: 'Released by hand', kind: 'switch', isOptional: true },
  opensAt: { label: 'On sale from', kind: 'time' },
  closesAt: { label: 'On sale until', kind: 'time', isOptional: true },
};

/**
 * What an operator may do with products: see them, publish one or the next version of its terms, with a reason, and
 * fund the account that interest is paid from with the house's fees.
 */
export function financeOperations(finance: Finance): Operation[] {
  return [
    {
      method: 'GET',
      path: '/ops/finance/products',
      summary: 'Fixed-term products with what is left of each.',
      roles: ROLES,
      run: async () => ({
        products: (await finance.offered(undefined)).map(({ product, status, remaining, isCovered }) => ({
          ...{ ...product, status, remaining, isCovered },
        })),
      }),
    },
    {
      method: 'POST',
      path: '/ops/finance/products/:code',
      summary:
        'Publishes a fixed-term product, or the next version of its terms; running orders keep theirs.',
      roles: ['product'],
      needsApproval: () => true,
      fields: TERMS_FIELDS,
      run: (call) => finance.publish(termsOf(call), whyOf(call)),
    },
    {
      method: 'POST',
      path: '/ops/finance/interest/:asset',
      summary: 'Brings the account that interest is paid from to an amount, out of the house’s fees.',
      roles: ['finance'],
      needsApproval: () => true,
      fields: { amount: { label: 'Amount', kind: 'decimal' } },
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
