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
  /** Path of the hit in the console. */
  readonly to: string;
  /** The account that the hit reveals. */
  readonly user?: UserId | undefined;
}

interface Hits {
  readonly list: readonly Hit[];
  /** Whether the hits are found by data that may be confidential, such as a name or a document number. */
  readonly isConfidential?: boolean;
}

/**
 * One search for users, records of the modules, and products. Users and records are found by an index. An operator
 * finds only what their roles may open. The audit log stores the found accounts. It stores the search text except when
 * that may be a name or a document number.
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
 * The first two and the last two characters of a text that may be confidential, with `***` between them; only `***` for
 * a text of at most four characters.
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

/** The first hits of a kind. If there are more, the last entry shows their number and links to the full list. */
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
 * The hit for a record. It links to the timeline of the record's account, or to the support area if the record has no
 * account.
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

/** Whether an operator may see a list of an area of the console. */
function mayOpen(area: string, operator: Operator): boolean {
  return OPERATIONS.some(
    (operation) =>
      operation.method === 'GET' && operation.path.split('/')[2] === area && permits(operation, operator),
  );
}

/** A link to the operators' actions on a record, for those who may read the audit log. */
function decisions({ id }: RecordQuery, operator: Operator): Hits {
  if (id === undefined || !permits(auditLog, operator)) return NOTHING;
  return { list: [{ kind: 'audit', label: `what operators did about ${id}`, to: `audit?subject=${id}` }] };
}
