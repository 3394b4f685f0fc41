import * as described from '@exchange/wire/console/treasury.ts';
import { mapBounded } from '../../platform/database/bounded-rows.ts';
import { FieldValues, requireText } from '../../platform/console/field-values.ts';
import {
  idOf,
  serveAction,
  serveList,
  whyOf,
  type CallOf,
  type EvidenceOf,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import { worthNeighbours } from '../../platform/console/neighbours.ts';
import type { FeeRaise } from '../chains/index.ts';
import { houseAddress, type Ledger } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import { maxFeeOf, raiseNeighbours } from './fee-neighbours.ts';
import type { HotWallets } from './hot-wallets.ts';
import { arrivalEvidence } from './operations.ts';
import { returnStage, type SenderReturn } from './return-domain.ts';
import type { AskedReturn, PlannedReturn, Returns } from './returns.ts';
import type { Treasury } from './service.ts';
import type { WithdrawalFees } from './withdrawal-fees.ts';

interface Parts {
  readonly returns: Returns;
  readonly treasury: Treasury;
  readonly hot: Pick<HotWallets, 'coinOf'>;
  readonly ledger: Pick<Ledger, 'balance' | 'isKnown'>;
  readonly market: Pick<Market, 'usdtPrice'>;
  readonly withdrawalFees: Pick<WithdrawalFees, 'current'>;
}

const TEXT_MAX = 200;

/** Returns the operations that send arrivals back to their senders, and lists of these returns. */
export function returnOperations(parts: Parts): Operation[] {
  const { returns, treasury } = parts;
  return [
    serveAction(described.sendBackArrival, {
      check: (call) => returns.plan(idOf(call), askedOf(call)),
      warnings: async (call) => (await returns.plan(idOf(call), askedOf(call))).warnings,
      neighbours: async (call) => {
        const { arrival, coin, amount, fee } = await returns.plan(idOf(call), askedOf(call));
        return [
          ...worthNeighbours(arrival.asset, parts.market.usdtPrice(arrival.asset), { address: amount }),
          {
            field: 'fee',
            ceiling: `at least ${coin.fee} ${arrival.asset}; a withdrawal pays ${parts.withdrawalFees.current(coin).fee} ${arrival.asset} now`,
            cost: `${fee} ${arrival.asset} of ${arrival.amount}; the sender gets ${amount}`,
          },
        ];
      },
      secondPerson: {
        ceiling: async (call, { roles }) =>
          treasury.ceilings.check(roles, await treasury.requireBookable(idOf(call))),
        evidence: (call) => returnEvidence(parts, call),
      },
      run: (call) => returns.approve(idOf(call), askedOf(call), whyOf(call)),
    }),
    serveList(described.senderReturns, async () => {
      const open = await returns.open();
      const stages = await returns.stagesOf(open.list);
      return mapBounded(open, (approved) => ({
        ...returnRow(approved),
        state: returnStage(approved, stages.get(approved.id)),
        waitsFor: returns.reasonOf(approved.id),
        approvedAt: approved.approvedAt,
      }));
    }),
    serveList(described.closedReturns, async () =>
      mapBounded(await returns.closed(), (approved) => ({
        ...returnRow(approved),
        state: approved.state,
        approvedAt: approved.approvedAt,
        closedAt: approved.closedAt,
      })),
    ),
    serveAction(described.cancelReturn, {
      check: async (call) => {
        usedByOf(call);
        await returns.requireOpen(idOf(call));
      },
      run: async (call) => {
        await returns.cancel(idOf(call), { usedBy: usedByOf(call), ...whyOf(call) });
        return {};
      },
    }),
    serveAction(described.raiseReturnFee, {
      check: (call) => returns.plannedRaise(idOf(call), maxFeeOf(call.fields.gwei ?? '')),
      neighbours: async (call) =>
        neighboursOf(parts, await returns.plannedRaise(idOf(call), maxFeeOf(call.fields.gwei ?? ''))),
      secondPerson: {
        evidence: async (call) =>
          raiseEvidence(
            parts,
            call,
            await returns.plannedRaise(idOf(call), maxFeeOf(call.fields.gwei ?? '')),
          ),
      },
      run: async (call) => {
        const { txid } = await returns.raiseFee(idOf(call), maxFeeOf(call.fields.gwei ?? ''));
        return { txid };
      },
    }),
    serveAction(described.addReturnChild, {
      check: (call) => returns.plannedChild(idOf(call), maxFeeOf(call.fields.gwei ?? '')),
      neighbours: async (call) =>
        neighboursOf(parts, await returns.plannedChild(idOf(call), maxFeeOf(call.fields.gwei ?? ''))),
      secondPerson: {
        evidence: async (call) =>
          raiseEvidence(
            parts,
            call,
            await returns.plannedChild(idOf(call), maxFeeOf(call.fields.gwei ?? '')),
          ),
      },
      run: async (call) => {
        const { txid } = await returns.addChild(idOf(call), maxFeeOf(call.fields.gwei ?? ''));
        return { txid };
      },
    }),
  ];
}

async function returnEvidence(
  parts: Parts,
  call: CallOf<typeof described.sendBackArrival>,
): Promise<EvidenceOf<typeof described.sendBackArrival>> {
  const { returns, hot } = parts;
  const planned = await returns.plan(idOf(call), askedOf(call));
  const evidence = await arrivalEvidence(parts, call);
  const { asset } = planned.arrival;
  return {
    facts: {
      ...evidence.facts,
      receiver: planned.address,
      receiverMemo: planned.memo,
      receiverFrom: planned.isFromChain ? 'the network' : 'typed by the operator, NOT from the network',
      fee: planned.fee,
      sent: planned.amount,
    },
    context: {
      ...evidence.context,
      receiverIs: receiverText(planned),
      hotHolds: hot.coinOf(planned.arrival)?.balance,
      earlierReturns: await returns.countOf(planned.arrival.id),
    },
    money: { amount: planned.amount, asset, destination: planned.address },
  };
}

/**
 * Returns the values that the console shows beside the input field of the higher network fee of a replacement
 * or of a child transaction (which raises the fee of the transaction that it spends): the fee that the node
 * suggests, the present fee and the limits, and the cost beside the balance of the fees account.
 */
function neighboursOf({ ledger, market }: Parts, raise: FeeRaise) {
  const books = ledger.isKnown(raise.coin)
    ? { fees: ledger.balance(houseAddress('fees'), raise.coin), price: market.usdtPrice(raise.coin) }
    : undefined;
  return raiseNeighbours(raise, books);
}

async function raiseEvidence(
  { returns }: Parts,
  call: CallOf<typeof described.raiseReturnFee>,
  raise: FeeRaise,
): Promise<EvidenceOf<typeof described.raiseReturnFee>> {
  const { id, network, asset, amount, address, txid } = await returns.requireOpen(idOf(call));
  return {
    facts: {
      id,
      network,
      asset,
      amount,
      address,
      highest: `${call.fields.gwei ?? ''} ${raise.unit}`,
    },
    context: { txid, raisedCost: `${raise.raisedCost} ${raise.coin}` },
  };
}

/**
 * Returns a text for the operator who approves a return: whether the receiver is a contract, and how many
 * addresses of the exchange it has paid.
 */
function receiverText({ facts: { hasCode, paidAddresses } }: PlannedReturn): string {
  const kinds = new Map([
    [true, 'a contract'],
    [false, 'an account with a key'],
  ]);
  const kind = hasCode === undefined ? undefined : kinds.get(hasCode);
  const paid = `it has paid ${paidAddresses} ${paidAddresses === 1 ? 'address' : 'addresses'} of the exchange`;
  return kind === undefined ? paid : `${kind}; ${paid}`;
}

/**
 * Returns the values of a return in the columns that the list of open returns and the list of ended returns
 * have in common.
 */
function returnRow(approved: SenderReturn) {
  return {
    id: approved.id,
    arrival: approved.arrival,
    network: approved.network,
    asset: approved.asset,
    amount: approved.amount,
    fee: approved.fee,
    address: approved.address,
    memo: approved.memo,
    isFromChain: approved.isFromChain,
    approvedBy: approved.approvedBy,
    reason: approved.reason,
    txid: approved.txid,
  };
}

function askedOf({ fields }: CallOf<typeof described.sendBackArrival>): AskedReturn {
  const values = new FieldValues(fields);
  return {
    address: optionalText('address', fields.address),
    memo: optionalText('memo', fields.memo),
    fee: values.isSet('fee') ? values.decimal('fee') : undefined,
  };
}

function usedByOf({ fields }: CallOf<typeof described.cancelReturn>): string | undefined {
  return optionalText('txid', fields.txid);
}

function optionalText(field: string, text: OperatorCall['fields'][string]): string | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  requireText(field, text, TEXT_MAX);
  return text.trim();
}
