import type { PushTransport } from './platform/outgoing/push-transport.ts';
import { join } from 'node:path';
import type { Side } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Platform } from './app.ts';
import { showsMail, type Config } from './config.ts';
import { MARKET_SEED } from './house.ts';
import type { Assets, ListedPair } from './modules/assets/index.ts';
import { createFiles, PICTURE_LIMITS } from './modules/files/index.ts';
import { mailOpening, type AccountStatus, type Identity } from './modules/identity/index.ts';
import { createMarket, type Market, type Venue } from './modules/market/index.ts';
import type { AccountStatuses, TradingAccount } from './modules/spot/index.ts';
import { JobChild, pictureProgram } from './platform/children/job-child.ts';
import type { ThreadProgram } from './platform/children/kept-thread.ts';
import { priceProgram, readPriceSources } from './platform/children/price-sources.ts';
import type { Database } from './platform/database/database.ts';
import { readOpenedAs, requireSame } from './platform/database/opened-as.ts';
import { LocalFileStore, type FileStore } from './platform/files/file-store.ts';
import { S3FileStore } from './platform/files/s3-file-store.ts';
import { SealedStore } from './platform/files/sealed-store.ts';
import type { JobRunner } from './platform/jobs/jobs.ts';
import { MailOutbox } from './platform/mail/mail.ts';
import { SmtpTransport } from './platform/mail/transport.ts';
import { rootDirectory } from './platform/root-directory.ts';
import { systemRandom } from './platform/secrets/random.ts';
import { openServerSecret, type ServerSecret } from './platform/secrets/server-secret.ts';
import { signingKeyOf } from './platform/secrets/signing-key.ts';
import { Sequencer } from './platform/sequencer/sequencer.ts';
import { stepIdSecret } from './platform/sequencer/step-ids.ts';

export interface ComposeOptions {
  /** Index venues of a test. They replace the demo's simulated market, and no past prices are generated. */
  readonly venues?: readonly Venue[];
  /**
   * Program of the thread that computes the index. If it is absent, the calling thread computes the index, as tests do.
   */
  readonly indexProgram?: ThreadProgram;
  /**
   * True (the default) if scheduled jobs, the reconciliation of balances and the computation of the exchange's key
   * figures run at their times. With false, as in tests, they run only when called.
   */
  readonly runsSchedule?: boolean;
  /** Number of database connections of the job queue. Tests use fewer than the default. */
  readonly jobConnections?: number;
  /** Replaces the transport that sends pushes over https to push services. Only tests set it. */
  readonly pushTransport?: PushTransport | undefined;
  /**
   * The database from which the modules of an API node read. Such a process writes nothing and has no server secret, so
   * the modules get a random one.
   */
  readonly readsOnlyFrom?: Database | undefined;
}

/**
 * Reads the server's secret, or creates it for a new database. Throws if a used database's secret is missing, or if the
 * database was used before with another secret or in another mode.
 */
export async function openSecret({ config, database }: Platform) {
  const opened = await readOpenedAs(database.owner);
  const secret = await openServerSecret({
    configuredSecret: config.serverSecret,
    dataDirectory: config.dataDirectory,
    mustExist: opened.secretFingerprint !== undefined,
  });
  const openedAs = {
    mode: config.mode,
    secretFingerprint: secret.fingerprint,
    retiringFingerprint: secret.retiring?.fingerprint,
  };
  requireSame(opened, openedAs);
  return { secret, openedAs };
}

/** Returns a random secret for a process that has none, and that neither stores nor reads anything secret. */
export async function randomSecret({ config }: Pick<Platform, 'config'>) {
  const secret = await openServerSecret({
    configuredSecret: systemRandom.bytes(32).toString('hex'),
    dataDirectory: config.dataDirectory,
    mustExist: false,
  });
  const openedAs = {
    mode: config.mode,
    secretFingerprint: secret.fingerprint,
    retiringFingerprint: undefined,
  };
  return { secret, openedAs };
}

/**
 * Creates the mail outbox and, if a mail server is configured, its SMTP transport. A demo without a mail
 * server keeps the texts of mails and shows them on a page.
 */
export function newMail(platform: Platform, { database, jobs }: { database: Database; jobs: JobRunner }) {
  const transport = mailTransport(platform);
  const keepsWords = showsMail(platform.config);
  const mail = new MailOutbox({
    database,
    clock: platform.clock,
    random: systemRandom,
    jobs,
    transport,
    keepsWords,
    opening: mailOpening,
  });
  return { mail, transport, keepsWords };
}

function mailTransport({ config }: Platform): SmtpTransport | undefined {
  if (config.smtpUrl === undefined) return undefined;
  return new SmtpTransport({ url: config.smtpUrl, from: config.mailFrom });
}

/**
 * Creates the sequencer on the writer's database connection. The sequencer shuts the server down if another process
 * becomes the writer, or if the state cannot be loaded again after a failure.
 */
export function newSequencer(platform: Platform, database: Database, secret: ServerSecret): Sequencer {
  const { clock, events, log } = platform;
  return new Sequencer({
    connection: platform.database.connection,
    reader: database.own,
    following: {
      copying: (work) => database.copying(work),
      isSchemaCurrent: () => platform.database.isSchemaCurrent(),
    },
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

/**
 * Creates prices and index. They come from the given `venues` in this thread. Without `venues` they come from the
 * demo's simulated venues or from the real ones, in a separate thread if `indexProgram` is given.
 */
export function newMarket(
  platform: Platform,
  {
    database,
    assets,
    secret,
  }: { readonly database: Database; readonly assets: Assets; readonly secret: ServerSecret },
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
    signingKey: signingKeyOf(secret),
    seed: MARKET_SEED,
    // Mode `live` prevents that past prices are generated for a test that supplies venues.
    mode: venues === undefined ? config.mode : 'live',
    ...(venues !== undefined && { venues }),
    ...(venues === undefined && config.mode === 'live' && { live: liveSources(platform, assets.pairs) }),
    ...(indexProgram !== undefined && { indexProgram }),
  });
}

/** Returns the configured price sources, and the program that reads their prices in a separate process. */
function liveSources({ config }: Platform, listed: readonly ListedPair[]) {
  return {
    program: priceProgram(rootDirectory),
    sources: readPriceSources(
      config.priceSourcesFile,
      listed.map(({ pair }) => pair.symbol),
    ),
  };
}

/**
 * Creates the service for uploaded files. It stores them in the data folder or, if one is configured, in an S3 bucket,
 * encrypted with keys derived from the server's secret.
 */
export function newFiles(
  { config, clock, log }: Platform,
  { secret, ...parts }: { secret: ServerSecret; database: Database; jobs: JobRunner },
) {
  const store = new SealedStore(fileStoreOf(config), secret);
  const pictures = new JobChild({
    name: 'pictures',
    file: pictureProgram(rootDirectory),
    limits: PICTURE_LIMITS,
    log,
  });
  const { files, routes } = createFiles({
    clock,
    random: systemRandom,
    store,
    pictures,
    ...parts,
  });
  return { files, routes, pictures };
}

/**
 * Returns the configured S3 bucket, or without one a folder of the data directory, as the store of uploaded files. The
 * store itself does not encrypt; callers wrap it in a `SealedStore`.
 */
export function fileStoreOf({ bucket, dataDirectory }: Pick<Config, 'bucket' | 'dataDirectory'>): FileStore {
  return bucket === undefined ? new LocalFileStore(join(dataDirectory, 'files')) : new S3FileStore(bucket);
}

/**
 * Returns the account lookups of the trading modules. `tradingAccount` and `requireTrading` refuse orders of
 * an account that is frozen or unknown, and buy orders of an account without the permission to buy.
 */
export function tradingStatuses(identity: Identity): AccountStatuses {
  const checked = (status: AccountStatus | undefined, side: Side): TradingAccount => {
    if (status === undefined || status.frozen) throw new Refused(refusal('securityHold', 'l.account_frozen'));
    if (side === 'buy' && !status.purchase) {
      throw new Refused(refusal('purchaseNotPermitted', 'l.purchase_not_permitted'));
    }
    return { master: status.master };
  };
  const tradingAccount: AccountStatuses['tradingAccount'] = (user, side) => {
    const status = identity.cachedStatus(user);
    return status === undefined
      ? identity.prepare(user).then((loaded) => checked(loaded, side))
      : checked(status, side);
  };
  return {
    tradingAccount,
    requireTrading: async (user, side) => {
      await tradingAccount(user, side);
    },
    accountsOfPerson: (owner) => identity.accountsOfPerson(owner),
  };
}
