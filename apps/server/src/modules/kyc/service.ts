import type { UserId } from '@exchange/core/ids.ts';
import {
  documentNumber,
  personName,
  KYC_STATUS,
  levelLimits,
  maskDocument,
  maskName,
  type KycField,
  type KycLevel,
  type KycStatus,
} from '@exchange/core/kyc.ts';
import { Refused } from '@exchange/core/refusal.ts';
import { DAY_MS, later } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Store, Tx } from '../../platform/database/database.ts';
import { OnePerKey } from '../../platform/one-per-key.ts';
import { storeFirstAnswer } from '../../platform/sequencer/idempotency-store.ts';
import type { Submission as ClientSubmission } from '../../platform/sequencer/submission.ts';
import { newId, systemRandom } from '../../platform/secrets/random.ts';
import type { Files } from '../files/index.ts';
import type { Identity } from '../identity/index.ts';
import type { Screening } from '../screening/index.ts';
import {
  fieldProblem,
  requiredNextFields,
  submissionProblem,
  type Person,
  type SubmittedFields,
  type Submission,
} from './domain.ts';
import {
  countSince,
  hasKey,
  insertSubmission,
  lastSubmission,
  lockOwner,
  sameNumbers,
  sharedDocuments,
} from './repository.ts';
import type { PersonSeal } from './sealing.ts';

export interface KycParts {
  readonly clock: Clock;
  readonly database: Database;
  readonly files: Files;
  readonly identity: Pick<Identity, 'prepare' | 'changeKycStatus' | 'findUser'>;
  readonly seal: PersonSeal;
  readonly screening: Pick<Screening, 'screen' | 'requireClear'>;
}

const SAME_NUMBERS_MAX = 50;

/**
 * Withdrawal limits of a verification level in USDT, for any 24 hours (`day`) and any 30 days (`month`), with the
 * level.
 */
export type Limits = ReturnType<typeof levelLimits> & { readonly level: KycLevel };

/**
 * Status of a user's identity verification, with the latest submission and the limits of the user's
 * verification level.
 */
export interface VerificationState {
  readonly status: KycStatus;
  readonly lastSubmission: Submission | undefined;
  readonly masked: { readonly name: string; readonly idCard: string } | undefined;
  readonly fields: readonly KycField[];
  readonly limits: Limits;
}

/** Identity verification for users: its status, the resulting withdrawal limits, and submissions. */
export class Kyc {
  private readonly parts: KycParts;
  private readonly ownerQueue = new OnePerKey();

  constructor(parts: KycParts) {
    this.parts = parts;
  }

  /** The withdrawal limits of a user: those of level 2 for a verified user, otherwise those of level 0. */
  async limitsOf(user: UserId): Promise<Limits> {
    const verified = (await this.parts.identity.prepare(user))?.verified ?? false;
    const level = verified ? 2 : 0;
    return { level, ...levelLimits(level) };
  }

  /** Id of the user's latest submission; undefined if the user has made none. */
  async lastSubmissionId(owner: UserId): Promise<string | undefined> {
    return (await lastSubmission(this.parts.database.store, owner))?.id;
  }

  /**
   * Determines which of the pairs are two accounts that submitted the same document, whatever was decided
   * about it; returns the id `one` of each such pair.
   */
  sharedDocuments(
    pairs: readonly { readonly one: UserId; readonly other: UserId }[],
  ): Promise<ReadonlySet<UserId>> {
    return sharedDocuments(this.parts.database.store, pairs);
  }

  /**
   * Submissions of other accounts with the number of a document that this account submitted, at most 50, newest first.
   */
  sameNumbers(owner: UserId) {
    return sameNumbers(this.parts.database.store, owner, SAME_NUMBERS_MAX);
  }

  /** Country of a verified user's document; undefined for a user whose latest submission is not verified. */
  async countryOf(owner: UserId): Promise<string | undefined> {
    const lastSubmitted = await lastSubmission(this.parts.database.store, owner);
    return lastSubmitted?.status === KYC_STATUS.verified ? lastSubmitted.country : undefined;
  }

  /**
   * Name, document number and country of a verified user; undefined for a user whose latest submission is not verified.
   */
  async verifiedPerson(owner: UserId): Promise<(Person & { readonly country: string }) | undefined> {
    const { database, seal } = this.parts;
    const lastSubmitted = await lastSubmission(database.store, owner);
    if (lastSubmitted?.status !== KYC_STATUS.verified) return undefined;
    const { name, idCard } = seal.open(lastSubmitted.sealed, aboutOf(lastSubmitted));
    return { name, idCard, country: lastSubmitted.country };
  }

  async verificationState(owner: UserId): Promise<VerificationState> {
    const { database, seal } = this.parts;
    const [lastSubmitted, limits] = [await lastSubmission(database.store, owner), await this.limitsOf(owner)];
    const person = lastSubmitted && seal.open(lastSubmitted.sealed, aboutOf(lastSubmitted));
    return {
      // System accounts and the demo trader count as verified without a submission.
      status: limits.level === 2 ? KYC_STATUS.verified : (lastSubmitted?.status ?? KYC_STATUS.none),
      lastSubmission: lastSubmitted,
      limits,
      masked: person && { name: maskName(person.name), idCard: maskDocument(person.idCard) },
      fields: requiredNextFields(
        lastSubmitted,
        lastSubmitted !== undefined && (await this.hasPhotos(database.store, lastSubmitted)),
      ),
    };
  }

  /**
   * Submits a user's identity for review, and compares the name with the sanctions lists. After a rejection, the fields
   * that were correct may be omitted. A repetition of the request returns the first answer. Refuses according to the
   * rules of `submissionProblem` and `fieldProblem`, and pictures that `files.claim` refuses.
   */
  submit(
    owner: UserId,
    fields: SubmittedFields,
    submission: ClientSubmission | undefined,
  ): Promise<KycAnswer> {
    // Concurrent calls of one user wait here for each other, so that they do not each occupy a database connection.
    return this.ownerQueue.run(owner, () => this.submitQueued(owner, fields, submission));
  }

  private async submitQueued(
    owner: UserId,
    fields: SubmittedFields,
    submission: ClientSubmission | undefined,
  ): Promise<KycAnswer> {
    const { clock, database, files, identity, screening, seal } = this.parts;
    let submittedName: { readonly id: string; readonly name: string } | undefined;
    const verified = (await identity.prepare(owner))?.verified === true;
    const committed = await database.transaction(async (tx) => {
      await lockOwner(tx, owner);
      // A submission of an older version is stored with the idempotency key of its request but without an answer. If a
      // submission with this key exists, the request is not executed again.
      if (submission !== undefined && (await hasKey(tx, owner, submission.key))) return undefined;
      const now = clock.now();
      const lastSubmitted = await lastSubmission(tx, owner);
      const recent = await countSince(tx, owner, later(now, -DAY_MS));
      const problem = submissionProblem(
        verified ? { status: 2, decidedAt: now } : lastSubmitted,
        recent,
        now,
      );
      if (problem !== undefined) throw new Refused(problem);
      const completed = await this.completed(tx, fields, lastSubmitted);
      const problemOfFields = fieldProblem(completed);
      if (problemOfFields !== undefined) throw new Refused(problemOfFields);
      const {
        name,
        country,
        idCard,
        idCardPhotoPositive: front,
        idCardPhotoReverseSide: back,
      } = completed as Whole;
      const [frontFile, backFile] = await files.claim(tx, [front, back], {
        owner,
        purpose: 'identity',
        about: `identity of ${owner}`,
      });
      const id = newId(systemRandom, now);
      const person = { name: personName(name), idCard: documentNumber(idCard) };
      submittedName = { id, name: person.name };
      const submitted: Submission = {
        id,
        owner,
        country,
        front,
        back,
        status: 1,
        submittedAt: now,
        decidedAt: undefined,
        sealed: seal.seal(person, aboutOf({ id, owner })),
        reasons: [],
        note: '',
        documentHash: seal.fingerprint(country, person.idCard),
        isSameSide: frontFile!.hash === backFile!.hash,
      };
      await insertSubmission(tx, submitted, seal.indexKeys(person), submission?.key);
      if (submission !== undefined) await storeFirstAnswer(tx, submission, { answer: SUBMITTED, at: now });
      return identity.changeKycStatus(tx, owner, {
        status: KYC_STATUS.reviewing,
        maskedPerson: { name: maskName(person.name), document: maskDocument(person.idCard) },
      });
    });
    committed?.();
    if (submittedName !== undefined) {
      const { id, name } = submittedName;
      await screening.screen([{ subjectKind: 'identity', subject: id, owner, name }]);
    }
    return SUBMITTED;
  }

  /**
   * Adds those fields of the previous submission that were correct to a submission that contains only the corrected
   * fields.
   */
  private async completed(tx: Tx, fields: SubmittedFields, previous: Submission | undefined) {
    const required = requiredNextFields(
      previous,
      previous !== undefined && (await this.hasPhotos(tx, previous)),
    );
    const person = previous && this.parts.seal.open(previous.sealed, aboutOf(previous));
    const earlier: SubmittedFields =
      previous === undefined
        ? {}
        : {
            name: person?.name,
            country: previous.country,
            idCard: person?.idCard,
            idCardPhotoPositive: previous.front,
            idCardPhotoReverseSide: previous.back,
          };
    const valueOf = (field: KycField) =>
      fields[field] ?? (required.includes(field) ? undefined : earlier[field]);
    return {
      name: valueOf('name'),
      country: valueOf('country')?.toUpperCase(),
      idCard: valueOf('idCard'),
      idCardPhotoPositive: valueOf('idCardPhotoPositive'),
      idCardPhotoReverseSide: valueOf('idCardPhotoReverseSide'),
    };
  }

  private async hasPhotos(store: Store, { front, back }: Submission): Promise<boolean> {
    const { files } = this.parts;
    return (await files.exists(front, store)) && (await files.exists(back, store));
  }
}

type Whole = Record<KycField, string>;

/** The answer to an accepted submission: status 1, in review. */
interface KycAnswer {
  readonly status: 1;
}

const SUBMITTED: KycAnswer = { status: 1 };

/** Additional authenticated data of a submission's ciphertext: it is valid only for this submission and this owner. */
export function aboutOf({ id, owner }: Pick<Submission, 'id' | 'owner'>): string {
  return `${id} ${owner}`;
}
