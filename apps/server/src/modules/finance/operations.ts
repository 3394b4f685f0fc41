import { refusal, Refused } from '@exchange/core/refusal.ts';
import { FieldValues } from '../../platform/console/field-values.ts';
import { textFields, type Operation, type OperatorCall } from '../../platform/console/operation.ts';
import { earnOperations } from '../earn/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { AGREEMENT_VERSION, type ProductTerms } from './domain.ts';
import { presentProposed } from './present.ts';
import type { Finance } from './service.ts';

const TERMS_FIELDS: NonNullable<Operation['fields']> = {
  asset: { label: 'Coin', kind: 'text' },
  ...textFields('name', 'Name', 'text'),
  ...textFields('source', 'Source of yield', 'longText'),
  period: { label: 'Term, days', kind: 'whole' },
  dailyRate: { label: 'Daily rate', kind: 'percent' },
  payMode: { label: 'Interest is paid', kind: 'choice', choices: ['maturity', 'daily'] },
  startAmount: { label: 'Minimum', kind: 'decimal' },
  maxAmount: { label: 'Maximum per person', kind: 'decimal' },
  capacity: { label: 'Capacity', kind: 'decimal' },
  manual: { label: 'Released by hand', kind: 'switch', isOptional: true },
  opensAt: { label: 'On sale from', kind: 'time' },
  closesAt: { label: 'On sale until', kind: 'time', isOptional: true },
};

/** The operations on fixed-term products. */
export function financeOperations(finance: Finance, ledger: Pick<Ledger, 'balance'>): Operation[] {
  return earnOperations(
    finance,
    {
      kind: 'finance',
      fields: TERMS_FIELDS,
      termsOf,
      days: { field: 'period', of: ({ period }) => period },
      present: presentProposed,
      list: 'Fixed-term products with what is left of each.',
      publish:
        'Publishes a fixed-term product, or the next version of its terms; running orders keep theirs.',
      payer: 'interest',
      fund: 'Brings the account that interest is paid from to an amount, out of the house’s fees.',
    },
    ledger,
  );
}

function termsOf({ parameters, fields }: OperatorCall): ProductTerms {
  const values = new FieldValues(fields);
  const payMode = fields['payMode'] ?? 'maturity';
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
