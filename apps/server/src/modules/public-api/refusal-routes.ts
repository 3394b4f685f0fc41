import { Refused, type Refusal, type RefusalKey } from '@exchange/core/refusal.ts';
import { apiErrors, type ApiError } from '@exchange/wire/public-api/errors.ts';
import { fillWords } from '@exchange/core/locale.ts';
import { REFUSAL_WORDS } from '@exchange/wire/words/refusals.ts';

/** Code of the API error of a rejected order. Refusals that `ERRORS` does not contain have it too. */
const REJECTED = -2010;

const disabled = () => apiErrors.rejected('This action is disabled on this account.');
const closed = () => apiErrors.rejected('Market is closed.');
const filter = (name: string) => () => apiErrors.filterFailure(name);

/**
 * Binance-compatible API errors for refusals of the exchange. Other refusals have the error −2010 with
 * the exchange's own sentence.
 */
const ERRORS: ReadonlyMap<RefusalKey, () => ApiError> = new Map<RefusalKey, () => ApiError>([
  ['l.price_decimals', filter('PRICE_FILTER')],
  ['l.field_positive', filter('PRICE_FILTER')],
  ['l.price_band_low', filter('PERCENT_PRICE_BY_SIDE')],
  ['l.price_band_high', filter('PERCENT_PRICE_BY_SIDE')],
  ['l.amount_decimals', filter('LOT_SIZE')],
  ['l.amount_min', filter('LOT_SIZE')],
  ['l.amount_max', filter('LOT_SIZE')],
  ['l.total_min', filter('NOTIONAL')],
  ['l.open_orders_max', filter('MAX_NUM_ORDERS')],
  ['l.stop_orders_max', filter('MAX_NUM_ALGO_ORDERS')],
  [
    'l.insufficient_balance',
    () => apiErrors.rejected('Account has insufficient balance for requested action.'),
  ],
  ['l.duplicate_key', () => apiErrors.rejected('Duplicate order sent.')],
  ['l.post_only_crosses', () => apiErrors.rejected('Order would immediately match and take.')],
  ['l.stop_price_side', () => apiErrors.rejected('Order would trigger immediately.')],
  ['l.oco_prices', () => apiErrors.rejected('The relationship of the prices for the orders is not correct.')],
  ['l.pair_closed', closed],
  ['l.pair_cancel_only', closed],
  ['l.asset_halted', closed],
  ['l.purchase_not_permitted', disabled],
  ['l.account_frozen', disabled],
  ['l.verification_required', disabled],
  ['l.order_not_open', apiErrors.unknownOrderSent],
  ['l.cancel_restricted', apiErrors.cancelRestricted],
  ['l.amend_type', () => apiErrors.amendRefused('Order amend is not supported for this order.')],
  ['l.amend_not_less', () => apiErrors.amendRefused('Order amend (quantity increase) is not supported.')],
  ['l.amend_nothing', () => apiErrors.amendRefused('The requested action would change no state; rejecting.')],
  [
    'l.amend_filled',
    () => apiErrors.amendRefused('The new quantity must be greater than the executed quantity.'),
  ],
  ['l.not_found', apiErrors.unknownOrderSent],
  ['l.maintenance', apiErrors.unavailable],
  ['l.busy', apiErrors.unavailable],
  ['l.outcome_unknown', apiErrors.unavailable],
  ['l.outcome_to_check', apiErrors.unavailable],
]);

/** The API errors in `ERRORS`, each of which belongs to one kind of refusal. */
export const REFUSAL_ERRORS: readonly ApiError[] = [...ERRORS.values()].map((make) => make());

/**
 * The API error for a refusal of the exchange: the one in `ERRORS`, or else a general rejection with the
 * refusal's text as its message.
 */
export function errorOfRefusal(refusal: Refusal): ApiError {
  const make = ERRORS.get(refusal.key);
  return make === undefined ? apiErrors.rejected(sentenceOf(refusal)) : make();
}

/**
 * The API error of a wallet call for a refusal. "Unavailable" is kept; every other error gets the code of refused
 * wallet calls, with its message only if the code was −2010, and otherwise with the exchange's own sentence, because
 * messages of the other codes can be about orders.
 */
export function walletErrorOf(refusal: Refusal): ApiError {
  const error = errorOfRefusal(refusal);
  if (error.code === apiErrors.unavailable().code) return error;
  return apiErrors.walletRefused(error.code === REJECTED ? error.message : sentenceOf(refusal));
}

/** The exchange's English sentence for a refusal. */
function sentenceOf({ key, parameters }: Refusal): string {
  return fillWords(REFUSAL_WORDS['en-US'][key], parameters, 'en-US');
}

/** Runs `work` and converts the refusals that it throws to API errors. */
export async function withApiErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof Refused ? errorOfRefusal(cause.refusal) : cause;
  }
}
