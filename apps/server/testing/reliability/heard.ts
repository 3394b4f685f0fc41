/** What the server has told a trader, and what is therefore true for ever. */
export interface Published {
  /** Order ids by the request id they were asked for with; two for an OCO. */
  readonly placed: Map<string, readonly string[]>;
  /** Request ids that were refused: no order of theirs may exist. */
  readonly refused: Set<string>;
  /** Orders that are no longer open: their cancel was acknowledged, or refused because they had ended. */
  readonly ended: Set<string>;
  /** How many amendments of an order were acknowledged. */
  readonly amended: Map<string, number>;
}

/** What somebody had been told at one moment. */
export interface Heard {
  readonly owner: string;
  readonly told: Published;
}

export interface CheckOptions {
  /** Nobody trades any more: what was heard is all there is. */
  readonly isFinal: boolean;
}

/** What traders have been told so far; they go on while it is compared with the database. */
export function heardSoFar(traders: readonly { account: { id: string }; told: Published }[]): Heard[] {
  return traders.map(({ account, told }) => ({
    owner: account.id,
    told: {
      placed: new Map(told.placed),
      refused: new Set(told.refused),
      ended: new Set(told.ended),
      amended: new Map(told.amended),
    },
  }));
}
