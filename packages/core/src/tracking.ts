import { Decimal } from './decimal.ts';

/** Kinds of transfers that users look for: a deposit, a deposit that they reported by hand, a withdrawal. */
export const TRANSFER_KINDS = ['deposit', 'report', 'withdrawal'] as const;
export type TransferKind = (typeof TRANSFER_KINDS)[number];

/**
 * Stage of a transfer, as its owner sees it. `paused`: confirmed, but not credited while its coin or the deposits
 * of its network are paused; `gone`: its network reversed it; `addressWait`: 24 hours must pass since its
 * address was first saved or used; `sendingPaused`: withdrawals of its coin or on its network are not sent
 * at the moment; `refused`: its network does not accept it, and it is attempted again; `byHand`: operators
 * pay it from another wallet; `returning`: its amount is being returned.
 */
export const TRANSFER_STAGES = [
  'confirming',
  'crediting',
  'paused',
  'belowMinimum',
  'gone',
  'reviewing',
  'addressWait',
  'sending',
  'sendingPaused',
  'refused',
  'byHand',
  'returning',
  'completed',
  'rejected',
  'failed',
  'cancelled',
  'returned',
] as const;
export type TransferStage = (typeof TRANSFER_STAGES)[number];

/**
 * The party that a transfer waits for: its network, the exchange's programs, its payments team, or its owner.
 * No employee is named.
 */
export const TRANSFER_HANDLERS = ['network', 'system', 'payments', 'owner'] as const;
export type TransferHandler = (typeof TRANSFER_HANDLERS)[number];

/** Greatest number of transfers that one search returns. */
export const TRACKED_MAX = 20;

/** A range of amounts: at least `least` and less than `below`. */
export interface AmountRange {
  readonly least: Decimal;
  readonly below: Decimal;
}

/**
 * Matches a number with commas as thousands separators: exactly three digits follow each comma. A single
 * comma elsewhere is read as a decimal point.
 */
const GROUPED = /^\d{1,3}(,\d{3})+(\.\d+)?$/;

/**
 * The amounts that a typed number can mean: itself and those that begin with its digits, so that `12.5` finds 12.5 and
 * 12.5731. Undefined for texts that are no positive number.
 */
export function typedAmounts(typed: string): AmountRange | undefined {
  const text = GROUPED.test(typed) ? typed.replaceAll(',', '') : typed.replace(/^(\d+),(\d+)$/, '$1.$2');
  const least = /^\d{1,30}(\.\d{1,18})?$/.test(text) ? Decimal.tryParse(text) : undefined;
  if (least === undefined || !least.isPositive()) return undefined;
  const places = text.split('.')[1]?.length ?? 0;
  return { least, below: least.plus(Decimal.ofScaled(1n, places)) };
}
