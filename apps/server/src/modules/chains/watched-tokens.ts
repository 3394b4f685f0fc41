import type { Decimal } from '@exchange/core/decimal.ts';
import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Channel, ChannelTokens } from './channel.ts';
import { WATCHED_MOST, type TokenFacts, type WatchedToken } from './watched-tokens-domain.ts';
import { endWatchedToken, insertWatchedToken, watchedTokens } from './watched-tokens-repository.ts';

interface Parts {
  readonly clock: Clock;
  readonly database: Pick<Database, 'store'>;
  readonly channels: readonly Pick<Channel, 'networks' | 'tokens'>[];
}

/**
 * A token that an operator requests to watch; `least` is the least amount, in units of the token with
 * decimals, of a transfer that operators see.
 */
export interface TokenRequest {
  readonly network: string;
  readonly contract: string;
  readonly least: Decimal;
}

/** A listed coin with its contract on a network; `holdsUnread` is that of `ChannelTokens`. */
interface ListedToken extends Pick<ChannelTokens, 'holdsUnread'> {
  readonly network: string;
  readonly contract: string;
  readonly asset: string;
}

/**
 * Tokens that the exchange does not list, but whose transfers to its addresses operators see. Anybody can send any
 * number of worthless tokens with any name, so only tokens are read whose contracts two operators have allowed.
 */
export class WatchedTokens {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  list(): Promise<WatchedToken[]> {
    return watchedTokens(this.parts.database.store);
  }

  /**
   * Returns the name, symbol and decimals that the contract of a request reports, and its address in canonical form.
   * Refuses a network without tokens, a least amount that is not positive, an address without a token of at most 18
   * decimals, a listed token, a token that is watched already, and any token while `WATCHED_MOST` tokens are watched.
   * Throws `ChannelUnavailable` if the node cannot be reached.
   */
  async check({
    network,
    contract,
    least,
  }: TokenRequest): Promise<TokenFacts & { readonly contract: string }> {
    const tokens = this.tokensOf(network);
    if (tokens === undefined) throw invalidChoice('network', network);
    if (!least.isPositive())
      throw new Refused(refusal('invalidField', 'l.field_positive', { field: 'least' }));
    const address = tokens.canonical(contract.trim());
    if (address === undefined)
      throw new Refused(refusal('invalidField', 'l.token_invalid', { field: 'contract' }));
    const listed = tokens.listed().get(address);
    if (listed !== undefined)
      throw new Refused(refusal('duplicate', 'l.token_listed', { field: 'contract', unit: listed }));
    const watched = await this.list();
    if (watched.some((token) => token.network === network && token.contract === address))
      throw new Refused(refusal('duplicate', 'l.token_watched', { field: 'contract' }));
    if (watched.length >= WATCHED_MOST)
      throw new Refused(refusal('aboveMaximum', 'l.tokens_max', { limit: String(WATCHED_MOST) }));
    const facts = await tokens.facts(address);
    if (facts === undefined)
      throw new Refused(refusal('invalidField', 'l.token_invalid', { field: 'contract' }));
    return { ...facts, contract: address };
  }

  /**
   * Starts watching a token; its transfers are recorded from the next block that is read on. Refuses the same requests
   * as `check`.
   */
  async allow(
    request: TokenRequest,
    { by, reason }: { readonly by: string; readonly reason: string },
  ): Promise<void> {
    const { clock, database } = this.parts;
    const { name, symbol, digits, contract } = await this.check(request);
    const isNew = await insertWatchedToken(database.store, {
      network: request.network,
      contract,
      name,
      symbol,
      digits,
      least: request.least,
      allowedAt: clock.now(),
      allowedBy: by,
      reason,
    });
    if (!isNew) throw new Refused(refusal('duplicate', 'l.token_watched', { field: 'contract' }));
  }

  /** Returns the watched token with this contract on a network. Refuses tokens that are not watched. */
  async require(network: string, contract: string): Promise<WatchedToken> {
    const token = (await this.list()).find(
      (watched) =>
        watched.network === network &&
        (watched.contract === contract || watched.contract === contract.toLowerCase()),
    );
    if (token === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return token;
  }

  /** Stops watching a token; the transfers recorded so far remain. Refuses a token that is not watched. */
  async end(network: string, contract: string, by: string): Promise<void> {
    const { clock, database } = this.parts;
    const token = await this.require(network, contract);
    if (!(await endWatchedToken(database.store, token, { by, now: clock.now() })))
      throw new Refused(refusal('generic', 'l.not_found'));
  }

  /** Returns the listed coins of all channels with tokens, one entry per network and contract. */
  listed(): readonly ListedToken[] {
    return this.parts.channels.flatMap(({ networks, tokens }) =>
      tokens === undefined
        ? []
        : networks.flatMap((network) =>
            [...tokens.listed()].map(([contract, asset]) => ({
              network,
              contract,
              asset,
              holdsUnread: tokens.holdsUnread,
            })),
          ),
    );
  }

  /**
   * Returns the id of the user whose deposit address this is; undefined for every other address, and on a
   * network whose channel has no tokens (see `knowsOwners`).
   */
  async ownerOf(network: string, address: string): Promise<string | undefined> {
    return this.tokensOf(network)?.ownerOf(address);
  }

  /** True if the network's channel has tokens, so that `ownerOf` can find the owners of deposit addresses there. */
  knowsOwners(network: string): boolean {
    return this.tokensOf(network) !== undefined;
  }

  private tokensOf(network: string): ChannelTokens | undefined {
    return this.parts.channels.find(({ networks }) => networks.includes(network))?.tokens;
  }
}
