import type { UserId } from '@exchange/core/ids.ts';
import type pg from 'pg';

const EVERY_MS = 60;

/** What was stored: `count` rows, one every 60 ms, the last at `to`. */
export interface StoredPeriod {
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

/** The n-th id of a row made at a time: a time-ordered UUID like those of steps. */
const ID = `(lpad(to_hex(at), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid`;
const SERIES = `select n, $2::bigint + n * ${EVERY_MS} as at from generate_series($3::bigint, $4::bigint) n`;
/** A statement of a pool has ten seconds, however busy the machine is. */
const AT_ONCE = 50_000;

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

/** Stores orders that are long over, as if the owner had placed them: pairs, sides, types and states take turns. */
export async function storeOrders(
  pool: pg.Pool,
  owner: UserId,
  { count, to }: { count: number; to: number },
): Promise<StoredPeriod> {
  const beginning = to - count * EVERY_MS;
  for (let first = 1; first <= count; first += AT_ONCE) {
    await pool.query(INSERT, [owner, beginning, first, Math.min(first + AT_ONCE - 1, count)]);
  }
  // Usually done in the background, which a test does not wait for.
  await pool.query('analyze spot_order');
  return { count, from: beginning + EVERY_MS, to };
}
