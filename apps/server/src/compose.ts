import { join } from 'node:path';
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { WITHDRAWALS_PER_DAY } from '@exchange/core/network.ts';
import { ALERT_LIMIT } from '@exchange/core/price-alert.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { AppModule, Composition, Platform } from './app.ts';
import { showsMail } from './config.ts';
import { createDesk } from './desk.ts';
import { assetRoutes, createAssets, type Assets, type ListedPair } from './modules/assets/index.ts';
import { createFiles, type Files } from './modules/files/index.ts';
import { Faucet, faucetRoutes, type Portion } from './modules/faucet/index.ts';
import {
  createIdentity,
  mailOpening,
  type AccountLimits,
  type Avatars,
  type Identity,
} from './modules/identity/index.ts';
import {
  haltOperations,
  Halting,
  Ledger,
  ledgerHealth,
  Eviction,
  movementsHealth,
  Movements,
  Reconciliation,
  reconciliationHealth,
} from './modules/ledger/index.ts';
import { createLiquidity, type Liquidity } from './modules/liquidity/index.ts';
import { createMarket, type Market, type Venue } from './modules/market/index.ts';
import { createMessages } from './modules/messages/index.ts';
import type { OperatorsModule } from './modules/operators/index.ts';
import { createParameters } from './modules/parameters/index.ts';
import { createPortfolio, type Values } from './modules/portfolio/index.ts';
import { createProofs } from './modules/proofs/index.ts';
import { createSpot, FillTeller, type Spot, type AccountStatuses } from './modules/spot/index.ts';
import { createWatchlist, FAVORITE_LIMIT } from './modules/watchlist/index.ts';
import { HOLDS } from './money.ts';
import { createProducts, DEMO_TEXTS, type Product, type Products } from './products.ts';
import { liveReadiness } from './live-readiness.ts';
import { pictureProgram, type JobChild } from './platform/children/job-child.ts';
import type { ThreadProgram } from './platform/children/kept-thread.ts';
import { priceProgram, readPriceSources } from './platform/children/price-sources.ts';
import type { Demo } from './platform/demo.ts';
import { DemoData, type DemoPart } from './platform/demo-data.ts';
import { DemoTexts } from './platform/demo-texts.ts';
import { CommitWaits } from './platform/database/commit-waits.ts';
import { databaseOver, type Database } from './platform/database/database.ts';
import { readOpenedAs, recordOpenedAs, requireSame } from './platform/database/opened-as.ts';
import { LocalFileStore } from './platform/files/file-store.ts';
import { S3FileStore } from './platform/files/s3-file-store.ts';
import { SealedStore } from './platform/files/sealed-store.ts';
import { HUB_LIMITS } from './platform/feed/feed.ts';
import { Bulkheads } from './platform/jobs/bulkheads.ts';
import { JobRunner } from './platform/jobs/jobs.ts';
import type { LimitTable } from './platform/limits/limits.ts';
import { Disks } from './platform/health/disk.ts';
import { watchMeans } from './platform/health/means.ts';
import type { Reserve } from './platform/health/reserves.ts';
import { SmtpTransport } from './platform/mail/transport.ts';
import { devMailPages } from './platform/mail/dev-pages.ts';
import { MailOutbox } from './platform/mail/mail.ts';
import { systemRandom } from './platform/secrets/random.ts';
import { openServerSecret, type ServerSecret } from './platform/secrets/server-secret.ts';
import { SigningKey } from './platform/secrets/signing-key.ts';
import { sequencerHealth } from './platform/sequencer/sequencer-health.ts';
import { Sequencer } from './platform/sequencer/sequencer.ts';
import { stepIdSecret } from './platform/sequencer/step-ids.ts';
import { WRITER_NAME } from './platform/sequencer/writer-lease.ts';
import { SESSION_LIMITS } from './platform/session/store.ts';
import { SignInSessions } from './platform/session/sessions.ts';

const MARKET_SEED = 20_260_105;
/** So far back the curve of the demo trader's assets goes. */
const PAST_DAYS = 90;

/** What the house quotes from in demo mode; topped up at every start. */
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

export interface ComposeOptions {
  /** What the index is made of instead of the demo's simulated market, which then has no made-up past either. */
  readonly venues?: readonly Venue[];
  /** The program of the thread that makes the index; without one the thread that calls makes it, for tests. */
  readonly indexProgram?: ThreadProgram;
}

/** The modules behind the routes, for whoever checks the exchange from inside. */
export interface Doors extends Products {
  readonly database: Database;
  readonly jobs: JobRunner;
  readonly bulkheads: Bulkheads;
  readonly identity: Identity;
  readonly market: Market;
  readonly ledger: Ledger;
  readonly sequencer: Sequencer;
  readonly halting: Halting;
  readonly spot: Spot;
  readonly seedSpot: (demo: Demo) => Promise<void>;
  readonly files: Files;
  /** The process that decodes pictures. */
  readonly pictures: JobChild;
  readonly operators: OperatorsModule;
  readonly faucet: Faucet;
  readonly demoTexts: DemoTexts;
  readonly movements: Movements;
  readonly portfolio: { readonly values: Values };
  readonly proofs: ReturnType<typeof createProofs>;
  readonly reconciliation: Reconciliation;
}

/** Every module, put together by hand: the only place that knows all of them. */
export async function composeModules(
  platform: Platform,
  options: ComposeOptions = {},
): Promise<Composition & { readonly doors: Doors }> {
  const { mode } = platform.config;
  const built = await build(platform, options);
  const { clock, log, health } = platform;
  const house = houseTrading(platform, built);
  const { database } = built;
  const demoData: DemoData | undefined =
    mode === 'demo'
      ? new DemoData({
          clock,
          log,
          database,
          parts: (): readonly DemoPart[] => demoParts(platform, built, house, demoData!),
        })
      : undefined;
  if (demoData !== undefined) health.watchDispensable('demo data', () => demoData.health());
  const readiness = liveReadiness(platform);
  watchHealth(platform, built);
  watchMeans(platform, { disks: disksOf(platform), mail: built.mail, reserves: reservesOf(built.products) });
  return {
    sessions: built.sessions,
    submissions: built.sequencer.submissions,
    modules: [...modulesOf(platform, built, house), readiness],
    ...(demoData === undefined ? {} : { demoData }),
    doors: built,
    listedPairs: new Set(built.assets.pairs.map(({ pair }) => `${pair.base}_${pair.quote}`)),
    gate: built.operators.gate,
    operatorNotes: () => [...operatorNotes(built.operators), ...readiness.notes()],
    demoLogins: mode === 'demo' ? [{ role: 'Demo trader', ...built.identity.demoLogin }] : [],
  };
}

/** Builds every part; nothing runs yet, and nothing has been written: this may become a standby. */
async function build(platform: Platform, options: ComposeOptions) {
  const { config, clock, log, events, feed, hashCost } = platform;
  const { mode, chat, manualDeposits, evm } = config;
  const { connection, pool } = platform.database;
  const database = databaseOver(pool, platform.database);
  const { secret, openedAs } = await openSecret(platform);
  const jobs = new JobRunner({ connection, database, log });
  const { mail, transport, keepsWords } = newMail(platform, { database, jobs });
  const sessions = new SignInSessions({ database, clock, random: systemRandom });
  const assets = createAssets({ mode });
  const identity = createIdentity({
    ...{ mode, clock, log, database, events, jobs, mail, secret, sessions, hashCost },
    limits: accountLimitsOf(platform.limits, assets.pairs),
    siteUrl: siteUrlOf(platform),
    visitorAnswersMs: config.visitorAnswersMs,
    // Both are made further down and asked when somebody is served.
    avatars: avatarsIn(() => files),
    usesWhitelist: (user) => products.withdrawals.withdrawals.usesWhitelist(user),
    bookedAddress: (user, id) => products.withdrawals.withdrawals.bookedAddress(user, id),
  });
  const { reader, own } = database;
  // Orders wait for what it loads, and no order waits for somebody's reading of lists.
  const ledger = new Ledger({ reader: own, log });
  const market = newMarket(platform, { database, assets }, options);
  const demoTexts = new DemoTexts(DEMO_TEXTS);
  const messages = createMessages({ clock, log, database, events, feed, mail, demoTexts });
  const facts = { mode, showsMail: keepsWords, version: config.version };
  const parameters = createParameters({
    ...{ clock, database, elsewhere: kept(config, () => products), ...facts },
  });
  const sequencer = newSequencer(platform, database, secret);
  const commitWaits = new CommitWaits({ pool, clock, log, writer: WRITER_NAME });
  jobs.define('sequencer.removeOldAnswers', () => sequencer.removeOldAnswers(database.store), {
    cron: '*/20 * * * *',
  });
  const systemUsers = () => identity.systemUsers();
  const movements = new Movements({ database, log, clock, systemUsers });
  const accountStatuses = tradingStatuses(identity);
  const parts = {
    ...{ mode, assets, ledger, market, accountStatuses, sequencer, database, reader, clock, log },
    bulkheads: new Bulkheads({ clock, log }),
    ...{ events, feed, movements, signingKey: new SigningKey(secret.key('tape checkpoints')) },
  };
  const { spot, records, routes: spotRoutes, operations, seed: seedSpot } = createSpot(parts);
  const {
    files,
    routes: fileRoutes,
    pictures,
    stop: stopPictures,
  } = newFiles(platform, { database, jobs, secret });
  const pretends = mode === 'demo' && config.houseTrades;
  const services = { jobs, identity, messages, files, mail, secret, pretends, chat, manualDeposits, evm };
  const products = createProducts({ ...parts, ...services, records, coins: assets.coins, demoTexts });
  const fillTeller = new FillTeller({ clock, log, database, events, sequencer, assets, identity, messages });
  const halting = new Halting({ ledger, sequencer, reader, log });
  const reconciliation = new Reconciliation({ reader: database.store, halting, holds: HOLDS, clock, log });
  const portfolio = createPortfolio({ ...parts, jobs, systemUsers, records });
  const faucet = new Faucet({ sequencer, ledger, reader });
  const people = { secret, mail, hashCost, identity, messages };
  const desk = createDesk({ ...parts, ...people, products, records, reconciliation });
  sequencer.join(ledger);
  sequencer.join(spot);
  const watchlist = createWatchlist({
    ...{ clock, log, random: systemRandom, database, events, jobs, mail },
    ...{ identity, assets, market, messages },
  });
  return {
    bulkheads: parts.bulkheads,
    ...{ database, openedAs, jobs, transport, mail, keepsWords, sessions, sequencer, commitWaits },
    ...{ identity, assets, parameters, ledger, movements, reconciliation, market, messages, demoTexts },
    ...{ files, fileRoutes, pictures, stopPictures },
    ...{ ...products, products: Object.values(products) as Product[] },
    ...{ spot, spotRoutes, seedSpot, operations, fillTeller, halting, faucet, portfolio, watchlist, ...desk },
    proofs: createProofs({ ...parts, jobs, systemUsers, secret, chains: products.chains.chains }),
  };
}

/** What is mailed, and by what; a demo keeps the words of its mails, to show them. */
function newMail(platform: Platform, { database, jobs }: { database: Database; jobs: JobRunner }) {
  const transport = mailTransport(platform);
  const keepsWords = showsMail(platform.config);
  const mail = new MailOutbox({
    ...{ database, clock: platform.clock, random: systemRandom, jobs, transport, keepsWords },
    opening: mailOpening,
  });
  return { mail, transport, keepsWords };
}

/** Prices and the index: by given venues in this thread, otherwise by the demo's or the real ones in a thread of its own. */
function newMarket(
  platform: Platform,
  { database, assets }: { readonly database: Database; readonly assets: Assets },
  { venues, indexProgram }: ComposeOptions,
): Market {
  const { clock, log, events, feed, config } = platform;
  return createMarket({
    clock,
    log,
    events,
    feed,
    database,
    connection: platform.database.connection,
    assets,
    seed: MARKET_SEED,
    // What comes from given venues has no made-up past.
    mode: venues === undefined ? config.mode : 'live',
    ...(venues !== undefined && { venues }),
    ...(venues === undefined && config.mode === 'live' && { live: liveSources(platform, assets.pairs) }),
    ...(indexProgram !== undefined && { indexProgram }),
  });
}

/** The real venues, and the program that asks them each second in a process of its own. */
function liveSources({ config }: Platform, listed: readonly ListedPair[]) {
  return {
    program: priceProgram(config.rootDirectory),
    sources: readPriceSources(
      config.priceSourcesFile,
      listed.map(({ pair }) => pair.symbol),
    ),
  };
}

/** The server's secret; refuses a database that was opened with another one, or in another mode. */
async function openSecret({ config, database }: Platform) {
  const opened = await readOpenedAs(database.owner);
  const secret = await openServerSecret({
    given: config.serverSecret,
    dataDirectory: config.dataDirectory,
    mustExist: opened.secretFingerprint !== undefined,
  });
  const openedAs = { mode: config.mode, secretFingerprint: secret.fingerprint };
  requireSame(opened, openedAs);
  return { secret, openedAs };
}

/** Public settings that are kept elsewhere: the rate that new positions of the seconds contract are charged, the chat, and who runs the exchange. */
function kept({ chat, operator }: Platform['config'], products: () => Products) {
  const feeRate = async () => (await products().seconds.seconds.sharedTerms())?.feeRate.toString() ?? '0';
  const { entity, address, governingLaw, supportEmail } = operator;
  const values = new Map<string, () => Promise<string>>([
    ['contract_fee_rate', feeRate],
    ['customer_service_url', async () => chat?.url ?? ''],
    ['legal_entity', async () => entity ?? ''],
    ['legal_address', async () => address ?? ''],
    ['governing_law', async () => governingLaw ?? ''],
  ]);
  if (supportEmail !== undefined) values.set('customer_service_email', async () => supportEmail);
  return values;
}

/** Where browsers reach the site, as links in mails name it. */
function siteUrlOf({ config }: Platform): string | undefined {
  if (config.publicUrl !== undefined) return config.publicUrl;
  return config.mode === 'demo' ? `http://localhost:${config.port}` : undefined;
}

/** The pictures of accounts are files like any others. */
function avatarsIn(files: () => Files): Avatars {
  return {
    claim: async (tx, owner, id) => {
      await files().claim(tx, [id], { owner, purpose: 'avatar', about: owner });
    },
    remove: (tx, id) => files().remove(tx, [id]),
  };
}

/** What one account may do at most: the very numbers that the parts of the server refuse by. */
function accountLimitsOf(rates: LimitTable, pairs: readonly ListedPair[]): AccountLimits {
  const leastOfPairs = (limit: 'maxOpenOrders' | 'maxStopOrders') =>
    Math.min(...pairs.map(({ filters }) => filters[limit]));
  return {
    ordersPerSecond: rates.order.perSecond,
    ordersAtOnce: rates.order.burst,
    changesPerSecond: rates.transfer.perSecond,
    withdrawalsPerDay: WITHDRAWALS_PER_DAY,
    withdrawalGapSeconds: 1 / rates.withdrawal.perSecond,
    readsPerMinute: rates.signedInRead.perSecond * 60,
    openOrdersPerPair: leastOfPairs('maxOpenOrders'),
    stopOrdersPerPair: leastOfPairs('maxStopOrders'),
    favorites: FAVORITE_LIMIT,
    priceAlerts: ALERT_LIMIT,
    sessions: SESSION_LIMITS.perUser,
    feedConnections: HUB_LIMITS.connectionsPerUser,
  };
}

type Built = Awaited<ReturnType<typeof build>>;

/** In the order in which they start. A standby waits at the writer, before it writes anything. */
function modulesOf({ config, database }: Platform, built: Built, house: AppModule): AppModule[] {
  const { jobs, identity, transport, mail, keepsWords, sequencer, commitWaits, market } = built;
  const { spot, fillTeller, reconciliation, movements, watchlist } = built;
  const isDemo = config.mode === 'demo';
  const prepare = async () => {
    await database.bringUpToDate();
    await recordOpenedAs(database.owner, built.openedAs);
  };
  return [
    writerModule(sequencer, commitWaits, prepare),
    { name: 'jobs', stop: () => jobs.stop() },
    ...built.desk,
    {
      name: 'identity',
      routes: identity.routes,
      demands: identity.demands,
      start: () => identity.start(),
      stop: () => identity.stop(),
    },
    { name: 'mail', pages: keepsWords ? devMailPages(mail) : [], stop: () => transport?.close() },
    { name: 'parameters', routes: built.parameters.routes },
    { name: 'assets', routes: assetRoutes(built.assets) },
    { name: 'files', routes: built.fileRoutes, stop: () => built.stopPictures() },
    { name: 'messages', routes: built.messages.routes },
    { name: 'market', ...market },
    {
      name: 'spot',
      routes: built.spotRoutes,
      operations: built.operations,
      start: async () => {
        await sequencer.start();
        await market.catchUp((sequence, limit) => spot.dealsSince(sequence, limit));
        await spot.start();
        fillTeller.start();
      },
      stop: async () => {
        await fillTeller.stop();
        await spot.stop();
      },
      failStop: () => spot.failStop(),
    },
    ...built.products,
    {
      name: 'watchlist',
      routes: watchlist.routes,
      start: () => watchlist.start((sequence, limit) => spot.dealsSince(sequence, limit)),
      stop: () => watchlist.stop(),
    },
    {
      name: 'halts',
      operations: haltOperations(built.halting),
      start: () => built.halting.start(),
      stop: () => built.halting.stop(),
    },
    evictionModule(built),
    { name: 'reconciliation', start: () => reconciliation.start(), stop: () => reconciliation.stop() },
    { name: 'movements', start: () => movements.start(), stop: () => movements.stop() },
    built.portfolio,
    built.proofs,
    ...(isDemo ? [{ name: 'faucet', routes: faucetRoutes(built.faucet) }] : []),
    house,
    { name: 'workers', start: () => jobs.start() },
  ];
}

/** Removes the balances of idle users from memory while the server runs. */
function evictionModule({ ledger, sequencer }: Built): AppModule {
  const eviction = new Eviction({ ledger, sequencer });
  return { name: 'eviction', start: () => eviction.start(), stop: () => eviction.stop() };
}

/** Becomes the writer. `prepare` runs with the lock, before a table is touched. */
function writerModule(
  sequencer: Sequencer,
  commitWaits: CommitWaits,
  prepare: () => Promise<void>,
): AppModule {
  const stop = async () => {
    commitWaits.stop();
    await sequencer.stop();
  };
  return {
    name: 'writer',
    start: () => {
      commitWaits.start();
      return sequencer.acquire(prepare);
    },
    abandon: stop,
    stop,
    failStop: () => sequencer.failStop(),
  };
}

/** How operators get in, as the start message tells. */
function operatorNotes({ demoLogins, setUpCode }: Built['operators']): string[] {
  const code = setUpCode();
  return [
    ...demoLogins.map(
      ({ name, password, key }) => `sign in as ${name}  password ${password}  authenticator key ${key}`,
    ),
    ...(code === undefined ? [] : [`set up the first owner with the one-time code ${code}`]),
  ];
}

/** Uploaded files lie beside the database or in a bucket, encrypted with a key made from the server's secret. */
function newFiles(
  { config, clock, log }: Platform,
  { secret, ...parts }: { secret: ServerSecret; database: Database; jobs: JobRunner },
) {
  const kept =
    config.bucket === undefined
      ? new LocalFileStore(join(config.dataDirectory, 'files'))
      : new S3FileStore(config.bucket);
  const store = new SealedStore(kept, secret.key('files'));
  return createFiles({
    clock,
    log,
    random: systemRandom,
    store,
    pictureProgram: pictureProgram(config.rootDirectory),
    ...parts,
  });
}

function mailTransport({ config }: Platform): SmtpTransport | undefined {
  if (config.smtpUrl === undefined) return undefined;
  return new SmtpTransport({ url: config.smtpUrl, from: config.mailFrom });
}

function newSequencer(platform: Platform, database: Database, secret: ServerSecret): Sequencer {
  const { clock, events, log } = platform;
  return new Sequencer({
    connection: platform.database.connection,
    reader: database.own,
    secret: stepIdSecret(secret),
    clock,
    events,
    log,
    onFenced: () => {
      log.error('app.fenced');
      platform.end();
    },
  });
}

/** What spot asks before an order: a frozen account does nothing, and one without permission buys nothing. */
function tradingStatuses(identity: Identity): AccountStatuses {
  return {
    requireTrading: async (user, side) => {
      const status = await identity.prepare(user);
      if (status === undefined || status.frozen)
        throw new Refused(refusal('securityHold', 'l.account_frozen'));
      if (side === 'buy' && !status.purchase) {
        throw new Refused(refusal('purchaseNotPermitted', 'l.purchase_not_permitted'));
      }
    },
  };
}

interface HouseParts {
  identity: Identity;
  market: Market;
  spot: Spot;
  assets: ReturnType<typeof createAssets>;
  demoTexts: DemoTexts;
}

/** The house as a trader: its parts of a demo need the accounts that its start finds. */
interface House extends AppModule {
  /** The accounts of a demo; undefined before the start and in live mode. */
  readonly demoAccounts: () => { readonly trader: UserId; readonly maker: UserId; readonly takers?: UserId };
  /** Begins to quote and, in a demo, to trade. */
  readonly trade: () => Promise<void>;
}

/** The house's market makers in both modes; in demo mode also simulated takers, who begin when the demo's data are made. */
function houseTrading(platform: Platform, parts: HouseParts): House {
  const { clock, log, config, feed } = platform;
  const { identity, market, spot, assets, demoTexts } = parts;
  const isDemo = config.mode === 'demo';
  const isPlaying = isDemo && config.houseTrades;
  let accounts: ReturnType<House['demoAccounts']> | undefined;
  let liquidity: Liquidity | undefined;
  const trade = async (maker: UserId, takers?: UserId) => {
    liquidity ??= createLiquidity({
      clock,
      log,
      spot,
      maker,
      takers,
      prices: market,
      pairs: config.houseTrades ? assets.pairs : [],
      seed: MARKET_SEED,
    });
    await liquidity.start();
  };
  const demoAccounts = () => {
    if (accounts === undefined) throw new Error('the house of a demo has not started');
    return accounts;
  };
  return {
    name: 'liquidity',
    demoAccounts,
    trade: () => trade(demoAccounts().maker, demoAccounts().takers),
    start: async () => {
      const maker = await identity.ensureSystemUser('maker-1');
      if (!isDemo) return trade(maker);
      const { id: trader } = await identity.ensureDemoTrader();
      // Whoever opens the demo is this trader: one visitor must not shut out another.
      feed.share(trader);
      if (isPlaying) demoTexts.begin(trader);
      const takers = isPlaying ? await identity.ensureSystemUser('takers-1') : undefined;
      accounts = { trader, maker, ...(takers === undefined ? {} : { takers }) };
    },
    stop: () => liquidity?.stop(),
  };
}

/** Everything that a demo's data consist of, in order; without the house's trading the demo trader's first funds alone. */
function demoParts(
  { clock }: Platform,
  { products, seedSpot, identity, assets, market, faucet, portfolio, proofs, messages }: Built,
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
  if (takers === undefined) return [funds, trading];
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
    { name: 'spot orders', make: () => seedSpot(demo) },
    { name: 'messages', make: () => messages.seed(demo) },
    { name: 'past values', make: () => portfolio.values.makePast(trader, PAST_DAYS) },
    { name: 'liabilities', make: () => proofs.liabilities.takeDue() },
    { name: 'coverage', make: () => proofs.coverage.look() },
  ];
}

interface Watched {
  market: Market;
  sequencer: Sequencer;
  commitWaits: CommitWaits;
  ledger: Ledger;
  movements: Movements;
  reconciliation: Reconciliation;
  products: readonly Product[];
  proofs: Doors['proofs'];
  bulkheads: Bulkheads;
}

/** Folders that the server writes to; those of a database elsewhere are not ours to look at. */
function disksOf({ config }: Platform): Disks {
  return new Disks({
    data: config.dataDirectory,
    ...(config.bucket === undefined ? { files: join(config.dataDirectory, 'files') } : {}),
    ...(config.backupFolder === undefined ? {} : { backup: config.backupFolder }),
  });
}

/** The accounts of the house that pay users, of every product that has some. */
function reservesOf(products: readonly Product[]): () => Promise<readonly Reserve[]> {
  return async () => {
    const all = await Promise.all(products.map(async (product) => (await product.reserves?.()) ?? []));
    return all.flat();
  };
}

function watchHealth(
  { health, metrics, clock, config }: Platform,
  { market, sequencer, commitWaits, ledger, movements, reconciliation, products, proofs, bulkheads }: Watched,
): void {
  health.watch('sequencer', () => sequencerHealth(sequencer, commitWaits));
  // A halted asset, or books that were not compared in time, take the exchange away from nobody else: facts and alarms.
  health.watchDispensable('ledger', () => ledgerHealth(ledger));
  health.watchDispensable('reconciliation', () => reconciliationHealth(reconciliation, clock));
  health.watchDispensable('statements', () => movementsHealth(movements));
  metrics.gauge('statement_entries_behind', 'Entries that are stored and not yet in statements.', () =>
    movements.lag(),
  );
  health.watchDispensable('index', () => market.indexHealth());
  metrics.gauge('index_missing_seconds', 'Seconds without a point of the index since the start.', () =>
    market.missingSeconds(),
  );
  metrics.gauge(
    'index_delay_ms',
    'Longest time that a point of the last minute waited for the process after it was published.',
    () => market.longestDelayMs(),
  );
  if (config.mode === 'live')
    health.watchDispensable(
      'price sources',
      () => market.sourcesHealth() ?? { isUp: true, isUnmeasured: true },
    );
  for (const product of products)
    if (product.health !== undefined) health.watchDispensable(product.name, () => product.health!());
  health.watchDispensable('due work', () => bulkheads.health());
  metrics.gauges(
    {
      name: 'due_work_failing_items',
      help: 'Due items that failed and wait for their next attempt.',
      label: 'work',
    },
    () => Promise.resolve(bulkheads.counts()),
  );
  health.watchDispensable('proofs', () => proofs.health());
  health.watchDispensable('coverage', () => proofs.coverage.health());
  metrics.gauges(
    { name: 'coverage_percent', help: 'Percent held of what users are owed, by coin.', label: 'asset' },
    async () => proofs.coverage.percents(),
  );
  metrics.gauge('ledger_users_in_memory', 'Users whose balances are in memory.', () => ledger.ownersInMemory);
  metrics.gauge('ledger_halted_assets', 'Assets of which nothing moves.', () => ledger.haltedAssets.length);
}
