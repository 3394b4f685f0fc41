import type { UserId } from '@exchange/core/ids.ts';
import type pg from 'pg';

const ROW_EVERY_MS = 60;

/** A period of stored test rows: `count` rows, one every 60 ms, the last at `to`. */
export interface StoredPeriod {
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

/** The SQL expression of a row's id: a time-ordered UUID like those that commands generate. */
const ID = `(lpad(to_hex(at), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid`;
const SERIES = `select n, $2::bigint + n * ${ROW_EVERY_MS} as at from generate_series($3::bigint, $4::bigint) n`;
/** Maximum number of rows per statement; statements of a pool time out after ten seconds. */
const ROWS_PER_STATEMENT = 50_000;

const INSERT = `
  insert into spot_order (
     id, owner, symbol, side, type, time_in_force, post_only, self_trade, price, amount, total,
     filled_amount, filled_total, fee, held, held_asset, status, reason,
     maker_rate, taker_rate, client_id, rank, created_at, updated_at)
   select ${ID}, $1::uuid, (array['btcusdt', 'ethusdt'])[1 + n % 2], (array['buy', 'sell'])[1 + n / 2 % 2],
     (array['limit', 'market'])[1 + n / 4 % 2], 'GTC', false, 'cancelTaker', 50000.1, 0.00000001 * n, null,
     case when n % 3 = 0 then 0 else 0.00000001 * n end, 0, 0, 0, 'USDT',
     case when n % 3 = 0 then 'cancelled' else 'filled' end, case when n % 3 = 0 then 'user' else '' end,
     0.001, 0.001, 'stored-' || n, n, at, at
   from (${SERIES}) stored
`;

/** Stores ended orders of the owner with alternating pairs, sides, types and states. */
export async function storeOrders(
  pool: pg.Pool,
  owner: UserId,
  { count, to }: { count: number; to: number },
): Promise<StoredPeriod> {
  const start = to - count * ROW_EVERY_MS;
  for (let first = 1; first <= count; first += ROWS_PER_STATEMENT) {
    await pool.query(INSERT, [owner, start, first, Math.min(first + ROWS_PER_STATEMENT - 1, count)]);
  }
  // In production autovacuum updates the planner's statistics; the test updates them itself.
  await pool.query('analyze spot_order');
  return { count, from: start + ROW_EVERY_MS, to };
}
