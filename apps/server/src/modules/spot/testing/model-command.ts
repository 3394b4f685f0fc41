import type { Decimal } from '@exchange/core/decimal.ts';
import type { FeeRates } from '@exchange/core/fee.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode, PairStatus, Side } from '@exchange/core/pair.ts';
import type { OcoRequest } from '@exchange/core/spot-oco.ts';
import type { OtoRequest } from '@exchange/core/spot-oto.ts';
import type { ExitsRequest, OrderRequest } from '@exchange/core/spot.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { SelfTrade } from '../../matching/index.ts';

/** Values that a trading command receives from outside: the index price and the value of the quote coin in USDT. */
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

/** Command that places an OTO or OTOCO: exactly one of `pending` and `pendingOco` is set. */
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
   * New take-profit and stop-loss prices. An absent price does not change, and a price of zero removes the exit.
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

/** Command that executes the due stop order that has been due longest; does nothing if no stop is due. */
export interface TriggerCommand {
  readonly kind: 'trigger';
  readonly reference: Decimal | undefined;
  readonly quoteValue: Decimal | undefined;
}

/**
 * Command that places the take-profit and stop-loss orders of the entry order with the lowest rank among the
 * ended ones for which they are still to be placed; does nothing if there is none.
 */
export interface ExitsCommand {
  readonly kind: 'exits';
  readonly reference: Decimal | undefined;
  readonly quoteValue: Decimal | undefined;
}

/**
 * Command that places the pending orders of the OTO with the lowest rank among those whose working order is
 * filled; does nothing if there is none.
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
 * The commands that both the real and the reference exchange execute. They refer to orders by labels, which are
 * derived from the number of the placing command (see `labelOf`). So a command sequence from which commands were
 * removed still refers to the same orders.
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
  /**
   * The command's number in the random sequence and the sequence number of its step. It increases, with gaps where
   * commands were removed.
   */
  readonly sequence: number;
  readonly now: Instant;
  readonly action: Action;
}

/**
 * The label of the order that the command with a sequence number placed. For an order list, `leg` names the
 * order; the working order has the empty `leg`.
 */
export function labelOf(sequence: number, leg: '' | 'limit' | 'stop' | 'pending' = ''): string {
  return leg === '' ? `#${sequence}` : `#${sequence} ${leg}`;
}
