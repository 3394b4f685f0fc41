import { Decimal } from '@exchange/core/decimal.ts';
import {
  COVERED_DAYS,
  isCovered,
  saleStatus,
  type SaleStatus,
  type Schedule,
  offerChangeProblem,
} from '@exchange/core/finance.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { incomeSchedule, type MiningStatus } from '@exchange/core/mining.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { DAY_MS, later, type Instant } from '@exchange/core/time.ts';
import { requireText } from '../../platform/console/field-values.ts';
import { exampleAmount } from '../../platform/console/preview.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Reserve } from '../../platform/health/reserves.ts';
import type { Database } from '../../platform/database/database.ts';
import type { VersionsBelow } from '../../platform/database/kept-versions.ts';
import { rowsOfPage } from '../../platform/database/paged-rows.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Assets } from '../assets/index.ts';
import { Quotas, type Ledger } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import type { MiningCommands } from './commands.ts';
import {
  AGREEMENT_VERSION,
  termsProblem,
  type MiningOrder,
  type Product,
  type ProductTerms,
} from './domain.ts';
import { HOUSE } from './posts.ts';
import { incomeOf, ordersOf, totalsOf } from './records-repository.ts';
import { everyProduct, findProduct, orderOfOrigin, productVersions, runningIncome } from './repository.ts';

/** In USDT, as shown. */
const SHOWN_PLACES = 8;
const BY_MAX = 100;
const REASON_MAX = 500;

/** What mining asks of who somebody is, before they buy. */
interface AccountStatuses {
  requireTrading(user: UserId, side: 'buy' | 'sell'): Promise<void>;
}

export interface MiningParts {
  readonly assets: Pick<Assets, 'findCoin' | 'logo' | 'requireCoin'>;
  readonly clock: Clock;
  readonly database: Pick<Database, 'reader'>;
  readonly ledger: Ledger;
  readonly market: Pick<Market, 'usdtPrice'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly accountStatuses: AccountStatuses;
  readonly commands: MiningCommands;
}

/** A product as somebody sees it. */
export interface Offered {
  readonly product: Product;
  readonly status: SaleStatus;
  readonly remaining: Decimal;
  /** What the caller may still buy; for a visitor, as much as anybody. */
  readonly userRemaining: Decimal;
  readonly isCovered: boolean;
  readonly digits: number;
  readonly logo: string;
}

interface Purchase {
  readonly product: string;
  readonly amount: Decimal;
  readonly agreed: boolean;
  readonly agreementVersion: string;
  /** Of the terms that the buyer was shown; nobody says where it is undefined. */
  readonly version?: number | undefined;
}

interface Page {
  readonly pageNo: number;
  readonly pageSize: number;
}

/** One method per use case of mining. */
export class Mining {
  private readonly parts: MiningParts;
  private readonly quotas: Quotas;

  constructor(parts: MiningParts) {
    this.parts = parts;
    this.quotas = new Quotas(parts.ledger, 'mining');
  }

  /** Every product, as the user, or a visitor, sees it. */
  async offered(user: UserId | undefined): Promise<Offered[]> {
    const { database, ledger } = this.parts;
    const [products, running] = await Promise.all([
      everyProduct(database.reader),
      runningIncome(database.reader),
    ]);
    if (user !== undefined) await ledger.prepare(user);
    return products.map((product) => this.seen(product, running.get(product.asset) ?? Decimal.zero, user));
  }

  /** A product, and what an amount of it, or its least, would earn if it were bought now. */
  async detail(
    id: string,
    amount: Decimal | undefined,
    user: UserId | undefined,
  ): Promise<{ offered: Offered; amount: Decimal; schedule: Schedule }> {
    const offered = (await this.offered(user)).find(({ product }) => product.id === id);
    if (offered === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const { product, digits } = offered;
    const wanted = amount ?? product.startAmount;
    const about = { field: 'amount', value: wanted.toString(), unit: product.asset };
    if (!wanted.fits(digits))
      throw new Refused(refusal('invalidField', 'l.amount_decimals', { ...about, limit: String(digits) }));
    if (wanted.isMore(product.capacity)) {
      const limit = product.capacity.toString();
      throw new Refused(refusal('aboveMaximum', 'l.amount_max', { ...about, limit }));
    }
    return { offered, amount: wanted, schedule: incomeSchedule(product, wanted, this.parts.clock.now()) };
  }

  /** Buys for a user who may buy; the same key again gives the first answer. */
  async buy(owner: UserId, purchase: Purchase, key?: string) {
    const { accountStatuses, sequencer, commands } = this.parts;
    await accountStatuses.requireTrading(owner, 'buy');
    return sequencer.execute(commands.buy, { owner, ...purchase }, { actor: owner, key });
  }

  /** Returns the principal of an order whose cycle has ended; once more gives the same answer. */
  redeem(owner: UserId, id: string, key?: string) {
    return this.parts.sequencer.execute(this.parts.commands.redeem, { owner, id }, { actor: owner, key });
  }

  /** A user's orders with their products, and what all of them come to in USDT. */
  async orders(owner: UserId, status: MiningStatus | undefined, page: Page) {
    const { reader } = this.parts.database;
    const now = this.parts.clock.now();
    const [{ list, total }, totals, products] = await Promise.all([
      ordersOf(reader, owner, status, { ...rowsOfPage(page), now }),
      totalsOf(reader, owner, later(now, COVERED_DAYS * DAY_MS)),
      this.productsById(),
    ]);
    const worth = { locked: Decimal.zero, earned: Decimal.zero, arriving: Decimal.zero };
    for (const [asset, of] of totals)
      for (const figure of ['locked', 'earned', 'arriving'] as const)
        worth[figure] = worth[figure].plus(this.inUsdt(asset, of[figure]));
    const rows = list.map((order) => ({ order, ...this.namesOf(order, products) }));
    return { list: rows, total, totals: worth, now };
  }

  /** A user's income day by day. */
  async income(owner: UserId, orderId: string | undefined, page: Page) {
    const [{ list, total }, products] = await Promise.all([
      incomeOf(this.parts.database.reader, owner, orderId, rowsOfPage(page)),
      this.productsById(),
    ]);
    return { list: list.map((income) => ({ income, ...this.namesOf(income.order, products) })), total };
  }

  /** The published versions of a product's terms with who and why, the newest first. */
  versions(code: string, which: VersionsBelow) {
    return productVersions(this.parts.database.reader, code, which);
  }

  /**
   * Terms as a visitor would see them if they were published now, and what an amount of them would earn; refused like
   * their publication where that would be.
   */
  async proposed(terms: ProductTerms): Promise<{ offered: Offered; amount: Decimal; schedule: Schedule }> {
    const { assets, database, clock } = this.parts;
    const coin = assets.requireCoin(terms.asset, 'asset');
    const present = await findProduct(database.reader, { code: terms.code });
    const problem = termsProblem(terms, coin.digits) ?? offerChangeProblem(present, terms);
    if (problem !== undefined) throw new Refused(problem);
    const running = await runningIncome(database.reader);
    const product = { ...terms, id: present?.id ?? terms.code, version: (present?.version ?? 0) + 1 };
    const left = this.quotas.leftOf(product, present?.capacity ?? Decimal.zero);
    if (!left.ok) throw new Refused(left.refusal);
    const offered = this.seen(product, running.get(terms.asset) ?? Decimal.zero, undefined, left.value);
    const amount = exampleAmount(terms.startAmount, terms.maxAmount);
    return { offered, amount, schedule: incomeSchedule(terms, amount, clock.now()) };
  }

  /** Publishes a product or the next version of its terms; who and why are kept. */
  async publish(terms: ProductTerms, { by, reason }: { readonly by: string; readonly reason: string }) {
    this.parts.assets.requireCoin(terms.asset, 'asset');
    requireText('by', by, BY_MAX);
    requireText('reason', reason, REASON_MAX);
    return this.parts.sequencer.execute(this.parts.commands.publish, { terms, by, reason });
  }

  /** Fills the account that pays an asset's income up to an amount: from the house's fees, or with play money. */
  async fund(asset: string, wanted: Decimal, from: 'demo' | 'fees') {
    this.parts.assets.requireCoin(asset, 'asset');
    return this.parts.sequencer.execute(this.parts.commands.fund, { asset, wanted, from });
  }

  /** What the accounts that pay it hold, beside what running orders earn a day; seven days of it are kept ready. */
  async reserves(): Promise<readonly Reserve[]> {
    const running = await runningIncome(this.parts.database.reader);
    return [...running].map(([asset, daily]) => ({
      ...{ account: 'mining', asset, daily, balance: this.parts.ledger.balance(HOUSE.income, asset) },
      needed: daily.times(Decimal.ofWhole(COVERED_DAYS), 'up'),
    }));
  }

  /** The order that the house has opened under this name. */
  opened(origin: string): Promise<MiningOrder | undefined> {
    return orderOfOrigin(this.parts.database.reader, origin);
  }

  /**
   * Buys for the house's own account or the demo's trader, once under each name, with a cycle that counts from earlier.
   * Gives whether it could.
   */
  async buyForHouse(
    owner: UserId,
    code: string,
    amount: Decimal,
    house: { readonly origin: string; readonly since: Instant },
  ): Promise<boolean> {
    const product = await findProduct(this.parts.database.reader, { code });
    if (product === undefined) throw new Error(`no product is called ${code}`);
    const agreed = { agreed: true, agreementVersion: AGREEMENT_VERSION };
    const input = { owner, product: product.id, amount, ...agreed, house };
    return this.parts.sequencer.execute(this.parts.commands.buy, input).then(
      () => true,
      (cause: unknown) => {
        if (cause instanceof Refused) return false;
        throw cause;
      },
    );
  }

  private seen(
    product: Product,
    running: Decimal,
    user: UserId | undefined,
    remaining = this.quotas.remaining(product.id),
  ): Offered {
    const { ledger, assets, clock } = this.parts;
    const used = user === undefined ? Decimal.zero : this.quotas.used(user, product.id);
    const left = product.maxAmount.minus(used);
    const { cycle, dailyRate, startAmount, asset } = product;
    const funded = ledger.balance(HOUSE.income, asset);
    return {
      ...{ product, remaining, status: saleStatus({ ...product, remaining }, clock.now()) },
      userRemaining: left.isPositive() ? left : Decimal.zero,
      isCovered: isCovered(funded, running, { period: cycle, dailyRate }, startAmount),
      digits: assets.findCoin(asset)!.digits,
      logo: assets.logo(asset),
    };
  }

  private async productsById(): Promise<ReadonlyMap<string, Product>> {
    const products = await everyProduct(this.parts.database.reader);
    return new Map(products.map((product) => [product.id, product]));
  }

  private namesOf({ product, asset }: MiningOrder, products: ReadonlyMap<string, Product>) {
    return { name: products.get(product)!.name, logo: this.parts.assets.logo(asset) };
  }

  private inUsdt(asset: string, amount: Decimal): Decimal {
    return amount.times(this.parts.market.usdtPrice(asset) ?? Decimal.zero, 'down', SHOWN_PLACES);
  }
}
