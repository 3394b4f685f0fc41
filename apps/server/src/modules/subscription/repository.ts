import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { type RawBuilder, sql } from 'kysely';
import type { RecordSource } from '../../platform/console/records.ts';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { recordsOfTable } from '../../platform/database/table-records.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { readStoredVersions, type VersionsBelow } from '../../platform/database/kept-versions.ts';
import {
  BY_ID,
  type ListPage,
  type PagedRows,
  mapPage,
  readPage,
} from '../../platform/database/paged-rows.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import { queueInTable } from '../../platform/database/work-queue.ts';
import {
  FILE_END,
  termsOf,
  type AllocatedLine,
  type Commitment,
  type CommittedLine,
  type FileKind,
  type Project,
  type ProjectTerms,
  type Stage,
} from './domain.ts';

/** A stored row of a token sale project; amounts are decimal text. */
interface ProjectRow {
  readonly id: string;
  readonly version: number;
  readonly terms: unknown;
  readonly end_at: bigint;
  readonly committed: string;
  readonly participants: number;
  readonly stage: Stage;
  readonly is_cancelled: boolean;
  readonly commitment_hash: string | null;
  readonly announced_at: bigint | null;
  readonly result_hash: string | null;
  readonly allocated_at: bigint | null;
  readonly sold: string | null;
  readonly handed_out: string;
}

interface CommitmentRow {
  readonly id: string;
  readonly project: string;
  readonly owner: UserId;
  readonly salt: string;
  readonly amount: string;
  readonly allocated: string;
  readonly cost: string;
  readonly claimed: string;
  readonly settled_at: bigint | null;
}

/**
 * Returns all token sale projects, the one with the latest start first; their number is limited when projects
 * are published.
 */
export async function everyProject(reader: Reader): Promise<Project[]> {
  const { rows } = await sql<ProjectRow>`
    select * from subscription_project order by start_at desc, id
  `.execute(reader);
  return rows.map(projectOf);
}

/**
 * Returns token sales that have ended and of which a participant may still be unsettled, the one with the
 * latest start first.
 */
export async function unfinishedProjects(reader: Reader, now: Instant): Promise<Project[]> {
  const { rows } = await sql<ProjectRow>`
    select * from subscription_project
    where stage in ('announced', 'settling') or (stage = 'committing' and end_at <= ${now}::bigint)
    order by start_at desc, id
  `.execute(reader);
  return rows.map(projectOf);
}

/** Returns a token sale project by its id, its code or its token's symbol; undefined if there is none. */
export async function findProject(
  reader: Reader,
  key: { readonly id: string } | { readonly code: string } | { readonly symbol: string },
): Promise<Project | undefined> {
  const where =
    'id' in key ? sql`id = ${key.id}` : 'code' in key ? sql`code = ${key.code}` : sql`symbol = ${key.symbol}`;
  const { rows } = await sql<ProjectRow>`select * from subscription_project where ${where}`.execute(reader);
  return rows[0] && projectOf(rows[0]);
}

/** Returns the published versions of a token sale project's terms, newest first. */
export function projectVersions(reader: Reader, code: string, range: VersionsBelow) {
  const source = { versions: 'subscription_project_version', things: 'subscription_project', of: 'project' };
  return readStoredVersions(reader, source, code, range);
}

/**
 * Inserts a new token sale project with its first version, or replaces the terms by the next version. Every version is
 * stored with author and reason.
 */
export async function saveProject(
  reader: Reader,
  { id, version, terms }: { readonly id: string; readonly version: number; readonly terms: ProjectTerms },
  { by, reason, now }: { readonly by: string; readonly reason: string; readonly now: Instant },
): Promise<void> {
  const text = JSON.stringify(terms);
  await sql`
    insert into subscription_project (id, code, version, symbol, terms, start_at, end_at)
    values (${id}, ${terms.code}, ${version}, ${terms.symbol}, ${text}, ${terms.startAt}::bigint, ${terms.endAt}::bigint)
    on conflict (id) do update set version = excluded.version, terms = excluded.terms,
      start_at = excluded.start_at, end_at = excluded.end_at
  `.execute(reader);
  await sql`
    insert into subscription_project_version values (${id}, ${version}, ${text}, ${by}, ${reason}, ${now}::bigint)
  `.execute(reader);
}

/**
 * Marks a token sale as cancelled, so that the job after its end refunds all commitments. A running sale ends now, one
 * that has not begun ends at its start, and the end of one that is over stays.
 */
export async function cancelProject(reader: Reader, id: string, now: Instant): Promise<void> {
  await sql`
    update subscription_project set is_cancelled = true, end_at = greatest(start_at, least(end_at, ${now}::bigint))
    where id = ${id}
  `.execute(reader);
}

export async function saveAnnounced(reader: Reader, id: string, hash: string, now: Instant): Promise<void> {
  await sql`
    update subscription_project set stage = 'announced', commitment_hash = ${hash}, announced_at = ${now}::bigint
    where id = ${id}
  `.execute(reader);
}

export async function saveAllocated(
  reader: Reader,
  id: string,
  result: { readonly hash: string; readonly sold: Decimal },
  now: Instant,
): Promise<void> {
  await sql`
    update subscription_project set stage = 'settling', result_hash = ${result.hash},
      allocated_at = greatest(${now}::bigint, announced_at + 1), sold = ${result.sold.toString()}
    where id = ${id}
  `.execute(reader);
}

export async function saveStage(reader: Reader, id: string, stage: Stage): Promise<void> {
  await sql`update subscription_project set stage = ${stage} where id = ${id}`.execute(reader);
}

export async function commitmentIn(
  reader: Reader,
  project: string,
  owner: UserId,
): Promise<Commitment | undefined> {
  const { rows } = await sql<CommitmentRow>`
    select * from subscription_commitment where project = ${project} and owner = ${owner}
  `.execute(reader);
  return rows[0] && commitmentOf(rows[0]);
}

export async function commitmentsByIds(reader: Reader, ids: readonly string[]): Promise<Commitment[]> {
  const { rows } = await sql<CommitmentRow>`
    select * from subscription_commitment where id = any(${ids}::uuid[]) order by id
  `.execute(reader);
  return rows.map(commitmentOf);
}

/**
 * Stores a user's commitment and updates the token sale's totals. `before` is the committed amount until now,
 * in the quote coin (0 for a new commitment). A commitment of 0 does not count as a participant.
 */
export async function saveCommitment(
  reader: Reader,
  commitment: Pick<Commitment, 'id' | 'project' | 'owner' | 'salt' | 'amount'>,
  before: Decimal,
): Promise<void> {
  const { id, project, owner, salt, amount } = commitment;
  await sql`
    insert into subscription_commitment (id, project, owner, salt, amount)
    values (${id}, ${project}, ${owner}, ${salt}, ${amount.toString()})
    on conflict (project, owner) do update set amount = excluded.amount
  `.execute(reader);
  const participantChange = (amount.isZero() ? 0 : 1) - (before.isZero() ? 0 : 1);
  await sql`
    update subscription_project set committed = committed + ${amount.minus(before).toString()},
      participants = participants + ${participantChange}::int
    where id = ${project}
  `.execute(reader);
}

export async function saveAgreement(reader: Reader, owner: UserId, version: string, now: Instant) {
  await sql`
    insert into subscription_agreement values (${owner}, ${version}, ${now}::bigint) on conflict do nothing
  `.execute(reader);
}

/** Stores allocations of a token sale, marks participants as settled, and enqueues inbox messages to them. */
export async function saveSettled(
  reader: Reader,
  project: string,
  settled: readonly (Pick<Commitment, 'id' | 'owner' | 'allocated' | 'cost'> & { readonly notice: string })[],
  now: Instant,
): Promise<void> {
  const kinds = settled.map(({ allocated }) => (allocated.isPositive() ? 'allocated' : 'refunded'));
  await sql`
    with given as (
      select * from unnest(
        ${settled.map(({ id }) => id)}::uuid[], ${settled.map(({ allocated }) => allocated.toString())}::numeric[],
        ${settled.map(({ cost }) => cost.toString())}::numeric[], ${settled.map(({ notice }) => notice)}::uuid[],
        ${kinds}::text[]
      ) as g(id, allocated, cost, notice, kind)
    ), done as (
      update subscription_commitment c set allocated = g.allocated, cost = g.cost, settled_at = ${now}::bigint
      from given g where c.id = g.id returning c.id, c.owner, g.notice, g.kind
    ), totals as (
      update subscription_project set handed_out = handed_out + (select sum(allocated) from given)
      where id = ${project}
    )
    insert into subscription_notice (id, owner, commitment, kind, at)
    select notice, owner, id, kind, ${now}::bigint from done
  `.execute(reader);
}

export async function saveClaimed(reader: Reader, id: string, claimed: Decimal): Promise<void> {
  await sql`update subscription_commitment set claimed = ${claimed.toString()} where id = ${id}`.execute(
    reader,
  );
}

/**
 * Returns at most `limit` unsettled commitments to a project with a positive amount, ordered by id, with ids
 * greater than `behind`.
 */
export async function unsettled(
  reader: Reader,
  project: string,
  behind: string,
  limit: number,
): Promise<Commitment[]> {
  const { rows } = await sql<CommitmentRow>`
    select * from subscription_commitment
    where project = ${project} and settled_at is null and amount > 0 and id > ${behind} order by id limit ${limit}
  `.execute(reader);
  return rows.map(commitmentOf);
}

/** Number of rows per block of a public file; a block has about 50 KB. */
const BLOCK_ROWS = 250;

/**
 * Yields the unsettled commitments above zero of a project in blocks, sorted by the participants' pseudonyms,
 * which reveal no order of commitments. The database sorts the rows, so only one block at a time is in
 * memory.
 */
export async function* committedLines(tx: Tx, project: string): AsyncGenerator<CommittedLine[], void> {
  await sql`
    declare committed_lines no scroll cursor for
    select encode(sha256(convert_to(salt || ':' || owner, 'UTF8')), 'hex') collate "C" as line, amount
    from subscription_commitment
    where project = ${sql.lit(project)} and settled_at is null and amount > 0 order by line
  `.execute(tx);
  for (;;) {
    const { rows } = await sql<{ line: string; amount: string }>`
      fetch ${sql.lit(BLOCK_ROWS)} from committed_lines`.execute(tx);
    if (rows.length > 0) yield rows.map(({ line, amount }) => ({ line, amount: Decimal.parse(amount) }));
    if (rows.length < BLOCK_ROWS) break;
  }
  await sql`close committed_lines`.execute(tx);
}

/**
 * Returns the SHA-256 of a token sale's public file in hexadecimal; undefined if the file was not written
 * yet.
 */
export async function hashOf(reader: Reader, project: string, kind: FileKind): Promise<string | undefined> {
  const { rows } = await sql<{ sha256: string }>`
    select sha256 from subscription_file where project = ${project} and kind = ${kind}`.execute(reader);
  return rows[0]?.sha256;
}

/** Yields the text of a token sale's public file in parts; each part is read on demand. */
export async function* filePartsOf(
  reader: Reader,
  project: string,
  kind: FileKind,
): AsyncGenerator<string, void> {
  if (await isStoredWhole(reader, project, kind)) {
    yield* wholeFileParts(reader, project, kind);
    return;
  }
  for (let number = 0; ; number += 1) {
    const { rows } = await sql<{ content: string }>`
      select content from subscription_file_block
      where project = ${project} and kind = ${kind} and number = ${number}`.execute(reader);
    if (rows[0] === undefined) return;
    yield rows[0].content;
  }
}

/**
 * Returns whether a public file is stored as one text; only files that are older than the storage in blocks
 * are.
 */
async function isStoredWhole(reader: Reader, project: string, kind: FileKind): Promise<boolean> {
  const { rows } = await sql`
    select 1 from subscription_file
    where project = ${project} and kind = ${kind} and content is not null`.execute(reader);
  return rows.length > 0;
}

/**
 * Number of characters per part of a file that is stored as one text. Parts are large, because the database
 * decompresses the whole file for each part.
 */
const PART_LENGTH = 1_048_576;

/** Yields a public file that is stored as one text, in parts of `PART_LENGTH` characters. */
async function* wholeFileParts(
  reader: Reader,
  project: string,
  kind: FileKind,
): AsyncGenerator<string, void> {
  for (let start = 1; ; start += PART_LENGTH) {
    const { rows } = await sql<{ part: string | null }>`
      select substr(content, ${start}, ${PART_LENGTH}) as part from subscription_file
      where project = ${project} and kind = ${kind}`.execute(reader);
    const part = rows[0]?.part ?? '';
    if (part === '') return;
    yield part;
  }
}

/** A stored row of the result file; amounts are text. */
interface ResultRow {
  readonly line: string;
  readonly allocated: string;
}

function allocatedOf({ line, allocated }: ResultRow): Pick<AllocatedLine, 'line' | 'allocated'> {
  return { line, allocated: Decimal.parse(allocated) };
}

/** Yields the allocated tokens of each line (participant's pseudonym) of a token sale's published result, in blocks. */
export async function* allocatedLines(
  reader: Reader,
  project: string,
): AsyncGenerator<Pick<AllocatedLine, 'line' | 'allocated'>[], void> {
  if (await isStoredWhole(reader, project, 'result')) {
    // A file that is stored as one text is parsed as JSON by the database.
    const { rows } = await sql<ResultRow>`
      select one ->> 'line' as line, one ->> 'allocated' as allocated from subscription_file,
        json_array_elements(content::json -> 'results') as one
      where project = ${project} and kind = 'result'`.execute(reader);
    yield rows.map(allocatedOf);
    return;
  }
  let isHead = true;
  for await (const part of filePartsOf(reader, project, 'result')) {
    const isRows = !isHead && part !== FILE_END;
    isHead = false;
    if (!isRows) continue;
    const rows = JSON.parse(`[${part.startsWith(',') ? part.slice(1) : part}]`) as ResultRow[];
    yield rows.map(allocatedOf);
  }
}

/** Adds a block to a public file; `number` counts from zero. */
export async function saveBlock(
  tx: Tx,
  block: {
    readonly project: string;
    readonly kind: FileKind;
    readonly number: number;
    readonly content: string;
  },
): Promise<void> {
  await sql`
    insert into subscription_file_block (project, kind, number, content)
    values (${block.project}, ${block.kind}, ${block.number}, ${block.content})
  `.execute(tx);
}

/** Marks a public file as complete and stores its hash. */
export async function saveFile(tx: Tx, project: string, kind: FileKind, sha256: string): Promise<void> {
  await sql`insert into subscription_file (project, kind, sha256) values (${project}, ${kind}, ${sha256})`.execute(
    tx,
  );
}

/**
 * Returns a user's commitments to the given token sale projects, those reduced to zero included, newest
 * first.
 */
export async function commitmentsOf(
  reader: Reader,
  owner: UserId,
  projects: readonly string[],
  page: PagedRows,
): Promise<ListPage<Commitment>> {
  const commitments = sql<CommitmentRow>`
    select * from subscription_commitment where owner = ${owner} and project = any(${projects}::uuid[])`;
  return mapPage(await readPage(reader, commitments, BY_ID, page), commitmentOf);
}

/** A queued inbox message to a participant of a token sale. */
export interface Notice {
  readonly id: string;
  readonly kind: 'allocated' | 'refunded';
  readonly commitment: Commitment;
  readonly project: Project;
}

interface NoticeRow {
  readonly id: string;
  readonly kind: Notice['kind'];
  readonly commitment: string;
}

/** Queue of inbox messages to participants of token sales. */
export const subscriptionNotices = queueInTable<NoticeRow, Notice>(
  'subscription_notice',
  ['kind', 'commitment'],
  async (tx, rows) => {
    const stored = await commitmentsByIds(
      tx,
      rows.map((row) => row.commitment),
    );
    const commitments = new Map(stored.map((row) => [row.id, row]));
    const projects = new Map((await everyProject(tx)).map((project) => [project.id, project]));
    return rows.map(({ id, kind, commitment: commitmentId }) => {
      const commitment = commitments.get(commitmentId)!;
      return { id, kind, commitment, project: projects.get(commitment.project)! };
    });
  },
);

/**
 * Declaration of this module's holds. The reconciliation and the audit compare the held amounts with the users' frozen
 * and locked balances, and the issued amounts with the ledger.
 */
export const subscriptionHolds = {
  name: 'subscription',
  table: 'subscription_commitment',
  openHolds,
  issued,
};

/**
 * Returns a row for each project that has sold tokens: its code (`issue`), the token's symbol and the sold
 * amount. The audit compares these rows with the token issues in the ledger.
 */
async function issued(reader: Reader): Promise<{ issue: string; asset: string; amount: string }[]> {
  const { rows } = await sql<{ issue: string; asset: string; amount: string }>`
    select code as issue, symbol as asset, sold::text as amount from subscription_project where sold > 0
  `.execute(reader);
  return rows;
}

/**
 * Returns the query of the amounts that the module holds of users: unsettled commitments in the quote coin,
 * and allocated tokens that are not claimed yet.
 */
function openHolds(owners: Scope): RawBuilder<unknown> {
  return sql`
    select c.owner, p.terms ->> 'quote' as asset, c.amount
    from subscription_commitment c join subscription_project p on p.id = c.project
    where c.settled_at is null and c.amount > 0 and ${owners('c.owner')}
    union all
    select c.owner, p.symbol, c.allocated - c.claimed
    from subscription_commitment c join subscription_project p on p.id = c.project
    where c.allocated > c.claimed and ${owners('c.owner')}
  `;
}

function projectOf(row: ProjectRow): Project {
  const optionalInstant = (value: bigint | null) =>
    value === null ? undefined : instant(wholeNumber(value));
  return {
    ...termsOf(row.terms),
    id: row.id,
    version: row.version,
    endAt: instant(wholeNumber(row.end_at)),
    stage: row.stage,
    committed: Decimal.parse(row.committed),
    participants: row.participants,
    isCancelled: row.is_cancelled,
    handedOut: Decimal.parse(row.handed_out),
    commitmentHash: row.commitment_hash ?? undefined,
    announcedAt: optionalInstant(row.announced_at),
    resultHash: row.result_hash ?? undefined,
    allocatedAt: optionalInstant(row.allocated_at),
    sold: row.sold === null ? undefined : Decimal.parse(row.sold),
  };
}

function commitmentOf(row: CommitmentRow): Commitment {
  return {
    id: row.id,
    project: row.project,
    owner: row.owner,
    salt: row.salt,
    amount: Decimal.parse(row.amount),
    allocated: Decimal.parse(row.allocated),
    cost: Decimal.parse(row.cost),
    claimed: Decimal.parse(row.claimed),
    settledAt: row.settled_at === null ? undefined : instant(wholeNumber(row.settled_at)),
  };
}

/**
 * Returns the commitments to token sales as records, which operators search and which appear on a user's
 * timeline.
 */
export function subscriptionRecords(reader: Reader): RecordSource {
  return recordsOfTable(reader, {
    kind: 'commitment',
    table: 'subscription_commitment',
    columns: ['amount', 'allocated', 'cost', 'claimed', 'settled_at', 'project'],
    computed: {
      code: sql`select code from subscription_project p where p.id = project`,
      quote: sql`select terms ->> 'quote' from subscription_project p where p.id = project`,
    },
    times: ['settled_at'],
    describe: ({ amount, code, quote, settledAt }) => ({
      event: `Launchpad commitment to ${code}`,
      amount,
      asset: quote,
      status: settledAt === '' ? 'committed' : 'settled',
    }),
  });
}
