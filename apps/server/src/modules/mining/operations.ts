import {
  ROLES,
  textFields,
  whyOf,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import { previewIn } from '../../platform/console/preview.ts';
import { versionsOperation } from '../../platform/console/versions.ts';
import { FieldValues } from '../../platform/console/field-values.ts';
import { AGREEMENT_VERSION, type ProductTerms } from './domain.ts';
import { presentProposed } from './present.ts';
import type { Mining } from './service.ts';

const PRODUCT = '/ops/mining/products/:code';
const TERMS_FIELDS: NonNullable<Operation['fields']> = {
  asset: { label: 'Coin', kind: 'text' },
  ...textFields('name', 'Name', 'text'),
  ...textFields('source', 'Source of yield', 'longText'),
  cycle: { label: 'Cycle, days', kind: 'whole' },
  dailyRate: { label: 'Daily rate', kind: 'decimal' },
  startAmount: { label: 'Minimum', kind: 'decimal' },
  maxAmount: { label: 'Maximum per person', kind: 'decimal' },
  capacity: { label: 'Capacity', kind: 'decimal' },
  opensAt: { label: 'On sale from', kind: 'time' },
  closesAt: { label: 'On sale until', kind: 'time', isOptional: true },
};

/**
 * What an operator may do with mining products: see them, publish one or the next version of its terms (an end of the
 * sale closes it), and fund the account that income is paid from with the house's fees.
 */
export function miningOperations(mining: Mining): Operation[] {
  return [
    {
      method: 'GET',
      path: '/ops/mining/products',
      summary: 'Mining products with what is left of each.',
      roles: ROLES,
      run: async () => ({
        products: (await mining.offered(undefined)).map(({ product, status, remaining, isCovered }) => ({
          ...{ ...product, status, remaining, isCovered },
        })),
      }),
    },
    versionsOperation(
      { path: PRODUCT, fields: TERMS_FIELDS },
      {
        summary: 'The published versions of a product’s terms, newest first.',
        read: ({ parameters }, which) => mining.versions(parameters['code'] ?? '', which),
      },
    ),
    {
      method: 'POST',
      path: PRODUCT,
      summary: 'Publishes a mining product, or the next version of its terms; running orders keep theirs.',
      roles: ['product'],
      needsApproval: () => true,
      fields: TERMS_FIELDS,
      check: termsOf,
      versionOf: async ({ parameters }) =>
        (await mining.offered(undefined)).find(({ product }) => product.code === parameters['code'])?.product
          .version ?? 0,
      preview: async (call) => {
        const terms = termsOf(call);
        const proposed = await mining.proposed(terms);
        return previewIn('mining', { name: terms.name, source: terms.source }, (locale) =>
          presentProposed(proposed, locale),
        );
      },
      run: (call) => mining.publish(termsOf(call), whyOf(call)),
    },
    {
      method: 'POST',
      path: '/ops/mining/income/:asset',
      isFunding: true,
      summary: 'Brings the account that mining income is paid from to an amount, out of the house’s fees.',
      roles: ['finance'],
      needsApproval: () => true,
      fields: { amount: { label: 'Amount', kind: 'decimal' } },
      run: ({ parameters, fields }) =>
        mining.fund(
          (parameters['asset'] ?? '').toUpperCase(),
          new FieldValues(fields).decimal('amount'),
          'fees',
        ),
    },
  ];
}

function termsOf({ parameters, fields }: OperatorCall): ProductTerms {
  const values = new FieldValues(fields);
  return {
    ...{ code: parameters['code'] ?? '', asset: values.text('asset').toUpperCase() },
    ...{ name: values.byLocale('name'), source: values.byLocale('source'), cycle: values.whole('cycle') },
    ...{ dailyRate: values.decimal('dailyRate'), startAmount: values.decimal('startAmount') },
    ...{ maxAmount: values.decimal('maxAmount'), capacity: values.decimal('capacity') },
    opensAt: values.time('opensAt'),
    closesAt: values.isSet('closesAt') ? values.time('closesAt') : undefined,
    agreementVersion: AGREEMENT_VERSION,
  };
}
