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

/** A token that operators want to watch; `least` is the smallest amount that is shown. */
export interface TokenRequest {
  readonly network: string;
  readonly contract: string;
  readonly least: Decimal;
}

/**
 * Tokens that are not listed and whose transfers to addresses of the exchange are shown to operators. Anybody can send
 * any number of worthless tokens with any name, so only contracts that two operators allowed are read.
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
   * Name, symbol and decimals that the contract of a request reports, and its address in lower case. Refuses
   * a network without tokens, a least amount that is not positive, an address without a token of at most 18
   * decimals, a listed or watched token, and any token while `WATCHED_MOST` are watched.
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
    if (!/^0x[0-9a-f]{40}$/i.test(contract.trim()))
      throw new Refused(refusal('invalidField', 'l.token_invalid', { field: 'contract' }));
    const address = contract.trim().toLowerCase();
    const listed = tokens.listedAs(address);
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
   * Starts watching a token; its transfers are recorded from the next block that is read. Refuses like
   * `check`.
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

  /** A watched token by network and contract. Refuses tokens that are not watched. */
  async require(network: string, contract: string): Promise<WatchedToken> {
    const token = (await this.list()).find(
      (watched) => watched.network === network && watched.contract === contract.toLowerCase(),
    );
    if (token === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return token;
  }

  /** Ends the watching of a token; recorded transfers stay. */
  async end(network: string, contract: string, by: string): Promise<void> {
    const { clock, database } = this.parts;
    const token = { network, contract: contract.toLowerCase() };
    if (!(await endWatchedToken(database.store, token, { by, now: clock.now() })))
      throw new Refused(refusal('generic', 'l.not_found'));
  }

  /** The code of the listed coin with this contract; undefined if it is not listed. */
  listedAs(network: string, contract: string): string | undefined {
    return this.tokensOf(network)?.listedAs(contract);
  }

  /** The user whose deposit address this is; undefined for every other address. */
  async ownerOf(network: string, address: string): Promise<string | undefined> {
    return this.tokensOf(network)?.ownerOf(address.toLowerCase());
  }

  /** Whether `ownerOf` can find the owners of a network's deposit addresses. */
  knowsOwners(network: string): boolean {
    return this.tokensOf(network) !== undefined;
  }

  private tokensOf(network: string): ChannelTokens | undefined {
    return this.parts.channels.find(({ networks }) => networks.includes(network))?.tokens;
  }
}
