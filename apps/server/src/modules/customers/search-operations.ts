import { isUuid, type UserId } from '@exchange/core/ids.ts';
import * as described from '@exchange/wire/console/users.ts';
import { serveList, type Operation } from '../../platform/console/operation.ts';
import type { CustomerParts } from './parts.ts';

const QUERY_MAX = 254;
/** Maximum number of hits shown per kind. */
const HITS_SHOWN = 10;

interface Hit {
  readonly kind: string;
  readonly label: string;
  /** Path of the hit in the console. */
  readonly to: string;
}

/** One search for users, orders, transfers and products. Each source is queried by an index. */
export function searchOperation(parts: CustomerParts): Operation {
  return serveList(described.search, async ({ fields }) => {
    const query = (fields.query ?? '').trim().slice(0, QUERY_MAX);
    if (query === '') return { list: [] };
    const hits = await Promise.all([users(parts, query), byId(parts, query), products(parts, query)]);
    return { list: hits.flat() };
  });
}

async function users({ identity }: CustomerParts, query: string): Promise<Hit[]> {
  const { list, total } = await identity.desk.find(query);
  const hits = list.map(({ id, email, uid }) => ({
    kind: 'user',
    label: `${email} · ${uid}`,
    to: `users/${id}`,
  }));
  return firstHits(hits, total, { kind: 'user', to: `users?query=${encodeURIComponent(query)}` });
}

/** The first hits of a kind. If there are more, the last entry shows their number and links to the full list. */
function firstHits(hits: readonly Hit[], total: number, list: Pick<Hit, 'kind' | 'to'>): Hit[] {
  const visible = hits.slice(0, HITS_SHOWN);
  const hidden = total - visible.length;
  return hidden > 0 ? [...visible, { ...list, label: `${hidden} more` }] : visible;
}

async function byId(parts: CustomerParts, query: string): Promise<Hit[]> {
  const id = query.toLowerCase();
  if (!isUuid(id)) return [];
  const [withdrawal, deposit, order] = await Promise.all([
    parts.withdrawals.find(id),
    parts.deposits.find(id),
    parts.orders.ownerOf(id),
  ]);
  const hit = (kind: string, owner: UserId | undefined, label: string): Hit[] =>
    owner === undefined ? [] : [{ kind, label, to: `users/${owner}` }];
  return [
    ...hit(
      'withdrawal',
      withdrawal?.owner,
      `${withdrawal?.amount} ${withdrawal?.asset}, ${withdrawal?.status}`,
    ),
    ...hit('deposit', deposit?.owner, `${deposit?.amount} ${deposit?.asset}, ${deposit?.status}`),
    ...hit('order', order?.owner, `${order?.symbol}, ${order?.status}`),
    { kind: 'audit', label: `what operators did about ${id}`, to: `audit?subject=${id}` },
  ];
}

async function products({ products: loadProducts }: CustomerParts, query: string): Promise<Hit[]> {
  const needle = query.toLowerCase();
  const catalogue = await loadProducts();
  const hits = catalogue
    .filter(({ code, name }) => `${code} ${name}`.toLowerCase().includes(needle))
    .map(({ area, code, name }) => ({ kind: 'product', label: `${name} · ${code}`, to: area }));
  return firstHits(hits, hits.length, { kind: 'product', to: hits[HITS_SHOWN]?.to ?? '' });
}
