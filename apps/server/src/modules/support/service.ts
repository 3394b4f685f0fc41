import { createHmac } from 'node:crypto';
import { normaliseEmail } from '@exchange/core/email.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { SUPPORT_PER_HOUR, type SupportTopic } from '@exchange/core/support.ts';
import { DAY_MS, HOUR_MS, later, MINUTE_MS } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/http/route.ts';
import { addressGroup } from '../../platform/limits/address-group.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import { mailSubject } from '../../platform/mail/subject.ts';
import { newId, systemRandom } from '../../platform/secrets/random.ts';
import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import { storeFirstAnswer } from '../../platform/sequencer/idempotency-store.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import type { AskedPage } from '../../platform/database/paged-rows.ts';
import type { Identity } from '../identity/index.ts';
import type { Message, Messages } from '../messages/index.ts';
import {
  type AboutTransfer,
  countSince,
  decideRequest,
  deleteDecided,
  insertRequest,
  latestAbout,
  lockSource,
  requestByKey,
  requestsOf,
  waitingRequests,
} from './repository.ts';

const QUEUE = 200;
const CHAT_MS = 5 * MINUTE_MS;
/** Decided requests are kept for a year. */
const KEPT_MS = 365 * DAY_MS;
const CHUNK = 500;

/** URL of a live chat, and the key with which its operator verifies that a uid comes from this site. */
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

/** The parts of a caller that a request uses. */
export type Writer = Pick<Caller, 'locale' | 'address' | 'key'> & {
  readonly submission?: Submission | undefined;
  readonly session: { readonly userId: UserId } | undefined;
};

interface Asked {
  readonly topic: SupportTopic;
  readonly content: string;
  readonly email?: string | undefined;
  /** The transfer that it is about; the caller has to make sure that it is the writer's. */
  readonly about?: AboutTransfer | undefined;
}

/** Requests to customer service and their answers. */
export class Support {
  private readonly parts: SupportParts;

  constructor(parts: SupportParts) {
    this.parts = parts;
  }

  /**
   * The chat's URL, or an empty text. For signed-in users, and if the chat has a key, it contains `uid`, `expires`
   * (milliseconds UTC) and `signature`: the HMAC-SHA-256 of `uid.expires` in hex.
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
   * Stores a request and returns its id and number. Repeated requests return the first: for users by the submission, for
   * visitors by key and network. Refuses more than five per hour, and a second one about a transfer while the first waits
   * for a reply.
   */
  async submit(writer: Writer, fields: Asked): Promise<{ id: string; number: number }> {
    const { database, identity, clock, secret } = this.parts;
    const owner = writer.session?.userId;
    const user = owner && (await identity.findUser(owner));
    // Accounts without an email address, such as system accounts, provide one like visitors.
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

  /** The latest request of a user about each of these transfers, by the id of the transfer. */
  latestAbout(owner: UserId, transfers: readonly string[]) {
    return latestAbout(this.parts.database.store, owner, transfers);
  }

  /** A user's requests, newest first. */
  requestsOfUser(owner: UserId, page: AskedPage) {
    return requestsOf(this.parts.database.store, owner, page);
  }

  /** Pending requests for operators, oldest first. */
  async waiting() {
    const { database, identity, clock } = this.parts;
    const now = clock.now();
    const waiting = await waitingRequests(database.store, QUEUE);
    const list = await Promise.all(
      waiting.list.map(async ({ id, number, owner, email, locale, topic, content, createdAt, about }) => ({
        id,
        number,
        about: about?.kind,
        aboutId: about?.id,
        owner,
        uid: (owner && (await identity.findUser(owner))?.uid) ?? '',
        email,
        locale,
        topic,
        content,
        createdAt,
        waitingMinutes: Math.floor((now - createdAt) / MINUTE_MS),
      })),
    );
    return { ...waiting, list };
  }

  /**
   * Answers a request once, by mail and, for users, in the inbox. An empty answer closes the request without a
   * notification.
   */
  async decide(id: string, answer: string, by: string): Promise<void> {
    const { database, messages, mail, clock } = this.parts;
    const owner = await database.transaction(async (tx) => {
      const request = await decideRequest(tx, id, { answer, by, now: clock.now() });
      if (request === undefined) throw new Refused(refusal('duplicate', 'l.support_decided'));
      if (answer === '') return undefined;
      const parameters = { answer, question: request.content };
      const message: Message = { type: 'system', kind: 'supportAnswered', parameters };
      if (request.owner !== undefined)
        await messages.send(tx, [{ userId: request.owner, about: id, message }]);
      const { title, content } = messages.words(request.locale, message);
      await mail.write(tx, {
        to: request.email,
        purpose: 'support',
        subject: mailSubject(request.locale, title),
        text: `${content}\n\nAmethyst\n`,
      });
      return request.owner;
    });
    if (owner !== undefined) await messages.announce(owner);
  }

  /** Deletes requests that were decided more than a year ago. */
  async deleteOld(): Promise<void> {
    const before = later(this.parts.clock.now(), -KEPT_MS);
    while ((await deleteDecided(this.parts.database.store, before, CHUNK)) === CHUNK);
  }
}

/** Refuses a request about a transfer while another one about it waits for a reply. */
async function requireNonePending(tx: Tx, owner: UserId, transfer: string): Promise<void> {
  const latest = (await latestAbout(tx, owner, [transfer])).get(transfer);
  if (latest?.status === 1)
    throw new Refused(refusal('duplicate', 'l.support_pending', { number: String(latest.number) }));
}
