import { textOf, type Row } from '@exchange/web-kit/console/calls.ts';
import { actionName } from './deeds.ts';
import type { Queue, Waiting } from './queues.ts';
import { RowTable } from './row-table.tsx';
import { entryOf } from './runbook-entries.ts';
import { useSession } from './session.ts';
import { Failed, Skeleton } from './states.tsx';
import { cut, grouped, localTime, objectIn, spanText, urgencyOf, waitedFor, waitingSince } from './texts.ts';
import { headingOf, listName, WORDS } from './words.ts';

const PROPOSALS = '/ops/proposals';

/** What waits for a second person, what waits in each queue, and how every part of the server is. */
export function Overview({ waiting }: { readonly waiting: Waiting }) {
  const { queues, parts, at, error, look } = waiting;
  if (at === 0) return <Skeleton label={WORDS.loading} />;
  const proposals = queues.find(({ path }) => path === PROPOSALS);
  return (
    <div className="overview">
      {error !== '' && <Failed error={`${WORDS.stale} ${error}`} onRetry={look} />}
      {proposals !== undefined && <SecondPerson rows={proposals.rows} now={at} />}
      <section>
        <h2>{WORDS.queues}</h2>
        <ul className="tiles">
          {queues.map((queue) => (
            <QueueTile key={queue.path} queue={queue} now={at} />
          ))}
        </ul>
      </section>
      <section>
        <h2>{WORDS.health}</h2>
        <p className="dim">{summaryOf(parts)}</p>
        <ul className="tiles">
          {inPlace(parts).map(([name, part]) => (
            <PartTile key={name} name={name} part={part} now={at} />
          ))}
        </ul>
      </section>
    </div>
  );
}

function SecondPerson({ rows, now }: { readonly rows: readonly Row[]; readonly now: number }) {
  const { name, operations } = useSession();
  const mayApprove = operations.some(({ path }) => path === `${PROPOSALS}/:id/approve`);
  const isOwn = (row: Row) => row['operator'] === name;
  const ordered = rows.toSorted((one, other) => Number(isOwn(one)) - Number(isOwn(other)));
  return (
    <section className="second">
      <h2>{WORDS.secondPerson}</h2>
      {rows.length === 0 && <p className="dim">{WORDS.noSecondPerson}</p>}
      <ul>
        {ordered.map((row) => (
          <li key={textOf(row['id'])}>
            <div>
              <strong>{actionName(textOf(row['operation']))}</strong>{' '}
              {Object.values(objectIn(row['parameters']) ?? {})
                .map((value) => cut(textOf(value)))
                .join(' · ')}
              <p className="dim">
                {WORDS.asked} {textOf(row['operator'])}: “{textOf(row['reason'])}”
              </p>
            </div>
            <span className={`age ${urgencyOf(now - (waitingSince(row) ?? now)) ?? ''}`}>
              {WORDS.lapses} {spanText(Number(row['expiresAt']) - now)}
            </span>
            {isOwn(row) ? (
              <span className="dim">{WORDS.yours}</span>
            ) : (
              <a className={mayApprove ? 'button main' : 'button'} href="#proposals">
                {mayApprove ? WORDS.decide : WORDS.show}
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function QueueTile({ queue: { path, rows }, now }: { readonly queue: Queue; readonly now: number }) {
  const oldest = waitedFor(rows, now);
  const since = Math.min(...rows.map((row) => waitingSince(row) ?? now));
  return (
    <li className={`tile ${rows.length === 0 ? 'calm' : (urgencyOf(now - since) ?? '')}`}>
      <a href={`#${path.split('/')[2] ?? ''}`}>
        <span>{listName(path)}</span>
        <b>{grouped(String(rows.length))}</b>
        <span className="dim">{oldest === '' ? WORDS.emptyQueue : `${WORDS.oldest} ${oldest}`}</span>
      </a>
    </li>
  );
}

function PartTile({ name, part, now }: { readonly name: string; readonly part: Row; readonly now: number }) {
  const { isUp, isStandby, reason, facts } = part;
  const rows = (part['rows'] ?? []) as readonly Row[];
  const tone = isUp === true ? 'good' : isStandby === true ? 'waits' : 'bad';
  const state = { good: WORDS.up, waits: WORDS.standby, bad: WORDS.down }[tone];
  return (
    <li className={`tile part ${tone} ${rows.length === 0 ? '' : 'wide'}`}>
      <div className="title">
        <strong>{headingOf(name)}</strong>
        <span className={`pill ${tone}`}>{state}</span>
      </div>
      {textOf(reason) !== '' && <p className="error">{textOf(reason)}</p>}
      <dl>
        {Object.entries((facts ?? {}) as Row).map(([fact, value]) => (
          <div key={fact}>
            <dt>{headingOf(fact)}</dt>
            <dd title={MOMENT.test(textOf(value)) ? localTime(Date.parse(textOf(value))) : undefined}>
              {factOf(textOf(value), now)}
            </dd>
          </div>
        ))}
      </dl>
      {rows.length > 0 && (
        <RowTable path={`/health/${name}`} shown={rows} label={headingOf(name)} now={now} />
      )}
      <a
        className="entry"
        href={`#runbook/${entryOf(name)}`}
        aria-label={`${WORDS.runbook}: ${headingOf(name)}`}
      >
        {WORDS.runbook}
      </a>
    </li>
  );
}

/** Tables stand below the tiles, where they leave no gap between them. */
function inPlace(parts: Waiting['parts']): Waiting['parts'] {
  return parts.toSorted(([, one], [, other]) => Number('rows' in one) - Number('rows' in other));
}

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** A fact as it is read: how long ago a moment was, numbers with their thousands apart. */
function factOf(text: string, now: number): string {
  return MOMENT.test(text) ? `${spanText(now - Date.parse(text))} ${WORDS.ago}` : grouped(text);
}

function summaryOf(parts: readonly (readonly [string, Row])[]): string {
  const ill = parts.filter(([, { isUp }]) => isUp !== true).map(([name]) => headingOf(name));
  return ill.length === 0 ? WORDS.allWell : `${WORDS.notWell} ${ill.join(', ')}`;
}
