import type { UserId } from '@exchange/core/ids.ts';
import {
  countryProblem,
  documentProblem,
  requiredFields,
  KYC_RULES,
  nameProblem,
  type KycField,
  type KycReason,
} from '@exchange/core/kyc.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { DAY_MS, later, type Instant } from '@exchange/core/time.ts';

/** Status of a submission: 1 in review, 2 verified, 3 rejected; the API uses the same numbers. */
export type SubmissionStatus = 1 | 2 | 3;

/** An identity that a user submitted for verification. Name and document number are encrypted in `sealed`. */
export interface Submission {
  readonly id: string;
  readonly owner: UserId;
  readonly country: string;
  readonly sealed: Buffer;
  readonly documentHash: Buffer;
  readonly front: string;
  readonly back: string;
  readonly isSameSide: boolean;
  readonly status: SubmissionStatus;
  readonly submittedAt: Instant;
  readonly decidedAt: Instant | undefined;
  readonly reasons: readonly KycReason[];
  readonly note: string;
}

/** Name and document number of a person, decrypted. */
export interface Person {
  readonly name: string;
  readonly idCard: string;
}

export type SubmittedFields = Readonly<Partial<Record<KycField, string | undefined>>>;

/** A reviewer's decision about a submission: verified (2), or rejected (3) with reasons and a note. */
export type Decision =
  | { readonly status: 2 }
  | { readonly status: 3; readonly reasons: readonly KycReason[]; readonly note: string };

/**
 * Why the user cannot submit an identity now; undefined if the user can. `recent` is the number of the user's
 * submissions in the last 24 hours.
 */
export function submissionProblem(
  lastSubmission: Pick<Submission, 'status' | 'decidedAt'> | undefined,
  recent: number,
  now: Instant,
): Refusal | undefined {
  if (lastSubmission?.status === 2) return refusal('closed', 'l.kyc_verified');
  if (lastSubmission?.status === 1) return refusal('closed', 'l.kyc_reviewing');
  const nextAt = nextSubmission(lastSubmission);
  if (nextAt !== undefined && now < nextAt) {
    const minutes = String(Math.ceil((nextAt - now) / 60_000));
    return refusal('rateLimited', 'l.kyc_wait', { minutes });
  }
  if (recent >= KYC_RULES.submissionsPerDay)
    return refusal('rateLimited', 'l.kyc_day', { limit: String(KYC_RULES.submissionsPerDay) });
  return undefined;
}

/** Time from which a user whose last submission was rejected may submit again; undefined for all other users. */
export function nextSubmission(
  lastSubmission: Pick<Submission, 'status' | 'decidedAt'> | undefined,
): Instant | undefined {
  if (lastSubmission?.status !== 3 || lastSubmission.decidedAt === undefined) return undefined;
  return later(lastSubmission.decidedAt, KYC_RULES.waitAfterRejectionMs);
}

/**
 * Fields that the user's next submission must contain: all fields, or after a rejection only those that were wrong and
 * photos that are no longer stored.
 */
export function requiredNextFields(
  lastSubmission: Pick<Submission, 'status' | 'reasons'> | undefined,
  hasPhotos: boolean,
): readonly KycField[] {
  if (lastSubmission?.status !== 3) return requiredFields([]);
  const required = requiredFields(lastSubmission.reasons);
  if (hasPhotos) return required;
  return [...new Set<KycField>([...required, 'idCardPhotoPositive', 'idCardPhotoReverseSide'])];
}

/**
 * The refusal for the first problem of the submitted fields, such as a missing photo or an invalid document
 * number; undefined if there is none.
 */
export function fieldProblem(fields: Required<Record<KycField, string | undefined>>): Refusal | undefined {
  const { name = '', country = '', idCard = '', idCardPhotoPositive, idCardPhotoReverseSide } = fields;
  if (idCardPhotoPositive === undefined)
    return refusal('invalidField', 'l.kyc_front_required', { field: 'idCardPhotoPositive' });
  if (idCardPhotoReverseSide === undefined)
    return refusal('invalidField', 'l.kyc_back_required', { field: 'idCardPhotoReverseSide' });
  return nameProblem(name) ?? countryProblem(country) ?? documentProblem(country, idCard);
}

/**
 * The decision of the demo's simulated reviewer about a document with which no other account is verified: it rejects
 * the document only if the front and the back are the same file.
 */
export function simulatedDecision({ isSameSide }: Pick<Submission, 'isSameSide'>): Decision {
  return isSameSide ? { status: 3, reasons: ['sameSide'], note: '' } : { status: 2 };
}

/** Time before which a submission must have been decided for its photos to be erased at `now`. */
export function photosExpiredBefore(now: Instant): Instant {
  return later(now, -KYC_RULES.photosKeptDays * DAY_MS);
}
