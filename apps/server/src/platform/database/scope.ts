import { type RawBuilder, sql, type SqlBool } from 'kysely';

/** Which rows are compared: a condition on the column that names the owner or the account. */
export type Scope = (column: string) => RawBuilder<SqlBool>;

export const everything: Scope = () => sql`true`;

export function ownersIn(owners: readonly string[]): Scope {
  return (column) => sql`${sql.ref(column)} = any(${owners}::uuid[])`;
}

/** Owners behind `after` up to and including `last`; without a bound where it is undefined. */
export function ownersBetween(after: string | undefined, last: string | undefined): Scope {
  return (column) => {
    const behind = after === undefined ? sql`true` : sql`${sql.ref(column)} > ${after}::uuid`;
    const upTo = last === undefined ? sql`true` : sql`${sql.ref(column)} <= ${last}::uuid`;
    return sql`(${behind} and ${upTo})`;
  };
}

export function accountsIn(accounts: readonly number[]): Scope {
  return (column) => sql`${sql.ref(column)} = any(${accounts}::bigint[])`;
}

/** Accounts behind `after` up to and including `last`; to the end where it is undefined. */
export function accountsBetween(after: number, last: number | undefined): Scope {
  return (column) => {
    const upTo = last === undefined ? sql`true` : sql`${sql.ref(column)} <= ${last}::bigint`;
    return sql`(${sql.ref(column)} > ${after}::bigint and ${upTo})`;
  };
}
