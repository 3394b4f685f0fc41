import type { UserId } from '@exchange/core/ids.ts';
import {
  canonicalDestination,
  findCoinNetwork,
  lossProblem,
  type CoinNetwork,
  type Destination,
} from '@exchange/core/network.ts';
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
  readonly chains: Pick<Chains, 'contracts' | 'isHouseAddress' | 'manualAddress'>;
  readonly clock: Clock;
  readonly database: Pick<Database, 'store'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly commands: WithdrawalCommands;
  /** The owner's deposit address on a network, if one was assigned. */
  readonly depositAddress: (
    owner: UserId,
    network: string,
  ) => Promise<{ readonly address: string; readonly memo: string | undefined } | undefined>;
}

/** Destination of a withdrawal request: an entry of the address book, or an address. */
export interface RequestedDestination {
  readonly addressId: string | undefined;
  readonly address: string | undefined;
  readonly memo: string | undefined;
  /** The user confirmed that the receiving wallet needs no memo. */
  readonly withoutMemo?: boolean | undefined;
}

/** Addresses that users stored for their withdrawals, and the check of every address before coins are sent to it. */
export class AddressBook {
  private readonly parts: AddressBookParts;

  constructor(parts: AddressBookParts) {
    this.parts = parts;
  }

  /** Whether the user may withdraw only to addresses in the address book. */
  async usesWhitelist(owner: UserId): Promise<boolean> {
    const { database, clock } = this.parts;
    return whitelistAt(await storedWhitelist(database.store, owner), clock.now()).isOn;
  }

  /** Entries of the book by coin and network, each with the time of its last withdrawal, and the whitelist state. */
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

  /** An address book entry by id, for confirmation mails; undefined if it is not in the owner's book. */
  async bookedAddress(owner: UserId, id: string): Promise<BookedAddress | undefined> {
    const book = await addressesOf(this.parts.database.store, owner);
    const entry = book.find((entry) => entry.id === id);
    if (entry === undefined) return undefined;
    const { asset: currency, network, address, memo, remark } = entry;
    return { currency, network, address, memo, remark };
  }

  /**
   * Adds an address, which is usable after its waiting time. Refuses unknown coins and networks and destinations that
   * would lose the coins; a repeated submission returns the first answer.
   */
  async add(
    owner: UserId,
    entry: Pick<AddressEntry, 'asset' | 'network' | 'address' | 'memo' | 'remark'> & {
      readonly activeAt?: Instant;
      readonly withoutMemo?: boolean | undefined;
    },
    submission?: Submission,
  ): Promise<AddressEntry> {
    const { assets, sequencer, commands } = this.parts;
    const coin = requireCoinNetwork(assets, entry.asset, entry.network);
    const destination = await this.requireSafe(owner, coin, canonicalDestination(coin.network, entry));
    const input = {
      owner,
      ...entry,
      ...destination,
      isAged: true,
    };
    return sequencer.execute(commands.add, input, { actor: owner, submission });
  }

  /** Changes the remark of an address book entry; undefined removes it. */
  rename(owner: UserId, id: string, remark: string | undefined): Promise<AddressEntry> {
    return this.parts.sequencer.execute(this.parts.commands.rename, { owner, id, remark });
  }

  /** Removes an address from the owner's book; no effect if it is absent. */
  async remove(owner: UserId, id: string, submission?: Submission): Promise<void> {
    const { sequencer, commands } = this.parts;
    await sequencer.execute(commands.remove, { owner, id }, { actor: owner, submission });
  }

  /**
   * Enables the whitelist at once, or disables it after 24 hours. Returns the resulting state; a repeated submission
   * returns the first answer.
   */
  setWhitelist(owner: UserId, isOn: boolean, submission?: Submission): Promise<Whitelist> {
    const { sequencer, commands } = this.parts;
    return sequencer.execute(commands.whitelist, { owner, isOn }, { actor: owner, submission });
  }

  /** The entry of the owner's book with exactly this destination; undefined if there is none. */
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
    const coin = requireCoinNetwork(this.parts.assets, asset, network);
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
   * The canonical destination of a request; empty if the request names no address, or an entry that is not in
   * the book. Refuses destinations that would lose the coins, including stored ones, which may predate the
   * check.
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
   * Returns the destination unchanged. Refuses burn addresses, token contracts, wallets of the exchange and the
   * owner's own deposit address.
   */
  private async requireSafe(
    owner: UserId,
    { asset, network }: CoinNetwork,
    destination: Destination,
  ): Promise<Destination> {
    const { chains, depositAddress } = this.parts;
    const { address, memo } = destination;
    const problem = lossProblem(network, address, chains.contracts(network.code));
    if (problem !== undefined) throw new Refused(problem);
    const depositTo = await depositAddress(owner, network.code);
    const isOwn =
      depositTo !== undefined &&
      canonicalDestination(network, depositTo).address === address &&
      depositTo.memo === memo;
    if (memo === undefined && chains.isHouseAddress(network.code, address))
      throw new Refused(refusal('invalidField', 'l.address_house', { field: 'address', value: address }));
    if (isOwn || chains.manualAddress(asset, network.code) === address)
      throw new Refused(refusal('invalidField', 'l.address_own', { field: 'address', value: address }));
    return destination;
  }
}

/** The terms of a coin on a network. Refuses unknown coins and networks. */
export function requireCoinNetwork(
  assets: Pick<Assets, 'requireCoin'>,
  asset: string,
  network: string,
): CoinNetwork {
  assets.requireCoin(asset, 'currency');
  const coin = findCoinNetwork(asset, network);
  if (coin === undefined) throw invalidChoice('network', network);
  return coin;
}
