import { LIMIT_DAY_MS, LIMIT_MONTH_MS, WITHDRAWALS_PER_DAY } from '@exchange/core/network.ts';
import { sum } from '@exchange/core/decimal.ts';
import { KYC_STATUS } from '@exchange/core/kyc.ts';
import { later } from '@exchange/core/time.ts';
import { boundedAnswer, type Operation, type OperatorCall } from '../../platform/console/operation.ts';
import { mapBounded } from '../../platform/database/bounded-rows.ts';
import { holdingsOf } from '../ledger/index.ts';
import type { Acceptance } from '../identity/index.ts';
import { VIEWER_ROLES, userOf, type CustomerParts } from './parts.ts';

const ENTRIES_PAGE = 50;
const RECORDS = { pageNo: 1, pageSize: 50 } as const;
const MESSAGES_SHOWN = 50;
const WORTH_PLACES = 2;
const KYC = ['none', 'in review', 'verified', 'rejected'] as const;

/** Operations that show a user to operators, one per part of the page. */
export function customerViews(parts: CustomerParts): Operation[] {
  const view = (
    path: string,
    summary: string,
    run: Operation['run'],
    options: Pick<Operation, 'roles'> = { roles: VIEWER_ROLES },
  ): Operation => ({ method: 'GET', path: `/ops/users/:user${path}`, summary, run, ...options });
  return [
    usersOperation(parts),
    view('', 'Who a user is, and what they may do.', (call) => profile(parts, call)),
    view('/balances', 'What a user has on every account.', (call) => balances(parts, call)),
    view('/open', 'How many orders and positions a user has open.', async (call) => {
      const { id } = await userOf(parts, call);
      return { open: await parts.openOf(id) };
    }),
    view('/entries', 'What moved on a user’s accounts, newest first.', (call) => entries(parts, call)),
    view('/limits', 'What a user may withdraw, and what of it is used.', (call) => limits(parts, call)),
    view('/deposits', 'A user’s latest deposits.', async (call) => {
      const { id } = await userOf(parts, call);
      const { list, total } = await parts.deposits.records(id, ANY, RECORDS);
      return { total, deposits: list.map(({ owner: _, ...deposit }) => deposit) };
    }),
    view('/withdrawals', 'A user’s latest withdrawals.', async (call) => {
      const { id } = await userOf(parts, call);
      const { list, total } = await parts.withdrawals.records(id, ANY, RECORDS);
      return {
        total,
        withdrawals: list.map(({ owner: _, value, ...withdrawal }) => ({ ...withdrawal, valueUsdt: value })),
      };
    }),
    view(
      '/voids',
      'Positions of the seconds contract that a user got back without a result, counted by cause.',
      async (call) => {
        const { id } = await userOf(parts, call);
        return { voids: await parts.seconds.voidsOf(id) };
      },
    ),
    view('/sessions', 'Where a user is signed in now.', async (call) => {
      const { id } = await userOf(parts, call);
      const live = await parts.identity.desk.sessions(id);
      return { sessions: live.map(({ id: session, ...row }) => ({ session, ...row })) };
    }),
    view('/security', 'Sign-ins and changes of a user’s protection, newest first.', async (call) => {
      const { id } = await userOf(parts, call);
      const { rows, next } = await parts.identity.desk.events(id, call.fields['before']);
      return { events: rows, next };
    }),
    view('/messages', 'What was sent to a user’s inbox last.', async (call) => {
      const { id } = await userOf(parts, call);
      return { messages: await parts.messages.latest(id, 'en-US', MESSAGES_SHOWN) };
    }),
  ];
}

/** The user list; the search matches the start of the email address, UID or id. */
function usersOperation(parts: CustomerParts): Operation {
  return {
    method: 'GET',
    path: '/ops/users',
    summary: 'Users, the newest first; a search finds mail address, UID or ID, whole or from the beginning.',
    roles: VIEWER_ROLES,
    fields: { query: { label: 'Mail address, UID or ID', kind: 'text', isOptional: true } },
    run: async ({ fields }) => {
      const users = await parts.identity.desk.find((fields['query'] ?? '').slice(0, 254));
      return boundedAnswer(
        'users',
        mapBounded(users, ({ id, kycStatus, ...row }) => ({
          user: id,
          ...row,
          identity: KYC[kycStatus],
        })),
      );
    },
  };
}

const ANY = { asset: undefined, status: undefined };

async function profile(parts: CustomerParts, call: OperatorCall) {
  const account = await userOf(parts, call);
  const { id, uid, email, nickname, locale, createdAt, kycStatus, mayPurchase, frozen, holdUntil } = account;
  const isHeld = holdUntil > parts.clock.now();
  const accepted = await parts.identity.desk.acceptances(id);
  return {
    profile: [
      {
        user: id,
        uid,
        email,
        nickname,
        locale,
        createdAt,
        isFrozen: frozen,
        mayPurchase,
        identity: KYC[kycStatus],
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

const NOT_KNOWN = 'not known';

/** The latest accepted version of each agreement; unknown for accounts that predate this record. */
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
  return { balances: rows };
}

async function entries(parts: CustomerParts, call: OperatorCall) {
  const { id } = await userOf(parts, call);
  const { before, asset } = call.fields;
  const filter = { asset: asset === undefined || asset === '' ? undefined : asset.toUpperCase() };
  const cursor = /^\d+-\d+-\d+$/.test(before ?? '') ? before : undefined;
  const rows = await parts.movements.before(id, filter, { before: cursor, limit: ENTRIES_PAGE });
  return {
    entries: rows.map((row) => ({
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
    limits: [
      { limit: 'Withdrawals in 24 hours, USDT', level, most: most.day, used: used.dayUsed },
      { limit: 'Withdrawals in 30 days, USDT', level, most: most.month, used: used.monthUsed },
      { limit: 'Withdrawals requested in 24 hours', level, most: WITHDRAWALS_PER_DAY, used: requests.count },
    ],
  };
}
