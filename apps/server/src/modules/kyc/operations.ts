import { isInternalKycReason, KYC_REASONS, type KycReason } from '@exchange/core/kyc.ts';
import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import {
  boundedAnswer,
  OperatorPicture,
  idOf,
  whyOf,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import type { Decision } from './domain.ts';
import type { Decider, Review } from './review.ts';

const REASONS = Object.keys(KYC_REASONS) as KycReason[];
const NOTE_MAX = 300;
/** Names of a submission's status numbers, as operators read them. */
const STATUSES = ['none', 'in review', 'verified', 'rejected'] as const;

/** Operations for reviewers. */
export function kycOperations(review: Review): Operation[] {
  return [...viewOperations(review), ...decisionOperations(review)];
}

function viewOperations(review: Review): Operation[] {
  return [
    {
      method: 'GET',
      path: '/ops/kyc/submissions',
      isQueue: true,
      summary: 'Identities that wait for a review, that which waits longest first.',
      roles: ['reviewer'],
      run: async () => boundedAnswer('submissions', await review.waiting()),
    },
    {
      method: 'GET',
      path: '/ops/kyc/submissions/:id',
      summary:
        'Name, number and one-time links to the pictures of one submission. Every look is written down with your name.',
      roles: ['reviewer'],
      run: async (call) => {
        const { submission, person, isTaken, links } = await review.open(idOf(call), call.operator.name);
        const { id, country, status, submittedAt, isSameSide } = submission;
        const row = {
          id,
          country,
          status: STATUSES[status],
          submittedAt,
          sameSide: isSameSide,
          documentTaken: isTaken,
        };
        return { submission: [{ ...row, ...person, ...links }] };
      },
    },
    {
      method: 'GET',
      path: '/ops/kyc/submissions/:id/similar',
      summary:
        'Other accounts with the same document, the same number in another country, or one that nearly matches. Compare the pictures before you decide.',
      roles: ['reviewer'],
      run: async (call) => ({
        similar: (await review.similar(idOf(call))).map((row) => ({ ...row, status: STATUSES[row.status] })),
      }),
    },
    {
      method: 'GET',
      path: '/ops/kyc/evidence/:token',
      summary: 'A picture behind its one-time link, with your name and the time in it.',
      roles: ['reviewer'],
      isPicture: true,
      run: async ({ parameters, operator }) =>
        new OperatorPicture(await review.picture(parameters['token'] ?? '', operator.name)),
    },
    {
      method: 'GET',
      path: '/ops/kyc/looks',
      summary: 'Who has looked at whose documents, newest first.',
      roles: ['auditor'],
      run: async () => boundedAnswer('looks', await review.views()),
    },
  ];
}

function decisionOperations(review: Review): Operation[] {
  return [
    {
      method: 'POST',
      path: '/ops/kyc/submissions/:id/approve',
      summary: 'Verifies the identity; that is final.',
      roles: ['reviewer'],
      check: (call) => review.requireDecidable(idOf(call), { status: 2 }, deciderOf(call).persons),
      run: async (call) => {
        await review.decide(idOf(call), { status: 2 }, deciderOf(call));
        return {};
      },
    },
    {
      method: 'POST',
      path: '/ops/kyc/submissions/:id/reject',
      summary: 'Rejects the submission; its owner reads why and may submit again.',
      roles: ['reviewer'],
      fields: {
        cause: {
          label: 'Why (owners read of sanctions and risk as a review)',
          kind: 'choice',
          choices: REASONS,
        },
        alsoCause: { label: 'Second reason', kind: 'choice', choices: REASONS, isOptional: true },
        note: { label: 'Note that the owner reads', kind: 'longText', isOptional: true },
      },
      check: (call) => review.requireDecidable(idOf(call), rejectionOf(call), deciderOf(call).persons),
      run: async (call) => {
        await review.decide(idOf(call), rejectionOf(call), deciderOf(call));
        return {};
      },
    },
  ];
}

/** The rejection entered in the form. */
function rejectionOf({ fields }: OperatorCall): Decision {
  const { cause, alsoCause = '', note = '' } = fields;
  if (note.length > NOTE_MAX)
    throw new Refused(
      refusal('invalidField', 'l.field_too_long', { field: 'note', limit: String(NOTE_MAX) }),
    );
  const firstReason = reasonOf('cause', cause);
  const reasons = alsoCause === '' ? [firstReason] : [firstReason, reasonOf('alsoCause', alsoCause)];
  // A note could reveal an internal reason that the owner must not learn.
  if (note !== '' && reasons.some(isInternalKycReason))
    throw new Refused(refusal('invalidField', 'l.kyc_note_internal', { field: 'note' }));
  return { status: 3, reasons: [...new Set(reasons)], note };
}

/** The operators of a call: the caller and, if there was one, the approver. */
function deciderOf(call: OperatorCall): Decider {
  const { name, approvedBy } = call.operator;
  return { by: whyOf(call).by, persons: approvedBy === undefined ? [name] : [name, approvedBy] };
}

function reasonOf(field: string, value: string | undefined): KycReason {
  if (value === undefined) throw new Refused(refusal('invalidField', 'l.field_required', { field }));
  const reason = REASONS.find((candidate) => candidate === value);
  if (reason === undefined) throw invalidChoice(field, value);
  return reason;
}
