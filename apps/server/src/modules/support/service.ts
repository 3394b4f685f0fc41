import { createHmac } from 'node:crypto';
import { normaliseEmail } from '@exchange/core/email.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import {
  SUPPORT_MESSAGES_MAX,
  SUPPORT_PER_HOUR,
  SUPPORT_REPLY_DAYS,
  type SupportTopic,
} from '@exchange/core/support.ts';
import { DAY_MS, HOUR_MS, later, MINUTE_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { BoundedRows } from '../../platform/database/bounded-rows.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/http/route.ts';
import { addressGroup } from '../../platform/limits/address-group.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import { mailSubject } from '../../platform/mail/subject.ts';
import { newId, systemRandom } from '../../platform/secrets/random.ts';
import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import { storeFirstAnswer } from '../../platform/sequencer/idempotency-store.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import { mapPage, type AskedPage } from '../../platform/database/paged-rows.ts';
import type { Identity } from '../identity/index.ts';
import type { Message, Messages } from '../messages/index.ts';
import {
  type AboutTransfer,
  countSince,
  decidedRequests,
  decideRequest,
  deleteDecided,
  findRequest,
  insertRequest,
  latestAbout,
  lockSource,
  requestByKey,
  requestsOf,
  type SupportRequest,
  waitingRequests,
} from './repository.ts';
import {
  countMessages,
  insertMessage,
  lockRequest,
  messagesOf,
  reopenRequest,
  threadSummaries,
  type ThreadMessage,
} from './thread-repository.ts';

const QUEUE = 200;
const CHAT_MS = 5 * MINUTE_MS;
/** Milliseconds from the answer or closing of a support request to its deletion: a year. */
const KEPT_MS = 365 * DAY_MS;
const CHUNK = 500;
/**
 * Number of messages of a support conversation (notes included, the request itself not) from which on
 * operators can add no notes or follow-ups. Customers' replies are refused from the lower number
 * `SUPPORT_MESSAGES_MAX` on.
 */
const FULL_MESSAGES = 400;
/** Limit of the query for a support conversation; it is above the length of every conversation. */
const THREAD_MAX = 500;
const STATUS_WORDS = { 1: 'waiting', 2: 'answered', 3: 'closed' } as const;

/**
 * URL of a live chat, and the secret key that the exchange shares with the chat service. The service uses the key to
 * verify that a user id comes from this exchange; without a key, the service receives no user ids.
 */
export interface ChatSettings {
  readonly url: string;
  readonly key: string | undefined;
}

export interface SupportParts {
  readonly clock: Clock;
  readonly database: Database;
  readonly secret: ServerSecret;
  readonly mail: Mail;
  readonly identity: Pick<Identity, 'findUser'>;
  readonly messages: Pick<Messages, 'send' | 'announce' | 'words'>;
  readonly chat: ChatSettings | undefined;
}

/**
 * The user or visitor who sends a support request: language, network address, a key by which a repeated
 * request is recognized and, for signed-in users, session and submission.
 */
export type Writer = Pick<Caller, 'locale' | 'address' | 'key'> & {
  readonly submission?: Submission | undefined;
  readonly session: { readonly userId: UserId } | undefined;
};

interface Asked {
  readonly topic: SupportTopic;
  readonly content: string;
  readonly email?: string | undefined;
  /**
   * The deposit, withdrawal or report of a missing deposit that the support request is about; undefined if it
   * is about none. The caller must have checked that it belongs to the user who sends the request.
   */
  readonly about?: AboutTransfer | undefined;
}

/** Use cases of support requests and their answers. */
export class Support {
  private readonly parts: SupportParts;

  constructor(parts: SupportParts) {
    this.parts = parts;
  }

  /**
   * Returns the URL of the live chat; empty if no chat is configured. For signed-in users, if the chat has a
   * key, the URL contains `uid`, `expires` (milliseconds UTC) and `signature`, which is the HMAC-SHA-256 of
   * `uid.expires` in hex.
   */
  async chatUrl({ session }: Caller): Promise<string> {
    const { chat, identity, clock } = this.parts;
    if (chat === undefined) return '';
    const user = session && chat.key !== undefined ? await identity.findUser(session.userId) : undefined;
    if (user === undefined) return chat.url;
    const expires = later(clock.now(), CHAT_MS);
    const signature = createHmac('sha256', chat.key!).update(`${user.uid}.${expires}`).digest('hex');
    const url = new URL(chat.url);
    for (const [name, value] of Object.entries({ uid: user.uid, expires, signature }))
      url.searchParams.set(name, String(value));
    return url.toString();
  }

  /**
   * Stores a support request and returns its id and ticket number. A repeated call returns the id and number
   * of the first one. Repeated calls have the same submission (signed-in users) or the same key and network
   * address (visitors). Refuses an empty text, a sender without a valid email address, other content under
   * the same key, more than `SUPPORT_PER_HOUR` requests of an account or, for visitors, of a group of network
   * addresses within an hour, and a second request about a transfer while the first waits for a reply.
   */
  async submit(writer: Writer, fields: Asked): Promise<{ id: string; number: number }> {
    const { database, identity, clock, secret } = this.parts;
    const owner = writer.session?.userId;
    const user = owner && (await identity.findUser(owner));
    // A signed-in user whose account has no email address, such as a system account, must enter one in the
    // form, like a visitor.
    const email = normaliseEmail(user?.email || (fields.email ?? ''));
    if (email === undefined)
      throw new Refused(refusal('invalidField', 'l.email_invalid', { field: 'email' }));
    const content = fields.content.trim();
    if (content === '') throw new Refused(refusal('invalidField', 'l.field_required', { field: 'content' }));
    const source = createHmac('sha256', secret.key('support sources'))
      .update(owner ?? addressGroup(writer.address))
      .digest();
    const { key, locale, submission } = writer;
    const { about } = fields;
    return database.transaction(async (tx) => {
      await lockSource(tx, source);
      const earlier = key === undefined ? undefined : await requestByKey(tx, source, key);
      if (earlier !== undefined) {
        const isSame = earlier.content === content && earlier.topic === fields.topic;
        if (isSame && earlier.about?.id === about?.id) return { id: earlier.id, number: earlier.number };
        throw new Refused(refusal('duplicate', 'l.duplicate_key'));
      }
      const now = clock.now();
      if ((await countSince(tx, source, later(now, -HOUR_MS))) >= SUPPORT_PER_HOUR)
        throw new Refused(refusal('rateLimited', 'l.support_wait', { limit: String(SUPPORT_PER_HOUR) }));
      if (owner !== undefined && about !== undefined) await requireNonePending(tx, owner, about.id);
      const id = newId(systemRandom, now);
      const request = {
        id,
        owner,
        email,
        locale,
        topic: fields.topic,
        content,
        createdAt: now,
        about,
      };
      const answer = { id, number: await insertRequest(tx, request, { source, key }) };
      if (submission !== undefined) await storeFirstAnswer(tx, submission, { answer, at: now });
      return answer;
    });
  }

  /**
   * Returns the latest support request of a user about each transfer in `transfers`, whatever its status, by
   * the id of the transfer; transfers without a request are missing.
   */
  latestAbout(owner: UserId, transfers: readonly string[]) {
    return latestAbout(this.parts.database.store, owner, transfers);
  }

  /**
   * Returns a page of a user's support requests, newest first, each with the summary of its messages and
   * whether the user can reply.
   */
  async requestsOfUser(owner: UserId, page: AskedPage) {
    const { clock, database } = this.parts;
    const requests = await requestsOf(database.store, owner, page);
    const summaries = await threadSummaries(
      database.store,
      requests.list.map(({ id }) => id),
    );
    const now = clock.now();
    return mapPage(requests, (request) => {
      const summary = summaries.get(request.id);
      return { request, summary, canReply: canReply(request, summary?.count ?? 0, now) };
    });
  }

  /**
   * Returns support requests that wait for an answer, for operators; the longest waiting first, at most
   * `QUEUE`.
   */
  async waiting() {
    return this.presentRequests(await waitingRequests(this.parts.database.store, QUEUE));
  }

  /**
   * Returns answered and closed support requests for operators, the one answered or closed last first, at
   * most `QUEUE`.
   */
  async decided() {
    return this.presentRequests(await decidedRequests(this.parts.database.store, QUEUE));
  }

  /**
   * Returns support requests as operators see them in lists, with the customer's last message and the numbers
   * of messages and notes.
   */
  private async presentRequests(requests: BoundedRows<SupportRequest>) {
    const { database, identity, clock } = this.parts;
    const now = clock.now();
    const summaries = await threadSummaries(
      database.store,
      requests.list.map(({ id }) => id),
    );
    const list = await Promise.all(
      requests.list.map(async (request) => {
        const { id, owner, about, status, waitingSince } = request;
        const summary = summaries.get(id);
        return {
          id,
          number: request.number,
          about: about?.kind,
          aboutId: about?.id,
          owner,
          uid: (owner && (await identity.findUser(owner))?.uid) ?? '',
          email: request.email,
          locale: request.locale,
          topic: request.topic,
          content: summary?.lastReply ?? request.content,
          status: STATUS_WORDS[status],
          messages: 1 + (summary?.count ?? 0),
          notes: summary?.notes ?? 0,
          createdAt: request.createdAt,
          waitingSince,
          decidedAt: request.decidedAt,
          waitingMinutes: status === 1 ? Math.floor((now - waitingSince) / MINUTE_MS) : 0,
        };
      }),
    );
    return { ...requests, list };
  }

  /**
   * Returns the support conversation as operators see it, with their notes: first the request itself, then
   * its messages, oldest first. Refuses an unknown id with `l.not_found`.
   */
  async thread(id: string): Promise<readonly ThreadMessage[]> {
    const { store } = this.parts.database;
    const request = await findRequest(store, id);
    if (request === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const { content, createdAt } = request;
    const first = { number: 0, author: 'customer', content, by: undefined, at: createdAt } as const;
    return [first, ...(await messagesOf(store, id, THREAD_MAX))];
  }

  /**
   * Returns the support conversation as its user sees it, without operators' notes. Refuses requests of other
   * users with `l.not_found`.
   */
  async threadOf(owner: UserId, id: string) {
    const request = await findRequest(this.parts.database.store, id);
    if (request?.owner !== owner) throw new Refused(refusal('generic', 'l.not_found'));
    const messages = (await this.thread(id)).filter(({ author }) => author !== 'note');
    // The first of the messages is the text of the request itself, which the maximum number of messages does
    // not include.
    return { request, messages, canReply: canReply(request, messages.length - 1, this.parts.clock.now()) };
  }

  /**
   * Stores a user's reply; an answered request then waits for an answer again. Refuses an empty text, a reply
   * to a request of another user, to a closed one or to one answered more than 30 days ago, more than
   * `SUPPORT_PER_HOUR` replies to a request within an hour, and a reply in a conversation that has
   * `SUPPORT_MESSAGES_MAX` messages without notes.
   */
  async reply(
    owner: UserId,
    id: string,
    { content: typed, submission }: { readonly content: string; readonly submission: Submission | undefined },
  ): Promise<Record<string, never>> {
    const { database, clock } = this.parts;
    const content = typed.trim();
    if (content === '') throw new Refused(refusal('invalidField', 'l.field_required', { field: 'content' }));
    return database.transaction(async (tx) => {
      const request = await lockRequest(tx, id);
      if (request?.owner !== owner) throw new Refused(refusal('generic', 'l.not_found'));
      const now = clock.now();
      const { readable, recent } = await countMessages(tx, id, later(now, -HOUR_MS));
      if (!canReply(request, readable, now)) throw new Refused(refusal('closed', 'l.support_closed'));
      if (recent >= SUPPORT_PER_HOUR)
        throw new Refused(refusal('rateLimited', 'l.support_wait', { limit: String(SUPPORT_PER_HOUR) }));
      await insertMessage(tx, id, { author: 'customer', content, by: undefined, at: now });
      await reopenRequest(tx, id, now);
      if (submission !== undefined) await storeFirstAnswer(tx, submission, { answer: {}, at: now });
      return {};
    });
  }

  /**
   * Sends an operator's answer by email and, for a request of an account, also to its inbox; the request is
   * then answered. Refuses to answer a request that does not wait. With `isFollowUp`, instead refuses a
   * request that was neither answered nor closed, and a full conversation
   * (`FULL_MESSAGES` messages).
   */
  async answer(
    id: string,
    answer: string,
    { by, isFollowUp = false }: { readonly by: string; readonly isFollowUp?: boolean },
  ): Promise<void> {
    const { database, messages, mail, clock } = this.parts;
    const owner = await database.transaction(async (tx) => {
      const now = clock.now();
      const from = isFollowUp ? ([2, 3] as const) : ([1] as const);
      if (isFollowUp) await requireRoom(tx, id, now);
      const request = await decideRequest(tx, id, { from, to: 2, by, now });
      if (request === undefined) throw new Refused(refusal('duplicate', 'l.support_decided'));
      const summary = (await threadSummaries(tx, [id])).get(id);
      await insertMessage(tx, id, { author: 'support', content: answer, by, at: now });
      const parameters = { answer, question: summary?.lastReply ?? request.content };
      const message: Message = { type: 'system', kind: 'supportAnswered', parameters };
      if (request.owner !== undefined)
        await messages.send(tx, [{ userId: request.owner, about: id, message }]);
      const { title, content } = messages.words(request.locale, message);
      await mail.write(tx, {
        to: request.email,
        purpose: 'support',
        subject: mailSubject(request.locale, `${title} (#${request.number})`),
        text: `${content}\n\n#${request.number}\nAmethyst\n`,
      });
      return request.owner;
    });
    if (owner !== undefined) await messages.announce(owner);
  }

  /**
   * Closes a waiting or answered support request; the person who wrote it is not notified. Refuses any other
   * request.
   */
  async close(id: string, by: string): Promise<void> {
    const { database, clock } = this.parts;
    const closing = { from: [1, 2] as const, to: 3 as const, by, now: clock.now() };
    const closed = await database.transaction((tx) => decideRequest(tx, id, closing));
    if (closed === undefined) throw new Refused(refusal('duplicate', 'l.support_decided'));
  }

  /**
   * Stores a note about a support request. Notes are shown only to operators. Refuses an unknown request, and
   * a note in a conversation with `FULL_MESSAGES` messages.
   */
  async note(id: string, { by, content }: { readonly by: string; readonly content: string }): Promise<void> {
    const { database, clock } = this.parts;
    await database.transaction(async (tx) => {
      if ((await lockRequest(tx, id)) === undefined) throw new Refused(refusal('generic', 'l.not_found'));
      await requireRoom(tx, id, clock.now());
      await insertMessage(tx, id, { author: 'note', content, by, at: clock.now() });
    });
  }

  /** Deletes support requests that were answered or closed more than a year ago. */
  async deleteOld(): Promise<void> {
    const before = later(this.parts.clock.now(), -KEPT_MS);
    while ((await deleteDecided(this.parts.database.store, before, CHUNK)) === CHUNK);
  }
}

/**
 * Returns whether the user who sent a support request may reply: while it waits for an answer, and for
 * `SUPPORT_REPLY_DAYS` days after the last answer, but not to a closed one. The conversation must also have
 * fewer than `SUPPORT_MESSAGES_MAX` messages after its first text; operators' notes do not count.
 */
function canReply(
  { status, decidedAt }: Pick<SupportRequest, 'status' | 'decidedAt'>,
  messages: number,
  now: Instant,
): boolean {
  if (messages >= SUPPORT_MESSAGES_MAX) return false;
  if (status !== 2) return status === 1;
  return decidedAt !== undefined && now < later(decidedAt, SUPPORT_REPLY_DAYS * DAY_MS);
}

/**
 * Refuses a support request about a transfer while the owner's latest request about the transfer waits for an answer.
 */
async function requireNonePending(tx: Tx, owner: UserId, transfer: string): Promise<void> {
  const latest = (await latestAbout(tx, owner, [transfer])).get(transfer);
  if (latest?.status === 1)
    throw new Refused(refusal('duplicate', 'l.support_pending', { number: String(latest.number) }));
}

/** Refuses an operator's note or follow-up if the conversation has `FULL_MESSAGES` messages. */
async function requireRoom(tx: Tx, id: string, now: Instant): Promise<void> {
  const { all } = await countMessages(tx, id, now);
  if (all >= FULL_MESSAGES) throw new Refused(refusal('closed', 'l.support_closed'));
}
