import type pg from 'pg';
import { errorMessage } from '../../platform/error-message.ts';
import type { SealedStore } from '../../platform/files/sealed-store.ts';
import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import { decryptHash, encryptHash, hashHead } from '../../platform/secrets/slow-hash.ts';

/** Number of rows that one transaction locks and re-encrypts, and number of files that one request lists. */
const BATCH_ROWS = 200;
/** Maximum number of failures whose cause is reported; further failures are only counted. */
const FAILURES_NAMED = 20;

/** A database column whose values are encrypted with the server's secret. */
interface EncryptedColumn {
  readonly table: string;
  readonly key: string;
  readonly keyType: 'uuid' | 'text';
  readonly column: string;
  /**
   * Type of the values. `bytes`: each value is a ciphertext for the given purpose, authenticated together with the
   * result of the SQL expression `about`. `hash`: each value is the encrypted hash of a password.
   */
  readonly content:
    | { readonly type: 'bytes'; readonly purpose: string; readonly about: string }
    | { readonly type: 'hash' };
}

const COLUMNS: readonly EncryptedColumn[] = [
  {
    table: 'user_account',
    key: 'id',
    keyType: 'uuid',
    column: 'totp_key',
    content: { type: 'bytes', purpose: 'authenticator', about: 'id::text' },
  },
  {
    table: 'user_account',
    key: 'id',
    keyType: 'uuid',
    column: 'totp_new_key',
    content: { type: 'bytes', purpose: 'authenticator', about: 'id::text' },
  },
  {
    table: 'user_account',
    key: 'id',
    keyType: 'uuid',
    column: 'password_hash',
    content: { type: 'hash' },
  },
  {
    table: 'user_account',
    key: 'id',
    keyType: 'uuid',
    column: 'trade_password_hash',
    content: { type: 'hash' },
  },
  {
    table: 'operator',
    key: 'name',
    keyType: 'text',
    column: 'totp',
    content: { type: 'bytes', purpose: 'operator totp', about: 'name' },
  },
  {
    table: 'operator',
    key: 'name',
    keyType: 'text',
    column: 'password_hash',
    content: { type: 'hash' },
  },
  {
    table: 'kyc_submission',
    key: 'id',
    keyType: 'uuid',
    column: 'sealed',
    content: { type: 'bytes', purpose: 'kyc', about: "id || ' ' || owner" },
  },
  {
    table: 'travel_rule_record',
    key: 'withdrawal',
    keyType: 'uuid',
    column: 'sealed',
    content: { type: 'bytes', purpose: 'travel rule', about: "withdrawal || ' ' || owner" },
  },
  {
    table: 'api_key',
    key: 'id',
    keyType: 'uuid',
    column: 'sealed_secret',
    content: { type: 'bytes', purpose: 'api secrets', about: "'api key ' || id || ' of ' || owner" },
  },
  {
    table: 'push_key',
    key: 'id',
    keyType: 'text',
    column: 'sealed_private_key',
    content: { type: 'bytes', purpose: 'push', about: 'id' },
  },
  {
    table: 'push_subscription',
    key: 'id',
    keyType: 'uuid',
    column: 'sealed',
    content: { type: 'bytes', purpose: 'push', about: "'device ' || id" },
  },
];

/**
 * Milliseconds after the replacement of the signing key in which a repeated command does not start another rotation.
 */
const SAME_ROTATION_MS = 86_400_000;

/**
 * Returns the time of the last replacement of the signing key, in milliseconds UTC, if it was less than 24
 * hours before `now`; otherwise undefined. A command that was killed after its last effect but before its
 * last output may be repeated, and must then not start another rotation.
 */
export async function recentRotation(client: pg.Client, now: number): Promise<number | undefined> {
  const { rows } = await client.query<{ at: string }>(
    'select at::text from signing_key where replaces is not null order by number desc limit 1',
  );
  const at = rows[0] === undefined ? undefined : Number(rows[0].at);
  return at !== undefined && now - at < SAME_ROTATION_MS ? at : undefined;
}

/**
 * Result of a re-encryption: the number of re-encrypted values, descriptions of the first failures, and the number of
 * all failures.
 */
export interface Reencrypted {
  readonly count: number;
  readonly failures: readonly string[];
  readonly failureCount: number;
}

interface Parts {
  readonly client: pg.Client;
  readonly secret: ServerSecret;
  readonly files: SealedStore;
  /**
   * Called after each batch with the name of the column (or `files`) and the number of its values that were
   * re-encrypted so far.
   */
  readonly onProgress: (part: string, count: number) => void;
}

/**
 * Encrypts all values that are encrypted with the retiring secret with the current one, in batches whose rows are
 * locked, while the exchange runs. It can be stopped at any time and repeated; values that are already encrypted with
 * the current secret are skipped. A value that cannot be decrypted is left unchanged and counted as a failure; the
 * first `FAILURES_NAMED` failures are also described.
 */
export async function reencryptAll(parts: Parts): Promise<Reencrypted> {
  const failures: string[] = [];
  let failureCount = 0;
  let count = 0;
  const fail = (place: string, cause: unknown) => {
    failureCount += 1;
    if (failures.length < FAILURES_NAMED) failures.push(`${place}: ${errorMessage(cause)}`);
  };
  for (const column of COLUMNS) count += await reencryptColumn(parts, column, fail);
  count += await reencryptFiles(parts, fail);
  return { count, failures, failureCount };
}

interface ColumnRow {
  readonly key: string;
  readonly value: Buffer | string;
  readonly about: string;
}

async function reencryptColumn(
  { client, secret, onProgress }: Parts,
  { table, key, keyType, column, content }: EncryptedColumn,
  fail: (place: string, cause: unknown) => void,
): Promise<number> {
  const isCurrent =
    content.type === 'bytes'
      ? `substring(${column} from 1 for ${secret.ciphertextHead.length}) = $1`
      : `starts_with(${column}, $1)`;
  const head = content.type === 'bytes' ? secret.ciphertextHead : hashHead(secret);
  const about = content.type === 'bytes' ? content.about : `''`;
  let count = 0;
  for (let last: string | null = null; ;) {
    await client.query('begin');
    // The rows are locked, so that changes by the exchange wait until the batch is committed.
    const { rows }: pg.QueryResult<ColumnRow> = await client.query(
      `select ${key}::text as key, ${column} as value, ${about} as about from ${table}
       where ${column} is not null and not ${isCurrent} and ($2::${keyType} is null or ${key} > $2::${keyType})
       order by ${key} limit ${BATCH_ROWS} for update`,
      [head, last],
    );
    for (const row of rows) {
      try {
        const value =
          content.type === 'bytes' ? renewedBytes(secret, content.purpose, row) : renewedHash(secret, row);
        await client.query(`update ${table} set ${column} = $2 where ${key} = $1::${keyType}`, [
          row.key,
          value,
        ]);
        count += 1;
      } catch (cause) {
        if (isDatabaseError(cause)) throw cause;
        fail(`${table}.${column} of ${row.key}`, cause);
      }
    }
    await client.query('commit');
    last = rows.at(-1)?.key ?? null;
    if (last === null) return count;
    onProgress(`${table}.${column}`, count);
  }
}

function renewedBytes(secret: ServerSecret, purpose: string, { value, about }: ColumnRow): Buffer {
  return secret.encrypt(purpose, secret.decrypt(purpose, value as Buffer, about), about);
}

function renewedHash(secret: ServerSecret, { value }: ColumnRow): string {
  return encryptHash(secret, decryptHash(secret, value as string));
}

function isDatabaseError(cause: unknown): boolean {
  return cause instanceof Error && 'severity' in cause;
}

async function reencryptFiles(
  { client, files, onProgress }: Parts,
  fail: (place: string, cause: unknown) => void,
): Promise<number> {
  let count = 0;
  for (let last: string | null = null; ;) {
    const { rows }: pg.QueryResult<{ id: string; owner: string }> = await client.query(
      `select id, owner from file where state <> 'gone' and ($1::uuid is null or id > $1::uuid)
       order by id limit ${BATCH_ROWS}`,
      [last],
    );
    for (const { id, owner } of rows) {
      try {
        if (!(await files.reencrypt(id, owner))) continue;
        count += 1;
        const { rowCount } = await client.query(`select 1 from file where id = $1 and state <> 'gone'`, [id]);
        // If the file was released or deleted meanwhile, this re-encryption may have written its content again after
        // the deletion, so the content is deleted once more.
        if (rowCount === 0) await files.delete(id);
      } catch (cause) {
        if (isDatabaseError(cause)) throw cause;
        fail(`file ${id}`, cause);
      }
    }
    last = rows.at(-1)?.id ?? null;
    if (last === null) return count;
    onProgress('files', count);
  }
}
