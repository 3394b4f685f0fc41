import type { AddressKind } from './chain-address.ts';

/** A blockchain for deposits and withdrawals. */
export interface Network {
  /** Code of the network in the API and the database, e.g. `TRC20`. */
  readonly code: string;
  /** Display name of the network, in all languages, e.g. `Ethereum (ERC20)`. */
  readonly name: string;
  /** Display name of the blockchain in messages about address formats, e.g. `Ethereum`. */
  readonly chain: string;
  /** Code of the network in the trading API for programs. */
  readonly apiCode: string;
  readonly addressKind: AddressKind;
  /** Average seconds between blocks; may be a fraction. */
  readonly blockSeconds: number;
  /**
   * Confirmations required to credit a deposit, unless the network's settings require another number. The block that
   * contains the transfer counts as the first confirmation. On an EVM network that is read up to final blocks, they are
   * counted from the newest final block.
   */
  readonly confirmations: number;
  /**
   * True if all users share one deposit address, and a memo identifies the user. False if each user has a separate
   * address.
   */
  readonly memo: boolean;
  /**
   * True if only installations whose settings contain a node of the network offer it; all others are always offered.
   */
  readonly isOptional: boolean;
  /** Matches the network's names in a user's remark, in the spellings that users write; undefined if it has no name. */
  readonly remarkName: RegExp | undefined;
  /**
   * Contract addresses of the listed tokens, in canonical spelling. Tokens that a user sends to a contract address are
   * lost.
   */
  readonly contracts: ReadonlySet<string>;
}

type Row = Pick<Network, 'code' | 'name' | 'addressKind' | 'blockSeconds' | 'confirmations'> &
  Partial<Pick<Network, 'chain' | 'apiCode' | 'memo' | 'isOptional' | 'remarkName'>> & {
    readonly contracts?: readonly string[];
  };

const ROWS: readonly Row[] = [
  {
    code: 'TRC20',
    name: 'Tron (TRC20)',
    apiCode: 'TRX',
    addressKind: 'tron',
    blockSeconds: 3,
    confirmations: 20,
    remarkName: /\bTRC[-_ ]?20\b/i,
    contracts: ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  },
  {
    code: 'ERC20',
    name: 'Ethereum (ERC20)',
    chain: 'Ethereum',
    apiCode: 'ETH',
    addressKind: 'evm',
    blockSeconds: 12,
    confirmations: 12,
    remarkName: /\bERC[-_ ]?20\b/i,
    contracts: ['0xdAC17F958D2ee523a2206206994597C13D831ec7', '0x95aD61b0a150d79219dCF64E1E6Cc01f0B64C4cE'],
  },
  {
    code: 'BEP20',
    name: 'BNB Smart Chain (BEP20)',
    chain: 'BNB Smart Chain',
    apiCode: 'BSC',
    addressKind: 'evm',
    blockSeconds: 0.45,
    confirmations: 15,
    remarkName: /\bBEP[-_ ]?20\b/i,
    contracts: ['0x55d398326f99059fF775485246999027B3197955'],
  },
  {
    code: 'POLYGON',
    name: 'Polygon PoS',
    apiCode: 'MATIC',
    addressKind: 'evm',
    blockSeconds: 2,
    confirmations: 5,
    isOptional: true,
    remarkName: /\b(?:Polygon|Matic)\b/i,
    contracts: ['0xc2132D05D31c914a87C6611C10748AEb04B58e8F'],
  },
  {
    code: 'ARBITRUM',
    name: 'Arbitrum One',
    addressKind: 'evm',
    blockSeconds: 0.25,
    confirmations: 20,
    isOptional: true,
    remarkName: /\bArbitrum\b/i,
    contracts: ['0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'],
  },
  {
    code: 'BTC',
    name: 'Bitcoin',
    addressKind: 'bitcoin',
    blockSeconds: 600,
    confirmations: 2,
  },
  {
    code: 'LTC',
    name: 'Litecoin',
    addressKind: 'litecoin',
    blockSeconds: 150,
    confirmations: 6,
  },
  {
    code: 'DOGE',
    name: 'Dogecoin',
    addressKind: 'dogecoin',
    blockSeconds: 60,
    confirmations: 20,
  },
  {
    code: 'XRP',
    name: 'XRP Ledger',
    addressKind: 'ripple',
    blockSeconds: 4,
    confirmations: 12,
    memo: true,
  },
  {
    code: 'EOS',
    name: 'EOS',
    addressKind: 'eos',
    blockSeconds: 1,
    confirmations: 12,
    memo: true,
    contracts: ['eosio.token'],
  },
  {
    code: 'ADA',
    name: 'Cardano',
    addressKind: 'cardano',
    blockSeconds: 20,
    confirmations: 12,
  },
];

/**
 * All networks that the exchange knows, also those that an installation does not offer. Stored transfers and addresses
 * on such a network are still shown and processed with these entries. `OfferedNetworks` decides which networks users
 * and operators can choose.
 */
export const KNOWN_NETWORKS: readonly Network[] = ROWS.map((row) => ({
  code: row.code,
  name: row.name,
  chain: row.chain ?? row.name,
  apiCode: row.apiCode ?? row.code,
  addressKind: row.addressKind,
  blockSeconds: row.blockSeconds,
  confirmations: row.confirmations,
  memo: row.memo ?? false,
  isOptional: row.isOptional ?? false,
  remarkName: row.remarkName,
  contracts: new Set(row.contracts),
}));

const BY_CODE: ReadonlyMap<string, Network> = new Map(
  KNOWN_NETWORKS.map((network) => [network.code, network]),
);

/** The network with this code, also one that the installation does not offer; undefined for an unknown code. */
export function findNetwork(code: string): Network | undefined {
  return BY_CODE.get(code);
}
