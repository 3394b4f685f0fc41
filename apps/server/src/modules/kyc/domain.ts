import type { UserId } from '@exchange/core/ids.ts';
import {
  countryProblem,
  documentProblem,
  fieldsToGive,
  KYC_RULES,
  nameProblem,
  type KycField,
  type KycReason,
} from '@exchange/core/kyc.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { DAY_MS, later, type Instant } from '@exchange/core/time.ts';

/** How a submission stands, as it is stored and as the wire says it. */
export type SubmissionStatus = 1 | 2 | 3;

/** What somebody has submitted; name and number are opened only where they are needed. */
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

/** A person as their document names them. */
export interface Person {
  readonly name: string;
  readonly idCard: string;
}

export type Given = Readonly<Partial<Record<KycField, string | undefined>>>;

/** What an operator decides. */
export type Decision =
  | { readonly status: 2 }
  | { readonly status: 3; readonly reasons: readonly KycReason[]; readonly note: string };

/** Why nothing can be submitted now, if so. `recent` are the person's submissions of the last 24 hours. */
export function submissionProblem(
  last: Pick<Submission, 'status' | 'decidedAt'> | undefined,
  recent: number,
  now: Instant,
): Refusal | undefined {
  if (last?.status === 2) return refusal('closed', 'l.kyc_verified');
  if (last?.status === 1) return refusal('closed', 'l.kyc_reviewing');
  const next = nextSubmission(last);
  if (next !== undefined && now < next) {
    const minutes = String(Math.ceil((next - now) / 60_000));
    return refusal('rateLimited', 'l.kyc_wait', { minutes });
  }
  if (recent >= KYC_RULES.submissionsPerDay)
    return refusal('rateLimited', 'l.kyc_day', { limit: String(KYC_RULES.submissionsPerDay) });
  return undefined;
}

/** When somebody whose last submission was rejected may submit again. */
export function nextSubmission(
  last: Pick<Submission, 'status' | 'decidedAt'> | undefined,
): Instant | undefined {
  if (last?.status !== 3 || last.decidedAt === undefined) return undefined;
  return later(last.decidedAt, KYC_RULES.waitAfterRejectionMs);
}

/** What a next submission has to give: everything, or after a rejection what was wrong. */
export function fieldsWanted(
  last: Pick<Submission, 'status' | 'reasons'> | undefined,
  hasPhotos: boolean,
): readonly KycField[] {
  if (last?.status !== 3) return fieldsToGive([]);
  const wanted = fieldsToGive(last.reasons);
  if (hasPhotos) return wanted;
  return [...new Set<KycField>([...wanted, 'idCardPhotoPositive', 'idCardPhotoReverseSide'])];
}

/** The first thing wrong with a whole submission. */
export function fieldProblem(given: Required<Record<KycField, string | undefined>>): Refusal | undefined {
  const { name = '', country = '', idCard = '', idCardPhotoPositive, idCardPhotoReverseSide } = given;
  if (idCardPhotoPositive === undefined)
    return refusal('invalidField', 'l.kyc_front_required', { field: 'idCardPhotoPositive' });
  if (idCardPhotoReverseSide === undefined)
    return refusal('invalidField', 'l.kyc_back_required', { field: 'idCardPhotoReverseSide' });
  return nameProblem(name) ?? countryProblem(country) ?? documentProblem(country, idCard);
}

/** What the pretended reviewer of a demo decides: it looks at nothing but whether both sides are the same file. */
export function pretendedDecision({ isSameSide }: Pick<Submission, 'isSameSide'>): Decision {
  return isSameSide ? { status: 3, reasons: ['sameSide'], note: '' } : { status: 2 };
}

/** Before that, decided submissions have their photos erased. */
export function photosDue(now: Instant): Instant {
  return later(now, -KYC_RULES.photosKeptDays * DAY_MS);
}
