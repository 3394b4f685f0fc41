import { ACCOUNT_NAMES } from '@exchange/core/accounts.ts';
import { isUuid, type UserId } from '@exchange/core/ids.ts';
import { createCustomers, type CustomerParts } from './modules/customers/index.ts';
import { houseOperations, type Reconciliation } from './modules/ledger/index.ts';
import { createOperators } from './modules/operators/index.ts';
import type { Records } from './modules/spot/index.ts';
import type { Products } from './products.ts';
import type { Product } from './platform/app-module.ts';
import { COUNT_ONLY } from './platform/database/paged-rows.ts';
import type { Jobs } from './platform/jobs/jobs.ts';
import type { Log } from './platform/log.ts';
import type { Mail } from './platform/mail/mail.ts';
import type { ServerSecret } from './platform/secrets/server-secret.ts';
import type { HashCost } from './platform/secrets/slow-hash.ts';

interface DeskParts extends Pick<
  CustomerParts,
  'apiKeys' | 'clock' | 'database' | 'identity' | 'market' | 'messages' | 'movements' | 'signingKey'
> {
  readonly mode: 'demo' | 'live';
  readonly jobs: Jobs;
  readonly log: Log;
  readonly secret: ServerSecret;
  readonly mail: Mail;
  readonly hashCost: HashCost | undefined;
  readonly products: Products;
  readonly records: Pick<Records, 'orders'>;
  /** Lists of a user's spot orders and fills, for operators. */
  readonly spotRecords: CustomerParts['records'];
  readonly apiKeyRecords: CustomerParts['records'];
  readonly reconciliation: Reconciliation;
}

/**
 * Creates the modules for operators: the operators' accounts, the lists of users, and the lists about the exchange's
 * own money.
 */
export function createDesk({
  mode,
  secret,
  mail,
  hashCost,
  products,
  records,
  spotRecords,
  apiKeyRecords,
  reconciliation,
  ...parts
}: DeskParts) {
  const { clock, database } = parts;
  const operators = createOperators({
    mode,
    clock,
    database,
    secret,
    mail,
    hashCost,
    log: parts.log,
    jobs: parts.jobs,
    relatedTo: decisionsAbout(products),
  });
  const customers = createCustomers({
    ...parts,
    funds: products.fund.funds,
    kyc: products.kyc.kyc,
    deposits: products.deposits.deposits,
    withdrawals: products.withdrawals.withdrawals,
    seconds: products.seconds.seconds,
    subAccounts: products.subAccounts.subAccounts,
    records: [
      ...parts.identity.desk.records,
      ...spotRecords,
      ...Object.values<Product>(products).flatMap((product) => product.records ?? []),
      ...apiKeyRecords,
      ...operators.records,
    ],
    products: () => productsOnSale(products),
    openOf: (user) => openPositions(user, products, records),
  });
  const house = {
    name: 'house',
    operations: houseOperations({
      clock,
      database,
      reconciliation,
      systemUsers: () => parts.identity.systemUsers(),
    }),
  };
  return { operators, desk: [operators, customers, house] };
}

/**
 * Returns a function that lists the ids of a user's records about which operators decide: the latest identity
 * verification and the 200 newest withdrawals. The list is empty for a text that is no user's id.
 */
function decisionsAbout({ kyc, withdrawals }: Products) {
  return async (user: string): Promise<readonly string[]> => {
    if (!isUuid(user)) return [];
    const newestPage = [
      { asset: undefined, status: undefined },
      { pageNo: 1, pageSize: 200 },
    ] as const;
    const [submission, { list }] = await Promise.all([
      kyc.kyc.lastSubmissionId(user as UserId),
      withdrawals.withdrawals.records(user as UserId, ...newestPage),
    ]);
    return [...(submission === undefined ? [] : [submission]), ...list.map(({ id }) => id)];
  };
}

/**
 * Returns the published offers of all products, each with the name of its product as the area of the console
 * that lists it, for the operators' search.
 */
async function productsOnSale(products: Products) {
  const lists = await Promise.all(
    Object.values<Product>(products).map(async (product) =>
      ((await product.onSale?.()) ?? []).map(({ code, name }) => ({ area: product.name, code, name })),
    ),
  );
  return lists.flat();
}

/**
 * Returns a list of named counts of a user: the open spot orders first, then the open orders and positions of
 * each product, in the order of `ACCOUNT_NAMES`.
 */
async function openPositions(user: UserId, products: Products, spot: Pick<Records, 'orders'>) {
  const byName = new Map(Object.values<Product>(products).map((product) => [product.name, product]));
  const [orders, ...counts] = await Promise.all([
    spot.orders(user, { ...COUNT_ONLY, entryStatus: '0' }),
    ...ACCOUNT_NAMES.map((account) => byName.get(account)?.openCounts?.(user) ?? []),
  ]);
  return [{ product: 'Spot orders', open: orders.total }, ...counts.flat()];
}
