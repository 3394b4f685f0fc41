import { Decimal } from '@exchange/core/decimal.ts';
import type { AssetCode } from '@exchange/core/pair.ts';

/** Facts about a coin that are the same in every language. */
export interface CoinFacts {
  /** Year in which the coin's network started, or in which the token was first issued. */
  readonly year: number;
  /** Maximum number of coins that can ever exist; undefined if there is no limit. */
  readonly maxSupply: Decimal | undefined;
  readonly website: string;
  readonly explorer: string;
}

const facts = (year: number, maxSupply: string, website: string, explorer: string): CoinFacts => ({
  year,
  maxSupply: maxSupply === '' ? undefined : Decimal.parse(maxSupply),
  website: `https://${website}`,
  explorer: `https://${explorer}`,
});

export const COIN_FACTS: Readonly<Record<AssetCode, CoinFacts>> = {
  USDT: facts(2014, '', 'tether.to', 'etherscan.io/token/0xdac17f958d2ee523a2206206994597c13d831ec7'),
  BTC: facts(2009, '21000000', 'bitcoin.org', 'mempool.space'),
  ETH: facts(2015, '', 'ethereum.org', 'etherscan.io'),
  EOS: facts(2018, '2100000000', 'eosnetwork.com', 'unicove.com'),
  LTC: facts(2011, '84000000', 'litecoin.org', 'litecoinspace.org'),
  XRP: facts(2012, '100000000000', 'xrpl.org', 'livenet.xrpl.org'),
  ADA: facts(2017, '45000000000', 'cardano.org', 'cardanoscan.io'),
  DOGE: facts(2013, '', 'dogecoin.com', 'blockchair.com/dogecoin'),
  SHIB: facts(
    2020,
    '1000000000000000',
    'shib.io',
    'etherscan.io/token/0x95ad61b0a150d79219dcf64e1e6cc01f0b64c4ce',
  ),
};
