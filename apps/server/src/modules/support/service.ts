import { createHmac } from 'node:crypto';
import { normaliseEmail } from '@exchange/core/email.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { SUPPORT_PER_HOUR, type SupportTopic } from '@exchange/core/support.ts';
import { DAY_MS, HOUR_MS, later, MINUTE_MS } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
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
  countSince,
  decideRequest,
  forgetDecided,
  insertRequest,
  lockSource,
  requestByKey,
  requestsOf,
  waitingRequests,
} from './repository.ts';

const QUEUE = 200;
const CHAT_MS = 5 * MINUTE_MS;
/** What was answered is kept for a year. */
const KEPT_MS = 365 * DAY_MS;
const CHUNK = 500;

/** Where a live chat is, and the key by which its operator knows that a uid comes from us. */
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

/** Of a caller, all that a request keeps. */
export type Writer = Pick<Caller, 'locale' | 'address' | 'key'> & {
  readonly submission?: Submission | undefined;
  readonly session: { readonly userId: UserId } | undefined;
};

interface Asked {
  readonly topic: SupportTopic;
  readonly content: string;
  readonly email?: string | undefined;
}

/** Takes what people write to customer service and brings them the answers. */
export class Support {
  private readonly parts: SupportParts;

  constructor(parts: SupportParts) {
    this.parts = parts;
  }

  /**
   * The chat's address; empty without one. `uid`, `expires` (milliseconds UTC) and `signature` are added for somebody
   * who is signed in, where the chat has a key: HMAC-SHA-256 over `uid.expires`, in hex.
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
   * Stores a request; sent again under its key it is the one that is there: by its submission, of a visitor by the key
   * and the network. Refuses more than five in an hour.
   */
  async ask(writer: Writer, asked: Asked): Promise<{ id: string }> {
    const { database, identity, clock, secret } = this.parts;
    const owner = writer.session?.userId;
    const user = owner && (await identity.findUser(owner));
    // An account without an address of its own, as the house's are, names one like a visitor.
    const email = normaliseEmail(user?.email || (asked.email ?? ''));
    if (email === undefined)
      throw new Refused(refusal('invalidField', 'l.email_invalid', { field: 'email' }));
    const content = asked.content.trim();
    if (content === '') throw new Refused(refusal('invalidField', 'l.field_required', { field: 'content' }));
    const source = createHmac('sha256', secret.key('support sources'))
      .update(owner ?? addressGroup(writer.address))
      .digest();
    const { key, locale, submission } = writer;
    return database.transaction(async (tx) => {
      await lockSource(tx, source);
      const earlier = key === undefined ? undefined : await requestByKey(tx, source, key);
      if (earlier !== undefined) {
        if (earlier.content === content && earlier.topic === asked.topic) return { id: earlier.id };
        throw new Refused(refusal('duplicate', 'l.duplicate_key'));
      }
      const now = clock.now();
      if ((await countSince(tx, source, later(now, -HOUR_MS))) >= SUPPORT_PER_HOUR)
        throw new Refused(refusal('rateLimited', 'l.support_wait', { limit: String(SUPPORT_PER_HOUR) }));
      const id = newId(systemRandom, now);
      const one = { id, owner, email, locale, topic: asked.topic, content, createdAt: now };
      await insertRequest(tx, one, { source, key });
      if (submission !== undefined) await storeFirstAnswer(tx, submission, { answer: { id }, at: now });
      return { id };
    });
  }

  /** What one has written, newest first. */
  mine(owner: UserId, page: AskedPage) {
    return requestsOf(this.parts.database.store, owner, page);
  }

  /** What waits for operators, that which waits longest first. */
  async waiting() {
    const { database, identity, clock } = this.parts;
    const now = clock.now();
    const waiting = await waitingRequests(database.store, QUEUE);
    const list = await Promise.all(
      waiting.list.map(async ({ id, owner, email, locale, topic, content, createdAt }) => ({
        id,
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

  /** Answers a request once, by mail and in the inbox of an account; without an answer it is closed and nobody is told. */
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

  /** Deletes what was decided more than a year ago. */
  async forget(): Promise<void> {
    const before = later(this.parts.clock.now(), -KEPT_MS);
    while ((await forgetDecided(this.parts.database.store, before, CHUNK)) === CHUNK);
  }
}
