import { LIMIT_DAY_MS, LIMIT_MONTH_MS, WITHDRAWALS_PER_DAY } from '@exchange/core/network.ts';
import { sum } from '@exchange/core/decimal.ts';
import { KYC_STATUS } from '@exchange/core/kyc.ts';
import { later } from '@exchange/core/time.ts';
import * as described from '@exchange/wire/console/users.ts';
import {
  serveList,
  type CallOf,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import { mapBounded } from '../../platform/database/bounded-rows.ts';
import { holdingsOf } from '../ledger/index.ts';
import type { Acceptance } from '../identity/index.ts';
import { userOf, type CustomerParts } from './parts.ts';

const ENTRIES_PAGE = 50;
const QUERY_MAX = 254;
const RECORDS = { pageNo: 1, pageSize: 50 } as const;
const MESSAGES_SHOWN = 50;
const WORTH_PLACES = 2;
const KYC = ['none', 'in review', 'verified', 'rejected'] as const;
/** The name of an identity verification's status, given the number of the status. */
const identityOf = (status: number): string => KYC[status] ?? '';

/**
 * Console operations that find users, and one operation for each section of a user's page, such as profile,
 * balances and deposits.
 */
export function customerViews(parts: CustomerParts): Operation[] {
  return [
    serveList(described.users, async ({ fields }) => {
      const users = await parts.identity.desk.find((fields.query ?? '').slice(0, QUERY_MAX));
      return mapBounded(users, ({ id, kycStatus, ...row }) => ({
        user: id,
        ...row,
        identity: identityOf(kycStatus),
      }));
    }),
    serveList(described.userProfile, (call) => profile(parts, call)),
    serveList(described.userBalances, (call) => balances(parts, call)),
    serveList(described.userOpenOrders, async (call) => {
      const { id } = await userOf(parts, call);
      return { list: await parts.openOf(id) };
    }),
    serveList(described.userEntries, (call) => entries(parts, call)),
    serveList(described.userLimits, (call) => limits(parts, call)),
    serveList(described.userDeposits, async (call) => {
      const { id } = await userOf(parts, call);
      const { list, total } = await parts.deposits.records(id, ANY, RECORDS);
      return { total, list: list.map(({ owner: _, ...deposit }) => deposit) };
    }),
    serveList(described.userWithdrawals, async (call) => {
      const { id } = await userOf(parts, call);
      const { list, total } = await parts.withdrawals.records(id, ANY, RECORDS);
      return {
        total,
        list: list.map(
          ({ owner: _, value, digest: _digest, exit, key, orderName: _name, ...withdrawal }) => ({
            ...withdrawal,
            apiKey: key?.name,
            exit: exit?.kind,
            valueUsdt: value,
          }),
        ),
      };
    }),
    serveList(described.userVoids, async (call) => {
      const { id } = await userOf(parts, call);
      return { list: await parts.seconds.voidsOf(id) };
    }),
    serveList(described.userSessions, async (call) => {
      const { id } = await userOf(parts, call);
      const live = await parts.identity.desk.sessions(id);
      return { list: live.map(({ id: session, ...row }) => ({ session, ...row })) };
    }),
    serveList(described.userPasskeys, async (call) => {
      const { id } = await userOf(parts, call);
      const passkeys = await parts.identity.desk.passkeys(id);
      return {
        list: passkeys.map((passkey) => ({
          name: passkey.name,
          kind: passkey.kind,
          createdAt: passkey.createdAt,
          lastUsedAt: passkey.lastUsedAt > 0 ? passkey.lastUsedAt : undefined,
          warnedAt: passkey.warnedAt > 0 ? passkey.warnedAt : undefined,
          passkey: passkey.id,
        })),
      };
    }),
    serveList(described.userApiKeys, (call) => apiKeys(parts, call)),
    serveList(described.userSubAccounts, (call) => subAccounts(parts, call)),
    serveList(described.userSecurity, async (call) => {
      const { id } = await userOf(parts, call);
      const { rows, next } = await parts.identity.desk.events(id, call.fields.before);
      return { list: rows, next };
    }),
    serveList(described.userMessages, async (call) => {
      const { id } = await userOf(parts, call);
      return { list: await parts.messages.latest(id, 'en-US', MESSAGES_SHOWN) };
    }),
  ];
}

const ANY = { asset: undefined, status: undefined };

async function profile(parts: CustomerParts, call: OperatorCall) {
  const account = await userOf(parts, call);
  const { id, uid, email, nickname, locale, createdAt, kycStatus, mayPurchase, frozen, holdUntil } = account;
  const isHeld = holdUntil > parts.clock.now();
  const accepted = await parts.identity.desk.acceptances(id);
  return {
    list: [
      {
        user: id,
        uid,
        email,
        nickname,
        locale,
        createdAt,
        isFrozen: frozen,
        mayPurchase,
        identity: identityOf(kycStatus),
        level: kycStatus === KYC_STATUS.verified ? 2 : 0,
        nameMasked: account.nameMasked,
        documentMasked: account.documentMasked,
        ...(isHeld ? { withdrawalsHeldUntil: holdUntil, heldBecause: account.holdReason } : {}),
        hasTradePassword: account.tradePasswordHash !== null,
        hasAuthenticator: account.authenticator !== undefined,
        ...acceptedOf(accepted),
      },
    ],
  };
}

async function apiKeys(parts: CustomerParts, call: OperatorCall) {
  const { id } = await userOf(parts, call);
  const now = parts.clock.now();
  const accounts = await parts.subAccounts.accounts(id);
  const names = new Map(accounts.map((account) => [account.id, `${account.name} (${account.uid})`]));
  const owners = [id, ...names.keys()];
  const keys = (await Promise.all(owners.map((owner) => parts.apiKeys.list(owner)))).flat();
  return {
    list: keys.map((apiKey) => ({
      subAccount: names.get(apiKey.owner),
      key: apiKey.id,
      name: apiKey.name,
      kind: apiKey.kind,
      mayTrade: apiKey.mayTrade,
      mayTransfer: apiKey.mayTransfer,
      withdrawalLimitUsdt: apiKey.withdrawalLimit,
      isExpired: apiKey.expiresAt !== undefined && apiKey.expiresAt <= now,
      addresses: apiKey.addresses.length === 0 ? undefined : apiKey.addresses.join(', '),
      lastUsedAt: apiKey.lastUsedAt,
      lastUsedAddress: apiKey.lastUsedAddress === '' ? undefined : apiKey.lastUsedAddress,
      createdAt: apiKey.createdAt,
      expiresAt: apiKey.expiresAt,
      publicHalf: apiKey.key,
    })),
  };
}

async function subAccounts(parts: CustomerParts, call: OperatorCall) {
  const { id } = await userOf(parts, call);
  const list = await parts.subAccounts.list(id);
  return {
    list: list.map(({ subAccount, balances, total }) => ({
      subAccount: subAccount.id,
      uid: subAccount.uid,
      name: subAccount.name,
      note: subAccount.note === '' ? undefined : subAccount.note,
      worthUsdt: total,
      balances: balances
        .map(({ asset, available, frozen }) => `${available.plus(frozen).toString()} ${asset}`)
        .join(', '),
      createdAt: subAccount.createdAt,
      archivedAt: subAccount.archivedAt,
    })),
  };
}

const NOT_KNOWN = 'not known';

/**
 * The versions of the user agreement and of the privacy policy that the user accepted last, and the time at which the
 * user last accepted the user agreement. The version is `not known` for a document without a recorded
 * acceptance; the time is absent if no acceptance of the user agreement is recorded.
 */
function acceptedOf(accepted: readonly Acceptance[]) {
  const latest = (name: string) => accepted.find((acceptance) => acceptance.name === name);
  const terms = latest('user');
  return {
    userAgreement: versionText(terms),
    privacyPolicy: versionText(latest('privacy')),
    ...(terms === undefined ? {} : { acceptedAt: terms.acceptedAt }),
  };
}

function versionText(acceptance: Acceptance | undefined): string {
  return acceptance === undefined ? NOT_KNOWN : `version ${acceptance.version}, in ${acceptance.locale}`;
}

async function balances(parts: CustomerParts, call: OperatorCall) {
  const { id } = await userOf(parts, call);
  const { reader } = parts.database;
  const [holdings, gains] = await Promise.all([
    holdingsOf(reader, id),
    parts.funds.equityGains(reader, [id], parts.funds.unitValues()),
  ]);
  const rows = holdings
    .map(({ product, asset, available, frozen, locked }) => {
      const total = sum([available, frozen, locked]);
      const gain = product === 'fund' ? gains.find((fund) => fund.asset === asset)?.gain : undefined;
      const worth = gain === undefined ? total : total.plus(gain);
      const price = parts.market.usdtPrice(asset);
      const worthUsdt = price === undefined ? undefined : worth.times(price, 'down', WORTH_PLACES);
      return { account: product, asset, available, frozen, locked, total, worthUsdt };
    })
    .filter(({ total }) => !total.isZero());
  return { list: rows };
}

async function entries(parts: CustomerParts, call: CallOf<typeof described.userEntries>) {
  const { id } = await userOf(parts, call);
  const { before } = call.fields;
  const cursor = /^\d+-\d+-\d+$/.test(before ?? '') ? before : undefined;
  const rows = await parts.movements.before(
    id,
    { asset: undefined },
    { before: cursor, limit: ENTRIES_PAGE },
  );
  return {
    list: rows.map((row) => ({
      entry: row.id,
      at: row.at,
      kind: row.kind,
      asset: row.asset,
      amount: row.amount,
      balance: row.balance,
      bucket: row.bucket,
      reference: row.reference,
      sumOf: row.entries,
    })),
    next: rows.length < ENTRIES_PAGE ? undefined : rows.at(-1)?.id,
  };
}

async function limits(parts: CustomerParts, call: OperatorCall) {
  const { id } = await userOf(parts, call);
  const now = parts.clock.now();
  const [{ level, ...most }, used, requests] = await Promise.all([
    parts.kyc.limitsOf(id),
    parts.withdrawals.usage(id, { day: later(now, -LIMIT_DAY_MS), month: later(now, -LIMIT_MONTH_MS) }),
    parts.withdrawals.requests(id),
  ]);
  return {
    list: [
      { limit: 'Withdrawals in 24 hours, USDT', level, most: most.day, used: used.dayUsed },
      { limit: 'Withdrawals in 30 days, USDT', level, most: most.month, used: used.monthUsed },
      { limit: 'Withdrawals requested in 24 hours', level, most: WITHDRAWALS_PER_DAY, used: requests.count },
    ],
  };
}
