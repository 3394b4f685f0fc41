import {
  CONVERT_FEE,
  CONVERT_MAX_USDT,
  CONVERT_MIN_USDT,
  CONVERT_SPREAD,
  QUOTE_MS,
} from '@exchange/core/convert.ts';
import type { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { SECOND_MS } from '@exchange/core/time.ts';
import {
  SMALL_BALANCE_MAX_USDT,
  SMALL_COINS_MAX,
  SMALL_PER_DAY,
  SMALL_TARGETS,
} from '@exchange/core/small-balances.ts';
import * as wire from '@exchange/wire/convert.ts';
import * as small from '@exchange/wire/small-balances.ts';
import { mapPage, pageAnswer, type Route, route, submissionRoute } from '../../platform/http/route.ts';
import { exchangeAnswer } from './commands.ts';
import type { QuoteAmount, Convert } from './service.ts';

/** The HTTP endpoints of instant exchange. */
export function convertRoutes(convert: Convert): Route[] {
  return [
    route(wire.convertCoins, () => ({
      list: convert.coins(),
      spread: CONVERT_SPREAD.toString(),
      feeRate: CONVERT_FEE.toString(),
      min: CONVERT_MIN_USDT.toString(),
      max: CONVERT_MAX_USDT.toString(),
      quoteSeconds: QUOTE_MS / SECOND_MS,
    })),
    route(wire.convertRate, ({ from, to }) => {
      const { rate, spread, time } = convert.rate(from, to);
      return { rate: rate.toString(), spread: spread.toString(), time };
    }),
    route(wire.convertQuote, ({ from, to, fromAmount, toAmount }, { session }) =>
      convert.quote(session.userId, from, to, amountOf(fromAmount, toAmount)),
    ),
    submissionRoute(wire.acceptConvert, {
      operation: 'convert.accept',
      serve: ({ quoteId }, { session, submission }) => convert.accept(session.userId, quoteId, submission),
    }),
    route(small.smallBalances, async ({ to }, { session }) => {
      const { list, usedToday } = await convert.smallBalances(session.userId, to);
      return {
        list: list.map(({ asset, amount, worth, toAmount }) => ({
          currency: asset,
          amount: amount.toString(),
          worth: worth.toString(),
          toAmount: toAmount.toString(),
        })),
        targets: [...SMALL_TARGETS],
        max: SMALL_BALANCE_MAX_USDT.toString(),
        coinsMax: SMALL_COINS_MAX,
        perDay: SMALL_PER_DAY,
        usedToday,
      };
    }),
    route(small.quoteSmallBalances, ({ coins, to }, { session }) =>
      convert.quoteSmall(session.userId, coins, to),
    ),
    submissionRoute(small.acceptSmallBalances, {
      operation: 'convert.acceptSmall',
      serve: ({ quoteId }, { session, submission }) =>
        convert.acceptSmall(session.userId, quoteId, submission),
    }),
    route(wire.convertRecords, async (page, { session }) => {
      const exchanges = await convert.exchanges(session.userId, page);
      return pageAnswer(mapPage(exchanges, exchangeAnswer), page);
    }),
  ];
}

function amountOf(fromAmount: Decimal | undefined, toAmount: Decimal | undefined): QuoteAmount {
  if (fromAmount !== undefined && toAmount === undefined) return { of: 'from', value: fromAmount };
  if (toAmount !== undefined && fromAmount === undefined) return { of: 'to', value: toAmount };
  throw new Refused(refusal('invalidField', 'l.convert_one_amount', { field: 'fromAmount' }));
}
