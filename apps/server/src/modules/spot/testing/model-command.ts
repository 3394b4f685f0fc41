import type { Decimal } from '@exchange/core/decimal.ts';
import type { FeeRates } from '@exchange/core/fee.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode, PairStatus, Side } from '@exchange/core/pair.ts';
import type { ExitsRequest, OrderRequest } from '@exchange/core/spot.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { SelfTrade } from '../../matching/index.ts';

/** What a step that may trade knows from outside: the index of the moment and what the quote coin is worth. */
export interface Outside {
  readonly reference: Decimal | undefined;
  readonly quoteValue: Decimal | undefined;
}

/** What is fixed for an order when it is placed, besides the request itself. */
export interface Entering extends Outside {
  readonly owner: UserId;
  readonly symbol: string;
  readonly selfTrade: SelfTrade;
  readonly rates: FeeRates;
  readonly clientId: string;
}

export interface PlaceCommand extends Entering {
  readonly kind: 'place';
  readonly request: OrderRequest;
}

export interface OcoCommand extends Entering {
  readonly kind: 'oco';
  readonly side: Side;
  readonly amount: Decimal;
  readonly limitPrice: Decimal;
  readonly stopPrice: Decimal;
  readonly stopLimitPrice: Decimal | undefined;
}

export interface AmendCommand extends Outside {
  readonly kind: 'amend';
  readonly owner: UserId;
  readonly order: string;
  readonly price: Decimal | undefined;
  readonly amount: Decimal | undefined;
  readonly stopPrice: Decimal | undefined;
  /** What is absent stays; a price of zero takes away. */
  readonly exits: ExitsRequest | undefined;
}

export interface CancelCommand {
  readonly kind: 'cancel';
  readonly owner: UserId;
  readonly order: string;
}

export interface CancelAllCommand {
  readonly kind: 'cancelAll';
  readonly owner: UserId;
  readonly base: AssetCode | undefined;
  readonly quote: AssetCode | undefined;
  readonly side: Side | undefined;
}

/** Executes the order that has been due for longest; nothing when none is. */
export interface TriggerCommand {
  readonly kind: 'trigger';
  readonly reference: Decimal | undefined;
  readonly quoteValue: Decimal | undefined;
}

/** Places the exits that are owed for the oldest entry; nothing when none are. */
export interface ExitsCommand {
  readonly kind: 'exits';
  readonly reference: Decimal | undefined;
  readonly quoteValue: Decimal | undefined;
}

export interface StatusCommand {
  readonly kind: 'status';
  readonly symbol: string;
  readonly status: PairStatus;
}

/**
 * What both exchanges are told. An order is named by a label that follows from the command that placed it
 * (see `labelOf`), so that a story with commands left out still speaks of the same orders.
 */
export type Deed =
  | PlaceCommand
  | OcoCommand
  | AmendCommand
  | CancelCommand
  | CancelAllCommand
  | TriggerCommand
  | ExitsCommand
  | StatusCommand
  | { readonly kind: 'expire' }
  | { readonly kind: 'restart' };

/** A deed at its place and time in the story. */
export interface ModelCommand {
  /** Also the number of the step: grows from command to command, with gaps where a story was shortened. */
  readonly sequence: number;
  readonly now: Instant;
  readonly deed: Deed;
}

/** The label of the order that the command with this number placed: of an OCO the named leg. */
export function labelOf(sequence: number, leg: '' | 'limit' | 'stop' = ''): string {
  return leg === '' ? `#${sequence}` : `#${sequence} ${leg}`;
}
