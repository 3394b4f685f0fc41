import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { ApprovalEvidence } from '../../platform/console/evidence.ts';
import { FieldValues } from '../../platform/console/field-values.ts';
import type { Operation, OperatorCall } from '../../platform/console/operation.ts';
import { houseAddress, type HouseAccount } from './domain.ts';
import type { Ledger } from './service.ts';

/** A house account and its target balance, to be funded from the fees account. */
interface Funding {
  readonly account: HouseAccount;
  readonly asset: string;
  /** Target balance in units of `asset`. */
  readonly wanted: Decimal;
}

/** The parts of a funding operation that differ by account. */
interface FundingOptions extends Pick<Operation, 'path' | 'summary'> {
  /** Form fields in addition to the amount. */
  readonly fields?: Operation['fields'];
  readonly accountOf: (call: OperatorCall) => HouseAccount;
  readonly fund: (funding: Funding) => Promise<unknown>;
}

/**
 * The operation that brings a house account to a target balance from the fees account. It requires a second
 * person, who sees the account, its balance and the amount to move, and types the amount again.
 */
export function fundingOperation(ledger: Pick<Ledger, 'balance'>, options: FundingOptions): Operation {
  const fundingOf = (call: OperatorCall): Funding => ({
    account: options.accountOf(call),
    asset: (call.parameters['asset'] ?? '').toUpperCase(),
    wanted: new FieldValues(call.fields).decimal('amount'),
  });
  return {
    method: 'POST',
    path: options.path,
    summary: options.summary,
    isFunding: true,
    roles: ['finance'],
    fields: { ...options.fields, amount: { label: 'Amount', kind: 'decimal' } },
    check: (call) => requireFees(ledger, fundingOf(call)),
    secondPerson: { evidence: (call) => fundingEvidence(ledger, fundingOf(call)) },
    run: (call) => options.fund(fundingOf(call)),
  };
}

/** Refuses a funding that the fees account cannot pay now; the command checks again. */
function requireFees(ledger: Pick<Ledger, 'balance'>, funding: Funding): void {
  const { fees, moved } = figuresOf(ledger, funding);
  if (!moved.isMore(fees)) return;
  const details = { field: 'amount', limit: fees.toString(), value: moved.toString(), unit: funding.asset };
  throw new Refused(refusal('insufficientBalance', 'l.insufficient_balance', details));
}

/** Evidence for the second person: account, coin, target balance, and the amount that would move now. */
function fundingEvidence(ledger: Pick<Ledger, 'balance'>, funding: Funding): ApprovalEvidence {
  const { account, asset, wanted } = funding;
  const { balance, fees, moved } = figuresOf(ledger, funding);
  return {
    facts: { account, asset, amount: wanted },
    context: {
      holdsNow: balance,
      movesFromFees: moved,
      feesNow: fees,
    },
    money: { amount: wanted, asset },
  };
}

function figuresOf(ledger: Pick<Ledger, 'balance'>, { account, asset, wanted }: Funding) {
  const balance = ledger.balance(houseAddress(account), asset);
  const missing = wanted.minus(balance);
  return {
    balance,
    fees: ledger.balance(houseAddress('fees'), asset),
    moved: missing.isPositive() ? missing : Decimal.zero,
  };
}
