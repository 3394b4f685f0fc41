import { Decimal } from '@exchange/core/decimal.ts';
import { PROOF_REASONS, type ProofReason } from '@exchange/core/deposit-proof.ts';
import { isUuid, type UserId } from '@exchange/core/ids.ts';
import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import { mapBounded } from '../../platform/database/bounded-rows.ts';
import {
  boundedAnswer,
  OperatorPicture,
  idOf,
  whyOf,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import { arrivalEvidence, type Treasury } from '../treasury/index.ts';
import { claimEvidence, creditEvidence, type CreditParts } from './evidence.ts';
import type { Deposits } from './service.ts';

/**
 * Operator operations: the queue of reported deposits (view, credit, or reject with a listed reason), and credited
 * deposits that their network dropped.
 */
export function depositOperations(
  deposits: Deposits,
  parts: CreditParts & { readonly treasury: Treasury },
): Operation[] {
  return [
    ...reportReads(parts),
    ...reportDecisions(parts),
    goneDeposits(deposits),
    claimGone(deposits, parts),
    creditArrival(deposits, parts),
  ];
}

/** The operation that debits a credited deposit that its network dropped. */
function claimGone(deposits: Deposits, parts: CreditParts & { readonly treasury: Treasury }): Operation {
  return {
    method: 'POST',
    path: '/ops/deposits/gone/:id/claim',
    summary:
      'Debits a deposit that its network has taken back: the balance pays at once, the rest is a debt that the user sees. It is cancelled by itself if the transfer returns.',
    roles: ['finance'],
    check: async (call) => {
      parts.treasury.requireCeiling(call.operator.roles, await deposits.requireGone(idOf(call)));
    },
    secondPerson: { evidence: async (call) => claimEvidence(parts, await deposits.requireGone(idOf(call))) },
    run: async (call) => {
      await deposits.claim(idOf(call), whyOf(call));
      return {};
    },
  };
}

/** The operation that credits an arrival without an owner to a user. */
function creditArrival(deposits: Deposits, parts: CreditParts & { readonly treasury: Treasury }): Operation {
  const { treasury, identity } = parts;
  const recipientOf = async ({ fields: { owner = '' } }: OperatorCall) => {
    const user = isUuid(owner) ? await identity.findUser(owner as UserId) : undefined;
    if (user === undefined) throw invalidChoice('owner', owner);
    return { id: owner as UserId, uid: user.uid, email: user.email };
  };
  return {
    method: 'POST',
    path: '/ops/treasury/arrivals/:id/credit',
    summary: 'Credits an arrival to the user whom it was meant for, as a deposit.',
    roles: ['finance'],
    fields: { owner: { label: 'User (ID from the user’s page)', kind: 'text' } },
    check: async (call) => {
      await recipientOf(call);
      treasury.requireCeiling(call.operator.roles, await treasury.requireBookable(idOf(call)));
    },
    secondPerson: {
      evidence: async (call) => {
        const { id: owner, uid, email } = await recipientOf(call);
        const evidence = await arrivalEvidence(parts, call);
        return { ...evidence, facts: { ...evidence.facts, owner, uid, email } };
      },
    },
    run: async (call) => {
      const { id: owner } = await recipientOf(call);
      await treasury.requireBookable(idOf(call));
      return deposits.creditArrival(idOf(call), { owner, ...whyOf(call) });
    },
  };
}

function reportReads({ proofs }: CreditParts): Operation[] {
  return [
    {
      method: 'GET',
      path: '/ops/deposits/reported',
      isQueue: true,
      summary: 'Deposits that were reported with a proof, that which waits longest first.',
      roles: ['finance', 'approver', 'auditor'],
      run: async () =>
        boundedAnswer(
          'reported',
          mapBounded(
            await proofs.waiting(),
            ({ id, owner, asset, network, address, amount, remark, createdAt }) => ({
              id,
              owner,
              asset,
              network,
              address,
              amount,
              remark,
              createdAt,
            }),
          ),
        ),
    },
    {
      method: 'GET',
      path: '/ops/deposits/reported/:id/picture',
      summary: 'The proof that was uploaded with a report.',
      roles: ['finance', 'approver', 'auditor'],
      isPicture: true,
      run: async (call) => new OperatorPicture(await proofs.picture(idOf(call))),
    },
  ];
}

function reportDecisions(parts: CreditParts): Operation[] {
  const { proofs } = parts;
  return [
    {
      method: 'POST',
      path: '/ops/deposits/reported/:id/credit',
      summary: 'Credits what really came to the house’s address, with a second person.',
      roles: ['finance'],
      secondPerson: { evidence: (call) => creditEvidence(parts, idOf(call), arrivalOf(call)) },
      fields: {
        amount: { label: 'Amount that came', kind: 'decimal' },
        txid: { label: 'Transaction ID on the network', kind: 'text' },
        output: {
          label: 'Output or log number, where the transaction pays the house more than once',
          kind: 'whole',
          isOptional: true,
        },
      },
      check: async (call) => {
        await proofs.requirePending(idOf(call));
        await proofs.arrival(idOf(call), arrivalOf(call));
      },
      run: async (call) => {
        await proofs.approve(idOf(call), { ...arrivalOf(call), by: whyOf(call).by });
        return {};
      },
    },
    {
      method: 'POST',
      path: '/ops/deposits/reported/:id/reject',
      summary: 'Refuses a report; its owner reads why.',
      roles: ['finance'],
      fields: {
        because: {
          label: 'Why (owners read of sanctions and risk as a review)',
          kind: 'choice',
          choices: PROOF_REASONS,
        },
      },
      check: async (call) => {
        reasonOf(call);
        await proofs.requirePending(idOf(call));
      },
      run: async (call) => {
        await proofs.reject(idOf(call), reasonOf(call), whyOf(call).by);
        return {};
      },
    },
  ];
}

function reasonOf({ fields: { because = '' } }: OperatorCall): ProofReason {
  const reason = PROOF_REASONS.find((candidate) => candidate === because);
  if (reason === undefined) throw invalidChoice('because', because);
  return reason;
}

/** Fields of the transfer as the operator found it on the network. */
function arrivalOf({ fields }: OperatorCall) {
  const amount = Decimal.tryParse(fields['amount'] ?? '');
  if (amount?.isPositive() !== true)
    throw new Refused(refusal('invalidField', 'l.field_positive', { field: 'amount' }));
  const output = fields['output'];
  if (output !== undefined && !/^\d{1,6}$/.test(output))
    throw new Refused(refusal('invalidField', 'l.field_number', { field: 'output' }));
  return { amount, txid: fields['txid'] ?? '', output: output === undefined ? undefined : Number(output) };
}

function goneDeposits(deposits: Deposits): Operation {
  return {
    method: 'GET',
    path: '/ops/deposits/gone',
    summary: 'Deposits that were credited and that their network has taken back since.',
    roles: ['finance', 'approver', 'auditor'],
    run: async () =>
      boundedAnswer(
        'gone',
        mapBounded(
          await deposits.droppedAfterCredit(),
          ({ id, owner, asset, network, address, amount, txid, createdAt, goneAt }) => ({
            id,
            owner,
            asset,
            network,
            address,
            amount,
            txid,
            createdAt,
            goneAt,
          }),
        ),
      ),
  };
}
