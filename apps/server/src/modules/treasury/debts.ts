import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import { addressOf, addressText, userAddress, type Address, type Ledger } from '../ledger/index.ts';
import { paymentsFrom, splitDebit, type Debt, type DebtCause } from './domain.ts';
import { enqueueNotice } from './notices-repository.ts';
import { debtFor, insertDebt, openDebtsOf, updateDebt } from './repository.ts';

/**
 * An amount that a deposit has credited to a user's spot balance, or, in `raiseDebt`, that the user is
 * debited.
 */
export interface CreditedAmount {
  readonly owner: UserId;
  readonly asset: string;
  readonly amount: Decimal;
}

/**
 * Debits a user. The user's available spot balance pays as much as it covers; the rest becomes a debt, which
 * the user's later deposits pay. A debit that the balance covers is stored as a debt that is already paid. An
 * inbox message to the user is queued. The user's accounts must be loaded in the ledger. Entries have the
 * kind `correction.posted` and refer to the debt.
 *
 * @param account ledger account that receives the amount
 * @param reference id of the correction or the deposit that causes the debit; each has at most one debt
 */
export async function raiseDebt(
  step: SqlStep,
  ledger: Ledger,
  {
    account,
    ...debit
  }: CreditedAmount & {
    readonly account: Address;
    readonly cause: DebtCause;
    readonly reference: string;
    readonly reason: string;
  },
): Promise<void> {
  const { owner, asset, amount, cause, reference, reason } = debit;
  const source = userAddress(owner, 'spot', 'available');
  const { taken, owed } = splitDebit(ledger.balance(source, asset), amount);
  const id = step.newId();
  if (taken.isPositive())
    ledger.post(step, 'correction.posted', id, [{ source, destination: account, asset, amount: taken }]);
  const isPaid = owed.isZero();
  await insertDebt(step.sql, {
    id,
    owner,
    asset,
    amount,
    cause,
    reference,
    reason,
    paid: taken,
    account: addressText(account),
    outcome: isPaid ? 'paid' : undefined,
    createdAt: step.now,
    closedAt: isPaid ? step.now : undefined,
  });
  const kind = isPaid && cause === 'deposit' ? 'depositRemoved' : 'debtRaised';
  await enqueueNotice(step, kind, owner, {
    coin: asset,
    amount: amount.toString(),
    remaining: owed.toString(),
  });
}

/**
 * Pays open debts of users from the amounts that the current command has credited to them. A credit pays only debts in
 * its own coin, the oldest debt first.
 */
export async function collectDebts(
  step: SqlStep,
  ledger: Ledger,
  credited: readonly CreditedAmount[],
): Promise<void> {
  const debts = await openDebtsOf(
    step.sql,
    credited.map(({ owner }) => owner),
  );
  if (debts.length === 0) return;
  const groups = new Map<string, Debt[]>();
  for (const debt of debts) {
    const key = `${debt.owner} ${debt.asset}`;
    groups.set(key, [...(groups.get(key) ?? []), debt]);
  }
  for (const [key, debtsOfCoin] of groups) {
    const arrived = credited
      .filter(({ owner, asset }) => `${owner} ${asset}` === key)
      .reduce((sum, { amount }) => sum.plus(amount), Decimal.zero);
    for (const { debt, amount } of paymentsFrom(arrived, debtsOfCoin))
      await payDebt(step, ledger, debt, amount);
  }
}

async function payDebt(step: SqlStep, ledger: Ledger, debt: Debt, amount: Decimal): Promise<void> {
  ledger.post(step, 'correction.posted', debt.id, [
    {
      source: userAddress(debt.owner, 'spot', 'available'),
      destination: addressOf(debt.account),
      asset: debt.asset,
      amount,
    },
  ]);
  const paid = debt.paid.plus(amount);
  const outcome = paid.equals(debt.amount) ? 'paid' : undefined;
  await updateDebt(step.sql, debt.id, { paid, outcome, now: step.now });
  if (outcome === 'paid')
    await enqueueNotice(step, 'debtPaid', debt.owner, { coin: debt.asset, amount: debt.amount.toString() });
}

/**
 * Cancels a debt that was raised in error and refunds the paid amount to the owner, whose accounts must be loaded in
 * the ledger. Refuses a debt that was cancelled or written off, and one whose house account no longer has the paid
 * amount.
 */
export async function cancelDebt(step: SqlStep, ledger: Ledger, debt: Debt, by: string): Promise<void> {
  if (debt.outcome === 'cancelled' || debt.outcome === 'writtenOff')
    throw new Refused(refusal('closed', 'l.debt_closed'));
  const source = addressOf(debt.account);
  if (debt.paid.isPositive()) {
    requireFunds(ledger, source, debt.asset, debt.paid);
    ledger.post(step, 'correction.posted', debt.id, [
      {
        source,
        destination: userAddress(debt.owner, 'spot', 'available'),
        asset: debt.asset,
        amount: debt.paid,
      },
    ]);
  }
  await updateDebt(step.sql, debt.id, { paid: Decimal.zero, outcome: 'cancelled', by, now: step.now });
  await enqueueNotice(step, 'debtCancelled', debt.owner, {
    coin: debt.asset,
    amount: debt.amount.toString(),
    paid: debt.paid.toString(),
  });
}

/**
 * Cancels the debt that was raised when a network dropped a credited deposit, because the deposit is in a block again.
 * Refunds the paid part. Does nothing if there is no such debt or it was written off; otherwise refuses like
 * `cancelDebt`.
 */
export async function cancelDebtFor(step: SqlStep, ledger: Ledger, reference: string): Promise<void> {
  const debt = await debtFor(step.sql, reference);
  if (debt === undefined || debt.outcome === 'writtenOff') return;
  await cancelDebt(step, ledger, debt, 'the network');
}

/** Refuses if a house account has less than the amount. Accounts of the outside world can always pay. */
export function requireFunds(ledger: Ledger, source: Address, asset: string, amount: Decimal): void {
  if (!source.name.startsWith('house:')) return;
  const balance = ledger.balance(source, asset);
  if (!amount.isMore(balance)) return;
  const details = { field: 'amount', limit: balance.toString(), value: amount.toString(), unit: asset };
  throw new Refused(refusal('insufficientBalance', 'l.insufficient_balance', details));
}
