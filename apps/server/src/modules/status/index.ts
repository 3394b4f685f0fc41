import { statusOperations } from './operations.ts';
import { STATUS_PATHS, statusPages } from './page.ts';
import { Status, type StatusParts } from './service.ts';

export { STATUS_PATHS };

/**
 * status: the public status page. The module counts acknowledged orders and minutes of service, and stores the
 * incidents that operators report. The page also shows halts, networks and the durations of withdrawals. It
 * contains no data about single accounts.
 */
export function createStatus(parts: StatusParts) {
  const status = new Status(parts);
  return {
    name: 'status',
    status,
    pages: statusPages(status),
    operations: statusOperations(status),
    start: () => status.start(),
    stop: () => status.stop(),
  };
}
