import { type RawBuilder, sql, type SqlBool } from 'kysely';

/**
 * Builds an SQL condition on the column with the owner or account that selects the rows to compare.
 */
export type Scope = (column: string) => RawBuilder<SqlBool>;

export const everything: Scope = () => sql`true`;

export function ownersIn(owners: readonly string[]): Scope {
  return (column) => sql`${sql.ref(column)} = any(${owners}::uuid[])`;
}

/** SQL condition: owners after `after`, up to and including `last`; undefined means no bound. */
export function ownersBetween(after: string | undefined, last: string | undefined): Scope {
  return (column) => {
    const isAfter = after === undefined ? sql`true` : sql`${sql.ref(column)} > ${after}::uuid`;
    const isUpToLast = last === undefined ? sql`true` : sql`${sql.ref(column)} <= ${last}::uuid`;
    return sql`(${isAfter} and ${isUpToLast})`;
  };
}

export function accountsIn(accounts: readonly number[]): Scope {
  return (column) => sql`${sql.ref(column)} = any(${accounts}::bigint[])`;
}

/**
 * SQL condition: accounts after `after`, up to and including `last`; undefined means no upper
 * bound.
 */
export function accountsBetween(after: number, last: number | undefined): Scope {
  return (column) => {
    const isUpToLast = last === undefined ? sql`true` : sql`${sql.ref(column)} <= ${last}::bigint`;
    return sql`(${sql.ref(column)} > ${after}::bigint and ${isUpToLast})`;
  };
}
