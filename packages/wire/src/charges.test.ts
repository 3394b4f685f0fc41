import { expect, it } from 'vitest';
import { ENDPOINTS } from './catalogue.ts';
import { messageDetail } from './message.ts';
import { addFavorite, removeFavorite } from './watchlist.ts';
import { freezeAccount, logout, revokeOtherSessions, revokeSession } from './user.ts';

/** The calls that read although their names do not begin with `get`. */
const READS = new Set([
  '/user/info',
  '/file/get',
  '/paramter/contractconfig',
  '/proof/tape',
  '/proof/manifest',
  '/proof/file',
  '/proof/keys',
  '/proof/checkpoint',
  '/proof/settlement',
  '/proof/voids',
  '/proof/stats',
  '/proof/config',
  '/proof/liabilities',
  '/proof/inclusion',
  '/proof/withdrawals',
  '/fund/preview',
  '/subscribe/preview',
  '/account/export',
  '/withdraw/quote',
  '/market/favorite/list',
  '/market/alert/list',
  '/support/page',
]);

it('EDGE-985 no call that changes something is charged to a limit of reads', () => {
  const readCharged = ENDPOINTS.filter(({ charge }) => charge.limit.endsWith('Read'));
  const others = readCharged.filter(
    ({ path, idempotent, takesFile, access }) =>
      idempotent ||
      takesFile ||
      (access.sessionAlone !== undefined && access.sessionAlone !== 'reads') ||
      !(READS.has(path) || /\/get[A-Z]/.test(path)),
  );
  expect(others.map(({ path }) => path)).toEqual([]);
  expect([...READS].filter((path) => readCharged.every((endpoint) => endpoint.path !== path))).toEqual([]);
});

it('EDGE-985 calls that only read are charged to no other limit', () => {
  const charged = ENDPOINTS.filter(({ access }) => access.sessionAlone === 'reads');
  expect(charged.length).toBeGreaterThan(5);
  for (const { path, charge } of charged) expect(charge.limit, path).toMatch(/Read$/);
});

it('EDGE-985 leaving, and small changes that come in quick succession, have limits of their own, which transfers do not use up', () => {
  const limits = [
    freezeAccount,
    logout,
    revokeSession,
    revokeOtherSessions,
    addFavorite,
    removeFavorite,
    messageDetail,
  ];
  expect(limits.map(({ charge }) => charge.limit)).toEqual([
    ...Array<string>(4).fill('leaving'),
    ...Array<string>(3).fill('lightChange'),
  ]);
});
