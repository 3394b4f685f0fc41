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
  termsShown,
  tradeType,
  whole,
} from './codecs.ts';
import { ANYONE, endpoint, publicRead, signedInRead, USER, type Charge } from './endpoint.ts';
import { pageOf, pagingFields, periodFields } from './paging.ts';

const order: Charge = { limit: 'order', weight: 1 };
const transfer: Charge = { limit: 'transfer', weight: 1 };

/** `status` of a position: 0 holding, 1 completed, 2 closed by the exchange without a result and given back. */
export const SECONDS_STATUS = { holding: 0, completed: 1, returned: 2 } as const;
/** `type` of a transfer: 1 from the coin account to the seconds account, 2 back. */
export const SECONDS_TRANSFER = { in: 1, out: 2 } as const;

/** An amount whose absence is told by the label that the specification names, and what is no number as anywhere. */
function labelled(key: 'l.c_enteropenamt' | 'l.c_a_transferTip') {
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
  /** Seconds. */
  second: z.int(),
  /** The profit on a stake that wins, as a fraction. */
  incomeRate: decimalText,
  openAmountMin: decimalText,
});

/** The field that chooses a duration, as clients in the wild spell it. */
export const DURATION_FIELD = 'positionTime';

/** A duration with its profit rate (a fraction) and its least stake, by plain names. */
export interface DurationTerms<Amount> {
  readonly second: number;
  readonly rate: Amount;
  readonly minimum: Amount;
}

/** A duration as it is sent, and read again. */
export function durationRow({ second, rate, minimum }: DurationTerms<{ toString(): string }>) {
  return { second, incomeRate: rate.toString(), openAmountMin: minimum.toString() };
}
export function durationOf(sent: z.infer<typeof duration>): DurationTerms<string> {
  return { second: sent.second, rate: sent.incomeRate, minimum: sent.openAmountMin };
}

/** The field of a duration to be sent, and what was sent in it. */
export function chosen<Text>(seconds: Text): { [DURATION_FIELD]: Text } {
  return { [DURATION_FIELD]: seconds };
}
export function secondsChosen(fields: { readonly [DURATION_FIELD]: number }): number {
  return fields[DURATION_FIELD];
}

const config = {
  seconds: z.array(duration),
  /** When the terms were set last. */
  updated: instantMs,
  /** Which rules positions follow, and which version of the terms. */
  indexVersion: z.string(),
  version: z.int(),
  /** 0 while no position can be opened. */
  open: flagNumber,
  /** Pairs that positions can be opened on. */
  symbols: z.array(z.string()),
  /** The most of one position, what one person may have open, and what they may lose in a UTC day. */
  maxStake: decimalText,
  maxOpen: z.int(),
  dayLoss: decimalText,
  /** The risk text that has to be accepted. */
  riskVersion: z.string(),
};

export const secondsConfig = endpoint({
  method: 'GET',
  path: '/paramter/contractconfig',
  summary:
    'The durations of the seconds contract with their rates and minimums, and the limits of everybody.',
  access: ANYONE,
  charge: publicRead(1),
  fields: {},
  data: z.object(config),
});

export const secondsFullConfig = endpoint({
  path: '/contract/getConfig',
  summary: 'The same with the fee rate, in one call.',
  access: ANYONE,
  charge: publicRead(1),
  fields: {},
  data: z.object({ ...config, feeRate: decimalText }),
});

export const openSeconds = endpoint({
  path: '/contract/createOrder',
  summary:
    'Opens a position: up or down from the index at the next whole second, for a number of seconds. Stake and fee are taken at once.',
  access: USER,
  charge: order,
  idempotent: true,
  fields: {
    openAmount: labelled('l.c_enteropenamt'),
    baseCoin: coin,
    quoteCoin: coin,
    [DURATION_FIELD]: whole(1, 86_400),
    tradeType,
    ...termsShown,
  },
  data: z.object({
    id: z.string(),
    acceptTime: instantMs,
    entryTime: instantMs,
    expireTime: instantMs,
    profitRate: decimalText,
    feeRate: decimalText,
    fee: decimalText,
    /** Stake and profit. */
    maxPayout: decimalText,
  }),
});

export const secondsOrder = z.object({
  id: z.string(),
  symbol: z.string(),
  baseCoin: z.string(),
  quoteCoin: z.string(),
  /** When it was accepted. */
  openTime: instantMs,
  openAmount: decimalText,
  profitRate: decimalText,
  feeRate: decimalText,
  fee: decimalText,
  /** 1 up, 2 down. */
  tradeType: z.union([z.literal(1), z.literal(2)]),
  buyAmount: decimalText,
  /** The index at the entry; absent until it is there. */
  buyPrice: z.optional(decimalText),
  settlePrice: z.optional(decimalText),
  /** What it made: the profit less the fee, the stake and fee lost, or 0. */
  settleProfit: z.optional(decimalText),
  /** Seconds. */
  holdTime: z.int(),
  entryTime: instantMs,
  expireTime: instantMs,
  finishTime: z.optional(instantMs),
  status: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  result: z.optional(z.enum(['win', 'lose', 'draw', 'void'])),
  /** Why it is void: `noEntryPoint`, `noSettlementPoint`, `interval`. */
  resultReason: z.optional(z.string()),
  /** Of a loss whose interval was declared void later: stake and fee that the house returned, and when. */
  refund: z.optional(decimalText),
  refundTime: z.optional(instantMs),
  /** Names it at `/proof/settlement`. */
  proofId: z.string(),
});

export const secondsOrders = endpoint({
  path: '/contract/getContractRecord',
  summary: 'The own positions, newest first: 0 those that run, 1 those that are over.',
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
  summary: 'One of the own positions.',
  access: USER,
  charge: signedInRead(1),
  fields: { id },
  data: secondsOrder,
});

export const secondsAssets = endpoint({
  path: '/contract/getAssets',
  summary:
    'The seconds account: what is available and in open positions of every coin, and its worth in USDT.',
  access: USER,
  charge: signedInRead(1),
  fields: {},
  data: z.array(
    z.object({
      currencyName: z.string(),
      currency: z.string(),
      status: flagNumber,
      /** In USDT. */
      price: decimalText,
      total: decimalText,
      availableCurrency: decimalText,
      frozenCurrency: decimalText,
    }),
  ),
});

export const secondsTransfer = endpoint({
  path: '/contract/transfer',
  summary: 'Moves an amount between the coin account and the seconds account.',
  access: USER,
  charge: transfer,
  idempotent: true,
  fields: {
    amount: labelled('l.c_a_transferTip'),
    currency: coin,
    type: z._default(z.enum(['1', '2'], 'l.field_choice'), '1'),
  },
  data: z.object({ currency: z.string(), amount: decimalText, available: decimalText }),
});

export const secondsMovements = endpoint({
  path: '/contract/getAssetsRecord',
  summary: 'What was moved to and from the seconds account, newest first: 1 to it, 2 back.',
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
      /** Available on the seconds account after it; absent where it is not known of an old transfer. */
      balance: z.optional(decimalText),
      createTime: instantMs,
    }),
  ),
});

export const acceptSecondsRisk = endpoint({
  path: '/contract/acceptRisk',
  summary: 'Accepts the risk text in a version.',
  access: USER,
  charge: transfer,
  idempotent: true,
  fields: { agreementVersion: text(20) },
  data: z.object({ agreementVersion: z.string() }),
});

const limits = {
  maxStake: decimalText,
  dayLoss: decimalText,
  /** How long somebody may go on without a break of 15 minutes; absent where they set none. */
  sessionMinutes: z.optional(z.int()),
  /** Nothing can be opened until then. */
  coolUntil: z.optional(instantMs),
};

const ownLimits = z.object({
  ...limits,
  /** Looser limits that are asked for, and when they begin to count. */
  later: z.optional(z.object({ ...limits, effectiveTime: instantMs })),
  /** Lost so far in this UTC day, and what open positions may still lose. */
  lostToday: decimalText,
  atRisk: decimalText,
  /** The version of the risk text that was accepted; empty where none. */
  riskVersion: z.string(),
  /** 0 where positions cannot be opened from the person's country. */
  allowed: flagNumber,
});

export const secondsLimits = endpoint({
  path: '/user/getLimit',
  summary: 'The own limits of the seconds contract: what one has set, and what will count when.',
  access: USER,
  charge: signedInRead(1),
  fields: { module: z._default(z.enum(['contract'], 'l.field_choice'), 'contract') },
  data: ownLimits,
});

export const setSecondsLimits = endpoint({
  path: '/user/setLimit',
  summary:
    'Sets own limits: tighter ones count at once, looser ones after 24 hours. `coolUntil` pauses and cannot be shortened.',
  access: { who: 'user', ownAccount: true },
  charge: transfer,
  idempotent: true,
  fields: {
    module: z._default(z.enum(['contract'], 'l.field_choice'), 'contract'),
    maxStake: z.optional(positiveDecimal),
    dayLoss: z.optional(positiveDecimal),
    /** 0 takes the limit away. */
    sessionMinutes: z.optional(whole(0, 1_440)),
    coolUntil: z.optional(whole(0, 8_640_000_000_000)),
  },
  data: ownLimits,
});

/** `contract`: snapshot `[]`, then each own position that was opened or is over. */
export type SecondsMessage = { id: string; status: 0 | 1 | 2; result?: 'win' | 'lose' | 'draw' | 'void' }[];
