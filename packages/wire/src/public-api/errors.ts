/**
 * Errors of the public trading API. Clients match on codes and, for some codes, on the exact texts.
 * Requirements PAPI-003 and PAPI-004 list them.
 */
export class ApiError extends Error {
  /** Negative code of the dialect. */
  readonly code: number;
  /** HTTP status of the answer. */
  readonly status: number;

  constructor(code: number, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
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
  unknownPath: () => new ApiError(-1000, 'Path not found.', 404),
  unknownMethod: () => new ApiError(-1000, 'Request method is not supported for this path.', 405),
} as const;
