import type { OperationField } from '../operation.ts';
import { amountIn, TERM, TEXT } from './columns.ts';

/**
 * Form fields of an operation that raises the balance of one of the exchange's own accounts to `amount`. The missing
 * part is transferred from the collected fees; an account that already holds `amount` stays unchanged.
 */
export const FUNDING_FIELDS = {
  amount: { label: 'Amount', kind: 'decimal' },
} as const satisfies Readonly<Record<string, OperationField>>;

/**
 * Path of the list of the exchange's own accounts. The console offers the operations that fund an account beside this
 * list.
 */
export const HOUSE_ACCOUNTS = '/ops/house/accounts';

/**
 * Facts that the console shows to the second operator, who approves the transfer from the collected fees to one of the
 * exchange's own accounts.
 */
export const FUNDED_ACCOUNT = {
  facts: {
    account: TERM,
    asset: TEXT,
    amount: amountIn('asset'),
  },
  context: {
    holdsNow: amountIn('asset'),
    movesFromFees: amountIn('asset'),
    feesNow: amountIn('asset'),
  },
} as const;
