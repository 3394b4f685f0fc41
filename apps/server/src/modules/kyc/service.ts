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
import { fieldProblem, fieldsWanted, submissionProblem, type Given, type Submission } from './domain.ts';
import {
  countSince,
  hasKey,
  insertSubmission,
  lastSubmission,
  lockOwner,
  sharedDocuments,
} from './repository.ts';
import type { PersonSeal } from './sealing.ts';

export interface KycParts {
  readonly clock: Clock;
  readonly database: Database;
  readonly files: Files;
  readonly identity: Pick<Identity, 'prepare' | 'changeKycStatus' | 'findUser'>;
  readonly seal: PersonSeal;
}

/** What a level allows to leave an account, in USDT. */
export type Limits = ReturnType<typeof levelLimits> & { readonly level: KycLevel };

/** How somebody's verification stands. */
export interface Standing {
  readonly status: KycStatus;
  readonly last: Submission | undefined;
  readonly shown: { readonly name: string; readonly idCard: string } | undefined;
  readonly fields: readonly KycField[];
  readonly limits: Limits;
}

/** What people do about their own verification. */
export class Kyc {
  private readonly parts: KycParts;
  private readonly turns = new OnePerKey();

  constructor(parts: KycParts) {
    this.parts = parts;
  }

  /** Limits on withdrawals of a user; whoever withdraws asks this door. */
  async limitsOf(user: UserId): Promise<Limits> {
    const verified = (await this.parts.identity.prepare(user))?.verified ?? false;
    const level = verified ? 2 : 0;
    return { level, ...levelLimits(level) };
  }

  /** What somebody submitted last, by its id. */
  async lastSubmissionId(owner: UserId): Promise<string | undefined> {
    return (await lastSubmission(this.parts.database.store, owner))?.id;
  }

  /** Of these pairs of accounts, by the first: those that have both submitted one document, whatever was decided. */
  sharedDocuments(
    pairs: readonly { readonly one: UserId; readonly other: UserId }[],
  ): Promise<ReadonlySet<UserId>> {
    return sharedDocuments(this.parts.database.store, pairs);
  }

  /** The country that issued the document of a verified person; undefined of anybody else. */
  async countryOf(owner: UserId): Promise<string | undefined> {
    const last = await lastSubmission(this.parts.database.store, owner);
    return last?.status === KYC_STATUS.verified ? last.country : undefined;
  }

  /** How the own verification stands. */
  async standing(owner: UserId): Promise<Standing> {
    const { database, seal } = this.parts;
    const [last, limits] = [await lastSubmission(database.store, owner), await this.limitsOf(owner)];
    const person = last && seal.open(last.sealed, aboutOf(last));
    return {
      // Of the house's own accounts and the demo's trader nothing was ever submitted.
      status: limits.level === 2 ? KYC_STATUS.verified : (last?.status ?? KYC_STATUS.none),
      last,
      limits,
      shown: person && { name: maskName(person.name), idCard: maskDocument(person.idCard) },
      fields: fieldsWanted(last, last !== undefined && (await this.hasPhotos(database.store, last))),
    };
  }

  /**
   * Submits an identity for review. After a rejection, what was right may be left out. The same submission again gives
   * the first answer. Refuses by the rules of `submissionProblem` and `fieldProblem`.
   */
  submit(owner: UserId, sent: Given, submission: ClientSubmission | undefined): Promise<KycAnswer> {
    // One person's many calls wait here, and not each with a connection.
    return this.turns.run(owner, () => this.submitInTurn(owner, sent, submission));
  }

  private async submitInTurn(
    owner: UserId,
    sent: Given,
    submission: ClientSubmission | undefined,
  ): Promise<KycAnswer> {
    const { clock, database, files, identity, seal } = this.parts;
    const verified = (await identity.prepare(owner))?.verified === true;
    const committed = await database.transaction(async (tx) => {
      await lockOwner(tx, owner);
      // Older versions stored the key with the identity and no answer.
      if (submission !== undefined && (await hasKey(tx, owner, submission.key))) return undefined;
      const now = clock.now();
      const last = await lastSubmission(tx, owner);
      const recent = await countSince(tx, owner, later(now, -DAY_MS));
      const problem = submissionProblem(verified ? { status: 2, decidedAt: now } : last, recent, now);
      if (problem !== undefined) throw new Refused(problem);
      const given = await this.completed(tx, sent, last);
      const wrong = fieldProblem(given);
      if (wrong !== undefined) throw new Refused(wrong);
      const {
        name,
        country,
        idCard,
        idCardPhotoPositive: front,
        idCardPhotoReverseSide: back,
      } = given as Whole;
      const [first, second] = await files.claim(tx, [front, back], {
        owner,
        purpose: 'identity',
        about: `identity of ${owner}`,
      });
      const id = newId(systemRandom, now);
      const person = { name: personName(name), idCard: documentNumber(idCard) };
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
        isSameSide: first!.hash === second!.hash,
      };
      await insertSubmission(tx, submitted, seal.nearKeys(person.idCard), submission?.key);
      if (submission !== undefined) await storeFirstAnswer(tx, submission, { answer: SUBMITTED, at: now });
      return identity.changeKycStatus(tx, owner, {
        status: KYC_STATUS.reviewing,
        shown: { name: maskName(person.name), document: maskDocument(person.idCard) },
      });
    });
    committed?.();
    return SUBMITTED;
  }

  /** Fills in what was right the last time. */
  private async completed(tx: Tx, sent: Given, last: Submission | undefined) {
    const wanted = fieldsWanted(last, last !== undefined && (await this.hasPhotos(tx, last)));
    const person = last && this.parts.seal.open(last.sealed, aboutOf(last));
    const earlier: Given =
      last === undefined
        ? {}
        : {
            name: person?.name,
            country: last.country,
            idCard: person?.idCard,
            idCardPhotoPositive: last.front,
            idCardPhotoReverseSide: last.back,
          };
    const of = (field: KycField) => sent[field] ?? (wanted.includes(field) ? undefined : earlier[field]);
    return {
      name: of('name'),
      country: of('country')?.toUpperCase(),
      idCard: of('idCard'),
      idCardPhotoPositive: of('idCardPhotoPositive'),
      idCardPhotoReverseSide: of('idCardPhotoReverseSide'),
    };
  }

  private async hasPhotos(store: Store, { front, back }: Submission): Promise<boolean> {
    const { files } = this.parts;
    return (await files.exists(front, store)) && (await files.exists(back, store));
  }
}

type Whole = Record<KycField, string>;

/** The answer to an identity that was submitted: it is being reviewed. */
interface KycAnswer {
  readonly status: 1;
}

const SUBMITTED: KycAnswer = { status: 1 };

/** What the encryption of a submission's person is bound to. */
export function aboutOf({ id, owner }: Pick<Submission, 'id' | 'owner'>): string {
  return `${id} ${owner}`;
}
