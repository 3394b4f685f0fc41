import type { UserId } from '@exchange/core/ids.ts';
import type { TestExchange } from './exchange.ts';

/**
 * Makes an address known to its owner, so that a withdrawal there can be let out at once. It is kept and removed again:
 * typed, it is still in nobody's address book.
 */
export async function knowAddress(
  exchange: TestExchange,
  owner: UserId,
  asset: string,
  network: string,
  address: string,
): Promise<void> {
  const { withdrawals } = exchange.doors.withdrawals;
  const { id } = await withdrawals.addAddress(owner, {
    asset,
    network,
    address,
    memo: undefined,
    remark: undefined,
    activeAt: exchange.clock.now(),
  });
  await withdrawals.removeAddress(owner, id);
}
