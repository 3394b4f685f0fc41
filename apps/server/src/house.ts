import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Platform } from './app.ts';
import type { Assets, ListedPair } from './modules/assets/index.ts';
import type { Faucet, Portion } from './modules/faucet/index.ts';
import type { Identity } from './modules/identity/index.ts';
import { createLiquidity, type Liquidity } from './modules/liquidity/index.ts';
import type { Market } from './modules/market/index.ts';
import type { createMessages } from './modules/messages/index.ts';
import type { Values } from './modules/portfolio/index.ts';
import type { createProofs } from './modules/proofs/index.ts';
import type { Spot } from './modules/spot/index.ts';
import { TOKEN_TRADERS } from './modules/subscription/index.ts';
import type { AppModule, Product } from './platform/app-module.ts';
import type { Demo } from './platform/demo.ts';
import type { DemoData, DemoPart } from './platform/demo-data.ts';
import type { DemoTexts } from './platform/demo-texts.ts';

/**
 * Seed of the random number generators that determine the decisions of the market makers, and in a demo also
 * the simulated prices and the decisions of the takers.
 */
export const MARKET_SEED = 20_260_105;
/** Number of past days for which the demo trader has a history of the account's value. */
const PAST_DAYS = 90;

/**
 * Minimum balances, in units of the coin, of the market maker and of the takers of a demo, each of which has
 * one account. At every start, lower balances are raised to these amounts, unless the exchange does not trade
 * (HOUSE_TRADING is off).
 */
const INVENTORY: readonly Portion[] = [
  ['USDT', '40000000'],
  ['BTC', '400'],
  ['ETH', '9000'],
  ['EOS', '20000000'],
  ['LTC', '150000'],
  ['XRP', '9000000'],
  ['ADA', '25000000'],
  ['DOGE', '90000000'],
  ['SHIB', '900000000000'],
].map(([asset, amount]) => ({ asset: asset!, amount: Decimal.parse(amount!) }));

interface HouseParts {
  identity: Identity;
  market: Market;
  spot: Spot;
  assets: Assets;
  demoTexts: DemoTexts;
}

/**
 * The module that trades with the exchange's own accounts. Its start creates the accounts that some of the demo data
 * needs.
 */
export interface House extends AppModule {
  /**
   * Accounts of the demo trader, the market maker and the takers; `takers` is undefined if the exchange does not trade.
   * Throws before the module's start and in live mode.
   */
  readonly demoAccounts: () => { readonly trader: UserId; readonly maker: UserId; readonly takers?: UserId };
  /**
   * In a demo, starts the market maker and the simulated takers in all pairs except those of `tradeTokens`. If the
   * exchange does not trade, it instead cancels all open orders of the market maker.
   */
  readonly trade: () => Promise<void>;
  /**
   * In a demo, starts trading in the pairs of tokens that were sold on this exchange: one demo user who received tokens
   * in the sales quotes, and another one takes. If the exchange does not trade, it instead cancels all open orders, in
   * every pair, of each system account that has an open order in one of these pairs.
   */
  readonly tradeTokens: () => Promise<void>;
}

/**
 * Creates the exchange's market makers, and in a demo also simulated takers. In live mode the market maker
 * quotes from the start of the module, in a demo from the call of `trade` on. With the setting HOUSE_TRADING
 * off, the open orders of the market makers are cancelled at these times instead.
 */
export function houseTrading(platform: Platform, parts: HouseParts): House {
  const { clock, log, config, feed } = platform;
  const { identity, market, spot, assets, demoTexts } = parts;
  const isDemo = config.mode === 'demo';
  const isPlaying = isDemo && config.houseTrades;
  let accounts: ReturnType<House['demoAccounts']> | undefined;
  const liquidities: Liquidity[] = [];
  const tokenPairs = assets.pairs.filter(({ isToken }) => isToken);
  const quote = async (maker: UserId, takers: UserId | undefined, pairs: readonly ListedPair[]) => {
    const liquidity = createLiquidity({
      clock,
      log,
      spot,
      maker,
      takers,
      prices: market,
      pairs: config.houseTrades ? pairs : [],
      seed: MARKET_SEED,
    });
    liquidities.push(liquidity);
    await liquidity.start();
  };
  const trade = (maker: UserId, takers?: UserId) =>
    quote(
      maker,
      takers,
      assets.pairs.filter(({ isToken }) => !isToken),
    );
  const tradeTokens = async () => {
    if (isPlaying) {
      const maker = await identity.ensureSystemUser(TOKEN_TRADERS.maker);
      return quote(maker, await identity.ensureSystemUser(TOKEN_TRADERS.takers), tokenPairs);
    }
    const symbols = new Set(tokenPairs.map(({ pair }) => pair.symbol));
    for (const user of await identity.systemUsers())
      if (spot.openOrders(user).some(({ symbol }) => symbols.has(symbol))) await quote(user, undefined, []);
  };
  const demoAccounts = () => {
    if (accounts === undefined) throw new Error('the house of a demo has not started');
    return accounts;
  };
  return {
    name: 'liquidity',
    demoAccounts,
    trade: () => trade(demoAccounts().maker, demoAccounts().takers),
    tradeTokens,
    start: async () => {
      const maker = await identity.ensureSystemUser('maker-1');
      if (!isDemo) return trade(maker);
      const { id: trader } = await identity.ensureDemoTrader();
      // All visitors of the demo log in as this trader. The trader may therefore have many concurrent connections to
      // the feed, so that the connections of some visitors do not prevent those of others.
      feed.share(trader);
      if (isPlaying) demoTexts.setTrader(trader);
      const takers = isPlaying ? await identity.ensureSystemUser('takers-1') : undefined;
      accounts = { trader, maker, ...(takers === undefined ? {} : { takers }) };
    },
    stop: async () => {
      await Promise.all(liquidities.map((liquidity) => liquidity.stop()));
    },
  };
}

/** The modules whose functions create demo data. */
interface DemoSources {
  readonly products: readonly Product[];
  readonly seedSpot: (demo: Demo) => Promise<void>;
  readonly identity: Identity;
  readonly assets: Assets;
  readonly market: Market;
  readonly faucet: Faucet;
  readonly portfolio: { readonly values: Values };
  readonly proofs: ReturnType<typeof createProofs>;
  readonly messages: ReturnType<typeof createMessages>;
}

/**
 * Returns the parts of the demo data in the order of their creation. If the exchange does not trade
 * (HOUSE_TRADING is off), these are only the demo trader's funds and the parts that cancel the open orders of
 * the exchange's accounts.
 */
export function demoParts(
  { clock }: Platform,
  { products, seedSpot, identity, assets, market, faucet, portfolio, proofs, messages }: DemoSources,
  house: House,
  demoData: DemoData,
): DemoPart[] {
  const { trader, maker, takers } = house.demoAccounts();
  const demo: Demo = {
    trader,
    now: clock.now(),
    systemUser: (name) => identity.ensureSystemUser(name),
    person: (name, email) => identity.ensureDemoPerson(name, email),
    fund: (owner, wanted) => faucet.fund(owner, wanted),
    attempt: demoData.attempt,
    once: demoData.once,
  };
  const funds = { name: 'demo trader funds', make: () => faucet.fundDemoTrader(trader) };
  const trading = { name: 'house trading', make: () => house.trade() };
  const tokenTrading = { name: 'token trading', make: () => house.tradeTokens() };
  if (takers === undefined) return [funds, trading, tokenTrading];
  const hasPrices = () => assets.pairs.every(({ pair }) => market.indexPrice(pair.symbol) !== undefined);
  const seeded = products.flatMap((product) =>
    product.seed === undefined ? [] : [{ name: product.name, make: () => product.seed!(demo) }],
  );
  return [
    funds,
    { name: 'maker inventory', make: () => faucet.fund(maker, INVENTORY) },
    { name: 'taker inventory', make: () => faucet.fund(takers, INVENTORY) },
    { name: 'prices', make: () => demoData.waitUntil(hasPrices) },
    trading,
    ...seeded,
    tokenTrading,
    { name: 'spot orders', make: () => seedSpot(demo) },
    { name: 'messages', make: () => messages.seed(demo) },
    { name: 'past values', make: () => portfolio.values.seedHistory(trader, PAST_DAYS) },
    { name: 'liabilities', make: () => proofs.liabilities.takeDue() },
    { name: 'coverage', make: () => proofs.coverage.refresh() },
  ];
}
