import * as z from 'zod/mini';
import { decimalText, instantMs } from './codecs.ts';
import { endpoint, signedInRead, USER } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';

export const DEBT_STATUSES = ['open', 'paid', 'writtenOff', 'cancelled'] as const;

export const debts = endpoint({
  path: '/account/getDebts',
  summary:
    'What the caller owes the exchange, newest first: a credited deposit that its network removed, or a correction above the balance. The next deposits of the coin pay it.',
  access: USER,
  charge: signedInRead(2),
  fields: {
    status: z.optional(z.enum(['open'], 'l.field_choice')),
    ...pagingFields,
  },
  data: pageOf(
    z.object({
      id: z.string(),
      currency: z.string(),
      /** Amount of the user's debt when it arose, in the coin `currency`. */
      amount: decimalText,
      paid: decimalText,
      remaining: decimalText,
      /**
       * Cause of the user's debt. `deposit`: the chain has removed a deposit that was already credited; `correction`:
       * an operator has corrected the balance.
       */
      cause: z.enum(['correction', 'deposit']),
      status: z.enum(DEBT_STATUSES),
      createTime: instantMs,
      closeTime: z.optional(instantMs),
    }),
  ),
});
