import { deviceNow } from '@exchange/web-kit/clock.ts';
import {
  callOperators,
  type Operation,
  type OperatorSession,
  rowsOf,
  totalOf,
  type Row,
} from '@exchange/web-kit/console/calls.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLatest } from './latest-answer.ts';
import { isPending } from './operations.ts';
import { areaOf, useOperatorReturn } from './session.ts';

const POLL_MS = 15_000;

export interface Queue {
  readonly list: Operation;
  readonly rows: readonly Row[];
  /**
   * Number of pending rows on the server, which is larger than the number in `rows` if the server returned only the
   * first ones.
   */
  readonly count: number;
}

export interface PendingWork {
  readonly queues: readonly Queue[];
  readonly parts: readonly (readonly [string, Row])[];
  /** Time at which the data was last fetched, or the first fetch failed, in milliseconds UTC; 0 before either. */
  readonly at: number;
  readonly error: string;
  readonly poll: () => void;
}

/**
 * Hook with the pending rows of each queue and the status of all components, fetched every 15 seconds. Such a
 * request extends the session only if the operator has used the page since the previous one. If a request
 * fails, the values fetched before stay, with the error; if the session has ended, `onEnded` is called.
 */
export function usePendingWork(session: OperatorSession, onEnded: () => void): PendingWork {
  const [waiting, setWaiting] = useState<Omit<PendingWork, 'poll'>>({
    queues: [],
    parts: [],
    at: 0,
    error: '',
  });
  const isTouched = useRef(true);
  const request = useCallback(async () => {
    const options = { isBackground: !isTouched.current };
    isTouched.current = false;
    const lists = session.operations.filter(({ isQueue }) => isQueue);
    const [health, ...answers] = await Promise.all([
      callOperators('/health', undefined, options),
      ...lists.map(({ path }) => callOperators(path, undefined, options)),
    ]);
    return { lists, health, answers };
  }, [session]);
  const poll = useLatest(request, ({ lists, health, answers }) => {
    if (answers.some(({ status }) => status === 401)) return onEnded();
    const error = [health, ...answers].find((answer) => answer.error !== undefined)?.error ?? '';
    if (error !== '') return setWaiting((present) => ({ ...present, error, at: present.at || deviceNow() }));
    setWaiting({
      queues: lists.map((list, index) => queueOf(list, answers[index]?.body ?? {})),
      parts: Object.entries((health.body['components'] ?? {}) as Record<string, Row>),
      at: deviceNow(),
      error,
    });
  });
  useEffect(() => {
    const touch = () => (isTouched.current = true);
    addEventListener('keydown', touch, true);
    addEventListener('pointerdown', touch, true);
    void poll();
    const timer = setInterval(() => void poll(), POLL_MS);
    return () => {
      clearInterval(timer);
      removeEventListener('keydown', touch, true);
      removeEventListener('pointerdown', touch, true);
    };
  }, [poll]);
  useOperatorReturn(() => void poll());
  return { ...waiting, poll: () => void poll() };
}

/** Returns the number of pending rows in all queues of an area together. */
export function countOf(queues: readonly Queue[], area: string): number {
  return queues.filter(({ list }) => areaOf(list) === area).reduce((total, { count }) => total + count, 0);
}

function queueOf(list: Operation, body: Row): Queue {
  const answered = rowsOf(list.rows, body);
  const rows = answered.filter((row) => isPending(list.rows, row));
  const behind = Math.max(0, (totalOf(body) ?? 0) - answered.length);
  return { list, rows, count: rows.length + behind };
}
