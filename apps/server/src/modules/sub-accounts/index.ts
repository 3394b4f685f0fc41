import type { ProductManifest } from '../../platform/app-module.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Ledger, MoneyModule } from '../ledger/index.ts';
import { subAccountCommands, subAccountReplay } from './commands.ts';
import { subAccountRoutes } from './routes.ts';
import { SubAccounts, type SubAccountParts } from './service.ts';

/**
 * sub-accounts: accounts that belong to a main account and have their own balances, orders and API keys. Only the main
 * account's owner acts for them. Apart from trading, balances move only between accounts of one main account.
 */

export type { SubAccount, SubAccountTransfer } from './domain.ts';
export type { SubAccounts } from './service.ts';

/** Declaration of the module sub-accounts for audit, reconciliation, checkpoints and replay. */
export const subAccountsMoney: MoneyModule = {
  name: 'sub-accounts',
  tables: ['sub_account', { table: 'sub_account_transfer', rows: 'false', history: 'true' }],
  replay: subAccountReplay,
};

/** Creates the module of sub-accounts and registers its commands with the sequencer. */
export function createSubAccounts(
  parts: Omit<SubAccountParts, 'commands' | 'sequencer'> & {
    readonly ledger: Ledger;
    readonly sequencer: Sequencer;
  },
) {
  const commands = subAccountCommands(parts.ledger, parts.identity.subAccounts);
  parts.sequencer.register(Object.values(commands));
  const subAccounts = new SubAccounts({ ...parts, commands });
  return {
    name: 'sub-accounts',
    subAccounts,
    routes: subAccountRoutes(subAccounts),
  } satisfies ProductManifest;
}
