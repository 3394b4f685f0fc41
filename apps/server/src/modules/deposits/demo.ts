import { Decimal } from '@exchange/core/decimal.ts';
import type { TextByLocale } from '@exchange/core/locale.ts';
import type { Demo } from '../../platform/demo.ts';
import type { Deposits } from './service.ts';
import { REMARKS } from './words/demo-texts.ts';

/** What has been sent to the demo's trader: [coin, network, amount, remark]. The last is below the minimum. */
const SENT: readonly (readonly [string, string, string, TextByLocale])[] = [
  ['USDT', 'TRC20', '2500', REMARKS.exchange],
  ['BTC', 'BTC', '0.05', REMARKS.coldWallet],
  ['ETH', 'ERC20', '1.2', REMARKS.metaMask],
  ['XRP', 'XRP', '400', REMARKS.savings],
  ['USDT', 'ERC20', '4', REMARKS.small],
];

/** Sends the demo's trader coins on the pretended networks, each once; they confirm while the newcomer looks. */
export async function seedDeposits(deposits: Deposits, { attempt, trader }: Demo): Promise<void> {
  for (const [asset, network, amount, remark] of SENT) {
    // A developer's own chain may stand behind a network of the demo.
    const found = deposits.networks(asset).find(({ coin }) => coin.network.code === network);
    if (found?.channel === 'demo')
      await attempt(`deposit ${asset} ${network}`, () =>
        deposits.sendTest(
          trader,
          { asset, network, amount: Decimal.parse(amount), remark: remark['en-US'] },
          `demo ${asset} ${network}`,
        ),
      );
  }
}
