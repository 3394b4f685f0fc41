import { chainAddress } from '@exchange/core/chain-address.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { sha256 } from '@exchange/core/digests.ts';
import type { TextByLocale } from '@exchange/core/locale.ts';
import { findCoinNetwork } from '@exchange/core/network.ts';
import { DAY_MS, later } from '@exchange/core/time.ts';
import type { Demo } from '../../platform/demo.ts';
import { Submission } from '../../platform/sequencer/submission.ts';
import type { AddressBook } from './address-book.ts';
import type { WithdrawalReview } from './review.ts';
import type { Withdrawals } from './service.ts';
import { REMARKS } from './words/demo-texts.ts';

/**
 * The demo trader's address book: [coin, network, remark, memo, whether the waiting time of the address still runs].
 */
const ADDRESSES: readonly (readonly [string, string, TextByLocale, string | undefined, boolean])[] = [
  ['USDT', 'TRC20', REMARKS.own, undefined, false],
  ['USDT', 'ERC20', { 'en-US': 'ERC20 – MetaMask' }, undefined, false],
  ['BTC', 'BTC', REMARKS.coldWallet, undefined, false],
  ['XRP', 'XRP', REMARKS.savings, '20260105', false],
  ['ETH', 'ERC20', REMARKS.hardware, undefined, true],
];
/** The demo trader's withdrawals: [coin, network, amount, state in which the demo leaves it]. */
const WITHDRAWALS: readonly (readonly [
  string,
  string,
  string,
  'out' | 'rejected' | 'cancelled' | 'waits',
])[] = [
  ['USDT', 'TRC20', '150', 'out'],
  ['XRP', 'XRP', '50', 'out'],
  ['USDT', 'ERC20', '260', 'rejected'],
  ['USDT', 'ERC20', '90', 'cancelled'],
  ['BTC', 'BTC', '0.02', 'waits'],
];
const BY = { by: 'demo', persons: 1 } as const;

/** Creates the demo trader's address book and withdrawals by the ordinary use cases, each once. */
export async function seedWithdrawals(
  {
    withdrawals,
    addressBook,
    review,
  }: {
    readonly withdrawals: Withdrawals;
    readonly addressBook: AddressBook;
    readonly review: WithdrawalReview;
  },
  { once, trader, now }: Demo,
): Promise<void> {
  for (const [asset, network, text, memo, waits] of ADDRESSES)
    await once(`address ${asset} ${network}`, async () => {
      const remark = text['en-US'];
      const address = addressOf(asset, network, remark);
      const activeAt = waits ? later(now, DAY_MS) : now;
      await addressBook.add(trader, { asset, network, address, memo, remark, activeAt });
    });
  for (const [asset, network, amount, ends] of WITHDRAWALS) {
    // If a developer has connected a real chain to the network, no demo withdrawal is made on it.
    if (withdrawals.channel(asset, network) !== 'demo') continue;
    const part = `withdrawal ${asset} ${network} ${amount}`;
    await once(part, async () => {
      const { list } = await addressBook.list(trader, { asset, network });
      const request = {
        asset,
        network,
        amount: Decimal.parse(amount),
        addressId: list[0]?.id,
        address: undefined,
        memo: undefined,
        remark: undefined,
        // The request names the owner as the recipient, because the travel rule may require a recipient.
        recipient: { isOwn: true, name: '', provider: '' },
      };
      const submission = Submission.create({
        actor: trader,
        operation: 'withdrawals.submit',
        key: `demo ${asset} ${amount}`,
        sent: { asset, network, amount },
      });
      const { id } = await withdrawals.submit(trader, request, submission);
      if (ends === 'rejected') await review.decide(id, 'duplicate', BY);
      if (ends === 'cancelled') await withdrawals.cancel(trader, id);
    });
  }
}

function addressOf(asset: string, network: string, remark: string): string {
  const { addressKind } = findCoinNetwork(asset, network)!.network;
  return chainAddress(addressKind, sha256(new TextEncoder().encode(`demo ${remark}`)).slice(0, 20));
}
