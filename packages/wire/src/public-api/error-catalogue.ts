import { WEIGHT_PER_MINUTE } from './calls.ts';
import { apiErrors, type ApiError } from './errors.ts';

/** An error of the public trading API with the texts that documents contain about it. */
export interface DescribedError {
  /** An example of the error; the variable parts of its message are in angle brackets. */
  readonly error: ApiError;
  readonly when: string;
  /** What a program should do when it gets the error. */
  readonly remedy: string;
}

const PARAMETER = '<parameter>';
const FIX_REQUEST = 'Correct the request; sending it again unchanged fails again.';
const READ_ORDER = 'Nothing was changed. Read the order or the open orders before you decide.';

/**
 * Descriptions of all errors of the trading API, by the name of the function that creates the error. The type requires
 * a description for each.
 */
const ERRORS_BY_NAME: Readonly<Record<keyof typeof apiErrors, DescribedError>> = {
  unknown: {
    error: apiErrors.unknown(),
    when: 'The server failed.',
    remedy: 'Send reads again later. Query an order before you place it again.',
  },
  unavailable: {
    error: apiErrors.unavailable(),
    when: 'The exchange is in maintenance or did not answer in time. An order may have been placed.',
    remedy: 'Query the order by its client id, or send the same signed request again: it is executed once.',
  },
  unknownPath: {
    error: apiErrors.unknownPath(),
    when: 'No call has this path.',
    remedy: 'Compare the path with this page.',
  },
  unknownMethod: {
    error: apiErrors.unknownMethod(),
    when: 'The path is known, but not with this HTTP method.',
    remedy: 'Compare the method with this page.',
  },
  unknownSocketMethod: {
    error: apiErrors.unknownSocketMethod(),
    when: 'The WebSocket API has no such method.',
    remedy: 'Compare the name with this page.',
  },
  tooMuchWeight: {
    error: apiErrors.tooMuchWeight(WEIGHT_PER_MINUTE),
    when: 'Your address has used more request weight than is available. Programs that continue are answered with 418.',
    remedy: 'Wait for the seconds in `Retry-After`. Read streams instead of polling.',
  },
  tooManyInProgress: {
    error: apiErrors.tooManyInProgress(),
    when: 'A connection of the WebSocket API has too many unanswered requests or subscriptions.',
    remedy: 'Wait for answers, or open another connection.',
  },
  filterFailure: {
    error: apiErrors.filterFailure('<filter>'),
    when: 'An order breaks a rule of its pair: PRICE_FILTER, PERCENT_PRICE_BY_SIDE, LOT_SIZE, NOTIONAL, MAX_NUM_ORDERS, MAX_NUM_ALGO_ORDERS or ICEBERG_PARTS.',
    remedy: 'Round prices and amounts to the steps in `exchangeInfo` and stay within its bounds.',
  },
  tooManyOrders: {
    error: apiErrors.tooManyOrders('<limit>'),
    when: 'The account has placed too many orders within the interval. Cancellations are not limited.',
    remedy: 'Wait for the end of the interval.',
  },
  timestampOld: {
    error: apiErrors.timestampOld(),
    when: 'The request arrived later than `recvWindow` milliseconds after its `timestamp`.',
    remedy: 'Set your clock by `/api/v3/time`, or send a greater `recvWindow`.',
  },
  timestampAhead: {
    error: apiErrors.timestampAhead(),
    when: 'The `timestamp` is a second or more in the future.',
    remedy: 'Set your clock by `/api/v3/time`.',
  },
  invalidSignature: {
    error: apiErrors.invalidSignature(),
    when: 'The signature does not belong to the query and body, or was made with another secret.',
    remedy: 'Sign exactly the bytes that you send, without the parameter `signature`, and append it last.',
  },
  illegalCharacters: {
    error: apiErrors.illegalCharacters(PARAMETER, '<range>'),
    when: 'A value is malformed, such as a pair in small letters or a number with an exponent.',
    remedy: FIX_REQUEST,
  },
  duplicate: {
    error: apiErrors.duplicate(),
    when: 'A parameter was sent twice, also once in the query and once in the body.',
    remedy: FIX_REQUEST,
  },
  missing: {
    error: apiErrors.missing(PARAMETER),
    when: 'A parameter is missing or empty that the call, or the order’s type, demands.',
    remedy: FIX_REQUEST,
  },
  notSent: {
    error: apiErrors.notSent(PARAMETER),
    when: 'A parameter does not belong to the order’s type, such as a price of a market order.',
    remedy: FIX_REQUEST,
  },
  tooMuchPrecision: {
    error: apiErrors.tooMuchPrecision(PARAMETER),
    when: 'A number has more decimals than any coin.',
    remedy: FIX_REQUEST,
  },
  invalidTimeInForce: {
    error: apiErrors.invalidTimeInForce(),
    when: '`timeInForce` is not GTC, IOC or FOK.',
    remedy: FIX_REQUEST,
  },
  invalidOrderType: {
    error: apiErrors.invalidOrderType(),
    when: '`type` is not offered.',
    remedy: '`exchangeInfo` lists the types of each pair.',
  },
  invalidSide: {
    error: apiErrors.invalidSide(),
    when: '`side` is not BUY or SELL.',
    remedy: FIX_REQUEST,
  },
  invalidInterval: {
    error: apiErrors.invalidInterval(),
    when: 'Candles of this interval are not offered.',
    remedy: 'Use an interval that the call lists.',
  },
  invalidSymbol: {
    error: apiErrors.invalidSymbol(),
    when: 'No pair has this name.',
    remedy: '`exchangeInfo` lists the pairs.',
  },
  cancelRestricted: {
    error: apiErrors.cancelRestricted(),
    when: 'The order is not in the state that `cancelRestrictions` demands.',
    remedy: READ_ORDER,
  },
  replacedInPart: {
    error: apiErrors.replacedInPart(undefined),
    when: 'Of a cancellation and its new order, one was executed and the other refused.',
    remedy: '`data` has the result and the answer of each part.',
  },
  notReplaced: {
    error: apiErrors.notReplaced(undefined),
    when: 'The cancellation was refused and no new order was placed.',
    remedy: '`data` has the answer of each part. Nothing was changed.',
  },
  amendRefused: {
    error: apiErrors.amendRefused('<sentence>'),
    when: 'The new quantity is not lower, or the order is a stop that waits or part of a list.',
    remedy: READ_ORDER,
  },
  noSuchList: {
    error: apiErrors.noSuchList(),
    when: 'The account has no order list with this id or name.',
    remedy: 'Read the open lists.',
  },
  unknownListenKey: {
    error: apiErrors.unknownListenKey(),
    when: 'The listen key has expired or never existed.',
    remedy: 'Create a new one.',
  },
  invalidCombination: {
    error: apiErrors.invalidCombination(),
    when: 'Parameters exclude each other, such as `symbol` and `symbols`.',
    remedy: FIX_REQUEST,
  },
  invalidData: {
    error: apiErrors.invalidData(PARAMETER),
    when: 'A value is out of range or not one of the listed words.',
    remedy: FIX_REQUEST,
  },
  unknownSubscription: {
    error: apiErrors.unknownSubscription(),
    when: 'The connection has no such subscription.',
    remedy: '`session.subscriptions` lists them.',
  },
  malformedRequest: {
    error: apiErrors.malformedRequest('<problem>'),
    when: 'A message to the WebSocket API is no request.',
    remedy: FIX_REQUEST,
  },
  recvWindowTooLong: {
    error: apiErrors.recvWindowTooLong(),
    when: '`recvWindow` exceeds a minute.',
    remedy: FIX_REQUEST,
  },
  rejected: {
    error: apiErrors.rejected('<sentence>'),
    when: 'The exchange refuses an order or cancellation for the reason that the sentence states.',
    remedy: 'Nothing was changed. Show the sentence to a person.',
  },
  unknownOrderSent: {
    error: apiErrors.unknownOrderSent(),
    when: 'A cancellation names no open order of the account, or no order is open on the pair.',
    remedy: 'The order has ended or never existed: query it.',
  },
  noSuchOrder: {
    error: apiErrors.noSuchOrder(),
    when: 'The account has no order with this id or name on the pair.',
    remedy: 'Query by `orderId`; ended orders are found by name only among the newest thousand.',
  },
  keyFormat: {
    error: apiErrors.keyFormat(),
    when: 'The header `X-MBX-APIKEY` is missing or is no key.',
    remedy: 'Send the 64 characters of your key.',
  },
  keyRefused: {
    error: apiErrors.keyRefused(),
    when: 'The key is unknown, revoked or expired, may not make this call, or is limited to other addresses.',
    remedy: 'Check the key in Security, under API keys.',
  },
  notLoggedOn: {
    error: apiErrors.notLoggedOn(),
    when: 'A method needs a connection that is logged on.',
    remedy: 'Send `session.logon` first.',
  },
  walletRefused: {
    error: apiErrors.walletRefused('<sentence>'),
    when: 'The wallet refuses the request for the reason that the sentence states, such as a closed network.',
    remedy: 'Show the sentence to a person.',
  },
  unknownCoin: {
    error: apiErrors.unknownCoin(),
    when: 'No coin has this name.',
    remedy: '`/sapi/v1/capital/config/getall` lists the coins.',
  },
  unknownSubAccount: {
    error: apiErrors.unknownSubAccount(),
    when: 'The account has no sub-account with this `email`.',
    remedy: '`/sapi/v1/sub-account/list` lists the names.',
  },
  tooManyTransfers: {
    error: apiErrors.tooManyTransfers(),
    when: 'The account has sent more than two transfers a second.',
    remedy: 'Wait for the seconds of `Retry-After`, then repeat.',
  },
  tooManyWithdrawals: {
    error: apiErrors.tooManyWithdrawals(),
    when: 'The account has sent more than one request for a withdrawal in ten seconds.',
    remedy: 'Wait for the seconds of `Retry-After`, then repeat.',
  },
  withdrawalTooEarly: {
    error: apiErrors.withdrawalTooEarly('2026-07-01T00:00:00.000Z'),
    when: 'The key was created less than 24 hours ago.',
    remedy: 'Repeat the request from that time on.',
  },
  unknownNetwork: {
    error: apiErrors.unknownNetwork(),
    when: 'The coin is not transferred on the named network, or on any.',
    remedy: '`/sapi/v1/capital/config/getall` lists the networks of each coin.',
  },
};

/**
 * Errors for refused orders and amendments. Several of them have the same code, so client libraries distinguish them by
 * their exact messages.
 */
const REJECTIONS: readonly DescribedError[] = [
  {
    error: apiErrors.rejected('Account has insufficient balance for requested action.'),
    when: 'The free balance does not cover the order.',
    remedy: 'Nothing was changed. Place a smaller order or cancel others.',
  },
  {
    error: apiErrors.rejected('Duplicate order sent.'),
    when: 'An open order of the account has the same client id.',
    remedy: READ_ORDER,
  },
  {
    error: apiErrors.rejected('Order would immediately match and take.'),
    when: 'A LIMIT_MAKER order would trade at once.',
    remedy: 'Nothing was placed. Use a price further from the other side.',
  },
  {
    error: apiErrors.rejected('Order would trigger immediately.'),
    when: 'The last price has reached the stop price already.',
    remedy: 'Nothing was placed. Use another stop price or a market order.',
  },
  {
    error: apiErrors.rejected('The relationship of the prices for the orders is not correct.'),
    when: 'Of two orders that cancel one another, the limit or the stop is on the wrong side of the last price.',
    remedy: 'Nothing was placed. Use one price above the last price and one below it.',
  },
  {
    error: apiErrors.amendRefused('Order amend is not supported for this order.'),
    when: 'The order is a stop that waits or part of a list.',
    remedy: 'Nothing was changed. Cancel it and place another one.',
  },
  {
    error: apiErrors.amendRefused('Order amend (quantity increase) is not supported.'),
    when: 'The new quantity is greater than the present one.',
    remedy: 'Nothing was changed. Place another order for the difference.',
  },
  {
    error: apiErrors.amendRefused('The requested action would change no state; rejecting.'),
    when: 'The new quantity is the present one.',
    remedy: 'Nothing was changed and nothing needs to be.',
  },
  {
    error: apiErrors.amendRefused('The new quantity must be greater than the executed quantity.'),
    when: 'As much as the new quantity is filled already.',
    remedy: 'Nothing was changed. Cancel the order to end it.',
  },
  {
    error: apiErrors.rejected('Market is closed.'),
    when: 'Orders on the pair or its coins are halted; cancellations may still be possible.',
    remedy: 'Wait until `exchangeInfo` says TRADING.',
  },
  {
    error: apiErrors.rejected('This action is disabled on this account.'),
    when: 'The account is frozen, may not buy, or has to be verified first.',
    remedy: 'Log in with a browser and read the messages.',
  },
];

/** All errors of the trading API, sorted by code in descending order, as client documentation lists them. */
export const ERROR_CATALOGUE: readonly DescribedError[] = [
  ...Object.values(ERRORS_BY_NAME),
  ...REJECTIONS,
].toSorted((left, right) => right.error.code - left.error.code);
