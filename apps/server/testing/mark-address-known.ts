import type { UserId } from '@exchange/core/ids.ts';
import type { TestExchange } from './exchange.ts';

/**
 * Makes a withdrawal address known for a user, so that withdrawals to it have no waiting time: adds the address to the
 * user's address book and removes it again. A test can then still add it.
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
