import { formatValue } from '@exchange/web-kit/console/calls.ts';
import {
  type AnsweredRow,
  approveProposal,
  proposals as proposalList,
} from '@exchange/web-kit/console/described.ts';
import { actionName } from './operations.ts';
import { Health, FailingParts } from './health.tsx';
import { HouseBoard } from './house-board.tsx';
import type { Queue, PendingWork } from './queues.ts';
import { areaOf, useSession } from './session.ts';
import { Failed, Skeleton } from './states.tsx';
import {
  formatNumber,
  summarize,
  parseObject,
  spanText,
  urgencyOf,
  longestWait,
  waitingSince,
} from './texts.ts';
import { areaName, WORDS } from './words.ts';

/**
 * The console's start page: components that are down, proposals that need a second operator, queues of pending rows,
 * the exchange's own results, and the status of all other components.
 */
export function Overview({ waiting }: { readonly waiting: PendingWork }) {
  const { queues, parts, at, error, poll } = waiting;
  if (at === 0) return <Skeleton label={WORDS.loading} />;
  const proposals = queues.find(({ list }) => list.path === proposalList.path);
  return (
    <div className="overview">
      {error !== '' && <Failed error={`${WORDS.stale} ${error}`} onRetry={poll} />}
      <FailingParts parts={parts} now={at} />
      {proposals !== undefined && <SecondOperator rows={proposals.rows} now={at} />}
      <section>
        <h2>{WORDS.queues}</h2>
        <ul className="tiles">
          {queues.map((queue) => (
            <QueueTile key={queue.list.path} queue={queue} queues={queues} now={at} />
          ))}
        </ul>
      </section>
      <HouseBoard>
        <Health parts={parts} now={at} />
      </HouseBoard>
    </div>
  );
}

type Proposal = AnsweredRow<typeof proposalList.rows.columns>;

function SecondOperator({ rows, now }: { readonly rows: readonly Proposal[]; readonly now: number }) {
  const { name, operations } = useSession();
  const mayApprove = operations.some(({ path }) => path === approveProposal.path);
  const isOwn = ({ operator }: Proposal) => operator === name;
  // Without pending proposals the section is left out; the tile of the queue of proposals already shows the number
  // zero.
  if (rows.length === 0) return null;
  const ordered = rows.toSorted((a, b) => Number(isOwn(a)) - Number(isOwn(b)));
  return (
    <section className="second">
      <h2>{WORDS.secondPerson}</h2>
      <ul>
        {ordered.map((row) => (
          <li key={formatValue(row.id)}>
            <div>
              <strong>{actionName(formatValue(row.operation))}</strong>{' '}
              {summarize(parseObject(row.parameters) ?? {})}
              <p className="dim">
                {WORDS.asked} {formatValue(row.operator)}: “{formatValue(row.reason)}”
              </p>
            </div>
            <span className={`age ${urgencyOf(now - (waitingSince(proposalList.rows, row) ?? now)) ?? ''}`}>
              {WORDS.lapses} {spanText(Number(row.expiresAt) - now)}
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

interface QueueTileProps {
  readonly queue: Queue;
  readonly queues: readonly Queue[];
  readonly now: number;
}

function QueueTile({ queue: { list, rows, count }, queues, now }: QueueTileProps) {
  const area = areaOf(list);
  const isOnly = queues.filter((queue) => areaOf(queue.list) === area).length === 1;
  const description = list.rows ?? {};
  const oldest = longestWait(description, rows, now);
  const since = Math.min(...rows.map((row) => waitingSince(description, row) ?? now));
  return (
    <li className={`tile ${rows.length === 0 ? 'calm' : (urgencyOf(now - since) ?? '')}`}>
      <a href={`#${area}`}>
        <span>{isOnly ? areaName(area) : `${areaName(area)}: ${list.name.toLowerCase()}`}</span>
        <b>{formatNumber(String(count))}</b>
        <span className="dim">{oldest === '' ? WORDS.emptyQueue : `${WORDS.oldest} ${oldest}`}</span>
      </a>
    </li>
  );
}
