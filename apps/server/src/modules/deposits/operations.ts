import { Decimal } from '@exchange/core/decimal.ts';
import { PROOF_REASONS, type ProofReason } from '@exchange/core/deposit-proof.ts';
import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import * as described from '@exchange/wire/console/deposits.ts';
import { mapBounded } from '../../platform/database/bounded-rows.ts';
import {
  idOf,
  OperatorPicture,
  serveAction,
  serveList,
  whyOf,
  type CallOf,
  type Operation,
} from '../../platform/console/operation.ts';
import { creditEvidence, type CreditParts } from './evidence.ts';
import type { Deposits } from './service.ts';

/**
 * Operator operations: the queue of reported deposits (view, credit, or reject with a listed reason), and credited
 * deposits that their network dropped.
 */
export function depositOperations(deposits: Deposits, parts: CreditParts): Operation[] {
  return [...reportReads(parts), ...reportDecisions(parts), goneDeposits(deposits)];
}

function reportReads({ proofs }: CreditParts): Operation[] {
  return [
    serveList(described.reportedDeposits, async () =>
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
    serveAction(described.reportPicture, {
      run: async (call) => new OperatorPicture(await proofs.picture(idOf(call))),
    }),
  ];
}

function reportDecisions(parts: CreditParts): Operation[] {
  const { proofs } = parts;
  return [
    serveAction(described.creditReport, {
      secondPerson: { evidence: (call) => creditEvidence(parts, idOf(call), arrivalOf(call)) },
      check: async (call) => {
        await proofs.requirePending(idOf(call));
        await proofs.arrival(idOf(call), arrivalOf(call));
      },
      run: async (call) => {
        await proofs.approve(idOf(call), { ...arrivalOf(call), by: whyOf(call).by });
        return {};
      },
    }),
    serveAction(described.rejectReport, {
      check: async (call) => {
        reasonOf(call);
        await proofs.requirePending(idOf(call));
      },
      run: async (call) => {
        await proofs.reject(idOf(call), reasonOf(call), whyOf(call).by);
        return {};
      },
    }),
  ];
}

function reasonOf({ fields: { because = '' } }: CallOf<typeof described.rejectReport>): ProofReason {
  const reason = PROOF_REASONS.find((candidate) => candidate === because);
  if (reason === undefined) throw invalidChoice('because', because);
  return reason;
}

/** Fields of the transfer as the operator found it on the network. */
function arrivalOf({ fields }: CallOf<typeof described.creditReport>) {
  const amount = Decimal.tryParse(fields.amount ?? '');
  if (amount?.isPositive() !== true)
    throw new Refused(refusal('invalidField', 'l.field_positive', { field: 'amount' }));
  const output = fields.output;
  if (output !== undefined && !/^\d{1,6}$/.test(output))
    throw new Refused(refusal('invalidField', 'l.field_number', { field: 'output' }));
  return { amount, txid: fields.txid ?? '', output: output === undefined ? undefined : Number(output) };
}

function goneDeposits(deposits: Deposits): Operation {
  return serveList(described.goneDeposits, async () =>
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
  );
}
