import type { Composition, Platform } from './app.ts';

import { createDesk } from './desk.ts';
import { demoParts, houseTrading } from './house.ts';
import { liveReadiness } from './live-readiness.ts';
import { assetRoutes, createAssets, type Assets } from './modules/assets/index.ts';
import { Faucet, faucetRoutes } from './modules/faucet/index.ts';
import type { Files } from './modules/files/index.ts';
import { createFigures } from './modules/figures/index.ts';
import { createIdentity, type Identity } from './modules/identity/index.ts';
import {
  Eviction,
  Halting,
  haltOperations,
  Ledger,
  MonthlySums,
  Movements,
  Reconciliation,
} from './modules/ledger/index.ts';
import type { Market } from './modules/market/index.ts';
import { createMessages, type Messages } from './modules/messages/index.ts';
import type { OperatorsModule } from './modules/operators/index.ts';
import { createParameters } from './modules/parameters/index.ts';
import { createPortfolio, type Costs, type Values } from './modules/portfolio/index.ts';
import { createProofs } from './modules/proofs/index.ts';
import { createApiKeys } from './modules/api-keys/index.ts';
import { createNetworks } from './modules/networks/index.ts';
import { createStamps } from './modules/stamps/index.ts';
import { createStatus } from './modules/status/index.ts';
import { createPush } from './modules/push/index.ts';
import { createPublicApi } from './modules/public-api/index.ts';
import { createSpot, AlgoNotifier, algoMessages, FillNotifier, type Spot } from './modules/spot/index.ts';
import { createTracking } from './modules/tracking/index.ts';
import { TradingPauses } from './modules/trading-pauses/index.ts';
import { createWatchlist } from './modules/watchlist/index.ts';
import { CHECKPOINT_PARTS, HOLDS } from './money.ts';
import type { AppModule, Product } from './platform/app-module.ts';
import { clusterOperations } from './platform/cluster/process-operations.ts';
import { writerFigures } from './platform/sequencer/sequencer-health.ts';
import { knownDatabases } from './platform/database/known-databases.ts';
import { OwnProcess, Processes } from './platform/cluster/processes.ts';
import { Checkpoints, checkpointsIn } from './platform/checkpoint/checkpoints.ts';
import { API_KEYS_MAX } from '@exchange/wire/api-key.ts';
import type { ExecutionMessage } from '@exchange/wire/feed.ts';
import type { JobChild } from './platform/children/job-child.ts';
import { CommitWaits } from './platform/database/commit-waits.ts';
import { type Database, databaseOver } from './platform/database/database.ts';
import { recordOpenedAs } from './platform/database/opened-as.ts';
import { DemoData, type DemoPart } from './platform/demo-data.ts';
import { DemoTexts } from './platform/demo-texts.ts';
import type { Demo } from './platform/demo.ts';
import { watchResources } from './platform/health/resources.ts';
import { Bulkheads } from './platform/jobs/bulkheads.ts';
import { JobRunner } from './platform/jobs/jobs.ts';
import { devMailPages } from './platform/mail/dev-pages.ts';
import type { Route } from './platform/http/route.ts';
import { newId, systemRandom } from './platform/secrets/random.ts';
import { publishSigningKey } from './platform/secrets/published-keys.ts';
import { signingKeyOf, type SigningKey } from './platform/secrets/signing-key.ts';
import { HeldUp } from './platform/sequencer/held-up.ts';
import type { Sequencer } from './platform/sequencer/sequencer.ts';
import { originOfId, stepIdSecret } from './platform/sequencer/step-ids.ts';
import { WRITER_NAME } from './platform/sequencer/writer-lease.ts';
import { SignInSessions } from './platform/session/sessions.ts';
import { createProducts, DEMO_TEXTS, type Products } from './products.ts';
import { accountLimitsOf, avatarsIn, pushContactOf, siteUrlOf, storedElsewhere } from './public-facts.ts';
import {
  type ComposeOptions,
  newFiles,
  newMail,
  newMarket,
  newSequencer,
  openSecret,
  randomSecret,
  tradingStatuses,
} from './resources.ts';
import { disksOf, figureSources, reservesOf, watchHealth, watchWorkers } from './watch-health.ts';
import { jobsRunBy } from './worker-jobs.ts';

/** The services of the modules, for tests and tools that run inside the process. */
export interface Doors extends Products {
  readonly assets: Assets;
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
  /** The child process that decodes uploaded pictures. */
  readonly pictures: JobChild;
  readonly operators: OperatorsModule;
  readonly faucet: Faucet;
  readonly demoTexts: DemoTexts;
  readonly movements: Movements;
  readonly monthlySums: MonthlySums;
  readonly portfolio: { readonly values: Values; readonly costs: Costs };
  readonly proofs: ReturnType<typeof createProofs>;
  readonly stamps: ReturnType<typeof createStamps>;
  readonly apiKeys: ReturnType<typeof createApiKeys>;
  readonly push: ReturnType<typeof createPush>;
  readonly messages: Messages;
  readonly status: ReturnType<typeof createStatus>;
  readonly networks: ReturnType<typeof createNetworks>;
  readonly houseFigures: ReturnType<typeof createFigures>;
  readonly reconciliation: Reconciliation;
  readonly checkpoints: Checkpoints;
}

/** Creates all modules and the order of their start. Starts none of them. */
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
  watchWorkers(platform);
  watchResources(platform, {
    disks: disksOf(platform),
    mail: built.mail,
    reserves: reservesOf(built.products),
  });
  return {
    sessions: built.sessions,
    submissions: built.sequencer.submissions,
    published: {
      epoch: () => {
        const { epoch } = built.sequencer;
        if (epoch === undefined) throw new Error('the sequencer has not become the writer');
        return epoch;
      },
      streams: built.publicApi.streams,
      sessionUsed: (session) => built.sessions.recordUse(session),
      sockets: built.publicApi.socketApi,
    },
    modules: [processModule(platform, built), ...modulesOf(platform, built, house), readiness],
    ...(demoData === undefined ? {} : { demoData }),
    doors: built,
    listedPairs: new Set(built.assets.pairs.map(({ pair }) => `${pair.base}_${pair.quote}`)),
    gate: built.operators.gate,
    operatorNotes: () => [...operatorNotes(built.operators), ...readiness.notes()],
    demoLogins: mode === 'demo' ? [{ role: 'Demo trader', ...built.identity.demoLogin }] : [],
  };
}

/** The part of the exchange that a worker process runs: its jobs. */
export interface WorkerParts {
  readonly jobs: JobRunner;
  /**
   * Waits for the running jobs, ends the child process for pictures, and closes the connections to servers outside of
   * the exchange.
   */
  stop(): Promise<void>;
}

/**
 * Creates the exchange for a worker. All modules are created, because they define the jobs, but none is started: the
 * jobs of workers need no state of started modules. The caller starts the jobs.
 */
export async function composeWorker(platform: Platform): Promise<WorkerParts> {
  const built = await build(platform, {});
  const { jobs, mail, proofs, stamps, bulkheads } = built;
  const { health, metrics } = platform;
  health.watchDispensable('mail', () => mail.health());
  health.watchDispensable('proofs', () => proofs.health());
  health.watchDispensable('stamps', () => stamps.health());
  health.watchDispensable('due work', () => bulkheads.health());
  metrics.gauge('worker_jobs_waiting', 'Jobs of this worker that are due and not running.', () =>
    jobs.countDue(),
  );
  return { jobs, stop: () => stopUnstarted(built) };
}

/** The part of the exchange that an API node runs itself: use cases that only read the database. */
export interface ReadingParts {
  /** All endpoints with their use cases. Only those that read nothing but the database work in this process. */
  readonly routes: readonly Route[];
  /** Ends what the modules have opened besides the database. */
  readonly stop: () => Promise<void>;
}

/**
 * Creates the exchange for an API node that answers some calls from `database`. All modules are created, because they
 * contain the use cases, but none is started.
 */
export async function composeReads(platform: Platform, database: Database): Promise<ReadingParts> {
  const built = await build(platform, { readsOnlyFrom: database });
  const modules = modulesOf(platform, built, houseTrading(platform, built));
  return {
    routes: modules.flatMap(({ routes = [] }) => routes),
    stop: () => stopUnstarted(built),
  };
}

/** Ends what the modules of a process have opened in which no module was started. */
async function stopUnstarted({ jobs, push, pictures, transport }: Built): Promise<void> {
  await jobs.stop();
  await push.stop?.();
  pictures.stop();
  transport?.close();
}

/**
 * Creates the module that lists the exchange's processes and databases for operators, and publishes this
 * process's own status, also while the process waits as a standby.
 */
function processModule(
  { config, clock, health, link, log, metrics, database }: Platform,
  { sequencer, commitWaits }: Pick<Ground & ReturnType<typeof buildCore>, 'sequencer' | 'commitWaits'>,
): AppModule {
  const own = new OwnProcess({
    name: newId(systemRandom, clock.now()),
    role: config.role,
    version: config.version,
    port: config.port,
    clock,
    health: () => health.essentials(),
    figures: () => writerFigures(sequencer),
  });
  const processes = new Processes({
    own,
    link,
    clock,
    log,
    metrics,
  });
  return {
    name: 'processes',
    operations: clusterOperations({
      processes,
      databases: () =>
        knownDatabases({
          pool: database.reader,
          replica: database.replica === database.reader ? undefined : database.replica,
          commitWaits,
        }),
    }),
    start: () => processes.start(),
    stop: () => processes.stop(),
  };
}

/**
 * Creates all parts of the exchange. It starts nothing and writes nothing to the database, because this process may
 * become a standby.
 */
async function build(platform: Platform, options: ComposeOptions) {
  const ground = await buildGround(platform, options);
  // The modules for identity and parameters are created first; the parts passed as functions are created later, and
  // these modules use them only while serving calls.
  const core = buildCore(platform, ground, options, {
    files: () => core.files,
    products: () => trading.products,
  });
  const trading = buildTrading(platform, ground, core);
  const views = buildViews(platform, ground, core, trading, options);
  const { products } = trading;
  return {
    ...ground,
    ...core,
    ...trading,
    ...views,
    ...products,
    products: Object.values(products) as Product[],
  };
}

/** Creates the basic services, such as the database, jobs, mail and sessions. */
async function buildGround(
  platform: Platform,
  { runsSchedule = true, jobConnections, readsOnlyFrom }: ComposeOptions,
) {
  const { config, clock, log } = platform;
  const { connection, pool } = platform.database;
  const database = readsOnlyFrom ?? databaseOver(pool, platform.database);
  const { secret, openedAs } = await (readsOnlyFrom === undefined ? openSecret : randomSecret)(platform);
  const jobs = new JobRunner({
    connection,
    database,
    log,
    runsSchedule,
    connections: jobConnections,
    isRunHere: jobsRunBy(config),
  });
  const { mail, transport, keepsWords } = newMail(platform, { database, jobs });
  return {
    database,
    secret,
    openedAs,
    jobs,
    runsSchedule,
    mail,
    transport,
    keepsWords,
    sessions: new SignInSessions({ database, clock, random: systemRandom }),
    assets: createAssets({ mode: config.mode }),
    commitWaits: new CommitWaits({ pool, clock, log, writer: WRITER_NAME }),
    bulkheads: new Bulkheads({ clock, log }),
  };
}

type Ground = Awaited<ReturnType<typeof buildGround>>;

/**
 * Functions that return parts which are created after the core modules; the core modules call them only while
 * serving calls.
 */
interface Later {
  readonly files: () => Files;
  readonly products: () => Products;
}

/** Creates the core modules, such as identity, balances, prices, inbox messages and the sequencer. */
function buildCore(platform: Platform, ground: Ground, options: ComposeOptions, later: Later) {
  const { config, clock, log, events, feed, hashCost } = platform;
  const { mode } = config;
  const { database, jobs, mail, secret, sessions, assets } = ground;
  const identity = createIdentity({
    mode,
    clock,
    log,
    database,
    events,
    jobs,
    mail,
    secret,
    sessions,
    hashCost,
    limits: accountLimitsOf(platform.limits, assets.pairs),
    siteUrl: siteUrlOf(platform),
    passkeySite: config.passkeys,
    visitorAnswersMs: config.visitorAnswersMs,
    avatars: avatarsIn(later.files),
    usesWhitelist: (user) => later.products().withdrawals.addressBook.usesWhitelist(user),
    bookedAddress: (user, id) => later.products().withdrawals.addressBook.bookedAddress(user, id),
  });
  const systemUsers = () => identity.systemUsers();
  const demoTexts = new DemoTexts(DEMO_TEXTS);
  const sequencer = newSequencer(platform, database, secret);
  jobs.define('sequencer.removeOldAnswers', () => sequencer.removeOldAnswers(database.store), {
    cron: '*/20 * * * *',
  });
  const tradingPauses = new TradingPauses({ clock, database, log });
  sequencer.join(tradingPauses);
  const { files, routes: fileRoutes, pictures } = newFiles(platform, ground);
  return {
    identity,
    tradingPauses,
    systemUsers,
    // The ledger reads balances through the connection pool of the exchange's own work, also if a request triggered the
    // read: orders wait for these reads, so they must not queue behind the queries of lists.
    ledger: new Ledger({ reader: database.own, log }),
    market: newMarket(platform, ground, options),
    demoTexts,
    messages: createMessages({ clock, log, database, events, feed, mail, demoTexts }),
    parameters: createParameters({
      clock,
      database,
      elsewhere: storedElsewhere(config, later.products),
      mode,
      showsMail: ground.keepsWords,
      passkeyDomain: config.passkeys.domain,
      version: config.version,
    }),
    sequencer,
    movements: new Movements({ database, log, clock, systemUsers }),
    files,
    fileRoutes,
    pictures,
  };
}

type Core = ReturnType<typeof buildCore>;

/**
 * Creates the modules that move users' money, such as spot trading and the products, and the modules that reconcile
 * balances and halt assets.
 */
function buildTrading(platform: Platform, ground: Ground, core: Core) {
  const { config, clock, log, events } = platform;
  const { mode, chat, manualDeposits, offered, evm, utxo, xrp, tron, explorers, sanctionsFolder } = config;
  const { database, secret, assets } = ground;
  const { identity, ledger, messages, sequencer } = core;
  const { reader } = database;
  const parts = {
    ...platform,
    ...ground,
    ...core,
    mode,
    database,
    reader,
    accountStatuses: tradingStatuses(identity),
    signingKey: signingKeyOf(secret),
  };
  const {
    spot,
    records,
    routes: spotRoutes,
    operations,
    operatorRecords,
    seed: seedSpot,
  } = createSpot(parts);
  messages.declare([algoMessages]);
  const products = createProducts({
    ...parts,
    records,
    coins: assets.coins,
    pretends: mode === 'demo' && config.houseTrades,
    chat,
    manualDeposits,
    offered,
    evm,
    utxo,
    xrp,
    tron,
    explorers,
    sanctionsFolder,
    travelRule: { from: config.travelRuleFrom, vasp: config.operator.entity ?? '' },
  });
  const halting = new Halting({ ledger, sequencer, reader, log });
  sequencer.join(ledger);
  sequencer.join(spot);
  return {
    parts,
    spot,
    records,
    spotRoutes,
    operations,
    spotRecords: operatorRecords,
    seedSpot,
    products,
    fillNotifier: new FillNotifier({ clock, log, database, events, sequencer, assets, identity, messages }),
    algoNotifier: new AlgoNotifier({
      bulkheads: parts.bulkheads,
      database,
      events,
      identity,
      log,
      messages,
      pairOf: (symbol) => spot.pairOf(symbol),
    }),
    halting,
    reconciliation: new Reconciliation({ store: database.store, halting, holds: HOLDS, clock, log }),
    faucet: new Faucet({ sequencer, ledger, reader }),
  };
}

type Trading = ReturnType<typeof buildTrading>;

/** Creates the modules that read other modules' data, such as portfolios, alerts, proofs, and the operators' desk. */
function buildViews(
  platform: Platform,
  ground: Ground,
  core: Core,
  trading: Trading,
  { pushTransport }: ComposeOptions,
) {
  const { clock, log, events, feed, hashCost } = platform;
  const { database, jobs, mail, secret, assets } = ground;
  const { identity, market, messages, systemUsers } = core;
  const { parts, records, products, reconciliation } = trading;
  const apiKeys = createApiKeys({
    clock,
    log,
    metrics: platform.metrics,
    random: systemRandom,
    database,
    secret,
    identity,
    messages,
    mostKeys: API_KEYS_MAX,
  });
  const push = createPush({
    clock,
    log,
    metrics: platform.metrics,
    random: systemRandom,
    database,
    events,
    jobs,
    secret,
    identity,
    messages,
    contact: pushContactOf(platform),
    transport: pushTransport,
  });
  const desk = createDesk({
    ...parts,
    apiKeys: apiKeys.keys,
    apiKeyRecords: apiKeys.records,
    hashCost,
    products,
    records,
    spotRecords: trading.spotRecords,
    reconciliation,
  });
  const checkpoints = newCheckpoints(platform, parts.signingKey);
  checkpoints.defineJob(jobs);
  const stepSecret = stepIdSecret(secret);
  const portfolio = createPortfolio({
    ...parts,
    jobs,
    systemUsers,
    records,
    funds: products.fund.funds,
    conversions: products.convert.convert,
    exchangeName: platform.config.operator.entity ?? 'Exchange',
    uidOf: async (owner) => (await identity.findUser(owner))?.uid ?? '',
    subAccountNames: async (master) => {
      const subAccounts = await products.subAccounts.subAccounts.accounts(master);
      return new Map(subAccounts.map(({ id, name }) => [id, name]));
    },
  });
  const monthlySums = new MonthlySums({ ...parts, count: (owner) => portfolio.costs.countAll(owner) });
  monthlySums.defineJob(jobs);
  const networks = createNetworks({
    clock,
    database,
    chains: products.chains.chains,
    treasury: products.treasury,
    withdrawals: products.withdrawals.withdrawals,
  });
  const proofs = createProofs({
    ...parts,
    jobs,
    systemUsers,
    secret,
    chains: products.chains.chains,
    treasury: products.treasury.treasury,
    followedBlock: (network) => products.withdrawals.jobs.followedBlock(network),
  });
  const stamps = createStamps({
    clock,
    database,
    jobs,
    log,
    calendarUrls: platform.config.stampCalendars,
    published: async () => ({
      checkpoints: await products.seconds.proofs.newestCheckpoints(),
      books: await core.market.recordedBooks.heads(),
      liabilities: await proofs.liabilities.newest(),
    }),
  });
  return {
    ...desk,
    push,
    checkpoints,
    proofs,
    stamps,
    portfolio,
    tracking: createTracking({
      clock,
      deposits: products.deposits.deposits,
      proofs: products.deposits.proofs,
      withdrawals: products.withdrawals.withdrawals,
      support: products.support.support,
    }),
    monthlySums,
    watchlist: createWatchlist({
      clock,
      log,
      random: systemRandom,
      database,
      events,
      jobs,
      mail,
      identity,
      assets,
      market,
      feed,
      messages,
      spot: trading.spot,
      submissions: core.sequencer.submissions,
      accountStatuses: parts.accountStatuses,
    }),
    apiKeys,
    houseFigures: createFigures({
      clock,
      log,
      database,
      identity,
      ledger: core.ledger,
      market,
      coins: assets.coins,
      systemUsers,
      signingKey: parts.signingKey,
      sources: figureSources(products),
    }),
    networks,
    status: createStatus({
      networks: networks.networks,
      clock,
      database,
      log,
      random: systemRandom,
      spot: trading.spot,
      ledger: core.ledger,
      tradingPauses: core.tradingPauses,
      treasury: products.treasury.treasury,
      withdrawals: products.withdrawals.withdrawals,
    }),
    publicApi: createPublicApi({
      submissions: core.sequencer.submissions,
      keys: apiKeys.keys,
      requests: apiKeys.requests,
      deposits: products.deposits.deposits,
      offered: platform.config.offered,
      withdrawals: products.withdrawals.withdrawals,
      subAccounts: products.subAccounts.subAccounts,
      records,
      identity,
      reader: database.reader,
      originOf: (id) => originOfId(stepSecret, id),
      version: platform.config.version,
      clock,
      log,
      limits: platform.limitCounters,
      metrics: platform.metrics,
      random: systemRandom,
      events,
      assets,
      market,
      spot: trading.spot,
    }),
  };
}

/**
 * Creates the object that writes the signed checkpoints into the data folder; each checkpoint contains the
 * state that the steps up to it created.
 */
function newCheckpoints({ config, clock, log, database }: Platform, signingKey: SigningKey): Checkpoints {
  return new Checkpoints({
    reader: database.reader,
    pool: database.pool,
    folder: checkpointsIn(config.dataDirectory),
    parts: CHECKPOINT_PARTS,
    signingKey,
    clock,
    log,
  });
}

type Built = Awaited<ReturnType<typeof build>>;

/**
 * Returns all modules in the order of their start. The list of processes starts before them, and the check of
 * readiness after them; both are not included. A standby waits in the start of the writer module, before
 * anything is written.
 */
function modulesOf(platform: Platform, built: Built, house: AppModule): AppModule[] {
  const { config, clock, database, timeline } = platform;
  const { jobs, identity, transport, mail, keepsWords, sequencer, commitWaits, market } = built;
  const { spot, fillNotifier, algoNotifier, reconciliation, movements, watchlist } = built;
  const isDemo = config.mode === 'demo';
  const prepare = async () => {
    timeline.begin();
    const isMigrated = await timeline.measured('schema', () => database.bringUpToDate());
    await timeline.measured('opened as', () => recordOpenedAs(database.owner, built.openedAs));
    await timeline.measured('signing key', () =>
      publishSigningKey(built.database.store, built.secret, clock.now()),
    );
    return isMigrated;
  };
  return [
    writerModule({
      sequencer,
      commitWaits,
      prepare,
      readAhead: () => {
        market.readAhead();
        jobs.readAhead();
      },
    }),
    { name: 'jobs', stop: () => jobs.stop() },
    ...built.desk,
    {
      name: 'identity',
      routes: identity.routes,
      demands: identity.demands,
      start: () => identity.start(),
      stop: () => identity.stop(),
    },
    heldUpModule(platform, sequencer),
    { name: 'mail', pages: keepsWords ? devMailPages(mail) : [], stop: () => transport?.close() },
    { name: 'parameters', routes: built.parameters.routes },
    { name: 'assets', routes: assetRoutes(built.assets, config.offered) },
    { name: 'files', routes: built.fileRoutes, stop: () => built.pictures.stop() },
    { name: 'messages', routes: built.messages.routes },
    built.push,
    { name: 'market', ...market },
    {
      name: 'spot',
      routes: built.spotRoutes,
      operations: built.operations,
      start: async () => {
        await sequencer.start();
        await market.catchUp((sequence, limit) => spot.dealsSince(sequence, limit));
        await spot.start();
        fillNotifier.start();
        algoNotifier.start();
      },
      stop: async () => {
        await algoNotifier.stop();
        await fillNotifier.stop();
        await spot.stop();
      },
      failStop: () => spot.markStopUnplanned(),
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
      operations: haltOperations(built.halting, built.tradingPauses),
      start: () => built.halting.start(),
      stop: () => built.halting.stop(),
    },
    evictionModule(built),
    {
      name: 'reconciliation',
      start: () => {
        if (built.runsSchedule) reconciliation.start();
      },
      stop: () => reconciliation.stop(),
    },
    { name: 'movements', start: () => movements.start(), stop: () => movements.stop() },
    { name: 'monthly sums', stop: () => built.monthlySums.stop() },
    built.portfolio,
    built.tracking,
    built.proofs,
    built.stamps,
    built.apiKeys,
    built.publicApi,
    built.networks,
    built.status,
    {
      name: 'figures',
      operations: built.houseFigures.operations,
      start: () => {
        if (built.runsSchedule) built.houseFigures.start();
      },
      stop: () => built.houseFigures.stop(),
    },
    ...(isDemo ? [{ name: 'faucet', routes: faucetRoutes(built.faucet) }] : []),
    house,
    { name: 'workers', start: () => jobs.start() },
  ];
}

/**
 * Creates the module that removes from memory, while the server runs, the balances of users whose balances
 * were not used for ten minutes and who have no open order and no pending request; if there are too many
 * users in memory, also those that were used least recently.
 */
function evictionModule({ ledger, sequencer }: Built): AppModule {
  const eviction = new Eviction({ ledger, sequencer });
  return { name: 'eviction', start: () => eviction.start(), stop: () => eviction.stop() };
}

/** Creates the module that publishes on the live feed whether commands wait for the database. */
function heldUpModule({ clock, feed }: Platform, sequencer: Sequencer): AppModule {
  const message = (): ExecutionMessage => ({ waitingSince: heldUp.since ?? null });
  const heldUp = new HeldUp({
    sequencer,
    clock,
    onChange: () => feed.publish('execution', message()),
  });
  feed.serve('execution', (topic) => (topic === 'execution' ? message() : undefined));
  return { name: 'held up', start: () => heldUp.start(), stop: () => heldUp.stop() };
}

interface WriterParts {
  readonly sequencer: Sequencer;
  readonly commitWaits: CommitWaits;
  /**
   * Called after the process has acquired the writer's lock, before it reads or writes tables. Resolves to whether the
   * schema was migrated.
   */
  readonly prepare: () => Promise<boolean>;
  /**
   * Called on a standby while it waits for the writer's lock, to read market data and load the package of the job queue
   * in advance.
   */
  readonly readAhead: () => void;
}

/** Creates the module whose start waits until this process has acquired the writer's lock. */
function writerModule({ sequencer, commitWaits, prepare, readAhead }: WriterParts): AppModule {
  const stop = async () => {
    await commitWaits.stop();
    await sequencer.stop();
  };
  return {
    name: 'writer',
    start: () => {
      commitWaits.start();
      return sequencer.acquire({ prepare, readAhead });
    },
    abandon: stop,
    stop,
    failStop: () => sequencer.failStop(),
  };
}

/**
 * Returns lines of the message that the server prints at its start: the logins of the demo's operators, and
 * the one-time code for setting up the first owner, if no enabled owner had signed in before the start.
 */
function operatorNotes({ demoLogins, setUpCode }: Built['operators']): string[] {
  const code = setUpCode();
  return [
    ...demoLogins.map(
      ({ name, password, key }) => `sign in as ${name}  password ${password}  authenticator key ${key}`,
    ),
    ...(code === undefined ? [] : [`set up the first owner with the one-time code ${code}`]),
  ];
}
