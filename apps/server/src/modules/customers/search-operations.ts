import { isUuid, type UserId } from '@exchange/core/ids.ts';
import { OPERATIONS } from '@exchange/wire/console/catalogue.ts';
import { auditLog } from '@exchange/wire/console/operators.ts';
import * as described from '@exchange/wire/console/users.ts';
import { permits } from '../../platform/console/gate.ts';
import { serveList, type Operation, type Operator } from '../../platform/console/operation.ts';
import {
  RECORD_READERS,
  recordQuery,
  RECORDS_FOUND_MAX,
  type FoundRecord,
  type RecordQuery,
  type RecordSource,
} from '../../platform/console/records.ts';
import type { CustomerParts } from './parts.ts';

interface Hit {
  readonly kind: string;
  readonly label: string;
  /** URL path in the console that opens the hit. */
  readonly to: string;
  /** Id of the account that the hit names, for the audit log; undefined for a hit without an account. */
  readonly user?: UserId | undefined;
}

interface Hits {
  readonly list: readonly Hit[];
  /**
   * True if the search text that found the hits may be confidential, such as a name or a document number. The
   * audit log then masks the text.
   */
  readonly isConfidential?: boolean;
}

/**
 * One search for users, records of all modules, and products. Users and records are found through database indexes. An
 * operator finds only what the operator's roles permit to open. The audit log stores the accounts that were found, and
 * the search text, masked if nothing was found or if it may be a name or a document number.
 */
export function searchOperation(parts: CustomerParts): Operation {
  return {
    ...serveList(described.search, async ({ fields, operator }) => {
      const query = recordQuery(fields.query ?? '');
      if (query === undefined) return { list: [] };
      const hits = await Promise.all([
        users(parts, query, operator),
        ...parts.records.map((source) => records(source, query, operator)),
        products(parts, query, operator),
      ]);
      const found = [...hits, decisions(query, operator)];
      return {
        list: found.flatMap(({ list }) => list),
        extra: {
          isConfidential: hits.some(({ isConfidential, list }) => isConfidential === true && list.length > 0),
        },
      };
    }),
    seen: ({ fields }, answer) => {
      const { found = [], isConfidential = true } = answer as {
        found?: readonly Hit[];
        isConfidential?: boolean;
      };
      const query = fields['query'] ?? '';
      const isNamed = found.length > 0 && !isConfidential;
      return {
        fields: { query: isNamed ? query : maskText(query) },
        result: JSON.stringify({ users: [...new Set(found.flatMap(({ user }) => user ?? []))] }),
      };
    },
  };
}

/**
 * Masks a text that may be confidential: the first two and the last two characters with `***` between them; only `***`
 * for a text of at most four characters.
 */
function maskText(text: string): string {
  return text.length <= VISIBLE * 2 ? '***' : `${text.slice(0, VISIBLE)}***${text.slice(-VISIBLE)}`;
}

const VISIBLE = 2;
const NOTHING: Hits = { list: [] };

async function users({ identity }: CustomerParts, { text }: RecordQuery, operator: Operator): Promise<Hits> {
  if (!permits(described.userProfile, operator)) return NOTHING;
  const { list, total } = await identity.desk.find(text);
  const hits = list.map(({ id, email, uid, nickname }) => ({
    kind: 'user',
    label: [email, uid, nickname].filter((part) => part !== '').join(' · '),
    to: `users/${id}`,
    user: id,
  }));
  const listed = firstHits(hits, total, { kind: 'user', to: `users?query=${encodeURIComponent(text)}` });
  return { list: listed };
}

/**
 * The first `RECORDS_FOUND_MAX` hits of a kind. If there are more hits, an additional last hit states how many more and
 * links to a list of them.
 */
function firstHits(hits: readonly Hit[], total: number, list: Pick<Hit, 'kind' | 'to'>): Hit[] {
  const visible = hits.slice(0, RECORDS_FOUND_MAX);
  const hidden = total - visible.length;
  return hidden > 0 ? [...visible, { ...list, label: `${hidden} more` }] : visible;
}

async function records(source: RecordSource, query: RecordQuery, operator: Operator): Promise<Hits> {
  const roles = source.roles ?? RECORD_READERS;
  if (source.find === undefined || !permits({ roles }, operator)) return NOTHING;
  const found = await source.find(query, RECORDS_FOUND_MAX + 1);
  const hits = found.slice(0, RECORDS_FOUND_MAX).map((record) => hitOf(source, record));
  const last = hits.at(-1);
  const list =
    found.length <= RECORDS_FOUND_MAX || last === undefined
      ? hits
      : [...hits, { kind: source.kind, label: 'further ones are not shown', to: last.to }];
  return { list, isConfidential: source.isConfidential === true };
}

/**
 * The search hit for a record. It links to the timeline of the record's account; if the record has no account, to the
 * support area of the console.
 */
function hitOf({ kind }: RecordSource, { id, owner, label }: FoundRecord): Hit {
  if (owner === undefined) return { kind, label, to: 'support' };
  const record = isUuid(id) ? `?record=${kind}.${id}` : '';
  return {
    kind,
    label,
    to: `users/${owner}${record}`,
    user: owner,
  };
}

async function products(
  { products: loadProducts }: CustomerParts,
  { lower }: RecordQuery,
  operator: Operator,
): Promise<Hits> {
  const catalogue = await loadProducts();
  const hits = catalogue
    .filter(
      ({ area, code, name }) => `${code} ${name}`.toLowerCase().includes(lower) && mayOpen(area, operator),
    )
    .map(({ area, code, name }) => ({ kind: 'product', label: `${name} · ${code}`, to: area }));
  return { list: firstHits(hits, hits.length, { kind: 'product', to: hits[RECORDS_FOUND_MAX]?.to ?? '' }) };
}

/** True if the operator may call at least one reading (GET) operation in an area of the console. */
function mayOpen(area: string, operator: Operator): boolean {
  return OPERATIONS.some(
    (operation) =>
      operation.method === 'GET' && operation.path.split('/')[2] === area && permits(operation, operator),
  );
}

/**
 * A search hit that links to the operators' actions on a record; only for a search text that is an id, and only for
 * operators who may read the audit log.
 */
function decisions({ id }: RecordQuery, operator: Operator): Hits {
  if (id === undefined || !permits(auditLog, operator)) return NOTHING;
  return { list: [{ kind: 'audit', label: `what operators did about ${id}`, to: `audit?subject=${id}` }] };
}
