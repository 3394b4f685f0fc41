import { Decimal } from '@exchange/core/decimal.ts';
import type { Demo } from '../../platform/demo.ts';
import type { Deposits } from './service.ts';

/** What has been sent to the demo's trader: [coin, network, amount, remark]. The last is below the minimum. */
const SENT: readonly (readonly [string, string, string, string])[] = [
  ['USDT', 'TRC20', '2500', 'From my other exchange'],
  ['BTC', 'BTC', '0.05', 'From cold wallet'],
  ['ETH', 'ERC20', '1.2', 'From MetaMask'],
  ['XRP', 'XRP', '400', 'Monthly savings'],
  ['USDT', 'ERC20', '4', 'Below the minimum'],
];

/** Sends the demo's trader coins on the pretended networks, each once; they confirm while the newcomer looks. */
export async function seedDeposits(deposits: Deposits, { trader }: Demo): Promise<void> {
  for (const [asset, network, amount, remark] of SENT) {
    // A developer's own chain may stand behind a network of the demo.
    const found = deposits.networks(asset).find(({ coin }) => coin.network.code === network);
    if (found?.channel === 'demo')
      await deposits.sendTest(
        trader,
        { asset, network, amount: Decimal.parse(amount), remark },
        `demo ${asset} ${network}`,
      );
  }
}
