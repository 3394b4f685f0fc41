import type { UserId } from '@exchange/core/ids.ts';
import type { TestExchange } from './exchange.ts';

/**
 * Marks a withdrawal address as known for a user, so that withdrawals to it need no waiting time. The address is added
 * to the user's address book and removed again, so that a withdrawal can still add it.
 */
export async function markAddressKnown(
  exchange: TestExchange,
  owner: UserId,
  asset: string,
  network: string,
  address: string,
): Promise<void> {
  const { addressBook } = exchange.doors.withdrawals;
  const { id } = await addressBook.add(owner, {
    asset,
    network,
    address,
    memo: undefined,
    withoutMemo: true,
    remark: undefined,
    activeAt: exchange.clock.now(),
  });
  await addressBook.remove(owner, id);
}
