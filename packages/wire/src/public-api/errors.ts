/**
 * An error of the public trading API. Clients compare its code and, for some codes, its exact message with
 * known ones. `ERROR_CATALOGUE` lists all errors.
 */
export class ApiError extends Error {
  /** Code of the error in the trading API, a negative number. */
  readonly code: number;
  /** HTTP status of the response with the error. */
  readonly status: number;
  /**
   * Content of the field `data` in the response, for a request of which a part may have succeeded; undefined for other
   * errors.
   */
  readonly data: unknown;

  constructor(code: number, message: string, status = 400, data?: unknown) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = data;
  }

  /** The error as the JSON object in the response. */
  get body(): { readonly code: number; readonly msg: string; readonly data?: unknown } {
    const { code, message: msg, data } = this;
    return data === undefined ? { code, msg } : { code, msg, data };
  }
}

export const apiErrors = {
  unknown: () => new ApiError(-1000, 'An unknown error occurred while processing the request.', 500),
  tooMuchWeight: (perMinute: number) =>
    new ApiError(
      -1003,
      `Too much request weight used; current limit is ${perMinute} request weight per 1 MINUTE. ` +
        'Please use the websocket for live updates to avoid polling the API.',
      429,
    ),
  illegalCharacters: (name: string, range: string) =>
    new ApiError(-1100, `Illegal characters found in parameter '${name}'; legal range is '${range}'.`),
  duplicate: () => new ApiError(-1101, 'Duplicate values for a parameter detected.'),
  missing: (name: string) =>
    new ApiError(-1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`),
  invalidInterval: () => new ApiError(-1120, 'Invalid interval.'),
  invalidSymbol: () => new ApiError(-1121, 'Invalid symbol.'),
  invalidCombination: () => new ApiError(-1128, 'Combination of optional parameters invalid.'),
  invalidData: (name: string) => new ApiError(-1130, `Data sent for parameter '${name}' is not valid.`),
  timestampAhead: () =>
    new ApiError(-1021, "Timestamp for this request was 1000ms ahead of the server's time."),
  timestampOld: () => new ApiError(-1021, 'Timestamp for this request is outside of the recvWindow.'),
  invalidSignature: () => new ApiError(-1022, 'Signature for this request is not valid.'),
  tooMuchPrecision: (name: string) => new ApiError(-1111, `Parameter '${name}' has too much precision.`),
  filterFailure: (filter: string) => new ApiError(-1013, `Filter failure: ${filter}`),
  tooManyOrders: (limit: string) =>
    new ApiError(-1015, `Too many new orders; current limit is ${limit}.`, 429),
  invalidTimeInForce: () => new ApiError(-1115, 'Invalid timeInForce.'),
  invalidOrderType: () => new ApiError(-1116, 'Invalid orderType.'),
  invalidSide: () => new ApiError(-1117, 'Invalid side.'),
  recvWindowTooLong: () => new ApiError(-1131, 'recvWindow must be less than 60000.'),
  notSent: (name: string) => new ApiError(-1106, `Parameter '${name}' sent when not required.`),
  rejected: (message: string) => new ApiError(-2010, message),
  unknownOrderSent: () => new ApiError(-2011, 'Unknown order sent.'),
  cancelRestricted: () => new ApiError(-2011, 'Order was not canceled due to cancel restrictions.'),
  replacedInPart: (data: unknown) => new ApiError(-2021, 'Order cancel-replace partially failed.', 409, data),
  notReplaced: (data: unknown) => new ApiError(-2022, 'Order cancel-replace failed.', 400, data),
  amendRefused: (message: string) => new ApiError(-2038, message),
  noSuchOrder: () => new ApiError(-2013, 'Order does not exist.'),
  noSuchList: () => new ApiError(-2013, 'Order list does not exist.'),
  keyFormat: () => new ApiError(-2014, 'API-key format invalid.', 401),
  keyRefused: () => new ApiError(-2015, 'Invalid API-key, IP, or permissions for action.', 401),
  unavailable: () =>
    new ApiError(
      -1007,
      'Timeout waiting for response from backend server. Send status unknown; execution status unknown.',
      504,
    ),
  unknownListenKey: () => new ApiError(-1125, 'This listenKey does not exist.'),
  unknownSocketMethod: () => new ApiError(-1000, 'Method is not supported.', 404),
  malformedRequest: (problem: string) => new ApiError(-1130, `Malformed request: ${problem}.`),
  notLoggedOn: () => new ApiError(-2015, 'The connection is not logged on.', 401),
  unknownSubscription: () => new ApiError(-1130, "Data sent for parameter 'subscriptionId' is not valid."),
  tooManyInProgress: () => new ApiError(-1003, 'Too many requests of this connection are in progress.', 429),
  unknownCoin: () => new ApiError(-4018, 'This coin is not listed.'),
  unknownNetwork: () => new ApiError(-4019, 'This coin is not transferred on this network.'),
  unknownSubAccount: () => new ApiError(-4020, 'No sub-account has this name.'),
  tooManyTransfers: () => new ApiError(-1003, 'Too many transfers of this account; wait a second.', 429),
  withdrawalTooEarly: (from: string) => new ApiError(-4021, `This key may withdraw from ${from} on.`),
  tooManyWithdrawals: () => new ApiError(-1003, 'Too many withdrawal requests of this account.', 429),
  walletRefused: (message: string) => new ApiError(-4001, message),
  unknownPath: () => new ApiError(-1000, 'Path not found.', 404),
  unknownMethod: () => new ApiError(-1000, 'Request method is not supported for this path.', 405),
} as const;
