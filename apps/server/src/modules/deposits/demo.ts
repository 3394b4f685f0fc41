import { Decimal } from '@exchange/core/decimal.ts';
import type { TextByLocale } from '@exchange/core/locale.ts';
import type { Demo } from '../../platform/demo.ts';
import type { Deposits } from './service.ts';
import { REMARKS } from './words/demo-texts.ts';

/** Deposits that the demo trader receives: coin, network, amount, remark. The last one is below the minimum. */
const SENT: readonly (readonly [string, string, string, TextByLocale])[] = [
  ['USDT', 'TRC20', '2500', REMARKS.exchange],
  ['BTC', 'BTC', '0.05', REMARKS.coldWallet],
  ['ETH', 'ERC20', '1.2', REMARKS.metaMask],
  ['XRP', 'XRP', '400', REMARKS.savings],
  ['USDT', 'ERC20', '4', REMARKS.small],
];

/**
 * Sends coins to the demo trader on simulated networks; each transfer is made once, and is confirmed within a few
 * minutes.
 */
export async function seedDeposits(deposits: Deposits, { attempt, trader }: Demo): Promise<void> {
  for (const [asset, network, amount, remark] of SENT) {
    // On a network to which a developer has connected a real chain, no transfer is made.
    const terms = deposits.networks(asset).find(({ coin }) => coin.network.code === network);
    if (terms?.channel === 'demo')
      await attempt(`deposit ${asset} ${network}`, () =>
        deposits.sendTest(
          trader,
          { asset, network, amount: Decimal.parse(amount), remark: remark['en-US'] },
          `demo ${asset} ${network}`,
        ),
      );
  }
}
