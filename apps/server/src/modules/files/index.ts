import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { SealedStore } from '../../platform/files/sealed-store.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Random } from '../../platform/secrets/random.ts';
import type { JobChild } from '../../platform/children/job-child.ts';
import { Pictures } from './pictures.ts';
import { fileRoutes } from './routes.ts';
import { Files } from './service.ts';

/**
 * files: pictures that users upload. Each picture is decoded and encoded again, stored encrypted, and delivered only to
 * its owner. Other modules claim a picture for one of their objects, read it, and release it when it is no longer
 * needed. An hourly job erases released files, and files that no module claimed within 24 hours.
 */
export { PICTURE_LIMITS, type Tile } from './pictures.ts';
export type { ClaimedFile, StoredFile } from './domain/file.ts';
export type { Files };

/**
 * Creates the module. `pictures` is the child process that decodes pictures, limited by `PICTURE_LIMITS`; the caller
 * stops it.
 */
export function createFiles(deps: {
  readonly clock: Clock;
  readonly random: Random;
  readonly database: Database;
  readonly store: SealedStore;
  readonly jobs: Jobs;
  readonly pictures: JobChild;
}): { readonly files: Files; readonly routes: readonly Route[] } {
  const files = new Files({ ...deps, pictures: new Pictures(deps.pictures) });
  deps.jobs.define('files.cleanUp', () => files.cleanUp(), { cron: '27 * * * *' });
  return { files, routes: fileRoutes(files) };
}
