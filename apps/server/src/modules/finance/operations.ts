import { refusal, Refused } from '@exchange/core/refusal.ts';
import { FieldValues } from '../../platform/console/field-values.ts';
import {
  ROLES,
  textFields,
  whyOf,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import { previewIn } from '../../platform/console/preview.ts';
import { versionsOperation } from '../../platform/console/versions.ts';
import { AGREEMENT_VERSION, type ProductTerms } from './domain.ts';
import { presentProposed } from './present.ts';
import type { Finance } from './service.ts';

const PRODUCT = '/ops/finance/products/:code';
const TERMS_FIELDS: NonNullable<Operation['fields']> = {
  asset: { label: 'Coin', kind: 'text' },
  ...textFields('name', 'Name', 'text'),
  ...textFields('source', 'Source of yield', 'longText'),
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
    versionsOperation(
      { path: PRODUCT, fields: TERMS_FIELDS },
      {
        summary: 'The published versions of a product’s terms, newest first.',
        read: ({ parameters }, which) => finance.versions(parameters['code'] ?? '', which),
      },
    ),
    {
      method: 'POST',
      path: PRODUCT,
      summary:
        'Publishes a fixed-term product, or the next version of its terms; running orders keep theirs.',
      roles: ['product'],
      needsApproval: () => true,
      fields: TERMS_FIELDS,
      check: termsOf,
      versionOf: async ({ parameters }) =>
        (await finance.offered(undefined)).find(({ product }) => product.code === parameters['code'])?.product
          .version ?? 0,
      preview: async (call) => {
        const terms = termsOf(call);
        const proposed = await finance.proposed(terms);
        return previewIn('finance', { name: terms.name, source: terms.source }, (locale) =>
          presentProposed(proposed, locale),
        );
      },
      run: (call) => finance.publish(termsOf(call), whyOf(call)),
    },
    {
      method: 'POST',
      path: '/ops/finance/interest/:asset',
      isFunding: true,
      summary: 'Brings the account that interest is paid from to an amount, out of the house’s fees.',
      roles: ['finance'],
      needsApproval: () => true,
      fields: { amount: { label: 'Amount', kind: 'decimal' } },
      run: ({ parameters, fields }) =>
        finance.fund(
          (parameters['asset'] ?? '').toUpperCase(),
          new FieldValues(fields).decimal('amount'),
          'fees',
        ),
    },
  ];
}

function termsOf({ parameters, fields }: OperatorCall): ProductTerms {
  const values = new FieldValues(fields);
  const payMode = fields['payMode'] ?? 'maturity';
  if (payMode !== 'maturity' && payMode !== 'daily')
    throw new Refused(refusal('invalidField', 'l.field_choice', { field: 'payMode', value: payMode }));
  return {
    ...{ code: parameters['code'] ?? '', asset: values.text('asset').toUpperCase(), payMode },
    ...{ period: values.whole('period'), dailyRate: values.decimal('dailyRate') },
    ...{ startAmount: values.decimal('startAmount'), maxAmount: values.decimal('maxAmount') },
    ...{ capacity: values.decimal('capacity'), name: values.byLocale('name') },
    ...{
      source: values.byLocale('source'),
      isManual: values.isOn('manual'),
      opensAt: values.time('opensAt'),
    },
    closesAt: values.isSet('closesAt') ? values.time('closesAt') : undefined,
    agreementVersion: AGREEMENT_VERSION,
  };
}
