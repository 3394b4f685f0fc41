import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import type { CopyRows } from '../../platform/database/database.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { StoredAccount } from './balances.ts';
import type { ChainHead } from './domain.ts';

/** The hash of an entry in hexadecimal; undefined if there is none with this number. */
export async function hashOfEntry(copy: CopyRows, sequence: number): Promise<string | undefined> {
  let hash: string | undefined;
  await copy(
    `select encode(hash, 'hex') from ledger_entry where sequence = ${BigInt(sequence)}`,
    ([cell]) => {
      hash = cell!;
    },
  );
  return hash;
}

/** The last entry of the ledger; number 0 and an empty hash if there is none. */
export async function newestEntry(copy: CopyRows): Promise<ChainHead> {
  let head: ChainHead = { sequence: 0, hash: '' };
  const newest = `select sequence, encode(hash, 'hex') from ledger_entry order by sequence desc limit 1`;
  await copy(newest, ([sequence, hash]) => {
    head = { sequence: wholeNumber(BigInt(sequence!)), hash: hash! };
  });
  return head;
}

/**
 * The accounts that ledger entries with a number above `sequence` have changed, with their present balances.
 */
export async function accountsChangedSince(copy: CopyRows, sequence: number): Promise<StoredAccount[]> {
  const accounts: StoredAccount[] = [];
  const entries = `from ledger_entry where sequence > ${BigInt(sequence)}`;
  await copy(
    `select id, address, asset, balance from ledger_account
     where id in (select unnest(sources) ${entries} union select unnest(destinations) ${entries}) order by id`,
    ([id, address, asset, balance]) => {
      accounts.push({
        id: wholeNumber(BigInt(id!)),
        address: address!,
        asset: asset!,
        balance: balance!,
      });
    },
  );
  return accounts;
}

/** In one asset: number of the accounts that `accountSums` counts, and the sum of their absolute balances. */
interface AccountSums {
  readonly asset: AssetCode;
  readonly count: number;
  readonly magnitudes: Decimal;
}

/**
 * Number of accounts and sum of absolute balances by asset, over the house and world accounts and the accounts of the
 * given users.
 */
export async function accountSums(copy: CopyRows, owners: readonly UserId[]): Promise<AccountSums[]> {
  const sums: AccountSums[] = [];
  // The ids can be inserted into the SQL text without escaping: they come from the database and contain hexadecimal
  // digits and hyphens only.
  await copy(
    `select asset, count(*), sum(abs(balance)) from ledger_account
     where owner is null or owner = any('{${owners.join()}}'::uuid[]) group by asset`,
    ([asset, count, magnitudes]) => {
      sums.push({
        asset: asset!,
        count: wholeNumber(BigInt(count!)),
        magnitudes: Decimal.parse(magnitudes!),
      });
    },
  );
  return sums;
}
