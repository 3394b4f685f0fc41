import { Decimal } from '@exchange/core/decimal.ts';
import { PROOF_REASONS, type ProofReason } from '@exchange/core/deposit-proof.ts';
import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import * as described from '@exchange/wire/console/deposits.ts';
import * as treasuryDescribed from '@exchange/wire/console/treasury.ts';
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
import { screenedSender, type Screening } from '../screening/index.ts';
import { arrivalEvidence, type Treasury } from '../treasury/index.ts';
import { claimEvidence, creditEvidence, type CreditParts } from './evidence.ts';
import type { Deposits } from './service.ts';

/**
 * Console operations about deposits: the queue of reported deposits (view, credit, or reject with a listed reason),
 * credited deposits that their network dropped, and the credit to a user of an arrival, which is a payment that no
 * user's deposit address received.
 */
export function depositOperations(
  deposits: Deposits,
  parts: CreditParts & {
    readonly treasury: Treasury;
    readonly screening: Pick<Screening, 'screen'>;
  },
): Operation[] {
  return [
    ...reportReads(parts),
    ...reportDecisions(parts, parts.treasury),
    goneDeposits(deposits),
    claimGone(deposits, parts),
    creditArrival(deposits, parts),
  ];
}

/** The console operation that debits from its owner a credited deposit that its network dropped. */
function claimGone(deposits: Deposits, parts: CreditParts & { readonly treasury: Treasury }): Operation {
  return serveAction(described.claimGoneDeposit, {
    check: (call) => deposits.requireGone(idOf(call)),
    secondPerson: {
      ceiling: async (call, { roles }) =>
        parts.treasury.ceilings.check(roles, await deposits.requireGone(idOf(call))),
      evidence: async (call) => claimEvidence(parts, await deposits.requireGone(idOf(call))),
    },
    run: async (call) => {
      await deposits.claim(idOf(call), whyOf(call));
      return {};
    },
  });
}

/**
 * The console operation that credits an arrival, a payment to the exchange that no user's deposit address received, to
 * a user.
 */
function creditArrival(
  deposits: Deposits,
  parts: CreditParts & {
    readonly treasury: Treasury;
    readonly screening: Pick<Screening, 'screen'>;
  },
): Operation {
  const { treasury, identity } = parts;
  const recipientOf = async ({ fields: { owner = '' } }: CallOf<typeof treasuryDescribed.creditArrival>) => {
    const user = await identity.findUserNamed(owner);
    if (user === undefined) throw new Refused(refusal('invalidField', 'l.user_unknown', { field: 'owner' }));
    return user;
  };
  return serveAction(treasuryDescribed.creditArrival, {
    check: async (call) => {
      await recipientOf(call);
      await treasury.requireBookable(idOf(call));
    },
    secondPerson: {
      ceiling: async (call, { roles }) =>
        treasury.ceilings.check(roles, await treasury.requireBookable(idOf(call))),
      evidence: async (call) => {
        const { id: owner, uid, email } = await recipientOf(call);
        const evidence = await arrivalEvidence(parts, call);
        return { ...evidence, facts: { ...evidence.facts, owner, uid, email } };
      },
    },
    run: async (call) => {
      const { id: owner } = await recipientOf(call);
      const { sender, ...payment } = await treasury.requireBookable(idOf(call));
      if (sender !== undefined)
        await parts.screening.screen([screenedSender(payment, { owner, address: sender })]);
      return deposits.creditArrival(idOf(call), { owner, ...whyOf(call) });
    },
  });
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
      ownerOf: (call) => proofs.ownerOf(idOf(call)),
      run: async (call) => new OperatorPicture(await proofs.picture(idOf(call))),
    }),
  ];
}

function reportDecisions(parts: CreditParts, treasury: Treasury): Operation[] {
  const { proofs } = parts;
  return [
    serveAction(described.creditReport, {
      secondPerson: {
        ceiling: async (call, { roles }) => {
          const { asset } = await proofs.requirePending(idOf(call));
          return treasury.ceilings.check(roles, { asset, amount: arrivalOf(call).amount });
        },
        evidence: (call) => creditEvidence(parts, idOf(call), arrivalOf(call)),
      },
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

/**
 * The transfer as the operator found it on the network, from the fields of the call. Refuses an invalid amount and an
 * invalid index of the payment.
 */
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
