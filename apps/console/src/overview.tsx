import { deviceNow } from '@exchange/web-kit/clock.ts';
import {
  callOperators,
  type OperatorSession,
  rowsOf,
  textOf,
  type Row,
} from '@exchange/web-kit/console/calls.ts';
import { useEffect, useState } from 'react';
import { waitedFor, waits } from './deeds.ts';
import { headingOf, listName, WORDS } from './words.ts';

const EVERY_MS = 10_000;

/** Health of every part, and how much waits in every queue. */
export function Overview({ session }: { readonly session: OperatorSession }) {
  const [parts, setParts] = useState<readonly (readonly [string, Row])[]>([]);
  const [lists, setLists] = useState<readonly { path: string; rows: readonly Row[] }[]>([]);
  const [at, setAt] = useState(0);
  useEffect(() => {
    const look = async () => {
      const { body } = await callOperators('/health');
      setParts(Object.entries((body['components'] ?? {}) as Record<string, Row>));
      const paths = session.operations.filter(({ isQueue }) => isQueue);
      const answers = await Promise.all(
        paths.map(async ({ path }) => ({
          path,
          rows: rowsOf((await callOperators(path)).body).filter(waits),
        })),
      );
      setLists(answers);
      setAt(deviceNow());
    };
    void look();
    const timer = setInterval(() => void look(), EVERY_MS);
    return () => clearInterval(timer);
  }, [session]);
  return (
    <div className="columns">
      <table>
        <caption>{WORDS.queues}</caption>
        <thead>
          <tr>
            <th scope="col">{WORDS.part}</th>
            <th scope="col" className="number">
              {WORDS.rows}
            </th>
            <th scope="col">{WORDS.oldest}</th>
          </tr>
        </thead>
        <tbody>
          {lists.map(({ path, rows }) => (
            <tr key={path}>
              <th scope="row">
                <a href={`#${path.split('/')[2] ?? ''}`}>{listName(path)}</a>
              </th>
              <td className={rows.length === 0 ? 'number dim' : 'number strong'}>{rows.length}</td>
              <td>{waitedFor(rows, at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Health parts={parts} />
    </div>
  );
}

function Health({ parts }: { readonly parts: readonly (readonly [string, Row])[] }) {
  return (
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
  );
}

function factsOf(facts: unknown): string {
  return Object.entries((facts ?? {}) as Row)
    .map(([name, value]) => `${headingOf(name).toLowerCase()} ${shortened(textOf(value))}`)
    .join(' · ');
}

/** Moments within a text as the tables show them. */
function shortened(text: string): string {
  return text.replaceAll(/(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z/g, '$1 $2 UTC');
}
