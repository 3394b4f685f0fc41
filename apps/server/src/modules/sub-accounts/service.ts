import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Database } from '../../platform/database/database.ts';
import { type AskedPage, rowsOfPage } from '../../platform/database/paged-rows.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import type { Assets } from '../assets/index.ts';
import type { Identity } from '../identity/index.ts';
import { holdingsOf } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import type { SubAccountCommands } from './commands.ts';
import type { SubAccount, SubAccountTransfer } from './domain.ts';
import {
  findSubAccount,
  subAccountsOf,
  transfersOf,
  transfersWithin,
  type TransferRange,
} from './repository.ts';

/** Decimal places of values in USDT; values are rounded down. */
const WORTH_PLACES = 8;

export interface SubAccountParts {
  readonly assets: Pick<Assets, 'requireCoin'>;
  readonly commands: SubAccountCommands;
  readonly database: Pick<Database, 'reader'>;
  readonly identity: Pick<Identity, 'prepare' | 'subAccounts'>;
  readonly market: Pick<Market, 'usdtPrice'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
}

/**
 * A spot balance of a sub-account: available, on hold (`frozen`), and the value of both in USDT, which is 0 for a coin
 * without a price.
 */
export interface SubAccountBalance {
  readonly asset: AssetCode;
  readonly available: Decimal;
  readonly frozen: Decimal;
  readonly worth: Decimal;
}

/** A sub-account with its non-zero spot balances and their total value in USDT. */
export interface HeldSubAccount {
  readonly subAccount: SubAccount;
  readonly balances: readonly SubAccountBalance[];
  readonly total: Decimal;
}

/** Name and note of a sub-account, as its owner enters them. */
export interface Naming {
  readonly name: string;
  readonly note: string;
}

/** A requested transfer between accounts; an undefined account id stands for the main account. */
export interface TransferRequest {
  readonly from: UserId | undefined;
  readonly to: UserId | undefined;
  readonly asset: AssetCode;
  readonly amount: Decimal;
  /** A key that the caller chose for the transfer and by which the caller can find it later; empty if none was sent. */
  readonly clientId: string;
}

/** The use cases of sub-accounts. */
export class SubAccounts {
  private readonly parts: SubAccountParts;

  constructor(parts: SubAccountParts) {
    this.parts = parts;
  }

  /**
   * Returns all sub-accounts of a main account, each with its spot balances; newest first, archived ones
   * last.
   */
  async list(master: UserId): Promise<HeldSubAccount[]> {
    const subAccounts = await this.accounts(master);
    return Promise.all(subAccounts.map((subAccount) => this.withBalances(subAccount)));
  }

  /** All sub-accounts of a main account, without reading their balances; newest first, archived ones last. */
  async accounts(master: UserId): Promise<SubAccount[]> {
    const subAccounts = await subAccountsOf(this.parts.database.reader, master);
    const usable = subAccounts.filter(({ archivedAt }) => archivedAt === undefined);
    return [...usable, ...subAccounts.filter(({ archivedAt }) => archivedAt !== undefined)];
  }

  /** A sub-account of a main account. Refuses an unknown id or another main account's sub-account. */
  async require(master: UserId, id: UserId): Promise<SubAccount> {
    const subAccount = await findSubAccount(this.parts.database.reader, master, id);
    if (subAccount === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return subAccount;
  }

  async create(master: UserId, naming: Naming, submission?: Submission) {
    await this.requireActive(master);
    const { commands, identity, sequencer } = this.parts;
    const { uid, invitationCode } = await identity.subAccounts.draw();
    const input = {
      master,
      name: naming.name,
      note: naming.note,
      uid,
      invitationCode,
    };
    return sequencer.execute(commands.create, input, { actor: master, submission });
  }

  /**
   * Sets name and note of a sub-account. Refuses while the main account is frozen, an archived sub-account,
   * and a name that another one that is not archived has, ignoring upper and lower case.
   */
  async rename(master: UserId, id: UserId, { name, note }: Naming, submission?: Submission) {
    await this.requireActive(master);
    const input = {
      master,
      id,
      name,
      note,
    };
    return this.parts.sequencer.execute(this.parts.commands.rename, input, { actor: master, submission });
  }

  /**
   * Archives a sub-account. Refuses while it has a balance or the main account is frozen. From the answer to this
   * request on, this process refuses its API keys; other processes do so within seconds.
   */
  async archive(master: UserId, id: UserId, submission?: Submission) {
    await this.requireActive(master);
    const { commands, identity, sequencer } = this.parts;
    const answer = await sequencer.execute(commands.archive, { master, id }, { actor: master, submission });
    identity.subAccounts.forget(id);
    return answer;
  }

  /**
   * Moves an amount of a coin's available spot balance between a main account and its sub-account, or between
   * two of its sub-accounts. Refuses while the main account is frozen, an unknown coin, and what the command
   * refuses.
   */
  async transfer(
    master: UserId,
    { from, to, asset, amount, clientId }: TransferRequest,
    submission?: Submission,
  ) {
    this.parts.assets.requireCoin(asset, 'coin');
    await this.requireActive(master);
    const input = {
      master,
      source: from ?? master,
      destination: to ?? master,
      asset,
      amount,
      clientId,
    };
    return this.parts.sequencer.execute(this.parts.commands.transfer, input, { actor: master, submission });
  }

  transfers(master: UserId, account: UserId | undefined, page: AskedPage) {
    return transfersOf(this.parts.database.reader, master, account, rowsOfPage(page));
  }

  /**
   * Returns the transfers of a main account that have the accounts, client id and time of `range`, newest
   * first, without the first `offset` and at most `limit`.
   */
  transfersWithin(master: UserId, range: TransferRange): Promise<SubAccountTransfer[]> {
    return transfersWithin(this.parts.database.reader, master, range);
  }

  private async withBalances(subAccount: SubAccount): Promise<HeldSubAccount> {
    const holdings = await holdingsOf(this.parts.database.reader, subAccount.id);
    const balances = holdings
      .filter(({ product }) => product === 'spot')
      .map(({ asset, available, frozen }) => ({
        asset,
        available,
        frozen,
        worth: this.worthOf(asset, available.plus(frozen)),
      }))
      .filter(({ available, frozen }) => !available.plus(frozen).isZero());
    return { subAccount, balances, total: sum(balances.map(({ worth }) => worth)) };
  }

  private worthOf(asset: AssetCode, amount: Decimal): Decimal {
    const price = this.parts.market.usdtPrice(asset) ?? Decimal.zero;
    return amount.times(price, 'down', WORTH_PLACES);
  }

  /**
   * Refuses while the main account is frozen. Freezing ends the account's sessions, but requests with API keys can
   * still arrive.
   */
  private async requireActive(master: UserId): Promise<void> {
    const status = await this.parts.identity.prepare(master);
    if (status?.frozen !== false) throw new Refused(refusal('securityHold', 'l.account_frozen'));
  }
}
