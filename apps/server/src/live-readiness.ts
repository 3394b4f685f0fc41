import type { AppModule, Platform } from './app.ts';
import { newestBackup } from './platform/backup/newest.ts';
import { readPriceSources } from './platform/children/price-sources.ts';
import { ownsItsTables } from './platform/database/rights.ts';
import { liveGaps } from './platform/live-gaps.ts';

/** At a start in live mode, tells operators everything that is missing for real operation. */
export function liveReadiness({
  config,
  clock,
  log,
  database,
}: Platform): AppModule & { notes(): readonly string[] } {
  let gaps: readonly string[] = [];
  return {
    name: 'readiness',
    start: async () => {
      if (config.mode !== 'live') return;
      const { backupFolder } = config;
      const { rows } = await database.pool.query<{ names: string }>(
        `select current_setting('synchronous_standby_names') as names`,
      );
      gaps = liveGaps(config, {
        now: clock.now(),
        backupAt: backupFolder === undefined ? undefined : await newestBackup(backupFolder),
        synchronousStandbys: rows[0]?.names ?? '',
        ownsTables: await ownsItsTables(database.connection),
        sources: readPriceSources(config.priceSourcesFile).length,
      });
      if (gaps.length > 0) log.warn('app.not_ready_for_money', { missing: gaps });
    },
    notes: () => gaps.map((gap) => `missing: ${gap}`),
  };
}
