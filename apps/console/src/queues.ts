import { deviceNow } from '@exchange/web-kit/clock.ts';
import {
  callOperators,
  type OperatorSession,
  rowsOf,
  totalOf,
  type Row,
} from '@exchange/web-kit/console/calls.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { waits } from './deeds.ts';
import { useReturn } from './session.ts';

const EVERY_MS = 15_000;

export interface Queue {
  readonly path: string;
  readonly rows: readonly Row[];
  /** How many wait in all: more than `rows` where the server answers the first of them only. */
  readonly count: number;
}

export interface Waiting {
  readonly queues: readonly Queue[];
  readonly parts: readonly (readonly [string, Row])[];
  /** When this was so; 0 until the first answers are there. */
  readonly at: number;
  readonly error: string;
  readonly look: () => void;
}

/**
 * What waits in each queue and how every part is, asked again every quarter of a minute. That keeps no session alive:
 * only where somebody has touched the page since does it count as theirs.
 */
export function useWaiting(session: OperatorSession, onEnded: () => void): Waiting {
  const [found, setFound] = useState<Omit<Waiting, 'look'>>({ queues: [], parts: [], at: 0, error: '' });
  const isTouched = useRef(true);
  const look = useCallback(async () => {
    const how = { isBackground: !isTouched.current };
    isTouched.current = false;
    const paths = session.operations.filter(({ isQueue }) => isQueue).map(({ path }) => path);
    const [health, ...answers] = await Promise.all([
      callOperators('/health', undefined, how),
      ...paths.map((path) => callOperators(path, undefined, how)),
    ]);
    if (answers.some(({ status }) => status === 401)) return onEnded();
    const error = [health, ...answers].find((answer) => answer.error !== undefined)?.error ?? '';
    if (error !== '') return setFound((present) => ({ ...present, error, at: present.at || deviceNow() }));
    setFound({
      queues: paths.map((path, index) => queueOf(path, answers[index]?.body ?? {})),
      parts: Object.entries((health.body['components'] ?? {}) as Record<string, Row>),
      at: deviceNow(),
      error,
    });
  }, [session, onEnded]);
  useEffect(() => {
    const touch = () => (isTouched.current = true);
    addEventListener('keydown', touch, true);
    addEventListener('pointerdown', touch, true);
    void look();
    const timer = setInterval(() => void look(), EVERY_MS);
    return () => {
      clearInterval(timer);
      removeEventListener('keydown', touch, true);
      removeEventListener('pointerdown', touch, true);
    };
  }, [look]);
  useReturn(() => void look());
  return { ...found, look: () => void look() };
}

/** How many rows wait in the queues of an area. */
export function countOf(queues: readonly Queue[], area: string): number {
  return queues.filter(({ path }) => path.split('/')[2] === area).reduce((all, { count }) => all + count, 0);
}

function queueOf(path: string, body: Row): Queue {
  const answered = rowsOf(body);
  const rows = answered.filter(waits);
  const behind = Math.max(0, (totalOf(body) ?? 0) - answered.length);
  return { path, rows, count: rows.length + behind };
}
