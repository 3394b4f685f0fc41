import * as z from 'zod/mini';
import { decimalText, instantMs } from './codecs.ts';
import { endpoint, USER, signedInRead, type Charge } from './endpoint.ts';

export const overview = endpoint({
  path: '/account/getOverview',
  summary: 'The value of each account of the user in USDT, and the total also in BTC.',
  access: USER,
  charge: signedInRead(),
  fields: {},
  data: z.object({
    total: decimalText,
    totalBtc: decimalText,
    /**
     * Value of the user's coin account in USDT, including the amounts that orders and withdrawals reserve. In this and
     * the following values a coin without a price counts as zero.
     */
    coin: decimalText,
    /** Value of the user's seconds account in USDT, including the stakes of open positions. */
    contract: decimalText,
    /** Value in USDT of the user's amounts locked in fixed-term products. */
    finance: decimalText,
    /** Value in USDT of the user's amounts locked in mining products. */
    pool: decimalText,
    /** Value in USDT of the user's positions in leveraged funds: their equity. */
    fund: decimalText,
    /**
     * Value in USDT of the user's commitments to token sales, and of allocated tokens that the user has not claimed.
     */
    subscribe: decimalText,
  }),
});

const faucetCharge: Charge = { limit: 'transfer', weight: 1 };

export const faucetState = endpoint({
  path: '/faucet/getState',
  summary:
    'Demo mode only: the time of the next possible claim of play money, whichever site the last claim was made on; 0 if there was none.',
  access: { who: 'user', demoOnly: true },
  charge: signedInRead(),
  fields: {},
  data: z.object({ nextTime: instantMs }),
});

export const claimFaucet = endpoint({
  path: '/faucet/claim',
  summary: 'Demo mode only: credits a starting balance of play money, once a day.',
  access: { who: 'user', demoOnly: true },
  charge: faucetCharge,
  idempotent: true,
  fields: {},
  data: z.object({
    credited: z.array(z.object({ currency: z.string(), amount: decimalText })),
    nextTime: instantMs,
  }),
});
