import { PRODUCT_ACCOUNTS } from '@exchange/core/accounts.ts';
import type { OperatorSession } from '@exchange/web-kit/console/calls.ts';
import { useEffect, useRef } from 'react';
import { countOf, type Queue } from './queues.ts';
import { areaOf } from './session.ts';
import { areaName, WORDS } from './words.ts';

export const OVERVIEW = 'overview';
export const RUNBOOK = 'runbook';
/**
 * Names of areas, the segments of operation paths after `/ops/`, that the navigation leaves out: only the command
 * palette and the decisions on several rows use their operations.
 */
const NO_AREAS = ['search', 'several'];

/**
 * Areas of products in the order of the navigation; product areas not named here follow in the order of
 * `PRODUCT_ACCOUNTS`, the list of products with an account of their own.
 */
const PRODUCT_AREAS = [
  ...new Set(['finance', 'mining', 'fund', 'subscription', 'seconds', 'convert', ...PRODUCT_ACCOUNTS]),
];

const GROUPS: readonly (readonly [string, readonly string[]])[] = [
  ['', [OVERVIEW]],
  [WORDS.group.queues, ['proposals', 'kyc', 'deposits', 'withdrawals', 'support']],
  [WORDS.group.people, ['users', 'screening', 'invite', 'operators', 'audit']],
  [WORDS.group.market, ['pairs', 'sources', 'assets']],
  [WORDS.group.products, PRODUCT_AREAS],
  [WORDS.group.house, ['figures', 'treasury', 'networks', 'house', 'board']],
];

/**
 * Returns the areas that the session's operations belong to, in the groups of the navigation; areas without a
 * group come last, followed by the runbook. The overview and the runbook are always included.
 */
export function groupsOf({ operations }: OperatorSession): readonly (readonly [string, readonly string[]])[] {
  const served = new Set(operations.map(areaOf));
  for (const area of NO_AREAS) served.delete(area);
  const groupedAreas = GROUPS.flatMap(([, areas]) => areas);
  const otherAreas = [...served].filter((area) => !groupedAreas.includes(area));
  return [...GROUPS, ['', [...otherAreas, RUNBOOK]] as const]
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
  /** Number of server components that are down. */
  readonly troubles: number;
}

/**
 * Navigation between the console's areas; an area with pending rows shows their number, the overview the number of
 * components that are down.
 */
export function Navigation({ session, area, queues, troubles }: Props) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // In the horizontal layout the selected area may be scrolled out of view, so it is scrolled into view.
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
