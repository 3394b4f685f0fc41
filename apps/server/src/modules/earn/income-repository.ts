import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { TextByLocale } from '@exchange/core/locale.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql, type RawBuilder } from 'kysely';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { WorkQueue } from '../../platform/database/work-queue.ts';

/**
 * Kinds of products whose daily income the digest reports; each has tables with the suffixes `_notice`, `_order` and
 * `_product`.
 */
const INCOME_PRODUCTS = ['finance', 'mining'] as const;

const NO_ID = '00000000-0000-0000-0000-000000000000';

/** The income of an owner from one product since the owner's last digest. */
export interface ProductIncome {
  readonly owner: UserId;
  /** The product's current name, in every language. */
  readonly name: TextByLocale;
  readonly asset: string;
  /**
   * Total of the owner's income since the last digest from all of the owner's orders of the product, in units
   * of the product's coin.
   */
  readonly amount: Decimal;
}

/** All income of an owner that one digest reports; empty if the notices of the income were deleted already. */
export interface OwnerIncome {
  readonly owner: UserId;
  readonly incomes: readonly ProductIncome[];
}

/**
 * Work queue of the owners who have income from before `cutOff` (a daily digest's time, 00:30 UTC) and no digest of
 * this or a later cut-off; its key is the owner. Processing an owner stores the cut-off of the digest and deletes the
 * income notices.
 */
export function digestQueue(cutOff: Instant): WorkQueue<OwnerIncome> {
  return {
    waiting: async (reader, after = NO_ID, limit) => {
      const waiting = INCOME_PRODUCTS.map((product) => waitingOwners(product, cutOff, after, limit));
      const { rows } = await sql<{ owner: UserId }>`
        select distinct owner from (${sql.join(waiting, sql` union all `)}) as waiting order by owner limit ${limit}
      `.execute(reader);
      return rows.map(({ owner }) => owner);
    },
    dequeue: async (tx, keys) => {
      const { rows } = await sql<{ owner: UserId }>`
        insert into income_digest as digest (owner, until)
          select owner, ${cutOff}::bigint from unnest(${keys}::uuid[]) as next(owner) order by owner
        on conflict (owner) do update set until = excluded.until where digest.until < excluded.until
        returning owner
      `.execute(tx);
      if (rows.length === 0) return [];
      const incomes = await consumeIncome(
        tx,
        rows.map(({ owner }) => owner),
        cutOff,
      );
      return rows.map(({ owner }) => ({
        owner,
        incomes: incomes.filter((income) => income.owner === owner),
      }));
    },
  };
}

function waitingOwners(product: string, cutOff: Instant, after: string, limit: number): RawBuilder<unknown> {
  return sql`(
    select distinct owner from ${sql.table(`${product}_notice`)} as notice
      where kind = 'income' and owner > ${after}::uuid and at < ${cutOff}::bigint and ${isUnreported(cutOff)}
      order by owner limit ${limit}
  )`;
}

function isUnreported(cutOff: Instant): RawBuilder<unknown> {
  return sql`not exists (
    select from income_digest as had where had.owner = notice.owner and had.until >= ${cutOff}::bigint
  )`;
}

/**
 * The time of the oldest income from before `cutOff` whose owner has got no digest of this or a later cut-off;
 * undefined if there is none.
 */
export async function oldestUnreported(reader: Reader, cutOff: Instant): Promise<Instant | undefined> {
  const waiting = INCOME_PRODUCTS.map(
    (product) => sql`(
      select at from ${sql.table(`${product}_notice`)} as notice
        where kind = 'income' and at < ${cutOff}::bigint and ${isUnreported(cutOff)} order by at limit 1
    )`,
  );
  const { rows } = await sql<{ at: bigint | null }>`
    select min(at) as at from (${sql.join(waiting, sql` union all `)}) as waiting
  `.execute(reader);
  const at = rows[0]?.at ?? null;
  return at === null ? undefined : instant(wholeNumber(at));
}

/**
 * Deletes the notices of the owners' income from before `cutOff`, and returns the totals per owner and product, finance
 * before mining, each sorted by product code.
 */
async function consumeIncome(tx: Tx, owners: readonly UserId[], cutOff: Instant): Promise<ProductIncome[]> {
  const incomes: ProductIncome[] = [];
  for (const product of INCOME_PRODUCTS) {
    const { rows } = await sql<{ owner: UserId; name: TextByLocale; asset: string; amount: string }>`
      with consumed as (
        delete from ${sql.table(`${product}_notice`)}
          where kind = 'income' and owner = any(${owners}::uuid[]) and at < ${cutOff}::bigint
          returning owner, order_id, amount
      )
      select consumed.owner, product.name, product.asset, trim_scale(sum(consumed.amount))::text as amount
        from consumed
        join ${sql.table(`${product}_order`)} as placed on placed.id = consumed.order_id
        join ${sql.table(`${product}_product`)} as product on product.id = placed.product
        group by consumed.owner, product.id order by product.code
    `.execute(tx);
    incomes.push(...rows.map((row) => ({ ...row, amount: Decimal.parse(row.amount) })));
  }
  return incomes;
}
