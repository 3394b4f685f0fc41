import type { UserId } from '@exchange/core/ids.ts';
import {
  canonicalDestination,
  findCoinNetwork,
  lossProblem,
  remarkProblem,
  type CoinNetwork,
  type Destination,
} from '@exchange/core/network.ts';
import { KNOWN_NETWORKS } from '@exchange/core/network-table.ts';
import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import type { Assets } from '../assets/index.ts';
import type { Chains } from '../chains/index.ts';
import type { BookedAddress } from '../identity/index.ts';
import { addressesOf, lastUses, placeOf, storedWhitelist } from './addresses-repository.ts';
import type { WithdrawalCommands } from './commands.ts';
import { whitelistAt, type AddressEntry, type Whitelist } from './domain.ts';

export interface AddressBookParts {
  readonly assets: Pick<Assets, 'requireCoin'>;
  readonly chains: Pick<Chains, 'contracts' | 'isHouseAddress' | 'manualAddress' | 'offered'>;
  readonly clock: Clock;
  readonly database: Pick<Database, 'store'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly commands: WithdrawalCommands;
  /**
   * Returns the deposit addresses that are assigned to the user on the networks with the codes `networks`.
   */
  readonly depositAddresses: (
    owner: UserId,
    networks: readonly string[],
  ) => Promise<readonly { readonly address: string; readonly memo: string | undefined }[]>;
}

/** Destination of a withdrawal request: the id of an address book entry, or an address with memo. */
export interface RequestedDestination {
  readonly addressId: string | undefined;
  readonly address: string | undefined;
  readonly memo: string | undefined;
  /** Whether the user confirmed that the receiving wallet needs no memo. */
  readonly withoutMemo?: boolean | undefined;
}

/**
 * Use cases of the addresses that users store for their withdrawals. Also checks every address to which a withdrawal is
 * requested.
 */
export class AddressBook {
  private readonly parts: AddressBookParts;

  constructor(parts: AddressBookParts) {
    this.parts = parts;
  }

  /** Returns whether the user may withdraw only to addresses in the user's address book. */
  async usesWhitelist(owner: UserId): Promise<boolean> {
    const { database, clock } = this.parts;
    return whitelistAt(await storedWhitelist(database.store, owner), clock.now()).isOn;
  }

  /**
   * Returns the entries of a user's address book, each with the time of the latest withdrawal request to it
   * that is pending, approved or finished, and the state of the user's whitelist. `filter` selects entries by
   * coin and network.
   */
  async list(owner: UserId, filter: { asset: string | undefined; network: string | undefined }) {
    const { database, clock } = this.parts;
    const [book, whitelist, uses] = await Promise.all([
      addressesOf(database.store, owner),
      storedWhitelist(database.store, owner),
      lastUses(database.store, owner),
    ]);
    const list = book
      .filter(
        ({ asset, network }) =>
          (filter.asset === undefined || asset === filter.asset) &&
          (filter.network === undefined || network === filter.network),
      )
      .map((entry) => ({ ...entry, lastAt: uses.get(placeOf(entry)) }));
    return { list, whitelist: whitelistAt(whitelist, clock.now()) };
  }

  /**
   * Returns an entry of the user's address book by its id, as shown in confirmation emails; undefined if the
   * book has no such entry.
   */
  async bookedAddress(owner: UserId, id: string): Promise<BookedAddress | undefined> {
    const book = await addressesOf(this.parts.database.store, owner);
    const entry = book.find((entry) => entry.id === id);
    if (entry === undefined) return undefined;
    const { asset: currency, network, address, memo, remark } = entry;
    return { currency, network, address, memo, remark };
  }

  /**
   * Adds an address to the user's book; the address can be used 24 hours after the user first stored it or
   * withdrew to it. Refuses unknown coins and networks, destinations at which coins would be lost or that the
   * book has already, and more than `ADDRESSES_MAX` entries; a repeated submission returns the first answer.
   */
  async add(
    owner: UserId,
    entry: Pick<AddressEntry, 'asset' | 'network' | 'address' | 'memo' | 'remark'> & {
      readonly activeAt?: Instant;
      readonly withoutMemo?: boolean | undefined;
    },
    submission?: Submission,
  ): Promise<AddressEntry> {
    const { sequencer, commands } = this.parts;
    const coin = requireCoinNetwork(this.parts, entry.asset, entry.network);
    requireRemark(coin, entry.remark);
    const destination = await this.requireSafe(owner, coin, canonicalDestination(coin.network, entry));
    const input = {
      owner,
      ...entry,
      ...destination,
      isAged: true,
    };
    return sequencer.execute(commands.add, input, { actor: owner, submission });
  }

  /**
   * Changes the remark of an address book entry; an undefined remark removes the stored one. Returns the
   * changed entry. Refuses an unknown entry and an invalid remark.
   */
  async rename(owner: UserId, id: string, remark: string | undefined): Promise<AddressEntry> {
    const entry = await this.bookedAddress(owner, id);
    // An entry of a network that is no longer offered can be renamed too.
    const coin = entry && findCoinNetwork(entry.currency, entry.network);
    if (coin !== undefined) requireRemark(coin, remark);
    return this.parts.sequencer.execute(this.parts.commands.rename, { owner, id, remark });
  }

  /** Removes an entry from the user's address book; does nothing if the book has no such entry. */
  async remove(owner: UserId, id: string, submission?: Submission): Promise<void> {
    const { sequencer, commands } = this.parts;
    await sequencer.execute(commands.remove, { owner, id }, { actor: owner, submission });
  }

  /**
   * Enables a user's whitelist at once, or schedules that it is disabled in 24 hours. Returns the resulting state of
   * the whitelist; a repeated submission returns the first answer.
   */
  setWhitelist(owner: UserId, isOn: boolean, submission?: Submission): Promise<Whitelist> {
    const { sequencer, commands } = this.parts;
    return sequencer.execute(commands.whitelist, { owner, isOn }, { actor: owner, submission });
  }

  /**
   * Returns the entry of the user's address book with exactly this coin, network, address and memo; undefined
   * if there is none. Refuses an unknown coin or network.
   */
  async entryAt(
    owner: UserId,
    {
      asset,
      network,
      address,
      memo,
    }: {
      readonly asset: string;
      readonly network: string;
      readonly address: string;
      readonly memo: string | undefined;
    },
  ): Promise<AddressEntry | undefined> {
    const coin = requireCoinNetwork(this.parts, asset, network);
    const destination = canonicalDestination(coin.network, { address, memo });
    const place = placeOf({
      asset,
      network,
      address: destination.address,
      memo: destination.memo,
    });
    const book = await addressesOf(this.parts.database.store, owner);
    return book.find((entry) => placeOf(entry) === place);
  }

  /**
   * Returns the destination of a withdrawal request in canonical form; an empty object if the request names
   * no address, or an id that is not in the user's address book. Refuses destinations at which coins would be
   * lost, even if the address book has them, because they may have been stored before this was checked.
   */
  async destination(
    owner: UserId,
    coin: CoinNetwork,
    { addressId, address, memo, withoutMemo }: RequestedDestination,
  ): Promise<Partial<Destination>> {
    if (addressId !== undefined) {
      const book = await addressesOf(this.parts.database.store, owner);
      const entry = book.find(({ id }) => id === addressId);
      return entry === undefined
        ? {}
        : this.requireSafe(owner, coin, canonicalDestination(coin.network, entry));
    }
    if (address === undefined) return {};
    return this.requireSafe(owner, coin, canonicalDestination(coin.network, { address, memo, withoutMemo }));
  }

  /**
   * Returns the destination unchanged if coins can be sent there. Refuses burn addresses, token contracts, a
   * wallet of the exchange without a memo, the user's own deposit address with its memo, also that of another
   * network whose addresses look the same, and the address of deposits that operators review by hand.
   */
  private async requireSafe(
    owner: UserId,
    { asset, network }: CoinNetwork,
    destination: Destination,
  ): Promise<Destination> {
    const { chains, depositAddresses } = this.parts;
    const { address, memo } = destination;
    const problem = lossProblem(network, address, chains.contracts(network.code));
    if (problem !== undefined) throw new Refused(problem);
    // The owner does not have the key of a deposit address. A transfer to it on another network than its own would
    // reach an address that the exchange does not read there.
    const alike = KNOWN_NETWORKS.filter(({ addressKind }) => addressKind === network.addressKind);
    const codes = alike.map(({ code }) => code);
    const deposits = await depositAddresses(owner, codes);
    const isOwn = deposits.some(
      (place) => canonicalDestination(network, place).address === address && place.memo === memo,
    );
    if (memo === undefined && chains.isHouseAddress(network.code, address))
      throw new Refused(refusal('invalidField', 'l.address_house', { field: 'address', value: address }));
    if (isOwn || chains.manualAddress(asset, network.code) === address)
      throw new Refused(refusal('invalidField', 'l.address_own', { field: 'address', value: address }));
    return destination;
  }
}

/**
 * Refuses a remark of a USDT address that names another network than the address's own, which is probably a mistake.
 * Remarks of other coins are not checked.
 */
export function requireRemark(coin: CoinNetwork, remark: string | undefined): void {
  const problem = remarkProblem(coin, remark);
  if (problem !== undefined) throw new Refused(problem);
}

/**
 * Returns the terms of a coin on an offered network. Refuses an unknown coin, and a network on which the coin
 * is not offered.
 */
export function requireCoinNetwork(
  {
    assets,
    chains,
  }: { readonly assets: Pick<Assets, 'requireCoin'>; readonly chains: Pick<Chains, 'offered'> },
  asset: string,
  network: string,
): CoinNetwork {
  assets.requireCoin(asset, 'currency');
  const coin = chains.offered.find(asset, network);
  if (coin === undefined) throw invalidChoice('network', network);
  return coin;
}
