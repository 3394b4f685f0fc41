import type { UserId } from '@exchange/core/ids.ts';
import { KYC_RULES, KYC_STATUS, levelLimits, maskDocument, maskName } from '@exchange/core/kyc.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { HOUR_MS, later, MINUTE_MS, type Instant } from '@exchange/core/time.ts';
import type { Log } from '../../platform/log.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import { mailSubject } from '../../platform/mail/subject.ts';
import { OnePerKey } from '../../platform/one-per-key.ts';
import { newId, systemRandom } from '../../platform/secrets/random.ts';
import { timeText } from '../../platform/time-text.ts';
import type { Message, Messages } from '../messages/index.ts';
import type { StoredSubject } from '../screening/index.ts';
import type { Fingerprints, SimilarDocument } from './fingerprints.ts';
import {
  nextSubmission,
  photosExpiredBefore,
  type Decision,
  type Person,
  type Submission,
} from './domain.ts';
import {
  isTaken,
  lockDocument,
  lockOwner,
  countViewsSince,
  viewedParts,
  viewKey,
  storeView,
  markPhotosErased,
  photosInUse,
  photosToErase,
  pendingSubmissions,
  recentViews,
  storeDecision,
  submissionById,
  verifiedSubmissions,
} from './repository.ts';
import { aboutOf, type KycParts } from './service.ts';
import { watermarkTile } from './watermark.ts';
import { decisionText } from './present.ts';

const QUEUE = 200;
const LOOKS = 200;
const LINK_MS = 5 * MINUTE_MS;
const LINKS_MAX = 1_000;
/** Number of views by one operator within the last hour; each further view logs a warning. */
const LOOKS_ALARM = 60;
const CHUNK = 50;

interface ReviewParts extends KycParts {
  readonly fingerprints: Fingerprints;
  readonly log: Log;
  readonly mail: Mail;
  readonly messages: Pick<Messages, 'send' | 'announce' | 'words'>;
}

export type Side = 'front' | 'back';
/** Parts of a submission that an operator must view before a decision. */
const PARTS = ['data', 'front', 'back'] as const;

/**
 * The author of a decision as it is stored (`by`), and the operators who must have viewed the submission; no operators
 * if a program decides.
 */
export interface Decider {
  readonly by: string;
  readonly persons: readonly string[];
}

interface Link {
  readonly submission: string;
  readonly side: Side;
  readonly operator: string;
  readonly until: Instant;
}

/** What reviewers do: list the submissions that wait, view one, and decide about it. */
export class Review {
  private readonly parts: ReviewParts;
  private readonly ownerQueue = new OnePerKey();
  /** One-time links to pictures by their tokens. They expire within minutes, so they are only in memory. */
  private readonly links = new Map<string, Link>();

  constructor(parts: ReviewParts) {
    this.parts = parts;
  }

  /** The submissions that wait for review, oldest first, at most `QUEUE`, without names and document numbers. */
  async waiting() {
    const { database, identity, clock } = this.parts;
    const now = clock.now();
    const waiting = await pendingSubmissions(database.store, QUEUE);
    const similar = await this.parts.fingerprints.similarTo(
      database.store,
      waiting.list.map(({ submission }) => submission),
    );
    const list = await Promise.all(
      waiting.list.map(async ({ submission, earlier, sameDocument }) => ({
        id: submission.id,
        owner: submission.owner,
        uid: (await identity.findUser(submission.owner))?.uid ?? '',
        country: submission.country,
        submittedAt: submission.submittedAt,
        earlier,
        sameDocument,
        similarDocuments: ownersOf(similar.filter(({ about }) => about === submission.id)).size,

        sameSide: submission.isSameSide,
        waitingMinutes: Math.floor((now - submission.submittedAt) / MINUTE_MS),
      })),
    );
    return { ...waiting, list };
  }

  /** Returns the id of the user who made a submission. Refuses an unknown submission. */
  async ownerOf(id: string): Promise<UserId> {
    return (await this.find(id)).owner;
  }

  /**
   * The id of the user whose document a picture link shows to this operator; undefined for a link that is
   * unknown, expired or another operator's.
   */
  async ownerOfPicture(token: string, operator: string): Promise<UserId | undefined> {
    const link = this.linkOf(token, operator);
    return link === undefined ? undefined : this.ownerOf(link.submission);
  }

  /** The name, document number and one-time picture links of a submission, for this operator. The view is recorded. */
  async open(id: string, operator: string) {
    const { database, seal } = this.parts;
    const submission = await this.find(id);
    await this.recordView(submission.id, 'data', operator);
    const person: Person = seal.open(submission.sealed, aboutOf(submission));
    return {
      submission,
      person,
      isTaken: await isTaken(database.store, submission),
      links: { front: this.linkTo(id, 'front', operator), back: this.linkTo(id, 'back', operator) },
    };
  }

  /**
   * Submissions of other accounts with the same or a similar document, with the kind of similarity; names and numbers
   * are masked. A match is no proof: siblings may have consecutive numbers.
   */
  async similar(id: string) {
    const { database, identity, fingerprints } = this.parts;
    const similar = await fingerprints.similarTo(database.store, [await this.find(id)]);
    return Promise.all(
      similar.map(async ({ submission, person, match }) => ({
        user: submission.owner,
        uid: (await identity.findUser(submission.owner))?.uid ?? '',
        match,
        country: submission.country,
        document: maskDocument(person.idCard),
        holder: maskName(person.name),
        status: submission.status,
        submittedAt: submission.submittedAt,
      })),
    );
  }

  /**
   * Returns the picture of a one-time link, which then becomes invalid. The operator's name and the time are drawn into
   * the picture, and the view is recorded. Refuses a link that is unknown, expired or another operator's, and a picture
   * that is no longer stored.
   */
  async picture(token: string, operator: string): Promise<Buffer> {
    const { clock, files } = this.parts;
    const link = this.linkOf(token, operator);
    const now = clock.now();
    if (link === undefined) throw new Refused(refusal('generic', 'l.kyc_link_used'));
    this.links.delete(token);
    const submission = await this.find(link.submission);
    const tile = watermarkTile(`${operator} ${timeText(now)}`);
    const picture = await files.readStamped(submission[link.side], tile);
    if (picture === undefined) throw new Refused(refusal('generic', 'l.file_unknown'));
    await this.recordView(submission.id, link.side, operator);
    return picture;
  }

  /** Which operator viewed which part of which submission and when, newest first, at most `LOOKS`. */
  views() {
    return recentViews(this.parts.database.store, LOOKS);
  }

  /** Refuses unless each of the operators has viewed the data, the front and the back of the submission. */
  private async requireOpened(id: string, persons: readonly string[]): Promise<void> {
    const opened = await viewedParts(this.parts.database.store, id, persons);
    const missing = persons.flatMap((person) => {
      const parts = PARTS.filter((part) => !opened.has(viewKey(person, part)));
      if (parts.length === 0) return [];
      return [persons.length === 1 ? parts.join(', ') : `${person}: ${parts.join(', ')}`];
    });
    if (missing.length === 0) return;
    throw new Refused(refusal('generic', 'l.kyc_not_opened', { missing: missing.join('; ') }));
  }

  /**
   * Refuses what `decide` would refuse: a submission that is decided already, or that one of the operators has not
   * viewed completely; and a verification if another account is verified with the document, or if the account has a
   * sanctions match that is not cleared, or if screening is on but no list was imported. For a verification, compares
   * the name with the sanctions lists again and stores new matches.
   */
  async requireDecidable(
    id: string,
    { status }: Pick<Decision, 'status'>,
    persons: readonly string[],
  ): Promise<void> {
    const submission = await this.find(id);
    if (submission.status !== KYC_STATUS.reviewing) throw new Refused(refusal('duplicate', 'l.kyc_decided'));
    await this.requireOpened(id, persons);
    if (status !== KYC_STATUS.verified) return;
    if (await isTaken(this.parts.database.store, submission))
      throw new Refused(refusal('duplicate', 'l.kyc_document_taken'));
    await this.requireScreened(submission);
  }

  /**
   * The names of verified identities, ordered by id and starting after `after`, at most `limit`; without the name of
   * one that cannot be decrypted. They are compared again when a sanctions list changes.
   */
  async verifiedNames(after: string | undefined, limit: number): Promise<StoredSubject[]> {
    const { database, seal, log } = this.parts;
    const verified = await verifiedSubmissions(database.store, after, limit);
    return verified.map((submission) => {
      const { id, owner, sealed } = submission;
      try {
        const { name } = seal.open(sealed, aboutOf(submission));
        return { subject: id, screened: { subjectKind: 'identity', subject: id, owner, name } };
      } catch (cause) {
        // If one identity cannot be decrypted, it is logged, and all others are still compared.
        log.warn('kyc.not_compared', { submission: id, cause });
        return { subject: id, screened: undefined };
      }
    });
  }

  /**
   * Compares the name of a submission with the sanctions lists again. Refuses if the account has a sanctions match that
   * no operator has cleared, or if screening is on but no list was imported.
   */
  private async requireScreened(submission: Submission): Promise<void> {
    const { screening, seal } = this.parts;
    const { id, owner, sealed } = submission;
    const { name } = seal.open(sealed, aboutOf(submission));
    await screening.screen([{ subjectKind: 'identity', subject: id, owner, name }]);
    await screening.requireClear(owner);
  }

  /**
   * Stores the decision about a pending submission, only once, changes its owner's status, and notifies the owner in
   * the inbox and by mail. Refuses what `requireDecidable` refuses.
   */
  async decide(id: string, decision: Decision, { by, persons }: Decider): Promise<void> {
    const { database, identity, messages, clock, fingerprints } = this.parts;
    // The check whether another account has the same document needs fingerprints of the current version.
    await fingerprints.refresh();
    const submission = await this.find(id);
    await this.requireOpened(id, persons);
    if (decision.status === KYC_STATUS.verified) await this.requireScreened(submission);
    const { owner } = submission;
    // The user is read before the transaction, because a transaction that waits for the lock must not wait for a second
    // connection too.
    const user = await identity.findUser(owner);
    const committed = await this.ownerQueue.run(owner, () =>
      database.transaction(async (tx) => {
        await lockOwner(tx, owner);
        const now = clock.now();
        if (decision.status === 2) {
          await lockDocument(tx, submission);
          if (await isTaken(tx, submission)) throw new Refused(refusal('duplicate', 'l.kyc_document_taken'));
        }
        if (!(await storeDecision(tx, id, decision, { by, now })))
          throw new Refused(refusal('duplicate', 'l.kyc_decided'));
        const message = messageOf(decision, now);
        await messages.send(tx, [{ userId: owner, about: id, message }]);
        if (user !== undefined && user.email !== '') {
          const rejection = decision.status === 3 ? decision : { reasons: [], note: '' };
          const { title, content } = messages.words(user.locale, message);
          const subject = mailSubject(user.locale, title);
          const text = decisionText(user.locale, content, rejection);
          await this.parts.mail.write(tx, { to: user.email, purpose: 'identity', subject, text });
        }
        return identity.changeKycStatus(tx, owner, { status: decision.status });
      }),
    );
    committed();
    await messages.announce(owner);
  }

  /**
   * Erases the photos of submissions that were decided more than `KYC_RULES.photosKeptDays` days ago, except
   * for photos that another submission still uses.
   */
  async erasePhotos(): Promise<void> {
    const { clock, database, files } = this.parts;
    const now = clock.now();
    for (let batchSize = CHUNK; batchSize === CHUNK;) {
      const expired = await photosToErase(database.store, photosExpiredBefore(now), CHUNK);
      await database.transaction(async (tx) => {
        await markPhotosErased(
          tx,
          expired.map(({ id }) => id),
          now,
        );
        const photos = expired.flatMap(({ front, back }) => [front, back]);
        const used = await photosInUse(tx, photos);
        await files.remove(
          tx,
          photos.filter((id) => !used.has(id)),
        );
      });
      batchSize = expired.length;
    }
  }

  private async find(id: string): Promise<Submission> {
    const submission = await submissionById(this.parts.database.store, id);
    if (submission === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return submission;
  }

  /**
   * The picture link with this token that was not used yet; undefined if it is unknown, has expired, or belongs to
   * another operator.
   */
  private linkOf(token: string, operator: string): Link | undefined {
    const link = this.links.get(token);
    return link?.operator === operator && this.parts.clock.now() <= link.until ? link : undefined;
  }

  private linkTo(submission: string, side: Side, operator: string): string {
    const token = systemRandom.bytes(24).toString('base64url');
    this.links.set(token, { submission, side, operator, until: later(this.parts.clock.now(), LINK_MS) });
    const [oldest] = this.links.keys();
    if (this.links.size > LINKS_MAX && oldest !== undefined) this.links.delete(oldest);
    return `/ops/kyc/evidence/${token}`;
  }

  private async recordView(submission: string, part: 'data' | Side, operator: string): Promise<void> {
    const { clock, database, log } = this.parts;
    const now = clock.now();
    await storeView(database.store, { id: newId(systemRandom, now), submission, what: part, operator }, now);
    const looks = await countViewsSince(database.store, operator, later(now, -HOUR_MS));
    if (looks > LOOKS_ALARM) log.warn('kyc.many_looks', { operator, looks });
  }
}

function ownersOf(similar: readonly SimilarDocument[]): ReadonlySet<string> {
  return new Set(similar.map(({ submission }) => submission.owner));
}

function messageOf(decision: Decision, now: Instant): Message {
  const { day, month } = levelLimits(2);
  const isVerified = decision.status === KYC_STATUS.verified;
  return {
    type: 'system',
    kind: isVerified ? 'identityVerified' : 'identityRejected',
    parameters: {
      time: timeText(now),
      day: day.toString(),
      month: month.toString(),
      days: String(KYC_RULES.photosKeptDays),
      next: timeText(nextSubmission({ status: decision.status, decidedAt: now }) ?? now),
    },
  };
}
