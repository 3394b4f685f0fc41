import { DAY_MS, HOUR_MS, later, MINUTE_MS, type Instant } from '@exchange/core/time.ts';
import { sql, type Generated } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database, Tx } from '../database/database.ts';
import type { ComponentHealth } from '../health/health.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { newId, type Random } from '../secrets/random.ts';
import { failureOf } from './failure.ts';
import type { MailTransport } from './transport.ts';

export interface MailMessage {
  readonly to: string;
  /** The kind of mail, e.g. `code.login`. Recipients do not see it. */
  readonly purpose: string;
  readonly subject: string;
  /** The mail's text, as plain text. */
  readonly text: string;
  readonly code?: string | undefined;
  /**
   * `first` if the mail is sent before all other waiting mails, because the recipient waits for it; `last` if
   * it is sent after them. A mail without this field is sent between these two kinds.
   */
  readonly order?: 'first' | 'last';
}

/** Priorities of mails in the job queue. Mails with lower numbers are sent first. */
const PRIORITIES = { first: -10, usual: 0, last: 10 } as const;

export interface StoredMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly code?: string;
  readonly createTime: Instant;
}

/**
 * Interface by which other parts of the server enqueue mails, which are sent after the commit of the
 * transaction.
 */
export interface Mail {
  /** Adds an email to the outbox. It is sent only if the transaction commits. */
  write(tx: Tx, message: MailMessage): Promise<void>;
}

interface MailDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly jobs: Jobs;
  /**
   * Sends emails. If undefined, emails are not sent but only stored for display, which is possible only in demo mode.
   */
  readonly transport: MailTransport | undefined;
  /**
   * Whether emails remain readable after they were sent, as in a demo without a mail server. Otherwise subject, text
   * and code are removed when a mail was sent or has failed permanently.
   */
  readonly keepsWords: boolean;
  /**
   * Returns the text at the beginning of every mail to an address, e.g. the anti-phishing phrase; undefined for none.
   */
  readonly opening?: (tx: Tx, to: string) => Promise<string | undefined>;
}

interface Failure {
  readonly at: number;
  readonly why: string;
}

/**
 * Facts about the oldest `COUNTED_MAX` mails that wait to be sent: their number, the time of the oldest in milliseconds
 * UTC, and the last failure.
 */
interface Pending {
  readonly count: number;
  readonly oldest: number | undefined;
  /**
   * The last failure of an attempt to send one of the waiting mails, possibly before the start of this
   * process; undefined if no attempt has failed.
   */
  readonly failed: Failure | undefined;
}

const SEND_JOB = 'mail.send';
const CLEAN_UP_JOB = 'mail.cleanUp';
const MAX_ATTEMPTS = 12;
const STORED_MS = 30 * DAY_MS;
const LIST_LIMIT = 50;
/** Milliseconds after which an unsent mail is late, because users wait for their codes. */
const LATE_MS = 5 * MINUTE_MS;
/**
 * Minimum number of unsent mails that, together with a late oldest mail, indicates a problem of the mail
 * server instead of individual addresses.
 */
const MANY_LATE = 100;
const COUNTED_MAX = 10_000;

/**
 * The outbox of emails. It tries to send each mail until the mail server accepts it, at most `MAX_ATTEMPTS` times; then
 * the mail has failed and is not sent. The Message-ID contains the mail's id, so that mail programs recognize
 * duplicates.
 */
export class MailOutbox implements Mail {
  private readonly deps: MailDeps;
  /**
   * Time at which the mail server accepted the last mail that this process has sent; undefined before the
   * first one. Mails that other processes send are not included.
   */
  private sentAt: Instant | undefined;
  /** This process's last failure to send a mail; undefined if there was none. */
  private failed: Failure | undefined;

  constructor(deps: MailDeps) {
    if (deps.transport === undefined && !deps.keepsWords)
      throw new Error('live mode needs a mail server (SMTP_URL)');
    this.deps = deps;
    const send = (payload: unknown) => this.send((payload as { id: string }).id);
    deps.jobs.define(SEND_JOB, send, undefined, 'urgent');
    deps.jobs.define(CLEAN_UP_JOB, () => this.cleanUp(), { cron: '41 * * * *' });
  }

  async write(tx: Tx, message: MailMessage): Promise<void> {
    const { clock, random, jobs, transport } = this.deps;
    const now = clock.now();
    const id = newId(random, now);
    const opening = await this.deps.opening?.(tx, message.to);
    await tx
      .withTables<MailTables>()
      .insertInto('mail_outbox')
      .values({
        id,
        recipient: message.to,
        purpose: message.purpose,
        subject: message.subject,
        body: opening === undefined ? message.text : `${opening}\n\n${message.text}`,
        code: message.code ?? null,
        status: transport === undefined ? 'kept' : 'waiting',
        attempts: 0,
        created_at: BigInt(now),
        sent_at: null,
        failure: null,
        failed_at: null,
      })
      .execute();
    if (transport !== undefined)
      await jobs.add(
        tx,
        SEND_JOB,
        { id },
        {
          key: `mail:${id}`,
          maxAttempts: MAX_ATTEMPTS,
          priority: PRIORITIES[message.order ?? 'usual'],
        },
      );
  }

  /** Returns the newest 50 emails, newest first: all of them, or with `address` those to this address. */
  async latest(to?: string): Promise<readonly StoredMessage[]> {
    let query = this.outbox()
      .selectFrom('mail_outbox')
      .select(['recipient', 'subject', 'body', 'code', 'created_at'])
      .orderBy('number', 'desc')
      .limit(LIST_LIMIT);
    if (to !== undefined) query = query.where('recipient', '=', to);
    return (await query.execute()).map((row) => ({
      to: row.recipient,
      subject: row.subject,
      text: row.body,
      ...(row.code === null ? {} : { code: row.code }),
      createTime: Number(row.created_at) as Instant,
    }));
  }

  /**
   * Returns the health of mail delivery. It is down if the oldest waiting mail is late, and either no mail
   * was sent in the last `LATE_MS` or at least `MANY_LATE` mails wait. Without a mail server it is always up.
   */
  async health(): Promise<ComponentHealth> {
    if (this.deps.transport === undefined)
      return { isUp: true, facts: { server: 'none, mail is shown here' } };
    const now = this.deps.clock.now();
    const { count, oldest, failed = this.failed } = await this.waiting();
    const facts = {
      waiting: count,
      ...(oldest === undefined ? {} : { oldest: new Date(oldest).toISOString() }),
      lastSent: this.sentAt === undefined ? 'none since the start' : new Date(this.sentAt).toISOString(),
      ...(failed === undefined ? {} : { lastFailed: new Date(failed.at).toISOString(), failure: failed.why }),
    };
    const waitedMs = oldest === undefined ? 0 : now - oldest;
    const isStill = waitedMs > LATE_MS && !(await this.wasSentSince(later(now, -LATE_MS)));
    if (!isStill && !(waitedMs > LATE_MS && count >= MANY_LATE)) return { isUp: true, facts };
    const why = failed === undefined ? '' : `; the mail server last failed: ${failed.why}`;
    const minutes = Math.floor(waitedMs / MINUTE_MS);
    return {
      isUp: false,
      reason: `${count} ${count === 1 ? 'mail waits' : 'mails wait'}, the oldest for ${minutes} minutes${why}`,
      facts,
    };
  }

  /**
   * Returns whether the mail server has accepted a mail since `since`, from this process or from another one.
   * Of the mails that other processes sent, only those count that were written at most an hour before
   * `since`.
   */
  private async wasSentSince(since: Instant): Promise<boolean> {
    if (this.sentAt !== undefined && this.sentAt >= since) return true;
    // Only mails that were written at most an hour before `since` are read, so that an index limits the read. Older
    // mails say little about the state of the mail server.
    const sent = await this.outbox()
      .selectFrom('mail_outbox')
      .select('id')
      .where('created_at', '>', BigInt(later(since, -HOUR_MS)))
      .where('sent_at', '>=', BigInt(since))
      .limit(1)
      .executeTakeFirst();
    return sent !== undefined;
  }

  /**
   * Reads the oldest unsent mails, at most `COUNTED_MAX`: their number, the time of the oldest, and the last failure
   * among them.
   */
  async waiting(): Promise<Pending> {
    const { rows } = await sql<{
      readonly count: number;
      readonly oldest: bigint | null;
      readonly failure: string | null;
      readonly failed_at: bigint | null;
    }>`
      select count(*)::int as count, min(created_at) as oldest, max(failed_at) as failed_at,
        (array_agg(failure order by failed_at desc) filter (where failed_at is not null))[1] as failure
      from (
        select created_at, failure, failed_at from mail_outbox where status = 'waiting' order by created_at limit ${COUNTED_MAX}
      ) waiting
    `.execute(this.deps.database.reader);
    const { count, oldest, failure, failed_at: failedAt } = rows[0]!;
    return {
      count,
      oldest: oldest === null ? undefined : Number(oldest),
      failed: failure === null ? undefined : { at: Number(failedAt), why: failure },
    };
  }

  private async send(id: string): Promise<void> {
    const { transport, clock } = this.deps;
    if (transport === undefined)
      throw new Error('an email waits, but no mail server is configured (SMTP_URL)');
    const message = await this.outbox()
      .updateTable('mail_outbox')
      .set((row) => ({ attempts: row('attempts', '+', 1) }))
      .where('id', '=', id)
      .where('status', '=', 'waiting')
      .returning(['recipient', 'subject', 'body', 'attempts', 'created_at'])
      .executeTakeFirst();
    // An earlier run of the job has sent this mail, or has given it up.
    if (message === undefined) return;
    try {
      await transport.send({
        id,
        to: message.recipient,
        subject: message.subject,
        text: message.body,
        writtenAt: Number(message.created_at) as Instant,
      });
    } catch (error) {
      const failed = { at: clock.now(), why: failureOf(error) };
      this.failed = failed;
      const failureRow = { failure: failed.why, failed_at: BigInt(failed.at) };
      await this.outbox().updateTable('mail_outbox').set(failureRow).where('id', '=', id).execute();
      if (message.attempts >= MAX_ATTEMPTS) await this.close(id, 'failed', null);
      throw error; // the job queue repeats the job later, at most `MAX_ATTEMPTS` attempts in total
    }
    this.sentAt = clock.now();
    await this.close(id, 'sent', this.sentAt);
  }

  private async close(id: string, status: 'sent' | 'failed', at: Instant | null): Promise<void> {
    await this.outbox()
      .updateTable('mail_outbox')
      .set({
        status,
        sent_at: at === null ? null : BigInt(at),
        // The subject is removed together with the text, because it may also contain the code.
        ...(this.deps.keepsWords ? {} : { subject: '', body: '', code: null }),
      })
      .where('id', '=', id)
      .execute();
  }

  private async cleanUp(): Promise<void> {
    await this.outbox()
      .deleteFrom('mail_outbox')
      .where('created_at', '<', BigInt(this.deps.clock.now() - STORED_MS))
      .execute();
  }

  private outbox() {
    return this.deps.database.store.withTables<MailTables>();
  }
}

type MailTables = {
  mail_outbox: {
    id: string;
    number: Generated<bigint>;
    recipient: string;
    purpose: string;
    subject: string;
    body: string;
    code: string | null;
    status: 'waiting' | 'kept' | 'sent' | 'failed';
    attempts: number;
    created_at: bigint;
    sent_at: bigint | null;
    /** Reason and time (milliseconds UTC) of the last failure to send the mail; null if there was none. */
    failure: string | null;
    failed_at: bigint | null;
  };
};
