import { join } from 'node:path';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Platform } from './app.ts';
import { showsMail } from './config.ts';
import { MARKET_SEED } from './house.ts';
import type { Assets, ListedPair } from './modules/assets/index.ts';
import { createFiles, PICTURE_LIMITS } from './modules/files/index.ts';
import { mailOpening, type Identity } from './modules/identity/index.ts';
import { createMarket, type Market, type Venue } from './modules/market/index.ts';
import type { AccountStatuses } from './modules/spot/index.ts';
import { JobChild, pictureProgram } from './platform/children/job-child.ts';
import type { ThreadProgram } from './platform/children/kept-thread.ts';
import { priceProgram, readPriceSources } from './platform/children/price-sources.ts';
import type { Database } from './platform/database/database.ts';
import { readOpenedAs, requireSame } from './platform/database/opened-as.ts';
import { LocalFileStore } from './platform/files/file-store.ts';
import { S3FileStore } from './platform/files/s3-file-store.ts';
import { SealedStore } from './platform/files/sealed-store.ts';
import type { JobRunner } from './platform/jobs/jobs.ts';
import { MailOutbox } from './platform/mail/mail.ts';
import { SmtpTransport } from './platform/mail/transport.ts';
import { rootDirectory } from './platform/root-directory.ts';
import { systemRandom } from './platform/secrets/random.ts';
import { openServerSecret, type ServerSecret } from './platform/secrets/server-secret.ts';
import { Sequencer } from './platform/sequencer/sequencer.ts';
import { stepIdSecret } from './platform/sequencer/step-ids.ts';

export interface ComposeOptions {
  /** What the index is made of instead of the demo's simulated market, which then has no made-up past either. */
  readonly venues?: readonly Venue[];
  /** The program of the thread that makes the index; without one the thread that calls makes it, for tests. */
  readonly indexProgram?: ThreadProgram;
}

/** The server's secret; refuses a database that was opened with another one, or in another mode. */
export async function openSecret({ config, database }: Platform) {
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

/** What is mailed, and by what; a demo keeps the words of its mails, to show them. */
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

/** The sequencer over the writer's connection; a server that is no writer any more ends. */
export function newSequencer(platform: Platform, database: Database, secret: ServerSecret): Sequencer {
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

/** Prices and the index: by given venues in this thread, otherwise by the demo's or the real ones in a thread of its own. */
export function newMarket(
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
    program: priceProgram(rootDirectory),
    sources: readPriceSources(
      config.priceSourcesFile,
      listed.map(({ pair }) => pair.symbol),
    ),
  };
}

/** Uploaded files lie beside the database or in a bucket, encrypted with a key made from the server's secret. */
export function newFiles(
  { config, clock, log }: Platform,
  { secret, ...parts }: { secret: ServerSecret; database: Database; jobs: JobRunner },
) {
  const kept =
    config.bucket === undefined
      ? new LocalFileStore(join(config.dataDirectory, 'files'))
      : new S3FileStore(config.bucket);
  const store = new SealedStore(kept, secret.key('files'));
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

/** What spot asks before an order: a frozen account does nothing, and one without permission buys nothing. */
export function tradingStatuses(identity: Identity): AccountStatuses {
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
