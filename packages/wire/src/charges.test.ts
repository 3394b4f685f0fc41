import { expect, it } from 'vitest';
import { ENDPOINTS } from './catalogue.ts';
import { messageDetail } from './message.ts';
import { addFavorite, removeFavorite } from './watchlist.ts';
import { freezeAccount, logout, revokeOtherSessions, revokeSession } from './user.ts';

/** Paths of endpoints that only read, although their names do not begin with `get`. */
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
  '/proof/book',
  '/proof/books',
  '/proof/stats',
  '/proof/config',
  '/transfer/track',
  '/proof/liabilities',
  '/proof/inclusion',
  '/proof/stamps',
  '/proof/stamp',
  '/proof/withdrawals',
  '/fund/preview',
  '/subscribe/preview',
  '/account/export',
  '/withdraw/quote',
  '/market/favorite/list',
  '/market/alert/list',
  '/support/page',
  '/push/devices',
  '/push/read',
]);

it('EDGE-985 no endpoint with a side effect is charged to a limit of reads', () => {
  const readCharged = ENDPOINTS.filter(({ charge }) => charge.limit.endsWith('Read'));
  const changing = readCharged.filter(
    ({ path, idempotent, takesFile, access }) =>
      idempotent ||
      takesFile ||
      (access.sessionAlone !== undefined && access.sessionAlone !== 'reads') ||
      !(READS.has(path) || /\/get[A-Z]/.test(path)),
  );
  expect(changing.map(({ path }) => path)).toEqual([]);
  expect([...READS].filter((path) => readCharged.every((endpoint) => endpoint.path !== path))).toEqual([]);
});

it('EDGE-985 endpoints that only read are charged to a limit of reads', () => {
  const charged = ENDPOINTS.filter(({ access }) => access.sessionAlone === 'reads');
  expect(charged.length).toBeGreaterThan(5);
  for (const { path, charge } of charged) expect(charge.limit, path).toMatch(/Read$/);
});

it('EDGE-985 ending sessions and frequent small changes have their own limits, which transfers do not use up', () => {
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
