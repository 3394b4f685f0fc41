import { Decimal } from '@exchange/core/decimal.ts';
import { COVERED_DAYS, isCovered, offerChangeProblem, saleStatus } from '@exchange/core/finance.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { TextByLocale } from '@exchange/core/locale.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';
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

/** In USDT, as shown. */
const SHOWN_PLACES = 8;
const BY_MAX = 100;
const REASON_MAX = 500;
/** Products of one kind that a list reads and sorts for each request; more are refused at publication. */
const PRODUCTS_MAX = 2_000;
/** Products that can be bought come first, then those that will be. */
const SALE_ORDER: Readonly<Record<EarnOffered<EarnTerms>['status'], number>> = {
  onSale: 0,
  soon: 1,
  soldOut: 2,
  ended: 3,
};

/** What is asked of who somebody is, before they buy. */
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
  /** Of the terms that the buyer was shown; nobody says where it is undefined. */
  readonly version?: number | undefined;
}

/** What orders come to. */
interface Totals {
  readonly locked: Decimal;
  readonly earned: Decimal;
  readonly arriving: Decimal;
}

/** The use cases that every kind has alike; a kind's own service adds what its orders do. */
export class Earn<Terms extends EarnTerms> {
  private readonly kind: EarnKind<Terms>;
  private readonly parts: EarnParts<Terms>;
  private readonly quotas: Quotas;

  constructor(kind: EarnKind<Terms>, parts: EarnParts<Terms>) {
    this.kind = kind;
    this.parts = parts;
    this.quotas = new Quotas(parts.ledger, kind.name);
  }

  /** Every product, as the user, or a visitor, sees it: those on sale first, the newest first among equals. */
  async offered(user: UserId | undefined): Promise<EarnOffered<Terms>[]> {
    const { reader } = this.parts.database;
    const { everyProduct, running } = this.kind.rows;
    const [products, daily, usedOf] = await Promise.all([
      everyProduct(reader),
      running(reader),
      user === undefined ? undefined : this.quotas.storedUse(reader, user),
    ]);
    const offered = products.map((product) =>
      this.seen(product, daily.get(product.asset), usedOf?.(product.id)),
    );
    return offered.toReversed().toSorted((left, right) => SALE_ORDER[left.status] - SALE_ORDER[right.status]);
  }

  /** A product, and what an amount of it, or its least, would earn if it were bought now. */
  async detail(
    id: string,
    amount: Decimal | undefined,
    user: UserId | undefined,
  ): Promise<EarnDetail<Terms>> {
    const { reader } = this.parts.database;
    const { productsByIds, running } = this.kind.rows;
    const [[product], daily, usedOf] = await Promise.all([
      productsByIds(reader, [id]),
      running(reader),
      user === undefined ? undefined : this.quotas.storedUse(reader, user),
    ]);
    if (product === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const offered = this.seen(product, daily.get(product.asset), usedOf?.(product.id));
    const { digits } = offered;
    const wanted = amount ?? product.startAmount;
    const about = { field: 'amount', value: wanted.toString(), unit: product.asset };
    if (!wanted.fits(digits))
      throw new Refused(refusal('invalidField', 'l.amount_decimals', { ...about, limit: String(digits) }));
    if (wanted.isMore(product.capacity)) {
      const limit = product.capacity.toString();
      throw new Refused(refusal('aboveMaximum', 'l.amount_max', { ...about, limit }));
    }
    return this.detailOf(offered, wanted);
  }

  /** Buys for a user who may buy; the same key again gives the first answer. */
  async buy(owner: UserId, purchase: Purchase, submission?: Submission) {
    const { accountStatuses, sequencer, commands } = this.parts;
    await accountStatuses.requireTrading(owner, 'buy');
    return sequencer.execute(commands.buy, { owner, ...purchase }, { actor: owner, submission });
  }

  /** The published versions of a product's terms with who and why, the newest first. */
  versions(code: string, which: VersionsBelow) {
    return this.kind.rows.productVersions(this.parts.database.reader, code, which);
  }

  /**
   * Terms as a visitor would see them if they were published now, and what an amount of them would earn; refused like
   * their publication where that would be.
   */
  async proposed(terms: Terms): Promise<EarnDetail<Terms>> {
    const { rows, termsProblem, ceilingProblem } = this.kind;
    const { reader } = this.parts.database;
    const coin = this.parts.assets.requireCoin(terms.asset, 'asset');
    const present = await rows.findProduct(reader, { code: terms.code });
    if (present === undefined) await this.requireRoom();
    const problem =
      ceilingProblem(terms) ?? termsProblem(terms, coin.digits) ?? offerChangeProblem(present, terms);
    if (problem !== undefined) throw new Refused(problem);
    const daily = await rows.running(reader);
    const product = { ...terms, id: present?.id ?? terms.code, version: (present?.version ?? 0) + 1 };
    const left = this.quotas.leftOf(product, present?.capacity ?? Decimal.zero);
    if (!left.ok) throw new Refused(left.refusal);
    const offered = this.seen(product, daily.get(terms.asset), Decimal.zero, left.value);
    return this.detailOf(offered, exampleAmount(terms.startAmount, terms.maxAmount));
  }

  /** Publishes a product or the next version of its terms; who and why are kept. */
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

  /** Fills the account that pays what an asset's orders earn up to an amount: from the house's fees, or with play money. */
  async fund(asset: string, wanted: Decimal, from: 'demo' | 'fees') {
    this.parts.assets.requireCoin(asset, 'asset');
    return this.parts.sequencer.execute(this.parts.commands.fund, { asset, wanted, from });
  }

  /** What the accounts that pay hold, beside what running orders earn a day; seven days of it are kept ready. */
  async reserves(): Promise<readonly Reserve[]> {
    const { ledger, database } = this.parts;
    const { payer: account, rows } = this.kind;
    return [...(await rows.running(database.reader))].map(([asset, daily]) => ({
      account,
      asset,
      daily,
      balance: ledger.balance(houseAddress(account), asset),
      needed: daily.times(Decimal.ofWhole(COVERED_DAYS), 'up'),
    }));
  }

  /**
   * Buys for the house's own account or the demo's trader, once under each name, with a term that counts from earlier.
   * Gives whether it could.
   */
  async buyForHouse(
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

  /** How the products of these orders are called and look. */
  protected async names(
    orders: readonly EarnOrder[],
  ): Promise<(order: EarnOrder) => { readonly name: TextByLocale; readonly logo: string }> {
    const ids = [...new Set(orders.map(({ product }) => product))];
    const products = await this.kind.rows.productsByIds(this.parts.database.reader, ids);
    const names = new Map(products.map(({ id, name }) => [id, name]));
    return ({ product, asset }) => ({ name: names.get(product)!, logo: this.parts.assets.logo(asset) });
  }

  /** Refuses one product more than lists carry. Products are never deleted: their orders name them. */
  private async requireRoom(): Promise<void> {
    const products = await this.kind.rows.everyProduct(this.parts.database.reader);
    requireRoom(products.length, PRODUCTS_MAX);
  }

  /** What totals per asset come to in USDT. */
  protected worthOf(totals: ReadonlyMap<string, Totals>): Totals {
    const worth = { locked: Decimal.zero, earned: Decimal.zero, arriving: Decimal.zero };
    for (const [asset, of] of totals) {
      const price = this.parts.market.usdtPrice(asset) ?? Decimal.zero;
      for (const figure of ['locked', 'earned', 'arriving'] as const)
        worth[figure] = worth[figure].plus(of[figure].times(price, 'down', SHOWN_PLACES));
    }
    return worth;
  }

  private seen(
    product: EarnProduct<Terms>,
    daily = Decimal.zero,
    used = Decimal.zero,
    remaining = this.quotas.remaining(product.id),
  ): EarnOffered<Terms> {
    const { ledger, assets, clock } = this.parts;
    const { asset, dailyRate, startAmount, maxAmount } = product;
    const left = maxAmount.minus(used);
    const funded = ledger.balance(houseAddress(this.kind.payer), asset);
    const earns = { period: this.kind.daysOf(product), dailyRate };
    return {
      product,
      remaining,
      status: saleStatus({ ...product, remaining }, clock.now()),
      userRemaining: left.isPositive() ? left : Decimal.zero,
      isCovered: isCovered(funded, daily, earns, startAmount),
      digits: assets.findCoin(asset)!.digits,
      logo: assets.logo(asset),
    };
  }

  private detailOf(offered: EarnOffered<Terms>, amount: Decimal): EarnDetail<Terms> {
    const schedule = this.kind.scheduleOf(offered.product, amount, this.parts.clock.now());
    return { offered, amount, schedule };
  }
}
