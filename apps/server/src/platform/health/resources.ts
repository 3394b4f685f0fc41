import { SECOND_MS } from '@exchange/core/time.ts';
import type { Clock } from '../clock.ts';
import type { MailOutbox } from '../mail/mail.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Disks } from './disk.ts';
import type { Health } from './health.ts';
import { coveredDays, reservesHealth, type Reserve } from './reserves.ts';

interface Resources {
  readonly disks: Disks;
  readonly mail: Pick<MailOutbox, 'health' | 'waiting'>;
  /** Reads balance and needed balance of the house accounts that pay users, e.g. interest. */
  readonly reserves: () => Promise<readonly Reserve[]>;
}

/**
 * Registers health checks and metrics for disk space, mail delivery, and the number of days for which the house
 * accounts can pay. If one of these checks fails, the server still counts as up.
 */
export function watchResources(
  { health, metrics, clock }: { readonly health: Health; readonly metrics: Metrics; readonly clock: Clock },
  { disks, mail, reserves }: Resources,
): void {
  health.watchDispensable('disk', () => disks.health());
  health.watchDispensable('mail', () => mail.health());
  health.watchDispensable('reserves', async () => reservesHealth(await reserves()));
  metrics.gauges({ name: 'disk_free_bytes', help: 'Bytes that are free, by folder.', label: 'folder' }, () =>
    disks.free(),
  );
  metrics.gauge('mail_waiting', 'Mails that wait to be sent.', async () => (await mail.waiting()).count);
  metrics.gauge('mail_oldest_seconds', 'How long the oldest mail waits.', async () => {
    const { oldest } = await mail.waiting();
    return oldest === undefined ? 0 : Math.max(0, (clock.now() - oldest) / SECOND_MS);
  });
  metrics.gauges(
    {
      name: 'reserve_covered_days',
      help: 'Days that an account pays, by account and coin.',
      label: 'account',
    },
    async () => coveredDays(await reserves()),
  );
}
