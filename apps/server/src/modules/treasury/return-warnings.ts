import type { CoinNetwork } from '@exchange/core/network.ts';
import type { OperatorWarning } from '@exchange/wire/operation.ts';
import { PAID_MOST, type SenderFacts } from '../chains/index.ts';
import type { Arrival } from './domain.ts';
import type { ReturnDestination } from './return-domain.ts';

/**
 * A sender that has paid at least this many different addresses of the exchange is probably another exchange, which
 * pays from a common address, so operators are warned.
 */
const MANY_ADDRESSES = 3;

/**
 * Returns warnings about the receiver of a return, for the operator who proposes it and the operator who
 * approves it.
 */
export function returnWarnings(
  { sender }: Pick<Arrival, 'sender'>,
  { address, memo, isFromChain }: ReturnDestination,
  {
    network,
    facts: { hasCode, paidAddresses },
  }: { readonly network: Pick<CoinNetwork['network'], 'memo' | 'name'>; readonly facts: SenderFacts },
): readonly OperatorWarning[] {
  const warnings: OperatorWarning[] = [];
  const add = (field: string, text: string) => warnings.push({ field, text });
  if (!isFromChain)
    add(
      'address',
      sender === undefined
        ? `${network.name} names no single sender of this transfer: ${address} was typed. Only papers outside of the chain can show that it is the sender's.`
        : `${address} was typed: the network names ${sender} as the sender.`,
    );
  if (hasCode === true)
    add(
      'address',
      `${address} is a contract, such as a wallet of several persons or the wallet of an exchange. It may not credit what it gets to the person who paid.`,
    );
  if (paidAddresses >= MANY_ADDRESSES)
    add(
      'address',
      `${address} has paid ${paidAddresses < PAID_MOST ? paidAddresses : `at least ${PAID_MOST}`} addresses of the exchange: it may be the wallet of another exchange, which credits nobody with what it gets from outside.`,
    );
  if (network.memo && memo === undefined)
    add(
      'memo',
      'No memo: if the address is that of another exchange, nobody is credited there. Ask the sender for the memo.',
    );
  return warnings;
}
