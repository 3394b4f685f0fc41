import type { Result } from '@exchange/core/result.ts';
import type { Platform } from './app.ts';
import type { AppModule } from './platform/app-module.ts';
import type { Config } from './config.ts';
import { newestBackup } from './platform/backup/backup.ts';
import { readPriceSources } from './platform/children/price-sources.ts';
import { ownsItsTables } from './platform/database/rights.ts';
import { liveGaps, settingGaps } from './platform/live-gaps.ts';
import { smtpProblem } from './platform/mail/transport.ts';
import type { Environment } from './setting-fields.ts';

const MAIL_WITHIN_MS = 3_000;
/**
 * Placeholder values for the settings that live mode requires at its start. With them `missingBesides`
 * determines what else is missing; the server never runs with them.
 */
const PLACEHOLDERS = { SMTP_URL: 'smtps://unknown.invalid', PUBLIC_URL: 'https://unknown.invalid' };

/**
 * If live mode does not start because required settings are missing, returns what else is missing for real operation,
 * determined with placeholders for the missing settings. Empty in a demo, and if other settings are invalid too.
 */
export function missingBesides(
  readInstead: (needed: Environment) => Result<Config, readonly string[]>,
): readonly string[] {
  const result = readInstead(PLACEHOLDERS);
  return result.ok && result.value.mode === 'live' ? settingGaps(result.value) : [];
}

/**
 * Creates the module that, at a start in live mode, determines what is missing for real operation and writes
 * it to the log. Its method `notes` returns the missing items as notes for operators; empty before the start
 * and in a demo.
 */
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
        mailProblem: await smtpProblem(config.smtpUrl ?? '', MAIL_WITHIN_MS),
        node: process.versions.node,
      });
      if (gaps.length > 0) log.warn('app.not_ready_for_money', { missing: gaps });
    },
    notes: () => gaps.map((gap) => `missing: ${gap}`),
  };
}
