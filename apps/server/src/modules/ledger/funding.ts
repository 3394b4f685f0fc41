import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { FUNDED_ACCOUNT, FUNDING_FIELDS } from '@exchange/wire/console/funding.ts';
import type { FieldNeighbours, OperationDescription } from '@exchange/wire/operation.ts';
import { FieldValues } from '../../platform/console/field-values.ts';
import {
  serveAction,
  type EvidenceOf,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import { houseAddress, type HouseAccount } from './domain.ts';
import { worthNeighbours } from '../../platform/console/neighbours.ts';
import type { Ledger } from './service.ts';

/** A request to raise the balance of a house account to a target balance from the fees account. */
interface Funding {
  readonly account: HouseAccount;
  readonly asset: string;
  /**
   * Target balance of the house account, in units of the coin `asset`, with decimals; nothing moves if the
   * balance is not lower.
   */
  readonly wanted: Decimal;
}

/**
 * Description of a console operation that funds a house account: its form fields, and the evidence for the second
 * operator.
 */
interface FundingDescription extends OperationDescription {
  readonly method: 'POST';
  readonly isFunding: true;
  readonly fields: typeof FUNDING_FIELDS;
  readonly evidence: typeof FUNDED_ACCOUNT;
}

/** What the funding operation reads: the balances of the house accounts, and USDT prices for the preview. */
export interface FundingParts {
  readonly ledger: Pick<Ledger, 'balance'>;
  readonly market: { usdtPrice(asset: string): Decimal | undefined };
}

/**
 * What differs between the operations that fund house accounts: which account a call names, and the use case that moves
 * the money.
 */
interface FundingOptions {
  readonly accountOf: (call: OperatorCall) => HouseAccount;
  readonly fund: (funding: Funding) => Promise<unknown>;
}

/**
 * The console operation that raises the balance of a house account to a target balance from the fees account. A second
 * operator approves it, who sees the account, its balance and the amount that would move, and types the target balance
 * again.
 */
export function fundingOperation(
  { ledger, market }: FundingParts,
  description: FundingDescription,
  options: FundingOptions,
): Operation {
  const fundingOf = (call: OperatorCall): Funding => ({
    account: options.accountOf(call),
    asset: (call.parameters['asset'] ?? '').toUpperCase(),
    wanted: new FieldValues(call.fields).decimal('amount'),
  });
  return serveAction(description, {
    check: (call) => requireFees(ledger, fundingOf(call)),
    secondPerson: { evidence: (call) => fundingEvidence(ledger, fundingOf(call)) },
    neighbours: (call) => Promise.resolve(fundingNeighbours({ ledger, market }, fundingOf(call))),
    run: (call) => options.fund(fundingOf(call)),
  });
}

/**
 * Refuses a funding for which the balance of the fees account is too small now. The balance may change until the
 * approval, so the command that moves the money checks it again.
 */
function requireFees(ledger: Pick<Ledger, 'balance'>, funding: Funding): void {
  const { fees, moved } = figuresOf(ledger, funding);
  if (!moved.isMore(fees)) return;
  const details = { field: 'amount', limit: fees.toString(), value: moved.toString(), unit: funding.asset };
  throw new Refused(refusal('insufficientBalance', 'l.insufficient_balance', details));
}

/**
 * Evidence for the second operator, who approves the funding: account, coin and target balance; and, as of now, the
 * balance of the account, the amount that would move, and the balance of the fees account.
 */
function fundingEvidence(ledger: Pick<Ledger, 'balance'>, funding: Funding): EvidenceOf<FundingDescription> {
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

/**
 * Texts that the preview shows next to the amount field: the USDT value of the amount, the greatest target that the
 * fees account can fund, the amount that the fees account pays, and its balance afterwards.
 */
function fundingNeighbours({ ledger, market }: FundingParts, funding: Funding): FieldNeighbours[] {
  const { asset, wanted } = funding;
  const { balance, fees, moved } = figuresOf(ledger, funding);
  return [
    ...worthNeighbours(asset, market.usdtPrice(asset), { amount: wanted }),
    {
      field: 'amount',
      ceiling: `${balance.plus(fees)} ${asset}: what it holds and all of the fees`,
      cost: `${moved} ${asset} of the fees, of which ${fees.minus(moved)} ${asset} are left`,
    },
  ];
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
