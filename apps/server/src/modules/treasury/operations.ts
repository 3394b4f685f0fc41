import { Decimal, greatest } from '@exchange/core/decimal.ts';
import { isUuid, type UserId } from '@exchange/core/ids.ts';
import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import * as described from '@exchange/wire/console/treasury.ts';
import { CAPITAL_ACCOUNTS, type CapitalAccount } from '@exchange/core/capital.ts';
import { FieldValues } from '../../platform/console/field-values.ts';
import {
  idOf,
  serveAction,
  serveList,
  whyOf,
  type EvidenceOf,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import { mapBounded } from '../../platform/database/bounded-rows.ts';
import type { Identity } from '../identity/index.ts';
import { houseAddress, storedBalance, userAddress, type Ledger } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import type { Database } from '../../platform/database/database.ts';
import { assetCode, remainingOf, splitDebit, type Debt } from './domain.ts';
import {
  assignmentNeighbours,
  correctionNeighbours,
  paymentNeighbours,
  writeOffNeighbours,
} from './neighbours.ts';
import type { Returns } from './returns.ts';
import type { FoundPayment, Treasury } from './service.ts';

export interface OperationParts {
  readonly treasury: Treasury;
  readonly identity: Pick<Identity, 'findUser'>;
  readonly ledger: Pick<Ledger, 'balance'>;
  readonly market: Pick<Market, 'usdtPrice'>;
  readonly database: Pick<Database, 'reader'>;
  readonly returns: Pick<Returns, 'lastOf'>;
}

const VALUE_PLACES = 2;

/**
 * Returns the console operations on the exchange's own money. Every operation that moves money needs a second
 * operator.
 */
export function treasuryOperations(parts: OperationParts): Operation[] {
  return [
    ...arrivalOperations(parts),
    ...paymentOperations(parts),
    ...correctionOperations(parts),
    ...debtOperations(parts),
    ...pauseOperations(parts),
  ];
}

function arrivalOperations(parts: OperationParts): Operation[] {
  const { treasury } = parts;
  return [
    serveList(described.arrivals, async () => {
      const tokens = await treasury.tokenNames();
      const arrivals = await treasury.arrivals();
      const lastReturns = await parts.returns.lastOf(arrivals.list.map(({ id }) => id));
      return mapBounded(
        arrivals,
        ({
          id,
          asset,
          amount,
          network,
          address,
          sender,
          memo,
          txid,
          output,
          remark,
          registeredBy,
          createdAt,
          goneAt,
        }) => ({
          id,
          lastReturn: lastReturns.get(id),
          asset,
          token: tokens.get(`${network} ${asset}`),
          amount,
          network,
          address,
          sender,
          memo,
          txid,
          output,
          remark,
          registeredBy,
          createdAt,
          goneAt,
        }),
      );
    }),
    serveAction(described.registerPayment, {
      run: (call) =>
        treasury.register({
          ...paymentOf(call),
          remark: new FieldValues(call.fields).text('remark'),
          by: whyOf(call).by,
        }),
    }),
    serveAction(described.assignArrival, {
      check: async (call) => {
        accountOf(call);
        await treasury.requireBookable(idOf(call));
      },
      secondPerson: {
        ceiling: async (call, { roles }) =>
          treasury.ceilings.check(roles, await treasury.requireBookable(idOf(call))),
        evidence: async (call) => {
          const account = accountOf(call);
          const arrival = await arrivalEvidence(parts, call);
          return {
            facts: { ...arrival.facts, account },
            context: {
              ...arrival.context,
              holdsNow: parts.ledger.balance(houseAddress(account), arrival.money.asset),
            },
            money: arrival.money,
          };
        },
      },
      neighbours: async (call) => {
        const account = accountOf(call);
        const { asset, amount } = await treasury.requireBookable(idOf(call));
        return assignmentNeighbours(
          movementOf(parts, account, { asset, amount }),
          parts.market.usdtPrice(asset),
        );
      },
      run: async (call) => {
        await treasury.assign(idOf(call), { account: accountOf(call), ...whyOf(call) });
        return {};
      },
    }),
    serveAction(described.returnArrival, {
      check: async (call) => {
        new FieldValues(call.fields).text('returnTxid');
        await treasury.requireOpen(idOf(call));
      },
      secondPerson: { evidence: (call) => arrivalEvidence(parts, call) },
      run: async (call) => {
        const returnTxid = new FieldValues(call.fields).text('returnTxid');
        await treasury.close(idOf(call), { returnTxid, ...whyOf(call) });
        return {};
      },
    }),
    serveAction(described.dismissArrival, {
      check: (call) => treasury.requireOpen(idOf(call)),
      secondPerson: { evidence: (call) => arrivalEvidence(parts, call) },
      run: async (call) => {
        await treasury.close(idOf(call), { returnTxid: undefined, ...whyOf(call) });
        return {};
      },
    }),
  ];
}

/**
 * Returns evidence for a decision on an arrival (an incoming transfer that is no user's deposit): the
 * recorded payment. The operator who approves must retype the amount or the end of the transaction id.
 * Refuses an arrival that cannot be decided now.
 */
export async function arrivalEvidence(
  {
    treasury,
    market,
  }: {
    readonly treasury: Treasury;
    readonly market: Pick<Market, 'usdtPrice'>;
  },
  call: OperatorCall,
) {
  const { id, asset, amount, network, address, sender, memo, txid, output, remark, registeredBy, createdAt } =
    await treasury.requireOpen(idOf(call));
  return {
    facts: {
      id,
      asset,
      amount,
      network,
      address,
      sender,
      memo,
      txid,
      output,
      remark,
      registeredBy,
      createdAt,
    },
    context: {
      valueNowUsdt: valueOf(market, asset, amount),
      onChain: await treasury.seenOnChain({ network, txid, asset, amount }, 'arrived'),
      depositAddressOf: await treasury.depositOwner(network, address),
    },
    money: { amount, asset, destination: txid },
  };
}

function paymentOperations({ treasury, ledger, market }: OperationParts): Operation[] {
  return [
    serveList(described.payments, async () => await treasury.payments()),
    serveAction(described.payOut, {
      check: (call) => treasury.checkedPayOut(paymentOf(call), accountOf(call)),
      secondPerson: {
        ceiling: (call, { roles }) => treasury.ceilings.check(roles, paymentOf(call)),
        evidence: async (call) => {
          const account = accountOf(call);
          const payment = await treasury.checkedPayOut(paymentOf(call), account);
          const { network, asset, amount, txid, output } = payment;
          return {
            facts: {
              account,
              asset,
              amount,
              network,
              txid,
              output,
            },
            context: {
              valueNowUsdt: valueOf(market, asset, amount),
              onChain: await treasury.seenOnChain({ network, txid, asset, amount }, 'left'),
              holdsNow: ledger.balance(houseAddress(account), asset),
            },
            money: { amount, asset, destination: txid },
          };
        },
      },
      neighbours: (call) => {
        const payment = paymentOf(call);
        const movement = movementOf({ ledger }, accountOf(call), payment);
        return Promise.resolve(paymentNeighbours(movement, market.usdtPrice(payment.asset)));
      },
      run: async (call) => {
        await treasury.payOut(paymentOf(call), { account: accountOf(call), ...whyOf(call) });
        return {};
      },
    }),
  ];
}

function correctionOperations(parts: OperationParts): Operation[] {
  const { treasury } = parts;
  return [
    serveList(described.corrections, async () =>
      mapBounded(
        await treasury.corrections(),
        ({ id, owner, isCredit, asset, amount, account, caseRef, by, reason, at }) => ({
          id,
          owner,
          side: isCredit ? 'credit' : 'debit',
          asset,
          amount,
          account,
          caseRef,
          by,
          reason,
          postedAt: at,
        }),
      ),
    ),
    serveAction(described.correctBalance, {
      check: async (call) => treasury.checkCorrection(await correctionOf(parts, call)),
      secondPerson: {
        ceiling: async (call, { roles }) => treasury.ceilings.check(roles, await correctionOf(parts, call)),
        evidence: (call) => correctionEvidence(parts, call),
      },
      neighbours: async (call) => {
        const correction = await correctionOf(parts, call);
        const { owner, isCredit, account, asset } = correction;
        const movement = {
          ...movementOf(parts, account, correction),
          isCredit,
          available: await availableOf(parts, owner, asset),
        };
        return correctionNeighbours(movement, parts.market.usdtPrice(asset));
      },
      run: async (call) => {
        await treasury.correct({ ...(await correctionOf(parts, call)), ...whyOf(call) });
        return {};
      },
    }),
  ];
}

async function correctionEvidence(
  parts: OperationParts,
  call: OperatorCall,
): Promise<EvidenceOf<typeof described.correctBalance>> {
  const { owner, isCredit, asset, amount, account, caseRef } = await correctionOf(parts, call);
  const [user, available] = await Promise.all([
    parts.identity.findUser(owner),
    availableOf(parts, owner, asset),
  ]);
  return {
    facts: {
      owner,
      uid: user?.uid,
      email: user?.email,
      side: isCredit ? 'credit' : 'debit',
      asset,
      amount,
      account,
      caseRef,
    },
    context: {
      valueNowUsdt: valueOf(parts.market, asset, amount),
      availableNow: available,
      becomesDebt: isCredit ? undefined : splitDebit(available, amount).owed,
      houseHoldsNow: parts.ledger.balance(houseAddress(account), asset),
    },
    money: { amount, asset },
  };
}

function debtOperations(parts: OperationParts): Operation[] {
  const { treasury } = parts;
  return [
    serveList(described.debts, async () =>
      mapBounded(await treasury.debts(), (debt) => ({
        id: debt.id,
        owner: debt.owner,
        asset: debt.asset,
        amount: debt.amount,
        paid: debt.paid,
        remaining: remainingOf(debt),
        cause: debt.cause,
        reason: debt.reason,
        createdAt: debt.createdAt,
      })),
    ),
    serveAction(described.writeOffDebt, {
      check: async (call) => {
        accountOf(call);
        await requireOpenDebt(parts, call);
      },
      secondPerson: {
        ceiling: async (call, { roles }) => {
          const debt = await requireOpenDebt(parts, call);
          return treasury.ceilings.check(roles, { asset: debt.asset, amount: remainingOf(debt) });
        },
        evidence: (call) => debtEvidence(parts, call, { account: accountOf(call) }),
      },
      neighbours: async (call) => {
        const debt = await requireOpenDebt(parts, call);
        const amount = remainingOf(debt);
        return writeOffNeighbours(
          movementOf(parts, accountOf(call), { asset: debt.asset, amount }),
          debt.account,
        );
      },
      run: async (call) => {
        await treasury.writeOff(idOf(call), { account: accountOf(call), ...whyOf(call) });
        return {};
      },
    }),
    serveAction(described.cancelDebt, {
      check: (call) => requireOpenDebt(parts, call),
      secondPerson: {
        // The operator's ceiling is compared with the whole debt, because a cancellation refunds the paid part and
        // waives the rest.
        ceiling: async (call, { roles }) =>
          treasury.ceilings.check(roles, await requireOpenDebt(parts, call)),
        evidence: (call) => debtEvidence(parts, call, {}),
      },
      run: async (call) => {
        await treasury.cancelDebt(idOf(call), whyOf(call));
        return {};
      },
    }),
  ];
}

async function requireOpenDebt({ treasury }: OperationParts, call: OperatorCall): Promise<Debt> {
  const debt = await treasury.requireDebt(idOf(call));
  if (debt.outcome !== undefined) throw new Refused(refusal('closed', 'l.debt_closed'));
  return debt;
}

async function debtEvidence(
  parts: OperationParts,
  call: OperatorCall,
  fields: { readonly account?: CapitalAccount },
): Promise<EvidenceOf<typeof described.writeOffDebt>> {
  const debt = await requireOpenDebt(parts, call);
  const user = await parts.identity.findUser(debt.owner);
  return {
    facts: {
      id: debt.id,
      owner: debt.owner,
      uid: user?.uid,
      email: user?.email,
      asset: debt.asset,
      amount: debt.amount,
      cause: debt.cause,
      becauseOf: debt.reason,
      paysTo: debt.account,
      createdAt: debt.createdAt,
      ...fields,
    },
    // The paid and the remaining amount are shown only as context, because deposits can pay parts of the debt before
    // the approval.
    context: { paid: debt.paid, remaining: remainingOf(debt) },
    money: { amount: debt.amount, asset: debt.asset },
  };
}

function pauseOperations({ treasury }: OperationParts): Operation[] {
  return [
    serveList(described.pauses, () =>
      Promise.resolve({
        list: [...treasury.pausedCoins.keys()].map((asset) => {
          const { missing, missingNow, since } = treasury.requirePause(asset);
          return {
            asset,
            missing,
            missingNow,
            since,
          };
        }),
      }),
    ),
    serveAction(described.liftPause, {
      check: (call) => treasury.requirePause(assetOf(call)),
      secondPerson: {
        ceiling: (call, { roles }) => {
          const { asset, missingNow } = treasury.requirePause(assetOf(call));
          return treasury.ceilings.check(roles, { asset, amount: greatest(missingNow, Decimal.zero) });
        },
        evidence: (call) => {
          const { asset, missing, missingNow, since } = treasury.requirePause(assetOf(call));
          return {
            facts: { asset, missing, pausedAt: since },
            context: { missingNow },
          };
        },
      },
      run: async (call) => {
        await treasury.lift(assetOf(call), whyOf(call));
        return {};
      },
    }),
  ];
}

function assetOf({ parameters }: OperatorCall): string {
  return (parameters['asset'] ?? '').toUpperCase();
}

function accountOf({ fields: { account = '' } }: OperatorCall): CapitalAccount {
  const known = CAPITAL_ACCOUNTS.find((candidate) => candidate === account);
  if (known === undefined) throw invalidChoice('account', account);
  return known;
}

function paymentOf({ fields }: OperatorCall): FoundPayment {
  const values = new FieldValues(fields);
  const asset = values.text('asset').trim();
  return {
    network: values.text('network').trim().toUpperCase(),
    asset: assetCode(asset),
    amount: values.decimal('amount'),
    txid: values.text('txid'),
    output: values.isSet('output') ? values.whole('output') : 0,
  };
}

/** Returns the correction that an operator entered. Refuses an unknown user. */
async function correctionOf({ identity }: OperationParts, call: OperatorCall) {
  const user = call.parameters['user'] ?? '';
  const known = isUuid(user) ? await identity.findUser(user as UserId) : undefined;
  if (known === undefined) throw new Refused(refusal('generic', 'l.not_found'));
  const values = new FieldValues(call.fields);
  const side = values.text('side');
  if (side !== 'credit' && side !== 'debit') throw invalidChoice('side', side);
  return {
    owner: user as UserId,
    isCredit: side === 'credit',
    asset: values.text('asset').trim().toUpperCase(),
    amount: values.decimal('amount'),
    account: accountOf(call),
    caseRef: values.text('caseRef').trim(),
  };
}

/** Returns the available spot balance of a user in a coin. */
function availableOf({ database }: Pick<OperationParts, 'database'>, owner: UserId, asset: string) {
  return storedBalance(database.reader, userAddress(owner, 'spot', 'available'), asset);
}

/** Returns an amount that a house account pays or receives, with the current balance of the account. */
function movementOf(
  { ledger }: Pick<OperationParts, 'ledger'>,
  account: CapitalAccount,
  { asset, amount }: { readonly asset: string; readonly amount: Decimal },
) {
  return {
    account,
    asset,
    amount,
    holds: ledger.balance(houseAddress(account), asset),
  };
}

function valueOf(market: Pick<Market, 'usdtPrice'>, asset: string, amount: Decimal): Decimal | undefined {
  return market.usdtPrice(asset)?.times(amount, 'down', VALUE_PLACES);
}
