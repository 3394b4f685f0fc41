import type { Decimal } from '@exchange/core/decimal.ts';
import { least } from '@exchange/core/decimal.ts';
import { shortOf } from '@exchange/core/funds.ts';
import type { Side } from '@exchange/core/pair.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import {
  TWAP_BOUND_PLACES,
  twapChildPrice,
  twapChildren,
  twapFunds,
  twapProblem,
  type TwapChild,
  type TwapRequest,
} from '@exchange/core/spot-twap.ts';
import { trailOfPercent, type Hold } from '@exchange/core/spot.ts';
import type { createTwap } from '@exchange/wire/twap.ts';
import type { CallFields } from '../api/client.ts';
import { typedAmount } from '../form/decimal-text.ts';
import { refusalAt, refusedFields } from './algo-problems.ts';
import type { TicketMarket, TicketPair } from './ticket.ts';

/** Values of the form of a TWAP order, as the user has typed them. */
export interface TwapForm {
  readonly side: Side;
  readonly amount: string;
  readonly minutes: string;
  readonly count: string;
  /** Maximum distance of each order's price from the best opposite price, in percent. */
  readonly slippage: string;
  /** Limit price of the orders that the TWAP order places; empty if there is none. */
  readonly limitPrice: string;
}

export type TwapPayload = CallFields<typeof createTwap>;

type Problems = { readonly [Field in keyof TwapForm]?: Refusal };

export const INITIAL_TWAP: TwapForm = {
  side: 'buy',
  amount: '',
  minutes: '60',
  count: '12',
  slippage: '0.5',
  limitPrice: '',
};

/** Preview of a TWAP order with the orders that it will place; if it cannot be started, the problems by field. */
export interface TwapPreview {
  readonly problems: Problems;
  /**
   * The orders that the TWAP order will place, provided that each is filled completely; empty until every field of the
   * form is a number within its limits and `worst` is known.
   */
  readonly children: readonly TwapChild[];
  /**
   * Worst price of the next order that the TWAP order will place, at the best opposite price; the TWAP
   * order's limit price while the best opposite price is unknown. Undefined if there is neither, and while a
   * field is no number within its limits.
   */
  readonly worst: Decimal | undefined;
  readonly smallest: Decimal | undefined;
  /**
   * Maximum amount of the spent coin that all orders of the TWAP order together need, at the price `worst`;
   * undefined while `worst` is.
   */
  readonly funds: Hold | undefined;
}

/** Keys of refusals of invalid numbers; with any of them, the preview has no orders. */
const SHAPE_KEYS: ReadonlySet<Refusal['key']> = new Set([
  'l.field_min',
  'l.field_max',
  'l.field_decimals',
  'l.field_positive',
  'l.amount_decimals',
  'l.price_decimals',
  'l.twap_spacing',
]);

/**
 * Computes the preview of a TWAP order from the current prices and balances, with the rules that the server also
 * checks.
 */
export function previewTwap(form: TwapForm, moment: TicketMarket): TwapPreview {
  const { pair } = moment;
  const typed = typedRequest(form, pair);
  if (!typed.ok) return nothingWith(typed.problems);
  const { request } = typed;
  const isBuy = form.side === 'buy';
  const best = isBuy ? moment.bestAsk : moment.bestBid;
  const market = { status: pair.status, reference: moment.reference, best, last: moment.last };
  const problem = twapProblem(pair, pair.filters, request, market);
  if (problem !== undefined && SHAPE_KEYS.has(problem.key)) return nothingWith(problemAt(problem));
  const worst = (best && twapChildPrice(pair, request, best)) ?? request.limitPrice;
  if (worst === undefined) return nothingWith(problem === undefined ? {} : problemAt(problem));
  const children = twapChildren(pair, pair.filters, request, worst);
  const funds = twapFunds(pair, request, worst);
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
  const amounts = children.map(({ amount }) => amount);
  return {
    problems: found === undefined ? {} : problemAt(found),
    children,
    worst,
    smallest: amounts.length === 0 ? undefined : amounts.reduce(least),
    funds,
  };
}

/** Returns the fields of the request that starts the TWAP order of the form. */
export function twapPayload(form: TwapForm, pair: TicketPair): TwapPayload {
  return {
    baseCoin: pair.base,
    quoteCoin: pair.quote,
    tradeType: form.side,
    amount: form.amount,
    minutes: form.minutes,
    count: form.count,
    slippage: form.slippage,
    limitPrice: form.limitPrice === '' ? undefined : form.limitPrice,
  };
}

function nothingWith(problems: Problems): TwapPreview {
  return { problems, children: [], worst: undefined, smallest: undefined, funds: undefined };
}

type TypedRequest =
  | { readonly ok: true; readonly request: TwapRequest }
  | { readonly ok: false; readonly problems: Problems };

function typedRequest(form: TwapForm, pair: TicketPair): TypedRequest {
  const amount = typedAmount('amount', form.amount, pair.amountDigits);
  const minutes = typedAmount('minutes', form.minutes, 0);
  const count = typedAmount('count', form.count, 0);
  const slippage = typedAmount('slippage', form.slippage, TWAP_BOUND_PLACES);
  const limitPrice =
    form.limitPrice === '' ? undefined : typedAmount('limitPrice', form.limitPrice, pair.priceDigits);
  if (amount.ok && minutes.ok && count.ok && slippage.ok && (limitPrice === undefined || limitPrice.ok)) {
    return {
      ok: true,
      request: {
        side: form.side,
        amount: amount.value,
        minutes: Number(minutes.value.toString()),
        count: Number(count.value.toString()),
        bound: trailOfPercent(slippage.value),
        limitPrice: limitPrice?.value,
      },
    };
  }
  return { ok: false, problems: refusedFields({ amount, minutes, count, slippage, limitPrice }) };
}

const FIELDS = ['amount', 'minutes', 'count', 'slippage', 'limitPrice'] as const;

/**
 * Returns the refusal under the form field that it names, or under `amount` if the refusal names no field of the form.
 */
function problemAt(problem: Refusal): Problems {
  return refusalAt(problem, FIELDS, 'amount');
}
