import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { UserId } from '@exchange/core/ids.ts';
import { DAY_MS } from '@exchange/core/time.ts';
import type { Clock } from '../src/platform/clock.ts';
import { addressGroup, addressNetwork } from '../src/platform/limits/address-group.ts';
import { newId, randomText, systemRandom } from '../src/platform/secrets/random.ts';
import { anAddress } from './calling.ts';
import { newTestEmail, type Registered } from './register.ts';

type Row = Readonly<Record<string, unknown>>;
/** The rows that a registration writes, by table. */
type RegistrationRows = Readonly<Record<(typeof TABLES)[number], readonly Row[]>>;

const TABLES = [
  'user_account',
  'account_agreement',
  'user_session',
  'user_active_day',
  'security_event',
] as const;
const TIMES = ['created_at', 'seen_at', 'accepted_at', 'at'];
const INVITATION_ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const FIRST_UID = 10_000_000;
const UIDS = 90_000_000;

/**
 * Creates users by copying the database rows of a user who has registered over HTTP, which takes one statement instead
 * of several calls. The copies have the original's password and accepted agreements. Whatever must be unique differs,
 * e.g. account number and email address.
 */
export class CopiedUsers {
  private readonly pool: pg.Pool;
  private readonly clock: Clock;
  private readonly rows: RegistrationRows;
  private copies = 0;

  private constructor(pool: pg.Pool, clock: Clock, rows: RegistrationRows) {
    this.pool = pool;
    this.clock = clock;
    this.rows = rows;
  }

  /**
   * Reads the rows of a user who has just registered. Returns an object that creates copies of this user.
   */
  static async like({ id }: Registered, pool: pg.Pool, clock: Clock): Promise<CopiedUsers> {
    const columns = TABLES.map(
      (table) =>
        `(select jsonb_agg(to_jsonb(${table})) from ${table}
          where ${table === 'user_account' ? 'id' : 'user_id'} = $1) as ${table}`,
    );
    const { rows } = await pool.query<RegistrationRows>(`select ${columns.join(', ')}`, [id]);
    return new CopiedUsers(pool, clock, rows[0]!);
  }

  /**
   * Stores another user with a session from a random network address. Returns the user with the session's
   * token.
   */
  async add(): Promise<Registered> {
    const now = this.clock.now();
    const id = newId(systemRandom, now) as UserId;
    const email = newTestEmail();
    const token = randomBytes(32).toString('base64url');
    const address = anAddress();
    const own = new Map<string, unknown>([
      ...TIMES.map((name) => [name, now] as const),
      ['user_id', id],
      ['day', Math.floor(now / DAY_MS)],
      ['email', email],
      ['uid', this.nextUid()],
      ['invitation_code', randomText(systemRandom, INVITATION_ALPHABET, 8)],
      ['token_hash', String.raw`\x${createHash('sha256').update(token).digest('hex')}`],
      ['address', address],
      ['address_group', addressGroup(address)],
      ['address_network', addressNetwork(address)],
    ]);
    const copyOf = (table: string, row: Row): Row =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => {
          if (name === 'id') return [name, table === 'user_account' ? id : newId(systemRandom, now)];
          return [name, own.has(name) ? own.get(name) : value];
        }),
      );
    const inserts = TABLES.map(
      (table, place) => `added_${table} as (insert into ${table}
        select * from jsonb_populate_recordset(null::${table}, $${place + 1}::jsonb))`,
    );
    const values = TABLES.map((table) => JSON.stringify(this.rows[table].map((row) => copyOf(table, row))));
    await this.pool.query(`with ${inserts.join(', ')} select`, values);
    return { id, email, token };
  }

  /** Returns the account number that follows the previous copy's. */
  private nextUid(): string {
    this.copies += 1;
    const first = Number(this.rows.user_account[0]!['uid']);
    return String(FIRST_UID + ((first - FIRST_UID + this.copies) % UIDS));
  }
}
