import type { OperationField } from '../operation.ts';
import { amountIn, TERM, TEXT } from './columns.ts';

/** Form fields of an operation that raises a house account's balance to an amount. */
export const FUNDING_FIELDS = {
  amount: { label: 'Amount', kind: 'decimal' },
} as const satisfies Readonly<Record<string, OperationField>>;

/** Path of the list of house accounts; operations that fund one are offered beside it. */
export const HOUSE_ACCOUNTS = '/ops/house/accounts';

/** Facts shown to the second operator who approves the funding of a house account. */
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
