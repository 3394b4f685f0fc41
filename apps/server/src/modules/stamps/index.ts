/**
 * stamps: time stamps from outside the exchange. Once an hour the digest of a statement is sent to calendars of
 * OpenTimestamps, which commit to it in Bitcoin blocks. The statement contains the hashes of the newest recorded index
 * prices and order books, and the root of the newest liabilities.
 */
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { Calendar } from './calendar.ts';
import { stampRoutes } from './routes.ts';
import { Stamps, type StampsParts } from './service.ts';

/**
 * Creates the module of hourly stamps. Without calendars nothing is stamped, but earlier stamps remain
 * public.
 */
export function createStamps({
  calendarUrls,
  jobs,
  ...parts
}: Omit<StampsParts, 'calendars'> & {
  readonly calendarUrls: readonly string[];
  readonly jobs: Pick<Jobs, 'define'>;
}) {
  const stamps = new Stamps({ ...parts, calendars: calendarUrls.map((url) => new Calendar(url)) });
  jobs.define('stamps.take', () => stamps.stampDue(), { cron: '7,37 * * * *' }, 'background');
  return {
    name: 'stamps' as const,
    stamps,
    routes: stampRoutes(stamps),
    stop: () => stamps.stop(),
    health: () => stamps.health(),
  };
}
