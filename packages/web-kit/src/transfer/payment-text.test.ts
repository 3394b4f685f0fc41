import { findCoinNetwork } from '@exchange/core/network.ts';
import { describe, expect, it } from 'vitest';
import { isOtherNetwork, paymentText } from './payment-text.ts';

const BTC = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const EVM = '0x52908400098527886E0F7030069857D2E4169EE7';

describe('a scanned or pasted text', () => {
  it.each([
    [` ${BTC}\n`, { address: BTC }],
    [`bitcoin:${BTC}`, { address: BTC, networks: ['BTC'] }],
    [`BITCOIN:${BTC}?amount=0.005&label=Shop`, { address: BTC, amount: '0.005', networks: ['BTC'] }],
    // `1e3` is no plain decimal, so the amount is ignored.
    [`bitcoin:${BTC}?amount=1e3`, { address: BTC, networks: ['BTC'] }],
    [
      'ripple:rDsbeomae4FXwgQTJp9Rs64Qg9vDiTCdBv?dt=7',
      {
        address: 'rDsbeomae4FXwgQTJp9Rs64Qg9vDiTCdBv',
        memo: '7',
        networks: ['XRP'],
      },
    ],
    [`ethereum:${EVM}?value=1e18`, { address: EVM, networks: ['ERC20'] }],
    [`ethereum:pay-${EVM}@56`, { address: EVM, networks: ['BEP20'] }],
    [
      `ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7/transfer?address=${EVM}&uint256=1000000`,
      { address: EVM, networks: ['ERC20'] },
    ],
    [`ethereum:${EVM}@137`, { address: EVM, networks: ['POLYGON'] }],
    [`ethereum:${EVM}@42161`, { address: EVM, networks: ['ARBITRUM'] }],
    [`ethereum:${EVM}@8453`, { address: EVM, networks: [] }],
    ['https://example.com/pay', { address: 'example.com/pay', networks: [] }],
  ])('WEB-1008 parses %j', (text, payment) =>
    expect(paymentText(text)).toEqual({
      memo: undefined,
      amount: undefined,
      networks: undefined,
      ...payment,
    }),
  );

  it('WEB-1008 recognises other networks, except for texts that name none', () => {
    const usdt = findCoinNetwork('USDT', 'ERC20')!;
    expect(isOtherNetwork(paymentText(`bitcoin:${BTC}`), usdt)).toBe(true);
    expect(isOtherNetwork(paymentText(`ethereum:${EVM}@56`), usdt)).toBe(true);
    expect(isOtherNetwork(paymentText(`ethereum:${EVM}`), usdt)).toBe(false);
    expect(isOtherNetwork(paymentText(EVM), usdt)).toBe(false);
    expect(isOtherNetwork(paymentText('solana:abc'), usdt)).toBe(true);
  });
});
