import { FieldValues } from '../../platform/console/field-values.ts';
import { textFields, type Operation, type OperatorCall } from '../../platform/console/operation.ts';
import { earnOperations } from '../earn/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { AGREEMENT_VERSION, type ProductTerms } from './domain.ts';
import { presentProposed } from './present.ts';
import type { Mining } from './service.ts';

const TERMS_FIELDS: NonNullable<Operation['fields']> = {
  asset: { label: 'Coin', kind: 'text' },
  ...textFields('name', 'Name', 'text'),
  ...textFields('source', 'Source of yield', 'longText'),
  cycle: { label: 'Cycle, days', kind: 'whole' },
  dailyRate: { label: 'Daily rate', kind: 'percent' },
  startAmount: { label: 'Minimum', kind: 'decimal' },
  maxAmount: { label: 'Maximum per person', kind: 'decimal' },
  capacity: { label: 'Capacity', kind: 'decimal' },
  opensAt: { label: 'On sale from', kind: 'time' },
  closesAt: { label: 'On sale until', kind: 'time', isOptional: true },
};

/** The operations on mining products. */
export function miningOperations(mining: Mining, ledger: Pick<Ledger, 'balance'>): Operation[] {
  return earnOperations(
    mining,
    {
      kind: 'mining',
      fields: TERMS_FIELDS,
      termsOf,
      days: { field: 'cycle', of: ({ cycle }) => cycle },
      present: presentProposed,
      list: 'Mining products with what is left of each.',
      publish: 'Publishes a mining product, or the next version of its terms; running orders keep theirs.',
      payer: 'income',
      fund: 'Brings the account that mining income is paid from to an amount, out of the house’s fees.',
    },
    ledger,
  );
}

function termsOf({ parameters, fields }: OperatorCall): ProductTerms {
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
