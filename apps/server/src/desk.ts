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

/** Who runs the exchange, and what they see of its users. */
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
    relatedTo: decidedFor(products),
  });
  const customers = createCustomers({
    ...parts,
    funds: products.fund.funds,
    kyc: products.kyc.kyc,
    deposits: products.deposits.deposits,
    withdrawals: products.withdrawals.withdrawals,
    seconds: products.seconds.seconds,
    orders: records,
    products: () => onOffer(products),
    openOf: (user) => openOf(user, products, records),
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

/** What of a user's operators decide: the verification and the newest withdrawals. */
function decidedFor({ kyc, withdrawals }: Products) {
  return async (user: string): Promise<readonly string[]> => {
    if (!isUuid(user)) return [];
    const wanted = [
      { asset: undefined, status: undefined },
      { pageNo: 1, pageSize: 200 },
    ] as const;
    const [submission, { list }] = await Promise.all([
      kyc.kyc.lastSubmissionId(user as UserId),
      withdrawals.withdrawals.records(user as UserId, ...wanted),
    ]);
    return [...(submission === undefined ? [] : [submission]), ...list.map(({ id }) => id)];
  };
}

/** Every product that people buy, as operators search them. */
async function onOffer({ finance, mining, fund, subscription }: Products) {
  const [terms, rigs, funds, projects] = await Promise.all([
    finance.finance.offered(undefined),
    mining.mining.offered(undefined),
    fund.funds.offered(),
    subscription.subscription.projects(),
  ]);
  return [
    ...terms.map(({ product }) => ({ area: 'finance', ...product })),
    ...rigs.map(({ product }) => ({ area: 'mining', ...product })),
    ...funds.map(({ fund: one }) => ({ area: 'fund', ...one })),
    ...projects.map(({ project }) => ({ area: 'subscription', ...project })),
  ].map(({ area, code, name }) => ({ area, code, name: name['en-US'] }));
}

/** The first row of a list that counts all of it. */
const COUNT = { pageNo: 1, pageSize: 1 };

/** How many orders and positions of each product are open, counted as far as lists go. */
async function openOf(
  user: UserId,
  { finance, mining, fund, seconds, subscription }: Products,
  spot: Pick<Records, 'orders'>,
) {
  const counts = await Promise.all([
    spot.orders(user, { ...COUNT, entryStatus: '0' }),
    seconds.seconds.positions(user, { isOver: false }, COUNT),
    finance.finance.orders(user, 'hosting', COUNT).then(({ orders }) => orders),
    mining.mining.orders(user, 'earning', COUNT).then(({ orders }) => orders),
    fund.funds.positions(user, 'holding', COUNT),
    fund.funds.positions(user, 'pending', COUNT),
    subscription.subscription.records(user, 'participating', COUNT),
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
