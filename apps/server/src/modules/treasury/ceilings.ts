import type { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { instant } from '@exchange/core/time.ts';
import type { Role } from '@exchange/wire/operation.ts';
import type { Clock } from '../../platform/clock.ts';
import type { CeilingCheck } from '../../platform/console/operation.ts';
import type { Database } from '../../platform/database/database.ts';
import type { StoredVersion, VersionsBelow } from '../../platform/database/kept-versions.ts';
import type { Market } from '../market/index.ts';
import {
  CEILING_ROLES,
  ceilingOfRoles,
  ceilingsWith,
  type CeilingRole,
  type RoleCeiling,
} from './ceilings-domain.ts';
import { ceilingVersions, saveCeiling, storedCeilings } from './ceilings-repository.ts';

const VALUE_PLACES = 2;

export interface CeilingParts {
  readonly clock: Clock;
  readonly database: Pick<Database, 'store' | 'reader' | 'transaction'>;
  readonly market: Pick<Market, 'usdtPrice'>;
}

/**
 * Use cases of the ceilings of operators' roles. A ceiling limits the value in USDT of a single operation on
 * the exchange's money.
 */
export class Ceilings {
  private readonly parts: CeilingParts;

  constructor(parts: CeilingParts) {
    this.parts = parts;
  }

  /** Returns the current ceiling of every role: the one that operators set, or the initial one. */
  async list(): Promise<RoleCeiling[]> {
    return ceilingsWith(await storedCeilings(this.parts.database.store));
  }

  /** Returns the ceiling of a role by the role's name. Refuses unknown names. */
  async requireRole(name: string): Promise<RoleCeiling> {
    const role = roleNamed(name);
    return (await this.list()).find((ceiling) => ceiling.role === role)!;
  }

  /**
   * Returns the current value of an amount in USDT, rounded up to cents, and the highest ceiling of an
   * operator's roles (`ceilingOfRoles`). `value` is undefined for an asset without a price, and `most` if one
   * of the roles may decide about any value.
   */
  async check(
    roles: readonly Role[],
    { asset, amount }: { readonly asset: string; readonly amount: Decimal },
  ): Promise<CeilingCheck> {
    const price = this.parts.market.usdtPrice(asset);
    return {
      asset,
      value: price === undefined ? undefined : amount.times(price, 'up', VALUE_PLACES),
      most: ceilingOfRoles(roles, await this.list()),
    };
  }

  /** Sets the ceiling of a role, in USDT; undefined removes the ceiling. Returns the number of the new version. */
  async set(
    { role, most }: Omit<RoleCeiling, 'version'>,
    author: { readonly by: string; readonly reason: string },
  ): Promise<{ version: number }> {
    const { clock, database } = this.parts;
    const at = instant(clock.now());
    const version = await database.transaction((tx) =>
      saveCeiling(tx, { role, most }, { by: author.by, reason: author.reason, at }),
    );
    return { version };
  }

  versions(name: string, range: VersionsBelow): Promise<StoredVersion[]> {
    return ceilingVersions(this.parts.database.reader, roleNamed(name), range);
  }
}

function roleNamed(name: string): CeilingRole {
  const role = CEILING_ROLES.find((known) => known === name);
  if (role === undefined) throw new Refused(refusal('generic', 'l.not_found'));
  return role;
}
