import type pg from 'pg';
import type { CheckOptions, TraderFacts } from './acknowledged-facts.ts';

interface StoredOrder {
  readonly id: string;
  readonly owner: string;
  readonly client_id: string;
  readonly status: string;
  readonly group_id: string | null;
  /**
   * Number of stored steps that amended the order. For an OCO leg it also counts amendments of the other leg, because
   * both legs share the amount.
   */
  readonly amendments: bigint;
}

interface WaitingStop {
  readonly id: string;
  readonly direction: string;
  readonly stop_price: string;
}

/**
 * Milliseconds after the trigger within which the server must execute a stop order; the check reports an order that
 * waits longer.
 */
const DUE_TIMEOUT_MS = 5_000;

/**
 * Describes stored orders that contradict the results which the server acknowledged to a user, or that are inconsistent
 * in themselves.
 */
export async function orderProblems(
  pool: pg.Pool,
  heard: readonly TraderFacts[],
  { isFinal }: CheckOptions,
): Promise<string[]> {
  const owners = heard.map(({ owner }) => owner);
  const { rows } = await pool.query<StoredOrder>(
    `select o.id, o.owner, o.client_id, o.status, t.group_id,
       (select count(distinct a.sequence) from spot_amendment a
        where a.order_id = o.id
          or a.order_id in (select g.order_id from spot_order_terms g where g.group_id = t.group_id)) as amendments
     from spot_order o left join spot_order_terms t on t.order_id = o.id where o.owner = any($1::uuid[])`,
    [owners],
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  const byRequest = new Map<string, StoredOrder[]>();
  for (const row of rows) {
    if (row.client_id === '') continue;
    const request = `${row.owner} ${row.client_id}`;
    byRequest.set(request, [...(byRequest.get(request) ?? []), row]);
  }
  return [
    ...[...byRequest].flatMap(([request, orders]) => doubleProblems(request, orders)),
    ...heard.flatMap((each) => acknowledgementProblems(each, stored, byRequest, isFinal)),
    ...(await fillProblems(pool)),
    ...(await stopProblems(pool)),
  ];
}

/** Describes a placing request whose stored orders are neither a single order nor the two legs of one OCO. */
function doubleProblems(request: string, orders: readonly StoredOrder[]): string[] {
  const isOco =
    orders.length === 2 && orders[0]!.group_id !== null && orders[0]!.group_id === orders[1]!.group_id;
  return orders.length === 1 || isOco ? [] : [`request ${request} made ${orders.length} orders`];
}

function acknowledgementProblems(
  { owner, facts }: TraderFacts,
  stored: ReadonlyMap<string, StoredOrder>,
  byRequest: ReadonlyMap<string, readonly StoredOrder[]>,
  isFinal: boolean,
): string[] {
  const problems: string[] = [];
  for (const [clientId, ids] of facts.placed)
    for (const id of ids)
      if (stored.get(id)?.owner !== owner)
        problems.push(`order ${id} of ${clientId} was acknowledged, is not stored`);
  for (const clientId of facts.refused)
    if (byRequest.has(`${owner} ${clientId}`)) problems.push(`request ${clientId} was refused and is stored`);
  for (const id of facts.ended)
    if (stored.get(id)?.status === 'open') problems.push(`order ${id} was said to have ended and is open`);
  const legsOf = new Map<string, string[]>();
  for (const { id, group_id: group } of stored.values())
    if (group !== null) legsOf.set(group, [...(legsOf.get(group) ?? []), id]);
  for (const row of stored.values()) {
    if (row.owner !== owner) continue;
    const legs = (row.group_id === null ? undefined : legsOf.get(row.group_id)) ?? [row.id];
    const acknowledged = legs.reduce((sum, id) => sum + (facts.amended.get(id) ?? 0), 0);
    // While users trade, the database may contain more amendments than the copied acknowledged results.
    const differs = isFinal ? row.amendments !== BigInt(acknowledged) : row.amendments < BigInt(acknowledged);
    if (differs)
      problems.push(`order ${row.id}: ${acknowledged} amendments acknowledged, ${row.amendments} stored`);
  }
  return problems;
}

/** Describes up to 20 stored orders whose filled amount differs from the sum of their trades. */
async function fillProblems(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string; filled: string; traded: string }>(
    `select o.id, o.filled_amount::text as filled, coalesce(sum(f.amount), 0)::text as traded
     from spot_order o
     left join (
       select taker_order as id, amount from spot_trade union all select maker_order, amount from spot_trade
     ) f on f.id = o.id
     group by o.id, o.filled_amount having o.filled_amount <> coalesce(sum(f.amount), 0) limit 20`,
  );
  return rows.map(({ id, filled, traded }) => `order ${id} has filled ${filled}, its trades say ${traded}`);
}

/**
 * Describes up to 20 stop orders, except trailing ones, that are still waiting although a trade at their stop
 * price has happened since they were placed. Also describes up to 20 stop orders that are due for longer than
 * `DUE_TIMEOUT_MS`.
 */
async function stopProblems(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<WaitingStop>(
    `select o.id, t.direction, t.stop_price::text
     from spot_order o join spot_order_terms t on t.order_id = o.id
     where o.status = 'open' and t.stop_status = 'waiting' and t.trail is null and exists (
       select 1 from spot_trade d where d.symbol = o.symbol and d.sequence > t.trade_sequence
       and (case t.direction when 'gte' then d.price >= t.stop_price else d.price <= t.stop_price end)
     ) limit 20`,
  );
  const due = await pool.query<{ id: string }>(
    `select o.id from spot_order o join spot_order_terms t on t.order_id = o.id
     where o.status = 'open' and t.stop_status = 'due' and t.triggered_at < $1 limit 20`,
    [String(Date.now() - DUE_TIMEOUT_MS)],
  );
  return [...due.rows.map(({ id }) => `order ${id} is due and is not executed`), ...rows.map(waitingProblem)];
}

function waitingProblem({ id, direction, stop_price }: WaitingStop): string {
  return `order ${id} waits for ${direction} ${stop_price}, which was traded`;
}
