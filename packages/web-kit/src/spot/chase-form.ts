import type { Decimal } from '@exchange/core/decimal.ts';
import { shortOf } from '@exchange/core/funds.ts';
import type { Side } from '@exchange/core/pair.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import {
  CHASE_DISTANCE_PLACES,
  chaseFunds,
  chasePrice,
  chaseProblem,
  chaseWorstPrice,
  type ChaseRequest,
} from '@exchange/core/spot-chase.ts';
import { trailOfPercent, type Hold } from '@exchange/core/spot.ts';
import type { createChase } from '@exchange/wire/chase.ts';
import type { CallFields } from '../api/client.ts';
import { typedAmount } from '../form/decimal-text.ts';
import { refusalAt, refusedFields } from './algo-problems.ts';
import type { TicketMarket, TicketPair } from './ticket.ts';

/** Values of the form of a chase order, as the user has typed them. */
export interface ChaseForm {
  readonly side: Side;
  readonly amount: string;
  /** Maximum distance of the order's price from its price at the start, in percent. */
  readonly distance: string;
  /** Price beyond which the order does not follow; empty if there is no limit. */
  readonly limitPrice: string;
  readonly minutes: string;
}

export type ChasePayload = CallFields<typeof createChase>;

type Problems = { readonly [Field in keyof ChaseForm]?: Refusal };

export const INITIAL_CHASE: ChaseForm = {
  side: 'buy',
  amount: '',
  distance: '0.5',
  limitPrice: '',
  minutes: '60',
};

/** Preview of a chase order; if it cannot be started, the problems by field. */
export interface ChasePreview {
  readonly problems: Problems;
  /**
   * Price of the order at the start, at the current best prices; `worst` is the worst price that it can get
   * later. Both are undefined until every field is a valid number and the best price is known.
   */
  readonly start: Decimal | undefined;
  readonly worst: Decimal | undefined;
  /**
   * Amount that the order reserves at the start; `funds` is the maximum amount that it can reserve later.
   * Both are undefined while `start` is.
   */
  readonly reserved: Hold | undefined;
  readonly funds: Hold | undefined;
}

/**
 * Computes the preview of a chase order from the current prices and balances, with the rules that the server also
 * checks.
 */
export function previewChase(form: ChaseForm, moment: TicketMarket): ChasePreview {
  const { pair } = moment;
  const typed = typedRequest(form, pair);
  if (!typed.ok) return nothingWith(typed.problems);
  const { request } = typed;
  const isBuy = form.side === 'buy';
  // Best price of the side of the order (best bid for a buy), which the chase order follows.
  const best = isBuy ? moment.bestBid : moment.bestAsk;
  const market = { status: pair.status, reference: moment.reference, best, last: moment.last };
  const problem = chaseProblem(pair, pair.filters, request, market, moment.openOrders?.resting);
  if (best === undefined) return nothingWith(problem === undefined ? {} : problemAt(problem));
  const worst = chaseWorstPrice(pair, request, best);
  const start = chasePrice(form.side, best, worst);
  const funds = chaseFunds(pair, request, worst);
  const available = isBuy ? moment.quoteAvailable : moment.baseAvailable;
  const shortage =
    available &&
    shortOf({
      needed: funds.amount,
      available,
      asset: funds.asset,
      field: 'amount',
    });
  const found = problem ?? shortage;
  return {
    problems: found === undefined ? {} : problemAt(found),
    start,
    worst,
    reserved: chaseFunds(pair, request, start),
    funds,
  };
}

/** Returns the fields of the request that starts the chase order of the form. */
export function chasePayload(form: ChaseForm, pair: TicketPair): ChasePayload {
  return {
    baseCoin: pair.base,
    quoteCoin: pair.quote,
    tradeType: form.side,
    amount: form.amount,
    distance: form.distance,
    limitPrice: form.limitPrice === '' ? undefined : form.limitPrice,
    minutes: form.minutes,
  };
}

function nothingWith(problems: Problems): ChasePreview {
  return { problems, start: undefined, worst: undefined, reserved: undefined, funds: undefined };
}

type TypedRequest =
  | { readonly ok: true; readonly request: ChaseRequest }
  | { readonly ok: false; readonly problems: Problems };

function typedRequest(form: ChaseForm, pair: TicketPair): TypedRequest {
  const amount = typedAmount('amount', form.amount, pair.amountDigits);
  const distance = typedAmount('distance', form.distance, CHASE_DISTANCE_PLACES);
  const limitPrice =
    form.limitPrice === '' ? undefined : typedAmount('limitPrice', form.limitPrice, pair.priceDigits);
  const minutes = typedAmount('minutes', form.minutes, 0);
  if (amount.ok && distance.ok && minutes.ok && (limitPrice === undefined || limitPrice.ok)) {
    return {
      ok: true,
      request: {
        side: form.side,
        amount: amount.value,
        distance: trailOfPercent(distance.value),
        limitPrice: limitPrice?.value,
        minutes: Number(minutes.value.toString()),
      },
    };
  }
  return { ok: false, problems: refusedFields({ amount, distance, limitPrice, minutes }) };
}

const FIELDS = ['amount', 'distance', 'limitPrice', 'minutes'] as const;

/**
 * Returns the refusal under the form field that it names, or under `amount` if the refusal names no field of the form.
 */
function problemAt(problem: Refusal): Problems {
  return refusalAt(problem, FIELDS, 'amount');
}
