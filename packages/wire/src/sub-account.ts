import * as z from 'zod/mini';
import { coin, decimalText, id, instantMs, positiveDecimal } from './codecs.ts';
import { endpoint, signedInRead, USER, type Charge } from './endpoint.ts';
import { pageOf, pagingFields } from './paging.ts';

const change: Charge = { limit: 'transfer', weight: 1 };

export const SUB_ACCOUNT_NAME_LENGTH = 30;
export const SUB_ACCOUNT_NOTE_LENGTH = 100;
const PRINTABLE = /^[^\p{C}]*$/u;

const named = {
  name: z
    .string('l.field_required')
    .check(
      z.trim(),
      z.minLength(1, 'l.field_required'),
      z.maxLength(SUB_ACCOUNT_NAME_LENGTH, 'l.field_too_long'),
      z.regex(PRINTABLE, 'l.field_invalid'),
    ),
  note: z.optional(
    z
      .string()
      .check(
        z.trim(),
        z.maxLength(SUB_ACCOUNT_NOTE_LENGTH, 'l.field_too_long'),
        z.regex(PRINTABLE, 'l.field_invalid'),
      ),
  ),
};

const balance = z.object({
  currency: z.string(),
  available: decimalText,
  /** Amount of the coin that open orders reserve. */
  frozen: decimalText,
  /** Value of the balance in USDT at the index price; 0 if the coin has no price. */
  worth: decimalText,
});

export const subAccount = z.object({
  id: z.string(),
  /** Account number of the sub-account, in the same format as that of a main account. */
  uid: z.string(),
  name: z.string(),
  note: z.string(),
  createTime: instantMs,
  /** Time in milliseconds UTC at which the sub-account was archived; 0 if it is not archived. */
  archiveTime: z.int(),
  /** Total value of the sub-account's balances in USDT. */
  total: decimalText,
  balances: z.array(balance),
});

export const subAccounts = endpoint({
  path: '/subAccount/getList',
  summary:
    'The sub-accounts of the caller with their balances, newest first, archived ones last. `total` is the value of all of them in USDT; it is not part of the caller’s own total.',
  access: USER,
  charge: signedInRead(5),
  fields: {},
  data: z.object({
    list: z.array(subAccount),
    total: decimalText,
    /** Maximum number of sub-accounts that are not archived. */
    most: z.int(),
  }),
});

export const createSubAccount = endpoint({
  path: '/subAccount/create',
  summary:
    'Creates a sub-account: own balances, orders and keys, without a sign-in, deposits or withdrawals. Identity, freezes, permissions and fee tier are those of the caller.',
  access: { who: 'user', ownAccount: true },
  charge: change,
  idempotent: true,
  fields: named,
  data: z.object({ id: z.string(), uid: z.string() }),
});

export const renameSubAccount = endpoint({
  path: '/subAccount/rename',
  summary: 'Sets name and note of a sub-account. An absent note becomes empty.',
  access: { who: 'user', ownAccount: true },
  charge: change,
  idempotent: true,
  fields: { id, ...named },
  data: z.object({ id: z.string() }),
});

export const archiveSubAccount = endpoint({
  path: '/subAccount/archive',
  summary:
    'Archives a sub-account without balances for good: its keys stop at once and it can receive nothing. Its history stays.',
  access: { who: 'user', ownAccount: true },
  charge: change,
  idempotent: true,
  fields: { id },
  data: z.object({ id: z.string() }),
});

const transfer = {
  id: z.string(),
  /** Number of the transfer; later transfers have greater numbers. */
  number: z.int(),
  /**
   * ID of the account that pays; `to` is the ID of the one that receives. Either is empty for the main
   * account.
   */
  from: z.string(),
  to: z.string(),
  currency: z.string(),
  amount: decimalText,
  time: instantMs,
};

export const transferSubAccount = endpoint({
  path: '/subAccount/transfer',
  summary:
    'Moves an available balance between the caller’s main account and a sub-account, or between two sub-accounts. An absent `from` or `to` is the main account. Refused with −6 if the balance is too small.',
  access: USER,
  charge: change,
  idempotent: true,
  fields: {
    from: z.optional(id),
    to: z.optional(id),
    coin,
    amount: positiveDecimal,
  },
  data: z.object(transfer),
});

export const subAccountTransfers = endpoint({
  path: '/subAccount/getTransfers',
  summary: 'Transfers between the caller’s accounts, newest first; with `id` those of one sub-account.',
  access: USER,
  charge: signedInRead(1),
  fields: { id: z.optional(id), ...pagingFields },
  data: pageOf(z.object(transfer)),
});
