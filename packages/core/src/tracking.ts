import { Decimal } from './decimal.ts';

/** Kinds of transfers that users look for: a deposit, a deposit that a user reported by hand, and a withdrawal. */
export const TRANSFER_KINDS = ['deposit', 'report', 'withdrawal'] as const;
export type TransferKind = (typeof TRANSFER_KINDS)[number];

/**
 * Stages of a transfer, as its owner sees them. `paused`: the deposit is confirmed, but not credited while deposits of
 * its coin or on its network are paused. `gone`: the network reversed the deposit. `addressWait`: the withdrawal waits
 * until 24 hours have passed since its address was first saved or used. `sendingPaused`: the exchange currently sends
 * no withdrawals of its coin or on its network. `refused`: the network does not accept the withdrawal, and the exchange
 * tries again. `byHand`: operators pay the withdrawal from another wallet. `returning`: the withdrawal's amount is
 * being returned.
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
 * The party for which a transfer waits: its network, the exchange's programs (`system`), the exchange's payments team,
 * or its owner. Users see the team, not the name of an employee.
 */
export const TRANSFER_HANDLERS = ['network', 'system', 'payments', 'owner'] as const;
export type TransferHandler = (typeof TRANSFER_HANDLERS)[number];

/** Maximum number of transfers that one search returns. */
export const TRACKED_MAX = 20;

/**
 * A range of amounts of any coin, in units of the coin with decimals: from `least`, included, to `below`,
 * excluded.
 */
export interface AmountRange {
  readonly least: Decimal;
  readonly below: Decimal;
}

/**
 * Matches a number with commas as thousands separators, each followed by exactly three digits. In any other number a
 * single comma is read as a decimal point.
 */
const GROUPED = /^\d{1,3}(,\d{3})+(\.\d+)?$/;

/**
 * Returns the range of amounts that a search for an entered number finds: all amounts that equal the number when they
 * are truncated to its number of decimals. `12.5` finds 12.5 and 12.5731. Returns undefined for a text that is no
 * positive number.
 */
export function typedAmounts(typed: string): AmountRange | undefined {
  const text = GROUPED.test(typed) ? typed.replaceAll(',', '') : typed.replace(/^(\d+),(\d+)$/, '$1.$2');
  const least = /^\d{1,30}(\.\d{1,18})?$/.test(text) ? Decimal.tryParse(text) : undefined;
  if (least === undefined || !least.isPositive()) return undefined;
  const places = text.split('.')[1]?.length ?? 0;
  return { least, below: least.plus(Decimal.ofScaled(1n, places)) };
}
