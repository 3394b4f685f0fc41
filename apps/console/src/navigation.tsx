import type { OperatorSession } from '@exchange/web-kit/console/calls.ts';
import { useEffect, useRef } from 'react';
import { countOf, type Queue } from './queues.ts';
import { areaOf } from './session.ts';
import { areaName, WORDS } from './words.ts';

export const OVERVIEW = 'overview';
export const RUNBOOK = 'runbook';
/** Served for the palette, and no area of its own. */
const SEARCH = 'search';

const GROUPS: readonly (readonly [string, readonly string[]])[] = [
  ['', [OVERVIEW]],
  [WORDS.group.queues, ['proposals', 'kyc', 'deposits', 'withdrawals', 'support']],
  [WORDS.group.people, ['users', 'invite', 'operators', 'audit']],
  [WORDS.group.market, ['pairs', 'sources', 'assets']],
  [WORDS.group.products, ['finance', 'mining', 'fund', 'subscription', 'seconds', 'convert']],
  [WORDS.group.house, ['house', 'board']],
];

/** The areas that a session may see, in groups; what no group names comes last, with the runbook. */
export function groupsOf({ operations }: OperatorSession): readonly (readonly [string, readonly string[]])[] {
  const served = new Set(operations.map(areaOf));
  served.delete(SEARCH);
  const known = GROUPS.flatMap(([, areas]) => areas);
  const others = [...served].filter((area) => !known.includes(area));
  return [...GROUPS, ['', [...others, RUNBOOK]] as const]
    .map(([title, areas]) => [title, areas.filter((area) => has(served, area))] as const)
    .filter(([, areas]) => areas.length > 0);
}

function has(served: ReadonlySet<string>, area: string): boolean {
  return area === OVERVIEW || area === RUNBOOK || served.has(area);
}

interface Props {
  readonly session: OperatorSession;
  readonly area: string;
  readonly queues: readonly Queue[];
  /** How many parts of the server are not up. */
  readonly troubles: number;
}

/** The areas, with how much waits in each. */
export function Navigation({ session, area, queues, troubles }: Props) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // Where the areas lie in a row, the chosen one may be out of sight.
    const link = nav.current?.querySelector(`[href="#${CSS.escape(area)}"]`);
    link?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
  }, [area]);
  return (
    <nav ref={nav} aria-label={WORDS.areas}>
      {groupsOf(session).map(([title, areas]) => (
        <div key={title + areas[0]} className="group">
          {title !== '' && <p>{title}</p>}
          {areas.map((name) => {
            const isOverview = name === OVERVIEW;
            const count = isOverview ? troubles : countOf(queues, name);
            return (
              <a key={name} href={`#${name}`} aria-current={name === area ? 'page' : undefined}>
                {areaName(name)}
                {count > 0 && (
                  <b className={`count ${isOverview ? 'bad' : ''}`}>
                    {count}
                    <span className="visually-hidden"> {isOverview ? WORDS.notUp : WORDS.waiting}</span>
                  </b>
                )}
              </a>
            );
          })}
        </div>
      ))}
      <p className="dim hint">{WORDS.keysHint}</p>
    </nav>
  );
}
