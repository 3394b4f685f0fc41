import { Decimal } from '@exchange/core/decimal.ts';

/** Roles that propose or approve operations on the exchange's money. */
export const CEILING_ROLES = ['finance', 'approver', 'owner'] as const;
export type CeilingRole = (typeof CEILING_ROLES)[number];

/** The highest value in USDT of a single operation that an operator with this role may propose or approve. */
export interface RoleCeiling {
  readonly role: CeilingRole;
  /** How often operators have changed the ceiling; 0 for the initial ceiling. */
  readonly version: number;
  /** The ceiling in USDT; undefined if the role may decide about any value. */
  readonly most: Decimal | undefined;
}

/** Ceilings of roles in USDT that apply until operators set others. */
const INITIAL_CEILINGS: ReadonlyMap<CeilingRole, Decimal | undefined> = new Map([
  ['finance', Decimal.ofWhole(100_000)],
  ['approver', Decimal.ofWhole(1_000_000)],
  ['owner', undefined],
]);

/** Returns the ceiling of every role: the one that operators set, or the initial one. */
export function ceilingsWith(stored: readonly RoleCeiling[]): RoleCeiling[] {
  const byRole = new Map(stored.map((ceiling) => [ceiling.role, ceiling]));
  return CEILING_ROLES.map(
    (role) => byRole.get(role) ?? { role, version: 0, most: INITIAL_CEILINGS.get(role) },
  );
}

/**
 * Returns the ceiling of an operator in USDT: the highest of the ceilings of the operator's roles. Undefined
 * if one of these roles may decide about any value, and zero if none of them is one of `CEILING_ROLES`.
 */
export function ceilingOfRoles(
  roles: readonly string[],
  ceilings: readonly RoleCeiling[],
): Decimal | undefined {
  let highest = Decimal.zero;
  for (const { role, most } of ceilings) {
    if (!roles.includes(role)) continue;
    if (most === undefined) return undefined;
    if (most.isMore(highest)) highest = most;
  }
  return highest;
}
