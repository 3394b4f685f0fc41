import { Decimal } from '@exchange/core/decimal.ts';
import * as z from 'zod/mini';
import {
  coin,
  decimalText,
  flagNumber,
  id,
  instantMs,
  positiveDecimal,
  text,
  termsVersionField,
  tradeType,
  whole,
} from './codecs.ts';
import { ANYONE, endpoint, publicRead, signedInRead, USER, type Charge } from './endpoint.ts';
import { pageOf, pagingFields, periodFields } from './paging.ts';
import { tradingPause } from './trading-pause.ts';

const order: Charge = { limit: 'order', weight: 1 };
const transfer: Charge = { limit: 'transfer', weight: 1 };

/** `status` of a position: 0 open, 1 completed, 2 voided and its stake returned by the exchange. */
export const SECONDS_STATUS = { holding: 0, completed: 1, returned: 2 } as const;
/**
 * `type` of a transfer: 1 from the coin account to the seconds account, 2 from the seconds account to the coin account.
 */
export const SECONDS_TRANSFER = { in: 1, out: 2 } as const;

/**
 * Returns the schema of an amount field of the seconds contract. The refusal of a missing or zero amount has
 * the given key, which the specification requires; other invalid texts are refused as in every amount field.
 */
function amountWithLabel(key: 'l.c_enteropenamt' | 'l.c_a_transferTip') {
  return z.pipe(
    z.string(key).check(z.minLength(1, key), z.maxLength(40, 'l.field_number')),
    z.transform((value: string, { issues }) => {
      const number = value.startsWith('-') ? undefined : Decimal.tryParse(value);
      if (number?.isPositive() === true) return number;
      issues.push({
        code: 'custom',
        message: number === undefined ? 'l.field_number' : key,
        input: value,
      });
      return z.NEVER;
    }),
  );
}

const duration = z.object({
  /** Duration of a position in seconds. */
  second: z.int(),
  /** Profit of a won position as a fraction of its stake. */
  incomeRate: decimalText,
  openAmountMin: decimalText,
});

/** Name of the request field for the duration, as existing clients write it. */
export const DURATION_FIELD = 'positionTime';

/**
 * Terms for a duration of the seconds contract: the duration in seconds, the profit rate as a fraction of the
 * stake, and the minimum stake in USDT.
 */
export interface DurationTerms<Amount> {
  readonly second: number;
  readonly rate: Amount;
  readonly minimum: Amount;
}

/** Converts the terms of a duration to the format of responses. */
export function durationRow({ second, rate, minimum }: DurationTerms<{ toString(): string }>) {
  return { second, incomeRate: rate.toString(), openAmountMin: minimum.toString() };
}
export function durationOf(row: z.infer<typeof duration>): DurationTerms<string> {
  return { second: row.second, rate: row.incomeRate, minimum: row.openAmountMin };
}

/** Returns an object with the value under the name that the duration has in requests and responses. */
export function durationField<Text>(seconds: Text): { [DURATION_FIELD]: Text } {
  return { [DURATION_FIELD]: seconds };
}
export function durationSeconds(fields: { readonly [DURATION_FIELD]: number }): number {
  return fields[DURATION_FIELD];
}

const config = {
  seconds: z.array(duration),
  /** Time at which the terms of the seconds contract were last changed. */
  updated: instantMs,
  /** Version of the contract's rules; `version` is the version number of its terms. */
  indexVersion: z.string(),
  version: z.int(),
  /** 1 while users can open positions, otherwise 0. */
  open: flagNumber,
  /** Why no position can be opened; absent if `open` is 1. */
  pause: z.optional(tradingPause),
  /** Symbols of the pairs on which the current terms offer positions. */
  symbols: z.array(z.string()),
  /**
   * Maximum stake of a position in USDT; `maxOpen` is the maximum number of a user's open positions,
   * `dayLoss` a user's maximum loss in a UTC day in USDT.
   */
  maxStake: decimalText,
  maxOpen: z.int(),
  dayLoss: decimalText,
  /** Version of the risk disclosure that users must have accepted. */
  riskVersion: z.string(),
};

export const secondsConfig = endpoint({
  method: 'GET',
  path: '/paramter/contractconfig',
  summary:
    'The durations of the seconds contract with their rates and minimums, and the limits of every user.',
  access: ANYONE,
  charge: publicRead(1),
  fields: {},
  data: z.object(config),
});

export const secondsFullConfig = endpoint({
  path: '/contract/getConfig',
  summary: 'As `/paramter/contractconfig`, with the fee rate.',
  access: ANYONE,
  charge: publicRead(1),
  fields: {},
  data: z.object({ ...config, feeRate: decimalText }),
});

export const openSeconds = endpoint({
  path: '/contract/createOrder',
  summary:
    'Opens a position: up or down from the index at the next whole second, for a number of seconds. Stake and fee are charged immediately.',
  access: USER,
  charge: order,
  idempotent: true,
  fields: {
    openAmount: amountWithLabel('l.c_enteropenamt'),
    baseCoin: coin,
    quoteCoin: coin,
    [DURATION_FIELD]: whole(1, 86_400),
    tradeType,
    ...termsVersionField,
  },
  data: z.object({
    id: z.string(),
    acceptTime: instantMs,
    entryTime: instantMs,
    expireTime: instantMs,
    profitRate: decimalText,
    feeRate: decimalText,
    fee: decimalText,
    /** Amount paid out in USDT if the position wins: stake plus profit. */
    maxPayout: decimalText,
  }),
});

export const secondsOrder = z.object({
  id: z.string(),
  symbol: z.string(),
  baseCoin: z.string(),
  quoteCoin: z.string(),
  /** Time at which the exchange accepted the position. */
  openTime: instantMs,
  openAmount: decimalText,
  profitRate: decimalText,
  feeRate: decimalText,
  fee: decimalText,
  /** Direction of the position: 1 up, 2 down. */
  tradeType: z.union([z.literal(1), z.literal(2)]),
  buyAmount: decimalText,
  /** Index price at the entry of the position; absent until it is known. */
  buyPrice: z.optional(decimalText),
  settlePrice: z.optional(decimalText),
  /**
   * Profit or loss of the position in its quote coin: for a win the profit less the fee, for a loss minus the
   * stake and the fee, otherwise 0. Absent until the position has an outcome.
   */
  settleProfit: z.optional(decimalText),
  /** Duration of the position in seconds. */
  holdTime: z.int(),
  entryTime: instantMs,
  expireTime: instantMs,
  finishTime: z.optional(instantMs),
  status: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  result: z.optional(z.enum(['win', 'lose', 'draw', 'void'])),
  /**
   * Why the position was voided: `noEntryPoint` or `noSettlementPoint` (the index had no price at that
   * second) or `interval` (the period was declared void). Absent for other positions.
   */
  resultReason: z.optional(z.string()),
  /**
   * Stake and fee refunded for a lost position, because later a period of the index that contains one of its seconds
   * was declared void; `refundTime` is the time of the refund. Absent for other positions.
   */
  refund: z.optional(decimalText),
  refundTime: z.optional(instantMs),
  /** ID of the settlement record, with which `/proof/settlement` returns it. */
  proofId: z.string(),
});

export const secondsOrders = endpoint({
  path: '/contract/getContractRecord',
  summary: 'The caller’s positions, newest first. `entryStatus`: 0 open, 1 settled.',
  access: USER,
  charge: signedInRead(2),
  fields: {
    entryStatus: z.optional(z.enum(['0', '1'], 'l.field_choice')),
    baseCoin: z.optional(coin),
    quoteCoin: z.optional(coin),
    ...pagingFields,
  },
  data: pageOf(secondsOrder),
});

export const secondsDetail = endpoint({
  path: '/contract/getOrderDetail',
  summary: 'One of the caller’s positions.',
  access: USER,
  charge: signedInRead(1),
  fields: { id },
  data: secondsOrder,
});

export const secondsAssets = endpoint({
  path: '/contract/getAssets',
  summary: 'The seconds account: available and staked amounts of each coin, and their value in USDT.',
  access: USER,
  charge: signedInRead(1),
  fields: {},
  data: z.array(
    z.object({
      currencyName: z.string(),
      currency: z.string(),
      status: flagNumber,
      /** Price of the coin in USDT: its index price, or its last price if it has no index price; `0` if unknown. */
      price: decimalText,
      total: decimalText,
      availableCurrency: decimalText,
      frozenCurrency: decimalText,
    }),
  ),
});

export const secondsTransfer = endpoint({
  path: '/contract/transfer',
  summary: 'Transfers an amount between the coin account and the seconds account.',
  access: USER,
  charge: transfer,
  idempotent: true,
  fields: {
    amount: amountWithLabel('l.c_a_transferTip'),
    currency: coin,
    type: z._default(z.enum(['1', '2'], 'l.field_choice'), '1'),
  },
  data: z.object({ currency: z.string(), amount: decimalText, available: decimalText }),
});

export const secondsMovements = endpoint({
  path: '/contract/getAssetsRecord',
  summary: 'Transfers to (1) and from (2) the seconds account, newest first.',
  access: USER,
  charge: signedInRead(2),
  fields: {
    currency: z.optional(coin),
    type: z.optional(z.enum(['1', '2'], 'l.field_choice')),
    ...pagingFields,
    ...periodFields,
  },
  data: pageOf(
    z.object({
      id: z.string(),
      currency: z.string(),
      type: z.union([z.literal(1), z.literal(2)]),
      amount: decimalText,
      /**
       * Available balance of the coin in the seconds account after the transfer; absent for an old transfer,
       * for which it was not recorded.
       */
      balance: z.optional(decimalText),
      createTime: instantMs,
    }),
  ),
});

export const acceptSecondsRisk = endpoint({
  path: '/contract/acceptRisk',
  summary: 'Accepts a version of the risk text.',
  access: USER,
  charge: transfer,
  idempotent: true,
  fields: { agreementVersion: text(20) },
  data: z.object({ agreementVersion: z.string() }),
});

const limits = {
  maxStake: decimalText,
  dayLoss: decimalText,
  /**
   * Maximum number of minutes for which the user may keep opening positions without a break of 15 minutes between two
   * of them. After it the user cannot open positions until 15 minutes have passed since the user's last position was
   * opened. Absent if the user has not set this limit.
   */
  sessionMinutes: z.optional(z.int()),
  /**
   * End of the latest pause that the user has set; before it the user cannot open positions. The time stays in the
   * response after the pause has ended. Absent if the user has never set a pause.
   */
  coolUntil: z.optional(instantMs),
};

const ownLimits = z.object({
  ...limits,
  /**
   * Looser limits that the user has requested and that do not apply yet, with the time from which they apply; absent if
   * there are none.
   */
  later: z.optional(z.object({ ...limits, effectiveTime: instantMs })),
  /**
   * The user's loss in positions settled in this UTC day, less the wins, in USDT (negative for a net win);
   * `atRisk` is the sum of stakes and fees of open positions.
   */
  lostToday: decimalText,
  atRisk: decimalText,
  /** Version of the risk disclosure that the user has accepted; empty if the user has accepted none. */
  riskVersion: z.string(),
  /** 0 if users cannot open positions from the caller's country, otherwise 1. */
  allowed: flagNumber,
});

export const secondsLimits = endpoint({
  path: '/user/getLimit',
  summary: 'The caller’s own limits of the seconds contract, and pending changes of them.',
  access: USER,
  charge: signedInRead(1),
  fields: { module: z._default(z.enum(['contract'], 'l.field_choice'), 'contract') },
  data: ownLimits,
});

export const setSecondsLimits = endpoint({
  path: '/user/setLimit',
  summary:
    'Sets the caller’s own limits: tighter limits apply immediately, looser ones after 24 hours. `coolUntil` is a pause that cannot be shortened.',
  access: { who: 'user', ownAccount: true },
  charge: transfer,
  idempotent: true,
  fields: {
    module: z._default(z.enum(['contract'], 'l.field_choice'), 'contract'),
    maxStake: z.optional(positiveDecimal),
    dayLoss: z.optional(positiveDecimal),
    /**
     * Maximum number of minutes for which the user may keep opening positions without a break, as in `limits`; 0
     * removes this limit.
     */
    sessionMinutes: z.optional(whole(0, 1_440)),
    coolUntil: z.optional(whole(0, 8_640_000_000_000)),
  },
  data: ownLimits,
});

/**
 * Topic `contract`: the snapshot is `[]`; an update contains ID, status and result of each position of the
 * user that was opened, settled or refunded.
 */
export type SecondsMessage = { id: string; status: 0 | 1 | 2; result?: 'win' | 'lose' | 'draw' | 'void' }[];
