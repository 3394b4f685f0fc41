import type { TextByLocale } from '@exchange/core/locale.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { sql, type Selectable } from 'kysely';
import type { Reader, Store, Tx } from '../../platform/database/database.ts';
import { LATENCY_BUCKETS, type Component, type Incident, type SeenDay, type Stage } from './domain.ts';
import type { StatusTables } from './tables.ts';

/** Adds numbers of acknowledged orders by latency bucket to the stored histogram of an hour (hours since 1970). */
export async function addLatencies(store: Store, hour: number, counts: readonly number[]): Promise<void> {
  await sql`
    insert into status_latency (hour, bucket, count)
    select ${hour}, bucket - 1, count from unnest(${[...counts]}::bigint[]) with ordinality as r(count, bucket)
    where count > 0
    on conflict (hour, bucket) do update set count = status_latency.count + excluded.count
  `.execute(store);
}

/**
 * Number of acknowledged orders by latency bucket since the beginning of an hour (hours since 1970), this
 * hour included.
 */
export async function latenciesSince(reader: Reader, hour: number): Promise<number[]> {
  const rows = await reader
    .withTables<StatusTables>()
    .selectFrom('status_latency')
    .select(({ fn }) => ['bucket', fn.sum<string>('count').as('count')])
    .where('hour', '>=', hour)
    .groupBy('bucket')
    .execute();
  const counts = Array.from({ length: LATENCY_BUCKETS }, () => 0);
  for (const { bucket, count } of rows) counts[bucket] = Number(count);
  return counts;
}

/**
 * Adds a minute (minutes since 1970) in which the exchange works to its UTC day (days since 1970). Does
 * nothing if this minute or a later one of the day was counted already.
 */
export async function countMinute(store: Store, day: number, minute: number): Promise<void> {
  await sql`
    insert into status_day (day, minutes, first_minute, last_minute) values (${day}, 1, ${minute}, ${minute})
    on conflict (day) do update set minutes = status_day.minutes + 1, last_minute = ${minute}
    where status_day.last_minute < ${minute}
  `.execute(store);
}

/**
 * Deletes the latency counts of all hours before `hour` and the counted minutes of all days before `day`, except
 * those of the very first day, which shows since when minutes are counted.
 */
export async function removeOld(store: Store, hour: number, day: number): Promise<void> {
  const tables = store.withTables<StatusTables>();
  await tables.deleteFrom('status_latency').where('hour', '<', hour).execute();
  await sql`
    delete from status_day where day < ${day} and day > (select min(day) from status_day)
  `.execute(store);
}

/** The UTC day (days since 1970) in which the first minute was counted; undefined if none was counted yet. */
export async function firstCountedDay(reader: Reader): Promise<number | undefined> {
  const { rows } = await sql<{ day: number | null }>`select min(day) as day from status_day`.execute(reader);
  return rows[0]?.day ?? undefined;
}

/**
 * The UTC days from `day` (days since 1970) on in which at least one minute was counted, oldest first; each
 * with the number of these minutes and the first of them (minutes since 1970).
 */
export async function daysSince(reader: Reader, day: number): Promise<SeenDay[]> {
  const rows = await reader
    .withTables<StatusTables>()
    .selectFrom('status_day')
    .selectAll()
    .where('day', '>=', day)
    .orderBy('day')
    .execute();
  return rows.map(({ day: seenDay, minutes, first_minute: firstMinute }) => ({
    day: seenDay,
    minutes,
    firstMinute: Number(firstMinute),
  }));
}

/**
 * The newest incidents, newest first. Each has at most `reportsMax` of its newest reports, of which the oldest comes
 * first.
 */
export async function newestIncidents(
  reader: Reader,
  limit: number,
  reportsMax: number,
): Promise<Incident[]> {
  const tables = reader.withTables<StatusTables>();
  const incidents = await tables
    .selectFrom('status_incident')
    .selectAll()
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  if (incidents.length === 0) return [];
  const { rows: reports } = await sql<Selectable<StatusTables['status_report']>>`
    select report.* from unnest(${incidents.map(({ id }) => id)}::uuid[]) as shown(id)
    cross join lateral (
      select * from status_report where incident = shown.id order by number desc limit ${reportsMax}
    ) as report order by report.number
  `.execute(reader);
  return incidents.map((row) =>
    incidentOf(
      row,
      reports.filter(({ incident }) => incident === row.id),
    ),
  );
}

/** Locks an incident and returns it without its reports; undefined for an unknown id. */
export async function lockIncident(tx: Tx, id: string): Promise<Incident | undefined> {
  const row = await tx
    .withTables<StatusTables>()
    .selectFrom('status_incident')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && incidentOf(row, []);
}

export async function insertIncident(tx: Tx, incident: Omit<Incident, 'reports' | 'endedAt'>): Promise<void> {
  await tx
    .withTables<StatusTables>()
    .insertInto('status_incident')
    .values({
      id: incident.id,
      component: incident.component,
      title: JSON.stringify(incident.title),
      started_at: BigInt(incident.startedAt),
      ended_at: null,
    })
    .execute();
}

/**
 * Adds a report to an incident. A report whose `stage` is `resolved` ends the incident; a report of another
 * stage reopens an incident that has ended.
 */
export async function insertReport(
  tx: Tx,
  incident: string,
  report: {
    readonly at: Instant;
    readonly stage: Stage;
    readonly content: TextByLocale;
    readonly by: string;
    readonly reason: string;
  },
): Promise<void> {
  const { at, stage, content, by, reason } = report;
  await sql`
    insert into status_report (incident, number, at, stage, content, by, reason)
    select ${incident}, coalesce(max(number), 0) + 1, ${at}, ${stage}, ${JSON.stringify(content)}::jsonb, ${by}, ${reason}
    from status_report where incident = ${incident}
  `.execute(tx);
  await tx
    .withTables<StatusTables>()
    .updateTable('status_incident')
    .set({ ended_at: stage === 'resolved' ? BigInt(at) : null })
    .where('id', '=', incident)
    .execute();
}

function incidentOf(
  row: Selectable<StatusTables['status_incident']>,
  reports: readonly Selectable<StatusTables['status_report']>[],
): Incident {
  return {
    id: row.id,
    component: row.component as Component,
    title: row.title as TextByLocale,
    startedAt: instant(Number(row.started_at)),
    endedAt: row.ended_at === null ? undefined : instant(Number(row.ended_at)),
    reports: reports.map(({ at, stage, content }) => ({
      at: instant(Number(at)),
      stage: stage as Stage,
      content: content as TextByLocale,
    })),
  };
}
