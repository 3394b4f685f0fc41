import type { Decimal } from '@exchange/core/decimal.ts';
import { shortOf } from '@exchange/core/funds.ts';
import type { Side } from '@exchange/core/pair.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import { crosses } from '@exchange/core/spot-book-rules.ts';
import { icebergHold, icebergProblem, slicesOf, type IcebergRequest } from '@exchange/core/spot-iceberg.ts';
import type { Hold } from '@exchange/core/spot.ts';
import type { createIceberg } from '@exchange/wire/iceberg.ts';
import type { CallFields } from '../api/client.ts';
import { typedAmount } from '../form/decimal-text.ts';
import { refusalAt, refusedFields } from './algo-problems.ts';
import type { TicketMarket, TicketPair } from './ticket.ts';

/** Values of the form of an iceberg order, as the user has typed them. */
export interface IcebergForm {
  readonly side: Side;
  readonly price: string;
  readonly amount: string;
  readonly visible: string;
  readonly postOnly: boolean;
}

export type IcebergPayload = CallFields<typeof createIceberg>;

type Problems = { readonly [Field in keyof IcebergForm]?: Refusal };

export const INITIAL_ICEBERG: IcebergForm = {
  side: 'buy',
  price: '',
  amount: '',
  visible: '',
  postOnly: false,
};

/** A slice of an iceberg order in the preview; the first slice has position 1. */
interface PreviewedSlice {
  readonly position: number;
  readonly amount: Decimal;
  /** Value of the slice in the quote coin. */
  readonly total: Decimal;
}

/** Preview of an iceberg order; if it cannot be placed, the problems by field. */
export interface IcebergPreview {
  readonly problems: Problems;
  /**
   * The slices of the order, provided that none trades immediately; empty until every field is a number within its
   * limits.
   */
  readonly slices: readonly PreviewedSlice[];
  readonly hold: Hold | undefined;
  /** Whether a part of the iceberg order would trade immediately. */
  readonly crosses: boolean;
}

/** Keys of refusals of invalid numbers; with any of them, the preview has no slices. */
const SHAPE_KEYS: ReadonlySet<Refusal['key']> = new Set([
  'l.field_positive',
  'l.amount_decimals',
  'l.amount_min',
  'l.total_min',
  'l.price_decimals',
  'l.iceberg_slices',
]);

/**
 * Computes the preview of an iceberg order from the current prices and balances, with the rules that the server also
 * checks.
 */
export function previewIceberg(form: IcebergForm, moment: TicketMarket): IcebergPreview {
  const { pair } = moment;
  const typed = typedRequest(form, pair);
  if (!typed.ok) return nothingWith(typed.problems);
  const { request } = typed;
  const { side, price, amount } = request;
  const isBuy = side === 'buy';
  const best = isBuy ? moment.bestAsk : moment.bestBid;
  const market = { status: pair.status, reference: moment.reference, best, last: moment.last };
  const problem = icebergProblem(pair, pair.filters, request, market, moment.openOrders?.resting);
  if (problem !== undefined && SHAPE_KEYS.has(problem.key)) return nothingWith(problemAt(problem));
  const hold = icebergHold(pair, request);
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
  return {
    problems: found === undefined ? {} : problemAt(found),
    slices: slicesOf(pair, pair.filters, request, amount).map((slice, index) => ({
      position: index + 1,
      amount: slice,
      total: price.timesExact(slice),
    })),
    hold,
    crosses: best !== undefined && crosses(side, price, best),
  };
}

/** Returns the fields of the request that places the iceberg order of the form. */
export function icebergPayload(form: IcebergForm, pair: TicketPair): IcebergPayload {
  return {
    baseCoin: pair.base,
    quoteCoin: pair.quote,
    tradeType: form.side,
    price: form.price,
    amount: form.amount,
    visible: form.visible,
    postOnly: form.postOnly ? '1' : '0',
  };
}

function nothingWith(problems: Problems): IcebergPreview {
  return { problems, slices: [], hold: undefined, crosses: false };
}

type TypedRequest =
  | { readonly ok: true; readonly request: IcebergRequest }
  | { readonly ok: false; readonly problems: Problems };

function typedRequest(form: IcebergForm, pair: TicketPair): TypedRequest {
  const price = typedAmount('price', form.price, pair.priceDigits);
  const amount = typedAmount('amount', form.amount, pair.amountDigits);
  const visible = typedAmount('visible', form.visible, pair.amountDigits);
  if (price.ok && amount.ok && visible.ok) {
    return {
      ok: true,
      request: {
        side: form.side,
        price: price.value,
        amount: amount.value,
        visible: visible.value,
        postOnly: form.postOnly,
      },
    };
  }
  return { ok: false, problems: refusedFields({ price, amount, visible }) };
}

const FIELDS = ['price', 'visible', 'amount'] as const;

/**
 * Returns the refusal under the form field that it names, or under `amount` if the refusal names no field of the form.
 */
function problemAt(problem: Refusal): Problems {
  return refusalAt(problem, FIELDS, 'amount');
}
