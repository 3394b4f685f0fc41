import type { Decimal } from '@exchange/core/decimal.ts';
import type { FieldNeighbours } from '@exchange/wire/operation.ts';
import { worthNeighbours } from '../../platform/console/neighbours.ts';
import type { RoleCeiling } from './ceilings-domain.ts';
import { splitDebit } from './domain.ts';

/** Codes of the coins in which the console also shows a ceiling, beside its value in USDT. */
const CEILING_COINS = ['BTC', 'ETH'] as const;
const CEILING_PLACES = 4;
/** Prefix of the stored addresses of house accounts. */
const HOUSE = 'house:';

/** An amount that a house account pays or receives. */
interface HouseMovement {
  readonly account: string;
  readonly asset: string;
  readonly amount: Decimal;
  /** Current balance of the house account, in units of the coin. */
  readonly holds: Decimal;
}

/**
 * Returns the values that the console shows before a payment of a house account to the outside: its value in
 * USDT, and the balance of the account before and after the payment.
 */
export function paymentNeighbours(
  movement: HouseMovement,
  price: Decimal | undefined,
): readonly FieldNeighbours[] {
  const { asset, amount } = movement;
  return [
    ...worthNeighbours(asset, price, { amount }),
    { field: 'amount', ceiling: heldText(movement), cost: paidText(movement) },
  ];
}

/**
 * Returns the values that the console shows before an arrival is booked to a house account: its value in
 * USDT, and the balance of the account after the booking.
 */
export function assignmentNeighbours(
  { account, asset, amount, holds }: HouseMovement,
  price: Decimal | undefined,
): readonly FieldNeighbours[] {
  return [
    ...worthNeighbours(asset, price, { account: amount }),
    { field: 'account', cost: `nothing; ${account} then holds ${holds.plus(amount)} ${asset}` },
  ];
}

/**
 * Returns the values that the console shows beside the field `account` when an operator writes off a debt:
 * the balance of the paying account before and after the payment. If `owedTo` is a house account, no account
 * pays, and a note says so.
 */
export function writeOffNeighbours(movement: HouseMovement, owedTo: string): readonly FieldNeighbours[] {
  const { asset, amount } = movement;
  if (owedTo.startsWith(HOUSE))
    return [
      {
        field: 'account',
        cost: `${amount} ${asset}, which ${owedTo.slice(HOUSE.length)} does not get; no account pays`,
      },
    ];
  return [{ field: 'account', ceiling: heldText(movement), cost: paidText(movement) }];
}

/**
 * Returns the values that the console shows before a correction: its value in USDT; for a credit the balance
 * of the house account that pays; for a debit the highest amount that leaves no debt, and the debt that the
 * entered amount would leave.
 */
export function correctionNeighbours(
  movement: HouseMovement & { readonly isCredit: boolean; readonly available: Decimal },
  price: Decimal | undefined,
): readonly FieldNeighbours[] {
  const { isCredit, available, account, asset, amount, holds } = movement;
  const worth = worthNeighbours(asset, price, { amount });
  if (isCredit) return [...worth, { field: 'amount', ceiling: heldText(movement), cost: paidText(movement) }];
  const { owed } = splitDebit(available, amount);
  const paid = amount.minus(owed);
  return [
    ...worth,
    {
      field: 'amount',
      ceiling: `${available} ${asset} without a debt`,
      cost: owed.isPositive() ? `nothing; the user then owes ${owed} ${asset}` : 'nothing',
    },
    { field: 'account', cost: `nothing; ${account} then holds ${holds.plus(paid)} ${asset}` },
  ];
}

/**
 * Returns the values that the console shows beside a role's ceiling in USDT: its value in BTC and in ETH, and
 * the ceilings of the other roles. For an operator with several roles, the highest ceiling applies.
 */
export function roleCeilingNeighbours(
  { role, most }: Pick<RoleCeiling, 'role' | 'most'>,
  ceilings: readonly RoleCeiling[],
  priceOf: (asset: string) => Decimal | undefined,
): readonly FieldNeighbours[] {
  const others = ceilings.filter((ceiling) => ceiling.role !== role);
  const coins = CEILING_COINS.flatMap((asset) => {
    const price = priceOf(asset);
    return most === undefined || price === undefined || !price.isPositive()
      ? []
      : [`${most.over(price, 'down', CEILING_PLACES)} ${asset}`];
  });
  return [
    {
      field: 'most',
      market: coins.length === 0 ? undefined : coins.join(' or '),
      ceiling: others.map((other) => `${limitText(other.most)} for ${other.role}`).join(', '),
    },
  ];
}

function limitText(most: Decimal | undefined): string {
  return most === undefined ? 'no ceiling' : `${most} USDT`;
}

function heldText({ account, asset, holds }: HouseMovement): string {
  return `${holds} ${asset}, which ${account} holds`;
}

function paidText({ account, asset, amount, holds }: HouseMovement): string {
  return `${amount} ${asset}; ${account} then holds ${holds.minus(amount)} ${asset}`;
}
