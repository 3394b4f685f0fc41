import type { Decimal } from '@exchange/core/decimal.ts';
import type { FeeRates } from '@exchange/core/fee.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode, PairStatus, Side } from '@exchange/core/pair.ts';
import type { OcoRequest } from '@exchange/core/spot-oco.ts';
import type { OtoRequest } from '@exchange/core/spot-oto.ts';
import type { ExitsRequest, OrderRequest } from '@exchange/core/spot.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { SelfTrade } from '../../matching/index.ts';

/** Values that a trading step receives from outside: the index price and the value of the quote coin. */
export interface ExternalInputs {
  readonly reference: Decimal | undefined;
  readonly quoteValue: Decimal | undefined;
}

/** Values fixed when an order is placed, besides the request. */
export interface PlacementContext extends ExternalInputs {
  readonly owner: UserId;
  readonly symbol: string;
  readonly selfTrade: SelfTrade;
  readonly rates: FeeRates;
  readonly clientId: string;
}

export interface PlaceCommand extends PlacementContext {
  readonly kind: 'place';
  readonly request: OrderRequest;
}

export interface OcoCommand extends PlacementContext {
  readonly kind: 'oco';
  readonly side: Side;
  readonly amount: Decimal;
  readonly limitPrice: Decimal;
  readonly stopPrice: Decimal;
  readonly stopLimitPrice: Decimal | undefined;
}

/** Exactly one of `pending` and `pendingOco` is set. */
export interface OtoCommand extends PlacementContext, OtoRequest {
  readonly kind: 'oto';
  readonly pendingOco: (OcoRequest & Pick<OcoCommand, 'stopLimitPrice'>) | undefined;
}

export interface AmendCommand extends ExternalInputs {
  readonly kind: 'amend';
  readonly owner: UserId;
  readonly order: string;
  readonly price: Decimal | undefined;
  readonly amount: Decimal | undefined;
  readonly stopPrice: Decimal | undefined;
  /**
   * New take-profit and stop-loss prices; absent prices stay, and a price of zero removes the exit.
   */
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

/** Command that executes the triggered stop order that has waited longest for its execution; does nothing when there is none. */
export interface TriggerCommand {
  readonly kind: 'trigger';
  readonly reference: Decimal | undefined;
  readonly quoteValue: Decimal | undefined;
}

/**
 * Command that places the take-profit and stop-loss owed for the oldest entry; does nothing when
 * none are owed.
 */
export interface ExitsCommand {
  readonly kind: 'exits';
  readonly reference: Decimal | undefined;
  readonly quoteValue: Decimal | undefined;
}

/**
 * Command that places the pending orders of the OTO that has waited for longest; does nothing when
 * none waits.
 */
export interface ReleaseCommand {
  readonly kind: 'release';
  readonly reference: Decimal | undefined;
  readonly quoteValue: Decimal | undefined;
}

export interface StatusCommand {
  readonly kind: 'status';
  readonly symbol: string;
  readonly status: PairStatus;
}

/**
 * The commands given to both the real and the reference exchange. Orders are named by labels derived from the
 * command that placed them (see `labelOf`), so a command sequence from which commands were removed still
 * refers to the same orders.
 */
export type Action =
  | PlaceCommand
  | OcoCommand
  | OtoCommand
  | AmendCommand
  | CancelCommand
  | CancelAllCommand
  | TriggerCommand
  | ExitsCommand
  | ReleaseCommand
  | StatusCommand
  | { readonly kind: 'expire' }
  | { readonly kind: 'restart' };

/** A command with its sequence number and time in the random command sequence. */
export interface ModelCommand {
  /** Also the sequence number of the step: increasing, with gaps where the command sequence was shortened. */
  readonly sequence: number;
  readonly now: Instant;
  readonly action: Action;
}

/**
 * The label of the order placed by the command with this sequence number; for a list, of the given order
 * other than the working one.
 */
export function labelOf(sequence: number, leg: '' | 'limit' | 'stop' | 'pending' = ''): string {
  return leg === '' ? `#${sequence}` : `#${sequence} ${leg}`;
}
