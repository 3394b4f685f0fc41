import type { CoinNetwork } from '@exchange/core/network.ts';

/** What a scanned or pasted text asks to pay. */
export interface PaymentText {
  readonly address: string;
  readonly memo: string | undefined;
  /** Plain decimal text in the coin, where the link says it in the coin's own unit. */
  readonly amount: string | undefined;
  /** The network codes on which the link can be paid; undefined where the text names none. */
  readonly networks: readonly string[] | undefined;
}

/** Schemes of payment links with the networks that they mean. A chain that is not offered here has no entry. */
const SCHEMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['bitcoin', ['BTC']],
  ['litecoin', ['LTC']],
  ['dogecoin', ['DOGE']],
  ['tron', ['TRC20']],
  ['ripple', ['XRP']],
  ['xrpl', ['XRP']],
  ['xrp', ['XRP']],
  ['eos', ['EOS']],
  ['cardano', ['ADA']],
  ['web+cardano', ['ADA']],
]);
/** EIP-681 names the chain of an `ethereum:` link by its number; without one it is the main network. */
const EVM_CHAINS: ReadonlyMap<string, readonly string[]> = new Map([
  ['1', ['ERC20']],
  ['56', ['BEP20']],
]);

/** Schemes whose links say the amount in whole coins; others count in the smallest unit, or have no such rule. */
const WITH_AMOUNT: ReadonlySet<string> = new Set([
  'bitcoin',
  'litecoin',
  'dogecoin',
  'ripple',
  'xrpl',
  'xrp',
]);

const LINK = /^([a-z][a-z0-9+.-]*):(?:\/\/)?([^?#]*)(?:\?([^#]*))?/i;
const AMOUNT = /^\d{1,20}(?:\.\d{1,18})?$/;

/**
 * Reads a scanned or pasted text: an address, or a payment link such as `bitcoin:ADDRESS?amount=0.5` (BIP 21) or
 * `ethereum:0x…@56` (EIP-681). What it asks for is only proposed; nothing is checked here but the form of the link.
 */
export function paymentText(text: string): PaymentText {
  const plain = text.trim();
  const [, scheme = '', path = '', query = ''] = LINK.exec(plain) ?? [];
  if (scheme === '') return { address: plain, memo: undefined, amount: undefined, networks: undefined };
  const parameters = new URLSearchParams(query);
  const amount = parameters.get('amount');
  const memo = (parameters.get('dt') ?? parameters.get('memo')) || undefined;
  const name = scheme.toLowerCase();
  if (name !== 'ethereum')
    return {
      address: path.replace(/\/+$/, ''),
      memo,
      amount: WITH_AMOUNT.has(name) && amount !== null && AMOUNT.test(amount) ? amount : undefined,
      networks: SCHEMES.get(name) ?? [],
    };
  const [, target = '', chain, action] = /^(?:pay-)?([^@/]*)(?:@(\d+))?(?:\/(\w+))?/.exec(path) ?? [];
  const networks = EVM_CHAINS.get(chain ?? '1') ?? [];
  // A token's transfer names its contract first, and the recipient as a parameter.
  const address = action === 'transfer' ? (parameters.get('address') ?? '') : target;
  return { address, memo: undefined, amount: undefined, networks };
}

/** Whether a payment link is for another network than the chosen one. */
export function isOtherNetwork(
  { networks }: PaymentText,
  { network }: Pick<CoinNetwork, 'network'>,
): boolean {
  return networks !== undefined && !networks.includes(network.code);
}
