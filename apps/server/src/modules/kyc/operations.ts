import { isInternalKycReason, KYC_REASONS, type KycReason } from '@exchange/core/kyc.ts';
import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import * as described from '@exchange/wire/console/desk.ts';
import {
  idOf,
  OperatorPicture,
  serveAction,
  serveList,
  whyOf,
  type CallOf,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import type { Decision } from './domain.ts';
import type { Decider, Review } from './review.ts';

const REASONS = Object.keys(KYC_REASONS) as KycReason[];
const NOTE_MAX = 300;
/** Names, for operators, of the status numbers of a submission. */
const STATUSES = ['none', 'in review', 'verified', 'rejected'] as const;

/** Console operations with which reviewers view submissions and decide about them. */
export function kycOperations(review: Review): Operation[] {
  return [...viewOperations(review), ...decisionOperations(review)];
}

function viewOperations(review: Review): Operation[] {
  return [
    serveList(described.submissions, () => review.waiting()),
    serveList(
      described.submission,
      async (call) => {
        const { submission, person, isTaken, links } = await review.open(idOf(call), call.operator.name);
        const { id, country, status, submittedAt, isSameSide } = submission;
        const row = {
          id,
          country,
          status: STATUSES[status],
          submittedAt,
          sameSide: isSameSide,
          documentTaken: isTaken,
          name: person.name,
          idCard: person.idCard,
          front: links.front,
          back: links.back,
        };
        return { list: [row] };
      },
      { ownerOf: (call) => review.ownerOf(idOf(call)) },
    ),
    serveList(
      described.similarSubmissions,
      async (call) => ({
        list: (await review.similar(idOf(call))).map((row) => ({ ...row, status: STATUSES[row.status] })),
      }),
      { ownerOf: (call) => review.ownerOf(idOf(call)) },
    ),
    serveAction(described.kycPicture, {
      ownerOf: ({ parameters, operator }) => review.ownerOfPicture(parameters['token'] ?? '', operator.name),
      run: async ({ parameters, operator }) =>
        new OperatorPicture(await review.picture(parameters['token'] ?? '', operator.name)),
    }),
    serveList(described.kycLooks, () => review.views()),
  ];
}

function decisionOperations(review: Review): Operation[] {
  return [
    serveAction(described.verifyIdentity, {
      check: (call) => review.requireDecidable(idOf(call), { status: 2 }, deciderOf(call).persons),
      run: async (call) => {
        await review.decide(idOf(call), { status: 2 }, deciderOf(call));
        return {};
      },
    }),
    serveAction(described.rejectIdentity, {
      check: (call) => review.requireDecidable(idOf(call), rejectionOf(call), deciderOf(call).persons),
      run: async (call) => {
        await review.decide(idOf(call), rejectionOf(call), deciderOf(call));
        return {};
      },
    }),
  ];
}

/**
 * The rejection from the fields of the operator's form. Refuses a note that is too long or not permitted, and a missing
 * or unknown reason.
 */
function rejectionOf({ fields }: CallOf<typeof described.rejectIdentity>): Decision {
  const { cause, alsoCause = '', note = '' } = fields;
  if (note.length > NOTE_MAX)
    throw new Refused(
      refusal('invalidField', 'l.field_too_long', { field: 'note', limit: String(NOTE_MAX) }),
    );
  const firstReason = reasonOf('cause', cause);
  const reasons = alsoCause === '' ? [firstReason] : [firstReason, reasonOf('alsoCause', alsoCause)];
  // A rejection for an internal reason must have no note, because the note could reveal the reason to the owner.
  if (note !== '' && reasons.some(isInternalKycReason))
    throw new Refused(refusal('invalidField', 'l.kyc_note_internal', { field: 'note' }));
  return { status: 3, reasons: [...new Set(reasons)], note };
}

/**
 * The author of the decision as it is stored, and the names of the operators who decided: the one who made
 * the call and, if a second operator approved it, that one.
 */
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
