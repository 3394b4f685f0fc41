import type { OperationField } from '../operation.ts';
import { amountIn, TERM, TEXT } from './columns.ts';

/** The form of an operation that brings a house account to an amount. */
export const FUNDING_FIELDS = {
  amount: { label: 'Amount', kind: 'decimal' },
} as const satisfies Readonly<Record<string, OperationField>>;

/** The list of house accounts; operations that fund one are offered beside it. */
export const HOUSE_ACCOUNTS = '/ops/house/accounts';

/** Evidence for a second person who approves a funding. */
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
