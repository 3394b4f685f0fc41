import type pg from 'pg';
import type { Account } from './account.ts';
import type { CallKind, IntendedRequest } from './repeatable-calls.ts';
import { isAccepted } from './wave-answers.ts';
import type { Answers } from './wave-sender.ts';

/** A wave of requests that was sent, with the responses and the accounts that sent it. */
export interface SentWave {
  readonly requests: readonly IntendedRequest[];
  readonly answers: Answers;
  readonly accounts: readonly Account[];
}

interface StoredOrder {
  readonly id: string;
  readonly owner: string;
  readonly client_id: string;
  readonly status: string;
  /** Reason why the stored order has ended, e.g. `user` if its owner has cancelled it. */
  readonly reason: string;
}

/** Stored orders by the id of the request that placed them. An OCO request has two. */
type Orders = ReadonlyMap<string, readonly StoredOrder[]>;

const ORDERS_OF_ONE: Readonly<Partial<Record<CallKind, number>>> = { limit: 1, market: 1, stop: 1, oco: 2 };

/** Describes the requests of a wave whose stored effects are not those of exactly one execution. */
export async function effectProblems(client: pg.Client, sent: SentWave): Promise<string[]> {
  const orders = await ordersOf(client, sent);
  return [
    ...orderProblems(sent, orders),
    ...cancelAllProblems(sent, orders),
    ...(await amendmentProblems(client, sent, orders)),
    ...(await alertProblems(client, sent)),
    ...(await claimProblems(client, sent)),
  ];
}

async function ordersOf(client: pg.Client, { requests, accounts }: SentWave): Promise<Orders> {
  const { rows } = await client.query<StoredOrder>(
    `select id, owner, client_id, status, reason from spot_order
     where owner = any($1::uuid[]) and client_id = any($2)`,
    [accounts.map(({ id }) => id), requests.map(({ key }) => key)],
  );
  return grouped(rows, ({ client_id }) => client_id);
}

/**
 * Returns a description of each request that placed orders other than exactly those of one execution, or for
 * another account than its sender's, and of each cancellation or amendment whose response contradicts the
 * status of its order.
 */
function orderProblems({ requests, answers, accounts }: SentWave, orders: Orders): string[] {
  return requests.flatMap((intent) => {
    const { kind, key, owner, target } = intent;
    if (kind === 'cancel' || kind === 'amendment') {
      const states = (orders.get(target!.key) ?? []).map(({ status }) => status).join();
      return isConsistent(intent, isAccepted(intent, answers), states)
        ? []
        : [`${kind} ${key} left ${states}`];
    }
    const expectedCount = ORDERS_OF_ONE[kind];
    if (expectedCount === undefined) return [];
    const createdOrders = orders.get(key) ?? [];
    const problems =
      createdOrders.length === expectedCount ? [] : [`${kind} ${key} made ${createdOrders.length} orders`];
    if (createdOrders.some((order) => order.owner !== accounts[owner]!.id))
      problems.push(`${key} is somebody else's`);
    return problems;
  });
}

/** Returns whether an order's status agrees with the responses to its cancellation or amendment. */
function isConsistent({ kind }: IntendedRequest, isDone: boolean, status: string): boolean {
  if (kind === 'cancel') return isDone ? status === 'cancelled' : status !== 'open';
  return isDone || status !== 'open';
}

/**
 * Checks for each account that the number of orders that cancel-all requests ended equals the sum of the
 * numbers in their responses, counting each request id once. A late copy of a request must not end orders
 * that were placed after its first copy. Returns a description of each account for which this is not so.
 */
function cancelAllProblems({ requests, answers, accounts }: SentWave, orders: Orders): string[] {
  return accounts.flatMap(({ id }, owner) => {
    const ownIntents = requests.filter((intent) => intent.owner === owner);
    const reportedCount = ownIntents
      .filter(({ kind }) => kind === 'cancelAll')
      .reduce((sum, intent) => sum + cancelledBy(answers.get(intent)?.[0]?.data), 0);
    const endedCount = ownIntents
      .filter(({ kind, fields }) => endsByCancelAll(kind, fields))
      .reduce((sum, { key }) => sum + cancelledOf(orders.get(key) ?? []), 0);
    return reportedCount === endedCount
      ? []
      : [`${id}: cancel-alls have told of ${reportedCount} orders and ended ${endedCount}`];
  });
}

/** Counts the request's orders that their owner cancelled. If the owner cancels one leg of an OCO, both legs count. */
function cancelledOf(made: readonly StoredOrder[]): number {
  return made.some(({ reason }) => reason === 'user') ? made.length : 0;
}

function cancelledBy(data: unknown): number {
  return (data as { count: number } | undefined)?.count ?? 0;
}

function endsByCancelAll(kind: CallKind, { baseCoin }: IntendedRequest['fields']): boolean {
  return kind === 'stop' || kind === 'oco' || (kind === 'limit' && baseCoin === 'ETH');
}

/**
 * Returns a description of each order whose stored amendments are not exactly the accepted ones, each stored
 * once.
 */
async function amendmentProblems(client: pg.Client, sent: SentWave, orders: Orders): Promise<string[]> {
  const { requests, answers } = sent;
  const ids = new Map([...orders].map(([key, made]) => [key, made[0]!.id]));
  const { rows } = await client.query<{ order_id: string; price: string }>(
    `select order_id, trim_scale(price)::text as price from spot_amendment where order_id = any($1::uuid[])`,
    [[...ids.values()]],
  );
  const stored = grouped(rows, ({ order_id }) => order_id);
  const accepted = requests.filter((intent) => intent.kind === 'amendment' && isAccepted(intent, answers));
  const acceptedByOrder = grouped(accepted, ({ target }) => ids.get(target!.key) ?? '');
  return [...ids.values()].flatMap((id) => {
    const storedPrices = (stored.get(id) ?? []).map(({ price }) => Number(price)).toSorted((a, b) => a - b);
    const acceptedPrices = (acceptedByOrder.get(id) ?? [])
      .map(({ fields }) => Number(fields['price']))
      .toSorted((a, b) => a - b);
    return storedPrices.join() === acceptedPrices.join()
      ? []
      : [`order ${id} was amended to ${storedPrices.join()}, told ${acceptedPrices.join()}`];
  });
}

/**
 * Returns a description of each request for an alert that did not create exactly one alert, or whose alert
 * has not ended although the same wave removes it.
 */
async function alertProblems(client: pg.Client, { requests }: SentWave): Promise<string[]> {
  const alerts = requests.filter(({ kind }) => kind === 'alert');
  const { rows } = await client.query<{ key: string; made: bigint; watching: bigint }>(
    `select request_key as key, count(*) as made, count(*) filter (where ended_at is null) as watching
     from price_alert where request_key = any($1) group by request_key`,
    [alerts.map(({ key }) => key)],
  );
  const stored = new Map(rows.map((row) => [row.key, row]));
  return alerts.flatMap(({ key }) => {
    const { made, watching } = stored.get(key) ?? { made: 0n, watching: 0n };
    return made === 1n && watching === 0n ? [] : [`alert ${key} was set ${made} times, ${watching} watch`];
  });
}

/** Returns a description of each account that did not receive demo funds exactly once. */
async function claimProblems(client: pg.Client, { accounts }: SentWave): Promise<string[]> {
  const { rows } = await client.query<{ owner: string; times: bigint }>(
    `select a.owner, count(*) as times from ledger_entry e
     join ledger_account a on a.id = any(e.destinations) and a.asset = 'USDT'
     where e.kind = 'faucet.claimed' and a.owner = any($1::uuid[]) group by a.owner`,
    [accounts.map(({ id }) => id)],
  );
  const times = new Map(rows.map((row) => [row.owner, row.times]));
  return accounts.flatMap(({ id }) =>
    times.get(id) === 1n ? [] : [`${id} has got play money ${times.get(id) ?? 0n} times`],
  );
}

function grouped<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = nameOf(item);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return groups;
}
