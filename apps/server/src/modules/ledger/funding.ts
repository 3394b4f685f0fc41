import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { ApprovalEvidence } from '../../platform/console/evidence.ts';
import { FieldValues } from '../../platform/console/field-values.ts';
import type { Operation, OperatorCall } from '../../platform/console/operation.ts';
import { houseAddress, type HouseAccount } from './domain.ts';
import type { Ledger } from './service.ts';

/** An account of the house that is to be brought to an amount out of the fees. */
interface Funding {
  readonly account: HouseAccount;
  readonly asset: string;
  /** What the account is to hold, in units of `asset`. */
  readonly wanted: Decimal;
}

/** What sets one account's funding apart. */
interface FundedBy extends Pick<Operation, 'path' | 'summary'> {
  /** The fields of its form besides the amount. */
  readonly fields?: Operation['fields'];
  readonly accountOf: (call: OperatorCall) => HouseAccount;
  readonly fund: (funding: Funding) => Promise<unknown>;
}

/**
 * The operation that brings an account of the house to an amount out of the fees, by two persons: the second one sees
 * the account, what it holds and what moves, and types the amount again.
 */
export function fundingOperation(ledger: Pick<Ledger, 'balance'>, own: FundedBy): Operation {
  const fundingOf = (call: OperatorCall): Funding => ({
    account: own.accountOf(call),
    asset: (call.parameters['asset'] ?? '').toUpperCase(),
    wanted: new FieldValues(call.fields).decimal('amount'),
  });
  return {
    method: 'POST',
    path: own.path,
    summary: own.summary,
    isFunding: true,
    roles: ['finance'],
    fields: { ...own.fields, amount: { label: 'Amount', kind: 'decimal' } },
    check: (call) => requireFees(ledger, fundingOf(call)),
    secondPerson: { evidence: (call) => fundingEvidence(ledger, fundingOf(call)) },
    run: (call) => own.fund(fundingOf(call)),
  };
}

/** Refuses a funding that the fees cannot pay as they are now; the command looks once more. */
function requireFees(ledger: Pick<Ledger, 'balance'>, funding: Funding): void {
  const { fees, moved } = figuresOf(ledger, funding);
  if (!moved.isMore(fees)) return;
  const about = { field: 'amount', limit: fees.toString(), value: moved.toString(), unit: funding.asset };
  throw new Refused(refusal('insufficientBalance', 'l.insufficient_balance', about));
}

/** What a second person is shown of a funding: the account, its coin, the amount, and what moves for it now. */
function fundingEvidence(ledger: Pick<Ledger, 'balance'>, funding: Funding): ApprovalEvidence {
  const { account, asset, wanted } = funding;
  const { held, fees, moved } = figuresOf(ledger, funding);
  return {
    facts: { account, asset, amount: wanted },
    context: {
      holdsNow: held,
      movesFromFees: moved,
      feesNow: fees,
    },
    money: { amount: wanted, asset },
  };
}

function figuresOf(ledger: Pick<Ledger, 'balance'>, { account, asset, wanted }: Funding) {
  const held = ledger.balance(houseAddress(account), asset);
  const missing = wanted.minus(held);
  return {
    held,
    fees: ledger.balance(houseAddress('fees'), asset),
    moved: missing.isPositive() ? missing : Decimal.zero,
  };
}
