import type { Decimal } from '@exchange/core/decimal.ts';
import { shortOf } from '@exchange/core/funds.ts';
import type { Side } from '@exchange/core/pair.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import {
  ladderHold,
  ladderProblem,
  ladderRungs,
  type LadderRequest,
  type LadderRung,
  type LadderSizes,
} from '@exchange/core/spot-ladder.ts';
import type { Hold } from '@exchange/core/spot.ts';
import type { createLadder } from '@exchange/wire/ladder.ts';
import type { CallFields } from '../api/client.ts';
import { typedAmount } from '../form/decimal-text.ts';
import { refusalAt, refusedFields } from './algo-problems.ts';
import type { TicketMarket, TicketPair } from './ticket.ts';

/** Values of the form of a ladder (several limit orders in a price range), as the user has typed them. */
export interface LadderForm {
  readonly side: Side;
  readonly fromPrice: string;
  readonly toPrice: string;
  readonly count: string;
  readonly amount: string;
  readonly sizes: LadderSizes;
}

export type LadderPayload = CallFields<typeof createLadder>;

type Problems = { readonly [Field in keyof LadderForm]?: Refusal };

export const INITIAL_LADDER: LadderForm = {
  side: 'buy',
  fromPrice: '',
  toPrice: '',
  count: '5',
  amount: '',
  sizes: 'equal',
};

/**
 * Preview of a ladder with its orders and the funds that they reserve; if it cannot be placed, the problems by field.
 */
export interface LadderPreview {
  readonly problems: Problems;
  /**
   * The ladder's orders; empty until every field is a number with at most the pair's decimals, and number of orders and
   * price range are valid.
   */
  readonly rungs: readonly LadderRung[];
  readonly hold: Hold | undefined;
}

/**
 * Computes the preview of a ladder from the current prices and balances, with the rules that the server also checks.
 */
export function previewLadder(form: LadderForm, moment: TicketMarket): LadderPreview {
  const { pair } = moment;
  const typed = typedNumbers(form, pair);
  if (!typed.ok) return { problems: typed.problems, rungs: [], hold: undefined };
  const request: LadderRequest = {
    side: form.side,
    fromPrice: typed.fromPrice,
    toPrice: typed.toPrice,
    count: Number(typed.count.toString()),
    amount: typed.amount,
    sizes: form.sizes,
  };
  const isBuy = form.side === 'buy';
  const market = {
    status: pair.status,
    reference: moment.reference,
    best: isBuy ? moment.bestAsk : moment.bestBid,
    last: moment.last,
  };
  const problem = ladderProblem(pair, pair.filters, request, market, moment.openOrders?.resting);
  if (problem !== undefined && (problem.key === 'l.ladder_count' || problem.key === 'l.ladder_range'))
    return { problems: problemAt(problem), rungs: [], hold: undefined };
  const rungs = ladderRungs(pair, request);
  const hold = ladderHold(pair, form.side, rungs);
  const available = isBuy ? moment.quoteAvailable : moment.baseAvailable;
  const shortage =
    available &&
    shortOf({
      needed: hold.amount,
      available,
      asset: hold.asset,
      field: 'amount',
    });
  const found = problem ?? shortage;
  return { problems: found === undefined ? {} : problemAt(found), rungs, hold };
}

/** Returns the fields of the request that places the ladder of the form. */
export function ladderPayload(form: LadderForm, pair: TicketPair): LadderPayload {
  return {
    baseCoin: pair.base,
    quoteCoin: pair.quote,
    tradeType: form.side,
    fromPrice: form.fromPrice,
    toPrice: form.toPrice,
    count: form.count,
    amount: form.amount,
    sizes: form.sizes,
  };
}

type TypedNumbers =
  | {
      readonly ok: true;
      readonly fromPrice: Decimal;
      readonly toPrice: Decimal;
      readonly count: Decimal;
      readonly amount: Decimal;
    }
  | { readonly ok: false; readonly problems: Problems };

function typedNumbers(form: LadderForm, pair: TicketPair): TypedNumbers {
  const fromPrice = typedAmount('fromPrice', form.fromPrice, pair.priceDigits);
  const toPrice = typedAmount('toPrice', form.toPrice, pair.priceDigits);
  const count = typedAmount('count', form.count, 0);
  const amount = typedAmount('amount', form.amount, pair.amountDigits);
  if (fromPrice.ok && toPrice.ok && count.ok && amount.ok) {
    return {
      ok: true,
      fromPrice: fromPrice.value,
      toPrice: toPrice.value,
      count: count.value,
      amount: amount.value,
    };
  }
  return { ok: false, problems: refusedFields({ fromPrice, toPrice, count, amount }) };
}

const FIELDS = ['fromPrice', 'toPrice', 'amount', 'count'] as const;

/**
 * Returns the refusal under the form field that it names, or under the number of orders if the refusal names no field
 * of the form.
 */
function problemAt(problem: Refusal): Problems {
  return refusalAt(problem, FIELDS, 'count');
}
