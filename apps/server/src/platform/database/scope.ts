import { type RawBuilder, sql, type SqlBool } from 'kysely';

/**
 * Builds an SQL condition on a column with owners or accounts. It selects the rows that an audit compares,
 * e.g. those of some owners.
 */
export type Scope = (column: string) => RawBuilder<SqlBool>;

export const everything: Scope = () => sql`true`;

export function ownersIn(owners: readonly string[]): Scope {
  return (column) => sql`${sql.ref(column)} = any(${owners}::uuid[])`;
}

/**
 * Returns the condition that selects owners whose ids are greater than `after` and at most `last`. An
 * undefined bound means no limit on that side.
 */
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
 * Returns the condition that selects accounts whose ids are greater than `after` and at most `last`. An
 * undefined `last` means no upper bound.
 */
export function accountsBetween(after: number, last: number | undefined): Scope {
  return (column) => {
    const isUpToLast = last === undefined ? sql`true` : sql`${sql.ref(column)} <= ${last}::bigint`;
    return sql`(${sql.ref(column)} > ${after}::bigint and ${isUpToLast})`;
  };
}
