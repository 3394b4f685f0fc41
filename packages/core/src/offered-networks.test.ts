import { describe, expect, it } from 'vitest';
import { EVM_NETWORKS, evmNetworkOf } from './evm-network.ts';
import {
  addressProblem,
  EVERY_COIN_NETWORK,
  findCoinNetwork,
  lossProblem,
  remarkProblem,
} from './network.ts';
import { findNetwork, KNOWN_NETWORKS } from './network-table.ts';
import { OfferedNetworks } from './offered-networks.ts';

const OPTIONAL = ['POLYGON', 'ARBITRUM'];
const RECEIVER = '0x1111111111111111111111111111111111111111';

describe('offered networks', () => {
  it('NET-019 a network that is optional is offered only where it is configured, and known everywhere', () => {
    const codesOf = (offered: OfferedNetworks, asset: string) =>
      offered.networksOf(asset).map(({ network }) => network.code);
    const [none, one, all] = [
      new OfferedNetworks([]),
      new OfferedNetworks(['POLYGON', 'ERC20', 'MOON']),
      new OfferedNetworks(OPTIONAL),
    ];
    expect(codesOf(none, 'USDT')).toEqual(['TRC20', 'ERC20', 'BEP20']);
    expect(codesOf(none, 'ETH')).toEqual(['ERC20']);
    expect(codesOf(one, 'USDT')).toEqual(['TRC20', 'ERC20', 'BEP20', 'POLYGON']);
    expect(codesOf(all, 'ETH')).toEqual(['ERC20', 'ARBITRUM']);
    expect([one.has('POLYGON'), one.has('ARBITRUM'), one.has('MOON')]).toEqual([true, false, false]);
    expect([one.find('USDT', 'ARBITRUM'), one.find('ETH', 'POLYGON')]).toEqual([undefined, undefined]);
    expect(all.networks).toEqual(KNOWN_NETWORKS);
    expect(all.coinNetworks).toEqual(EVERY_COIN_NETWORK);
    for (const code of OPTIONAL) {
      expect(none.networks.map((network) => network.code)).not.toContain(code);
      expect(findNetwork(code)!.name).toBe(code === 'POLYGON' ? 'Polygon PoS' : 'Arbitrum One');
      expect(findCoinNetwork('USDT', code)).toBeDefined();
    }
  });

  it('NET-021 every EVM network has both its rows, and no two share a chain id or a code of the trading API', () => {
    const codes = KNOWN_NETWORKS.filter(({ addressKind }) => addressKind === 'evm').map(({ code }) => code);
    expect([...EVM_NETWORKS.keys()]).toEqual(codes);
    for (const terms of EVM_NETWORKS.values()) {
      expect(evmNetworkOf(terms.chainId)).toBe(terms);
      expect(terms.finalitySeconds.latest).toBe(0);
      expect(terms.mostGwei.sweep).toBeGreaterThan(terms.leastTipGwei);
      expect(terms.mostGwei.signature).toBeGreaterThanOrEqual(terms.mostGwei.replacement);
      // A coin that pays gas and is listed can be deposited on its network, and one that is not listed cannot.
      expect(findCoinNetwork(terms.feeCoin, terms.code) === undefined).toBe(terms.coin === undefined);
    }
    const unique = (values: readonly unknown[]) => new Set(values).size === values.length;
    expect(unique(KNOWN_NETWORKS.map(({ apiCode }) => apiCode))).toBe(true);
    expect(unique([...EVM_NETWORKS.values()].map(({ chainId }) => chainId))).toBe(true);
  });

  it('NET-022 a remark that names another network is refused, also one that is not offered here', () => {
    const remarks: readonly (readonly [string, string | undefined])[] = [
      ['my Polygon wallet', 'POLYGON'],
      ['matic', 'POLYGON'],
      ['Arbitrum One', 'ARBITRUM'],
      ['bep-20', 'BEP20'],
      ['arbitrage', undefined],
      ['polygons', undefined],
      ['ERC20', undefined],
    ];
    const ethereum = findCoinNetwork('USDT', 'ERC20')!;
    for (const [remark, named] of remarks)
      expect(remarkProblem(ethereum, remark)?.parameters['value'], remark).toBe(named);
    expect(remarkProblem(findCoinNetwork('USDT', 'POLYGON')!, 'Polygon')).toBeUndefined();
    expect(remarkProblem(findCoinNetwork('ETH', 'ERC20')!, 'Polygon')).toBeUndefined();
    // A journal can contain a request whose remark names a network that the exchange added after the request. A replay
    // must accept it, so `addressProblem`, unlike `remarkProblem`, ignores the names of networks that were added later.
    expect(addressProblem(ethereum, { address: RECEIVER, remark: 'Polygon' })).toBeUndefined();
    expect(addressProblem(ethereum, { address: RECEIVER, remark: 'BEP20' })?.key).toBe('l.address_remark');
  });

  it('NET-022 the contract of a listed token is refused as receiver on its own network', () => {
    for (const { code, contracts } of KNOWN_NETWORKS.filter(({ addressKind }) => addressKind === 'evm'))
      for (const contract of contracts) {
        const coin = findCoinNetwork('USDT', code)!;
        expect(addressProblem(coin, { address: contract })).toBeUndefined();
        expect(lossProblem(coin.network, contract.toLowerCase())?.key).toBe('l.address_contract');
        expect(lossProblem(coin.network, RECEIVER)).toBeUndefined();
      }
  });
});
