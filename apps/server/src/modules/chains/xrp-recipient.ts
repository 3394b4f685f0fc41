import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import type { Destination } from './domain.ts';
import { XRP, XRP_DIGITS } from './xrp-domain.ts';
import type { XrpNode } from './xrp-node.ts';

/** Flags of an account: it accepts payments only with a tag, or only from accounts that it has authorised. */
const FLAG = {
  requiresTag: 0x0002_0000,
  requiresConsent: 0x0100_0000,
};

/**
 * Why the XRP Ledger would not deliver a payment; undefined if it would deliver it. Possible reasons: the
 * account does not exist and the amount is less than the base reserve of an account, the account accepts only
 * payments with a tag, or it accepts only payments from accounts that it has authorised. Throws if the node
 * does not answer.
 */
export async function recipientProblem(
  node: XrpNode,
  { address, memo }: Destination,
  amount: Decimal,
): Promise<Refusal | undefined> {
  const recipient = await node.account(address);
  if (recipient === undefined) {
    const least = Decimal.ofScaled((await node.state()).reserve.base, XRP_DIGITS);
    return amount.isLess(least)
      ? refusal('belowMinimum', 'l.recipient_unfunded', {
          field: 'amount',
          limit: least.toString(),
          value: amount.toString(),
          unit: XRP,
        })
      : undefined;
  }
  if ((recipient.flags & FLAG.requiresTag) !== 0 && memo === undefined)
    return refusal('invalidField', 'l.recipient_tag', { field: 'memo', value: address });
  if ((recipient.flags & FLAG.requiresConsent) !== 0)
    return refusal('invalidField', 'l.recipient_closed', { field: 'address', value: address });
  return undefined;
}
