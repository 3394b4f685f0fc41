import { dueByDay, type DueLiability } from '@exchange/core/figures.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { COVERED_DAYS, isCovered, offerChangeProblem, saleStatus } from '@exchange/core/finance.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { TextByLocale } from '@exchange/core/locale.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { DAY_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import { requireRoom, requireText } from '../../platform/console/field-values.ts';
import { exampleAmount } from '../../platform/console/preview.ts';
import type { Database } from '../../platform/database/database.ts';
import type { VersionsBelow } from '../../platform/database/kept-versions.ts';
import type { Reserve } from '../../platform/health/reserves.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import type { Assets } from '../assets/index.ts';
import { houseAddress, Quotas, type Ledger } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import type { EarnDetail, EarnOffered, EarnOrder, EarnProduct, EarnTerms } from './domain.ts';
import type { EarnKind } from './kind.ts';
import type { EarnCommands } from './steps.ts';

/** Number of decimals to which values in USDT are rounded down. */
const SHOWN_PLACES = 8;
const BY_MAX = 100;
const REASON_MAX = 500;
/**
 * Greatest number of products of one kind, because lists read and sort all of them; the publication of a further
 * product is refused.
 */
const PRODUCTS_MAX = 2_000;
/** Sort rank of the products in lists, by status of their sale; a lower number comes first. */
const SALE_ORDER: Readonly<Record<EarnOffered<EarnTerms>['status'], number>> = {
  onSale: 0,
  soon: 1,
  soldOut: 2,
  ended: 3,
};

/** The part of the identity module that purchases use; it refuses users who may not trade. */
interface AccountStatuses {
  requireTrading(user: UserId, side: 'buy' | 'sell'): Promise<void>;
}

export interface EarnParts<Terms extends EarnTerms> {
  readonly assets: Pick<Assets, 'findCoin' | 'logo' | 'requireCoin'>;
  readonly clock: Clock;
  readonly database: Pick<Database, 'reader'>;
  readonly ledger: Ledger;
  readonly market: Pick<Market, 'usdtPrice'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly accountStatuses: AccountStatuses;
  readonly commands: EarnCommands<Terms>;
}

export interface Purchase {
  readonly product: string;
  readonly amount: Decimal;
  readonly agreed: boolean;
  readonly agreementVersion: string;
  /** Version of the terms that the buyer saw; undefined if the client did not send it. */
  readonly version?: number | undefined;
}

/**
 * Totals over a user's orders of one kind of earn products, in one coin or, for all coins together, in USDT:
 * the locked principal, the earnings so far, and the amount that the user will receive within `COVERED_DAYS`
 * days.
 */
interface Totals {
  readonly locked: Decimal;
  readonly earned: Decimal;
  readonly arriving: Decimal;
}

/** The use cases that finance and mining have in common; the service class of each kind extends this class. */
export class Earn<Terms extends EarnTerms> {
  private readonly kind: EarnKind<Terms>;
  private readonly parts: EarnParts<Terms>;
  private readonly quotas: Quotas;

  constructor(kind: EarnKind<Terms>, parts: EarnParts<Terms>) {
    this.kind = kind;
    this.parts = parts;
    this.quotas = new Quotas(parts.ledger, kind.name);
  }

  /** The codes and English names of all published products. */
  async onSale() {
    const products = await this.listProducts(undefined);
    return products.map(({ product: { code, name } }) => ({ code, name: name['en-US'] }));
  }

  /** All products as the user, or a visitor, sees them: ordered by status of their sale, then newest first. */
  async listProducts(user: UserId | undefined): Promise<EarnOffered<Terms>[]> {
    const { reader } = this.parts.database;
    const { everyProduct, running } = this.kind.rows;
    const [products, dailyEarnings, usedOf] = await Promise.all([
      everyProduct(reader),
      running(reader),
      user === undefined ? undefined : this.quotas.storedUse(reader, user),
    ]);
    const offered = products.map((product) =>
      this.offer(product, dailyEarnings.get(product.asset), usedOf?.(product.id)),
    );
    return offered.toReversed().toSorted((left, right) => SALE_ORDER[left.status] - SALE_ORDER[right.status]);
  }

  /**
   * A product, and the earnings that `amount` (if undefined, the product's minimum amount) would yield if it
   * were bought now. Refuses an unknown product, and an amount with too many decimals or above the product's
   * whole capacity.
   */
  async detail(
    id: string,
    amount: Decimal | undefined,
    user: UserId | undefined,
  ): Promise<EarnDetail<Terms>> {
    const { reader } = this.parts.database;
    const { productsByIds, running } = this.kind.rows;
    const [[product], dailyEarnings, usedOf] = await Promise.all([
      productsByIds(reader, [id]),
      running(reader),
      user === undefined ? undefined : this.quotas.storedUse(reader, user),
    ]);
    if (product === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const offered = this.offer(product, dailyEarnings.get(product.asset), usedOf?.(product.id));
    const { digits } = offered;
    const requested = amount ?? product.startAmount;
    const details = { field: 'amount', value: requested.toString(), unit: product.asset };
    if (!requested.fits(digits))
      throw new Refused(refusal('invalidField', 'l.amount_decimals', { ...details, limit: String(digits) }));
    if (requested.isMore(product.capacity)) {
      const limit = product.capacity.toString();
      throw new Refused(refusal('aboveMaximum', 'l.amount_max', { ...details, limit }));
    }
    return this.detailOf(offered, requested);
  }

  /**
   * Buys a product for the user. Refuses if the user may not buy, and what `EarnSteps.productFor` refuses; a repetition
   * of the request returns the first answer.
   */
  async buy(owner: UserId, purchase: Purchase, submission?: Submission) {
    const { accountStatuses, sequencer, commands } = this.parts;
    await accountStatuses.requireTrading(owner, 'buy');
    return sequencer.execute(commands.buy, { owner, ...purchase }, { actor: owner, submission });
  }

  /**
   * The published versions of a product's terms, newest first, each with the operator who published it and
   * the reason: at most `limit`, with version numbers below `before`.
   */
  versions(code: string, range: VersionsBelow) {
    return this.kind.rows.productVersions(this.parts.database.reader, code, range);
  }

  /**
   * The detail view of a product as a visitor would see it if these terms were published. Refuses terms that could not
   * be published.
   */
  async previewTerms(terms: Terms): Promise<EarnDetail<Terms>> {
    const { rows, termsProblem, ceilingProblem } = this.kind;
    const { reader } = this.parts.database;
    const coin = this.parts.assets.requireCoin(terms.asset, 'asset');
    const published = await rows.findProduct(reader, { code: terms.code });
    if (published === undefined) await this.requireRoom();
    const problem =
      ceilingProblem(terms) ?? termsProblem(terms, coin.digits) ?? offerChangeProblem(published, terms);
    if (problem !== undefined) throw new Refused(problem);
    const dailyEarnings = await rows.running(reader);
    const product = { ...terms, id: published?.id ?? terms.code, version: (published?.version ?? 0) + 1 };
    const remaining = this.quotas.remainingAfterChange(product, published?.capacity ?? Decimal.zero);
    if (!remaining.ok) throw new Refused(remaining.refusal);
    const offered = this.offer(product, dailyEarnings.get(terms.asset), Decimal.zero, remaining.value);
    return this.detailOf(offered, exampleAmount(terms.startAmount, terms.maxAmount));
  }

  /**
   * Publishes a product or the next version of its terms; the operator and the reason are stored with it.
   * Refuses an unknown coin, an empty or too long name of the operator or reason, and what
   * `EarnSteps.publish` refuses.
   */
  async publish(terms: Terms, { by, reason }: { readonly by: string; readonly reason: string }) {
    this.parts.assets.requireCoin(terms.asset, 'asset');
    requireText('by', by, BY_MAX);
    requireText('reason', reason, REASON_MAX);
    return this.parts.sequencer.execute(this.parts.commands.publish, {
      terms,
      by,
      reason,
      underCeilings: true,
      most: PRODUCTS_MAX,
    });
  }

  /**
   * Raises the balance of a coin's paying account to `wanted`, from collected fees or with play money; does
   * nothing if the balance is not lower. Refuses an unknown coin, and, instead of paying a part, collected
   * fees that are too low.
   */
  async fund(asset: string, wanted: Decimal, from: 'demo' | 'fees') {
    this.parts.assets.requireCoin(asset, 'asset');
    return this.parts.sequencer.execute(this.parts.commands.fund, { asset, wanted, from });
  }

  /**
   * For each coin of the published products: the balance of the paying account, the daily earnings of all orders with
   * days that are not credited yet, and the reserve needed to pay these daily earnings for seven days.
   */
  async reserves(): Promise<readonly Reserve[]> {
    const { ledger, database } = this.parts;
    const { payer: account, rows } = this.kind;
    return [...(await rows.running(database.reader))].map(([asset, dailyEarnings]) => ({
      account,
      asset,
      daily: dailyEarnings,
      balance: ledger.balance(houseAddress(account), asset),
      needed: dailyEarnings.times(Decimal.ofWhole(COVERED_DAYS), 'up'),
    }));
  }

  /**
   * The payments that are due on orders now (counted on the present day) or become due until the end of the UTC day
   * `untilDay`, by day (days since 1970) and coin.
   */
  async dueLiabilities(untilDay: number): Promise<readonly DueLiability[]> {
    const { clock, database } = this.parts;
    const now = clock.now();
    const groups = await this.kind.rows.runningGroups(database.reader, now);
    return dueByDay(groups, { today: Math.floor(now / DAY_MS), untilDay });
  }

  /**
   * Buys a product for a simulated saver or the demo trader, once per `origin`, as if at the earlier time `since`.
   * Returns false if the purchase was refused, otherwise true. Throws if no product has the code.
   */
  async buyForSystem(
    owner: UserId,
    code: string,
    amount: Decimal,
    house: { readonly origin: string; readonly since: Instant },
  ): Promise<boolean> {
    const { database, sequencer, commands } = this.parts;
    const product = await this.kind.rows.findProduct(database.reader, { code });
    if (product === undefined) throw new Error(`no product is called ${code}`);
    const agreed = { agreed: true, agreementVersion: this.kind.agreementVersion };
    const input = { owner, product: product.id, amount, ...agreed, house };
    return sequencer.execute(commands.buy, input).then(
      () => true,
      (cause: unknown) => {
        if (cause instanceof Refused) return false;
        throw cause;
      },
    );
  }

  /** Returns a function that returns the name of an order's product and the logo of its coin. */
  protected async names(
    orders: readonly EarnOrder[],
  ): Promise<(order: EarnOrder) => { readonly name: TextByLocale; readonly logo: string }> {
    const ids = [...new Set(orders.map(({ product }) => product))];
    const products = await this.kind.rows.productsByIds(this.parts.database.reader, ids);
    const names = new Map(products.map(({ id, name }) => [id, name]));
    return ({ product, asset }) => ({ name: names.get(product)!, logo: this.parts.assets.logo(asset) });
  }

  /**
   * Refuses a new product when the greatest number of products exists. Products are never deleted, because orders refer
   * to them.
   */
  private async requireRoom(): Promise<void> {
    const products = await this.kind.rows.everyProduct(this.parts.database.reader);
    requireRoom(products.length, PRODUCTS_MAX);
  }

  /**
   * The value of the totals of all coins together, in USDT; each coin's value is rounded down to `SHOWN_PLACES`
   * decimals before the sum. A coin without a price counts as zero.
   */
  protected worthOf(totals: ReadonlyMap<string, Totals>): Totals {
    const worth = { locked: Decimal.zero, earned: Decimal.zero, arriving: Decimal.zero };
    for (const [asset, sums] of totals) {
      const price = this.parts.market.usdtPrice(asset) ?? Decimal.zero;
      for (const figure of ['locked', 'earned', 'arriving'] as const)
        worth[figure] = worth[figure].plus(sums[figure].times(price, 'down', SHOWN_PLACES));
    }
    return worth;
  }

  private offer(
    product: EarnProduct<Terms>,
    daily = Decimal.zero,
    used = Decimal.zero,
    remaining = this.quotas.remaining(product.id),
  ): EarnOffered<Terms> {
    const { ledger, assets, clock } = this.parts;
    const { asset, dailyRate, startAmount, maxAmount } = product;
    const userRemaining = maxAmount.minus(used);
    const funded = ledger.balance(houseAddress(this.kind.payer), asset);
    const rate = { period: this.kind.daysOf(product), dailyRate };
    return {
      product,
      remaining,
      status: saleStatus({ ...product, remaining }, clock.now()),
      userRemaining: userRemaining.isPositive() ? userRemaining : Decimal.zero,
      isCovered: isCovered(funded, daily, rate, startAmount),
      digits: assets.findCoin(asset)!.digits,
      logo: assets.logo(asset),
    };
  }

  private detailOf(offered: EarnOffered<Terms>, amount: Decimal): EarnDetail<Terms> {
    const schedule = this.kind.scheduleOf(offered.product, amount, this.parts.clock.now());
    return { offered, amount, schedule };
  }
}
