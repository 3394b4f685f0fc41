import {
  callOperators,
  cellOf,
  type OperatorSession,
  rowsOf,
  textOf,
  type Row,
} from '@exchange/web-kit/console/calls.ts';
import { useEffect, useState } from 'react';
import { headingOf, listName, WORDS } from './words.ts';

const EVERY_MS = 10_000;

/** Health of every part, and how much waits in every queue. */
export function Overview({ session }: { readonly session: OperatorSession }) {
  const [parts, setParts] = useState<readonly (readonly [string, Row])[]>([]);
  const [lists, setLists] = useState<readonly { path: string; rows: readonly Row[] }[]>([]);
  useEffect(() => {
    const look = async () => {
      const { body } = await callOperators('/health');
      setParts(Object.entries((body['components'] ?? {}) as Record<string, Row>));
      const paths = session.operations.filter(({ isQueue }) => isQueue);
      const answers = await Promise.all(
        paths.map(async ({ path }) => ({ path, rows: rowsOf((await callOperators(path)).body) })),
      );
      setLists(answers);
    };
    void look();
    const timer = setInterval(() => void look(), EVERY_MS);
    return () => clearInterval(timer);
  }, [session]);
  return (
    <div className="columns">
      <table>
        <caption>{WORDS.health}</caption>
        <thead>
          <tr>
            <th scope="col">{WORDS.part}</th>
            <th scope="col">{WORDS.state}</th>
            <th scope="col">{WORDS.facts}</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(([name, { isUp, reason, facts }]) => (
            <tr key={name}>
              <th scope="row">{headingOf(name)}</th>
              <td className={isUp === true ? 'up' : 'down'}>{isUp === true ? WORDS.up : WORDS.down}</td>
              <td>
                {textOf(reason)} {factsOf(facts)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <table>
        <caption>{WORDS.queues}</caption>
        <thead>
          <tr>
            <th scope="col">{WORDS.part}</th>
            <th scope="col">{WORDS.rows}</th>
            <th scope="col">{WORDS.oldest}</th>
          </tr>
        </thead>
        <tbody>
          {lists.map(({ path, rows }) => (
            <tr key={path}>
              <th scope="row">
                <a href={`#${path.split('/')[2] ?? ''}`}>{listName(path)}</a>
              </th>
              <td className="number">{rows.length}</td>
              <td>{oldestOf(rows)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function factsOf(facts: unknown): string {
  return Object.entries((facts ?? {}) as Row)
    .map(([name, value]) => `${headingOf(name).toLowerCase()} ${shortened(textOf(value))}`)
    .join(' · ');
}

function oldestOf(rows: readonly Row[]): string {
  const moments = rows.flatMap((row) => {
    const value = row['submittedAt'] ?? row['createdAt'];
    return typeof value === 'number' ? [value] : [];
  });
  return moments.length === 0 ? '' : cellOf('createdAt', Math.min(...moments));
}

/** Moments within a text as the tables show them. */
function shortened(text: string): string {
  return text.replaceAll(/(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z/g, '$1 $2 UTC');
}
