import { DAY_MS, HOUR_MS, instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { Tx } from '../../platform/database/database.ts';
import {
  budgetOf,
  CODE_RULES,
  countOfTry,
  type CodeRequestCounts,
  type CodeBudget,
  type Lane,
  type Purpose,
  type TriedCode,
} from './domain/mailed-code.ts';
import type { IdentityTables } from './tables.ts';

/** Who requests a mailed code, and for what. */
export interface CodeRequestSource {
  readonly email: string;
  readonly purpose: Purpose;
  readonly lane: Lane;
  /**
   * The caller's IP address, for IPv6 its /64 network (`origin`), and the larger network that contains it: /24 for
   * IPv4, /48 for IPv6 (`network`).
   */
  readonly origin: string;
  readonly network: string;
}

export interface NewCode extends CodeRequestSource {
  readonly id: string;
  readonly hash: Buffer;
  readonly digits: number;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** Signature of the proof-of-work challenge that was solved for the code; undefined if none was solved. */
  readonly challenge: Buffer | undefined;
}

export interface OpenCode {
  readonly id: string;
  readonly hash: Buffer;
}

type CodeCounts = Record<
  'origin' | 'origin_worked' | 'network' | 'network_worked' | 'to_address' | 'of_budget',
  bigint
>;

/** Reads and writes mailed codes, and the tickets for which they are exchanged. */
export class CodeRepository {
  private readonly store: Kysely<IdentityTables>;

  constructor(store: Kysely<unknown>) {
    this.store = store.withTables<IdentityTables>();
  }

  /**
   * Counts the earlier requests for codes, and locks the email address and the network until the transaction ends, so
   * that concurrent requests cannot both use the last one that a limit of the address or of the network permits. The
   * budget of all callers together is not locked, so concurrent requests may exceed it.
   */
  async countRequests(tx: Tx, asking: CodeRequestSource, now: Instant): Promise<CodeRequestCounts> {
    const { email, purpose, lane, origin, network } = asking;
    await lockAddress(tx, email);
    await sql`select pg_advisory_xact_lock(2, hashtext(${network}))`.execute(tx);
    const recentCodes = await tx
      .withTables<IdentityTables>()
      .selectFrom('email_code')
      .select(['created_at', 'digits', 'tries'])
      .where('email', '=', email)
      .where('purpose', '=', purpose)
      .where('lane', '=', lane)
      .where('created_at', '>', BigInt(now - DAY_MS))
      .orderBy('created_at', 'desc')
      .limit(MOST_A_DAY)
      .execute();
    const guesses = await strangerGuesses(tx, email, purpose, now);
    const budget = budgetOf(lane, purpose);
    const ofBudget = sql`created_at > ${BigInt(now - HOUR_MS)} and ${inBudget(budget)}`;
    // Owners never need proof of work, so none of their codes counts as a code with proof of work.
    const worked = budget === 'owners' ? sql`false` : sql`challenge is not null`;
    const { rows } = await sql<CodeCounts>`
      select origin.*, network.*, budget.*, to_address.* from
        (select count(*) filter (where not ${worked}) as origin, count(*) filter (where ${worked}) as origin_worked
          from email_code where asked_from = ${origin} and ${ofBudget}) as origin,
        (select count(*) filter (where not ${worked}) as network, count(*) filter (where ${worked}) as network_worked
          from email_code where asked_network = ${network} and ${ofBudget}) as network,
        (select count(*) as of_budget from email_code where ${ofBudget}) as budget,
        (select count(*) as to_address from email_code where email = ${email} and asked_from = ${origin}
          and created_at > ${BigInt(now - DAY_MS)}) as to_address`.execute(tx);
    const counts = rows[0]!;
    return {
      budget,
      byAddress: recentCodes.map((row) => instant(Number(row.created_at))),
      isGuessedAt:
        guesses >= CODE_RULES.strangerGuessesDay ||
        recentCodes.some(({ digits, tries }) => digits === CODE_RULES.digits && tries >= CODE_RULES.tries),
      byOriginLastHour: Number(counts.origin),
      byNetworkLastHour: Number(counts.network),
      workedByOriginLastHour: Number(counts.origin_worked),
      workedByNetworkLastHour: Number(counts.network_worked),
      byOriginToAddressLastDay: Number(counts.to_address),
      ofBudgetLastHour: Number(counts.of_budget),
    };
  }

  /**
   * True if the proof-of-work challenge was already used for a mailed code. The caller must call `countRequests`
   * before, which locks the email address that the challenge is bound to.
   */
  async isSpent(tx: Tx, challenge: Buffer): Promise<boolean> {
    const row = await tx
      .withTables<IdentityTables>()
      .selectFrom('email_code')
      .select('id')
      .where('challenge', '=', challenge)
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * Stores a mailed code. Closes the previous code for the same address, purpose and category of caller, so that it can
   * no longer be used.
   */
  async insert(tx: Tx, code: NewCode): Promise<void> {
    const db = tx.withTables<IdentityTables>();
    await db
      .updateTable('email_code')
      .set({ closed_at: BigInt(code.createdAt) })
      .where('email', '=', code.email)
      .where('purpose', '=', code.purpose)
      .where('lane', '=', code.lane)
      .where('closed_at', 'is', null)
      .execute();
    await db
      .insertInto('email_code')
      .values({
        id: code.id,
        email: code.email,
        purpose: code.purpose,
        code_hash: code.hash,
        lane: code.lane,
        digits: code.digits,
        asked_from: code.origin,
        asked_network: code.network,
        created_at: BigInt(code.createdAt),
        expires_at: BigInt(code.expiresAt),
        tries: 0,
        stranger_tries: 0,
        closed_at: null,
        claimed_for: null,
        challenge: code.challenge ?? null,
      })
      .execute();
  }

  /**
   * Counts one attempt at each open mailed code of the address and purpose (neither used, nor replaced by a newer code,
   * nor expired) at which the caller has attempts left, and returns these codes. Locks the email address until the
   * transaction ends, so that concurrent attempts are counted one after another. The transaction must also be committed
   * if the code is wrong; otherwise the attempt is not counted.
   */
  async countTries(
    tx: Tx,
    email: string,
    purpose: Purpose,
    by: Lane,
    now: Instant,
  ): Promise<readonly OpenCode[]> {
    await lockAddress(tx, email);
    const db = tx.withTables<IdentityTables>();
    const rows = await db
      .selectFrom('email_code')
      .select(['id', 'code_hash', 'lane', 'digits', 'tries', 'stranger_tries'])
      .where('email', '=', email)
      .where('purpose', '=', purpose)
      .where('closed_at', 'is', null)
      .where('expires_at', '>', BigInt(now))
      .execute();
    let guesses = await strangerGuesses(tx, email, purpose, now);
    const open: OpenCode[] = [];
    for (const row of rows) {
      const count = countOfTry(triedCode(row), by, guesses);
      if (count === undefined) continue;
      const column = count === 'tries' ? 'tries' : 'stranger_tries';
      await db
        .updateTable('email_code')
        .set({ [column]: row[column] + 1 })
        .where('id', '=', row.id)
        .execute();
      if (by === 'stranger' && row.digits === CODE_RULES.digits) guesses += 1;
      open.push({ id: row.id, hash: row.code_hash });
    }
    return open;
  }

  /**
   * Closes a mailed code, so that no other request can use it, and returns true; `claim` identifies the request that
   * used it. Returns false if the code is closed already, so only one of several concurrent callers receives true.
   */
  async close(tx: Tx, id: string, now: Instant, claim?: Buffer): Promise<boolean> {
    const row = await tx
      .withTables<IdentityTables>()
      .updateTable('email_code')
      .set({ closed_at: BigInt(now), claimed_for: claim ?? null })
      .where('id', '=', id)
      .where('closed_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * Makes a used mailed code usable again and subtracts the attempt that used it. Does nothing if a newer code for the
   * same address, purpose and category of caller is not closed. Locks the email address until the transaction ends.
   */
  async reopen(tx: Tx, email: string, id: string): Promise<void> {
    await lockAddress(tx, email);
    await sql`update email_code as c set closed_at = null, claimed_for = null, tries = tries - 1
      where id = ${id} and not exists (
        select from email_code as o
        where o.email = c.email and o.purpose = c.purpose and o.lane = c.lane and o.closed_at is null
      )`.execute(tx);
  }

  /**
   * The mailed codes for an address and purpose that were used for the request that `claim` identifies, including
   * expired ones.
   */
  async claimedFor(tx: Tx, email: string, purpose: Purpose, claim: Buffer): Promise<readonly OpenCode[]> {
    const rows = await tx
      .withTables<IdentityTables>()
      .selectFrom('email_code')
      .select(['id', 'code_hash'])
      .where('email', '=', email)
      .where('purpose', '=', purpose)
      .where('claimed_for', '=', claim)
      .execute();
    return rows.map((row) => ({ id: row.id, hash: row.code_hash }));
  }

  /**
   * Counts one attempt at each unexpired mailed code that was used for the request that `claim` identifies,
   * and returns these codes. Codes without remaining attempts are left out, so that a caller who knows the
   * claim cannot guess the code.
   */
  async takeTriesOfClaimed(
    tx: Tx,
    email: string,
    purpose: Purpose,
    claim: Buffer,
    now: Instant,
  ): Promise<readonly OpenCode[]> {
    const rows = await tx
      .withTables<IdentityTables>()
      .updateTable('email_code')
      .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
      .where('email', '=', email)
      .where('purpose', '=', purpose)
      .where('claimed_for', '=', claim)
      .where('expires_at', '>', BigInt(now))
      .where('tries', '<', CODE_RULES.tries)
      .returning(['id', 'code_hash'])
      .execute();
    return rows.map((row) => ({ id: row.id, hash: row.code_hash }));
  }

  async insertTicket(tx: Tx, ticket: IdentityTables['email_ticket']): Promise<void> {
    await tx.withTables<IdentityTables>().insertInto('email_ticket').values(ticket).execute();
  }

  async hasTicket(tokenHash: Buffer, email: string, purpose: Purpose, now: Instant): Promise<boolean> {
    const row = await this.store
      .selectFrom('email_ticket')
      .select('id')
      .where('token_hash', '=', tokenHash)
      .where('email', '=', email)
      .where('purpose', '=', purpose)
      .where('expires_at', '>', BigInt(now))
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Consumes the ticket that was issued for a mailed code. Of several concurrent callers, only one receives true. */
  async consumeTicket(tx: Tx, tokenHash: Buffer): Promise<boolean> {
    const row = await tx
      .withTables<IdentityTables>()
      .deleteFrom('email_ticket')
      .where('token_hash', '=', tokenHash)
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * Deletes the mailed codes that were requested more than two days ago, which count towards no limit any more, and
   * expired tickets.
   */
  async removeOld(now: Instant): Promise<void> {
    await this.store
      .deleteFrom('email_code')
      .where('created_at', '<', BigInt(now - 2 * DAY_MS))
      .execute();
    await this.store.deleteFrom('email_ticket').where('expires_at', '<', BigInt(now)).execute();
  }
}

/** SQL condition for the rows of `email_code` that count against this budget of mailed codes, at any time. */
function inBudget(budget: CodeBudget) {
  if (budget === 'owners') return sql`lane <> 'stranger'`;
  return budget === 'registration'
    ? sql`lane = 'stranger' and purpose = 'register'`
    : sql`lane = 'stranger' and purpose <> 'register'`;
}

/**
 * Greatest number of code requests per address, purpose, category of caller and day that are read; the rules permit
 * fewer.
 */
const MOST_A_DAY = 200;

async function lockAddress(tx: Tx, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(1, hashtext(${email}))`.execute(tx);
}

/**
 * Number of attempts that callers of the category `stranger` made in the last 24 hours at short mailed codes for this
 * address and purpose.
 */
async function strangerGuesses(tx: Tx, email: string, purpose: Purpose, now: Instant): Promise<number> {
  const { rows } = await sql<{ n: bigint }>`
    select coalesce(sum(stranger_tries + case when lane = 'stranger' then tries else 0 end), 0)::bigint as n
    from email_code
    where email = ${email} and purpose = ${purpose} and digits = ${CODE_RULES.digits}
      and created_at > ${BigInt(now - DAY_MS)}`.execute(tx);
  return Number(rows[0]?.n ?? 0);
}

function triedCode(
  row: Pick<Selectable<IdentityTables['email_code']>, 'lane' | 'digits' | 'tries' | 'stranger_tries'>,
): TriedCode {
  return { lane: row.lane as Lane, digits: row.digits, tries: row.tries, strangerTries: row.stranger_tries };
}
