import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { SUB_ACCOUNTS_EVER_MAX, SUB_ACCOUNTS_MAX } from '@exchange/core/sub-account.ts';
import * as z from 'zod/mini';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { decimal, idOf } from '../../platform/sequencer/input-fields.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import type { SubAccountRows } from '../identity/index.ts';
import { holdingsOf, userAddress, type Ledger } from '../ledger/index.ts';
import { isNameUsed, type SubAccount, type SubAccountTransfer } from './domain.ts';
import {
  findSubAccount,
  insertSubAccount,
  insertTransfer,
  markArchived,
  renameSubAccount,
  subAccountsOf,
} from './repository.ts';

const owner = idOf<UserId>();
const createInput = z.object({
  master: owner,
  name: z.string(),
  note: z.string(),
  uid: z.string(),
  invitationCode: z.string(),
});
const renameInput = z.object({
  master: owner,
  id: owner,
  name: z.string(),
  note: z.string(),
});
const archiveInput = z.object({ master: owner, id: owner });
const transferInput = z.object({
  master: owner,
  source: owner,
  destination: owner,
  asset: z.string(),
  amount: decimal,
  clientId: z.string(),
});

const available = (user: UserId) => userAddress(user, 'spot', 'available');

/**
 * The commands of sub-accounts. `accounts` inserts and freezes the account rows of sub-accounts; a replay passes an
 * implementation without effect.
 */
export function subAccountCommands(ledger: Ledger, accounts: Pick<SubAccountRows, 'archive' | 'insert'>) {
  return {
    /**
     * Creates a sub-account. Refuses a name that another usable (not archived) sub-account of the main
     * account has, ignoring upper and lower case, and more sub-accounts than the limits of usable ones and of
     * all, including archived ones, allow.
     */
    create: sqlCommand({
      name: 'subAccount.create',
      input: createInput,
      run: async (step, { master, name, note, uid, invitationCode }) => {
        const present = await subAccountsOf(step.sql, master);
        requireRoom(present);
        requireFreeName(present, name, undefined);
        const id = step.newId() as UserId;
        await insertSubAccount(step.sql, {
          id,
          master,
          uid,
          name,
          note,
          createdAt: step.now,
          archivedAt: undefined,
        });
        await accounts.insert(step.sql, {
          id,
          master,
          uid,
          invitationCode,
          createdAt: step.now,
        });
        return { id, uid };
      },
    }),

    /**
     * Sets name and note of a sub-account. Refuses an archived one, and a name that another sub-account of
     * the main account that is not archived has, ignoring upper and lower case.
     */
    rename: sqlCommand({
      name: 'subAccount.rename',
      input: renameInput,
      run: async (step, { master, id, name, note }) => {
        await requireUsable(step, master, id);
        requireFreeName(await subAccountsOf(step.sql, master), name, id);
        await renameSubAccount(step.sql, { id, name, note });
        return { id };
      },
    }),

    /**
     * Archives a sub-account, which cannot be undone. Refuses while any of its accounts has a balance, available or
     * not. Does nothing if it is already archived.
     */
    archive: sqlCommand({
      name: 'subAccount.archive',
      input: archiveInput,
      run: async (step, { master, id }) => {
        const subAccount = await requireKnown(step, master, id);
        if (subAccount.archivedAt !== undefined) return { id };
        const holdings = await holdingsOf(step.sql, id);
        const isEmpty = holdings.every((held) => held.available.plus(held.frozen).plus(held.locked).isZero());
        if (!isEmpty) throw new Refused(refusal('generic', 'l.sub_account_not_empty'));
        await markArchived(step.sql, id, step.now);
        await accounts.archive(step.sql, id);
        return { id };
      },
    }),

    /**
     * Moves an amount of a coin's available spot balance between a main account and its sub-account, or
     * between two of its sub-accounts. Refuses a transfer within the same account, an amount above the
     * balance, and accounts that are archived or belong to another main account.
     */
    transfer: sqlCommand({
      name: 'subAccount.transfer',
      input: transferInput,
      prepare: ({ source, destination }) => ledger.prepareAll([source, destination]),
      run: async (step, { master, source, destination, asset, amount, clientId }) => {
        if (source === destination)
          throw new Refused(refusal('invalidField', 'l.sub_account_same', { field: 'to' }));
        for (const account of [source, destination])
          if (account !== master) await requireUsable(step, master, account);
        const transfer: SubAccountTransfer = {
          id: step.newId(),
          number: step.sequence,
          master,
          source,
          destination,
          asset,
          amount,
          clientId,
          at: step.now,
        };
        ledger.post(step, 'subaccount.transferred', transfer.id, [
          {
            source: available(source),
            destination: available(destination),
            asset,
            amount,
          },
        ]);
        await insertTransfer(step.sql, transfer);
        return transferAnswer(transfer);
      },
    }),
  };
}

export type SubAccountCommands = ReturnType<typeof subAccountCommands>;

/** A transfer in the form in which the API returns it: an empty id stands for the main account. */
export function transferAnswer({ master, source, destination, ...transfer }: SubAccountTransfer) {
  return {
    id: transfer.id,
    number: transfer.number,
    from: source === master ? '' : source,
    to: destination === master ? '' : destination,
    currency: transfer.asset,
    amount: transfer.amount.toString(),
    time: transfer.at,
  };
}

async function requireKnown(step: SqlStep, master: UserId, id: UserId): Promise<SubAccount> {
  const subAccount = await findSubAccount(step.sql, master, id);
  if (subAccount === undefined) throw new Refused(refusal('generic', 'l.not_found'));
  return subAccount;
}

async function requireUsable(step: SqlStep, master: UserId, id: UserId): Promise<void> {
  const { archivedAt } = await requireKnown(step, master, id);
  if (archivedAt !== undefined) throw new Refused(refusal('closed', 'l.sub_account_archived'));
}

function requireRoom(present: readonly SubAccount[]): void {
  const used = present.filter(({ archivedAt }) => archivedAt === undefined).length;
  if (used >= SUB_ACCOUNTS_MAX)
    throw new Refused(refusal('aboveMaximum', 'l.sub_accounts_max', { limit: String(SUB_ACCOUNTS_MAX) }));
  if (present.length >= SUB_ACCOUNTS_EVER_MAX)
    throw new Refused(
      refusal('aboveMaximum', 'l.sub_accounts_ever_max', { limit: String(SUB_ACCOUNTS_EVER_MAX) }),
    );
}

function requireFreeName(present: readonly SubAccount[], name: string, except: UserId | undefined): void {
  if (isNameUsed(present, name, except))
    throw new Refused(refusal('duplicate', 'l.sub_account_name_used', { field: 'name', value: name }));
}

/** The commands of sub-accounts, and the queries of the tables that a replay compares with the original. */
export function subAccountReplay({ ledger }: { readonly ledger: Ledger }) {
  const nothing = () => Promise.resolve();
  return {
    commands: Object.values(subAccountCommands(ledger, { insert: nothing, archive: nothing })),
    state: {
      subAccounts: 'select s::text as row, s.id as turn from sub_account s',
      transfers: 'select t::text as row, t.number as turn from sub_account_transfer t',
    },
  };
}
