import { isUuid, type UserId } from '@exchange/core/ids.ts';
import { createCustomers, type CustomerParts } from './modules/customers/index.ts';
import { houseOperations, type Reconciliation } from './modules/ledger/index.ts';
import { createOperators } from './modules/operators/index.ts';
import type { Records } from './modules/spot/index.ts';
import type { Products } from './products.ts';
import type { Log } from './platform/log.ts';
import type { Mail } from './platform/mail/mail.ts';
import type { ServerSecret } from './platform/secrets/server-secret.ts';
import type { HashCost } from './platform/secrets/slow-hash.ts';

interface DeskParts extends Pick<
  CustomerParts,
  'clock' | 'database' | 'identity' | 'market' | 'messages' | 'movements'
> {
  readonly mode: 'demo' | 'live';
  readonly log: Log;
  readonly secret: ServerSecret;
  readonly mail: Mail;
  readonly hashCost: HashCost | undefined;
  readonly products: Products;
  readonly records: CustomerParts['orders'] & Pick<Records, 'orders'>;
  readonly reconciliation: Reconciliation;
}

/**
 * Creates the modules for operators: their accounts, and their view of users and of the exchange's own money.
 */
export function createDesk({
  mode,
  secret,
  mail,
  hashCost,
  products,
  records,
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
    relatedTo: decisionsAbout(products),
  });
  const customers = createCustomers({
    ...parts,
    funds: products.fund.funds,
    kyc: products.kyc.kyc,
    deposits: products.deposits.deposits,
    withdrawals: products.withdrawals.withdrawals,
    seconds: products.seconds.seconds,
    orders: records,
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

/** Ids of a user's latest verification and newest withdrawals, which operators decide. */
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

/** All products on sale, for the operators' search. */
async function productsOnSale({ finance, mining, fund, subscription }: Products) {
  const [financeProducts, rigs, funds, projects] = await Promise.all([
    finance.finance.listProducts(undefined),
    mining.mining.listProducts(undefined),
    fund.funds.listFunds(),
    subscription.subscription.projects(),
  ]);
  return [
    ...financeProducts.map(({ product }) => ({ area: 'finance', ...product })),
    ...rigs.map(({ product }) => ({ area: 'mining', ...product })),
    ...funds.map(({ fund: one }) => ({ area: 'fund', ...one })),
    ...projects.map(({ project }) => ({ area: 'subscription', ...project })),
  ].map(({ area, code, name }) => ({ area, code, name: name['en-US'] }));
}

/** A page that only serves to read the total. */
const COUNT_ONLY = { pageNo: 1, pageSize: 1 };

/** Number of open orders and positions of a user by product, limited by the lists' greatest count. */
async function openPositions(
  user: UserId,
  { finance, mining, fund, seconds, subscription }: Products,
  spot: Pick<Records, 'orders'>,
) {
  const counts = await Promise.all([
    spot.orders(user, { ...COUNT_ONLY, entryStatus: '0' }),
    seconds.seconds.positions(user, { isOver: false }, COUNT_ONLY),
    finance.finance.orders(user, 'hosting', COUNT_ONLY).then(({ orders }) => orders),
    mining.mining.orders(user, 'earning', COUNT_ONLY).then(({ orders }) => orders),
    fund.funds.positions(user, 'holding', COUNT_ONLY),
    fund.funds.positions(user, 'pending', COUNT_ONLY),
    subscription.subscription.records(user, 'participating', COUNT_ONLY),
  ]);
  const names = [
    'Spot orders',
    'Seconds positions',
    'Finance orders',
    'Mining orders',
    'Fund positions',
    'Fund purchases under way',
    'Commitments to projects on sale',
  ];
  return counts.map(({ total }, index) => ({ product: names[index] ?? '', open: total }));
}
