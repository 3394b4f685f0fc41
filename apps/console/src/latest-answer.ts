import { type Answer, callOperators } from '@exchange/web-kit/console/calls.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { usePresence } from './session.ts';

/**
 * Returns a function that makes a request and passes its result to `accept`, unless a newer request was made
 * meanwhile, `request` is for another subject by now, or the component is gone. Responses can arrive in another
 * order than their requests; without this, a late response would replace a newer one or show another record.
 * `request` must keep its identity as long as its subject is the same.
 */
export function useLatest<Result, Parameter = undefined>(
  request: (parameter?: Parameter) => Promise<Result>,
  accept: (result: Result, parameter?: Parameter) => void,
): (parameter?: Parameter) => Promise<void> {
  const latestAccept = useRef(accept);
  const newest = useRef(0);
  const subject = useRef<unknown>(undefined);
  useEffect(() => {
    latestAccept.current = accept;
  });
  useEffect(() => {
    subject.current = request;
    return () => {
      subject.current = undefined;
    };
  }, [request]);
  return useCallback(
    async (parameter?: Parameter) => {
      const number = (newest.current += 1);
      const result = await request(parameter);
      const isNewest = number === newest.current && subject.current === request;
      if (isNewest) latestAccept.current(result, parameter);
    },
    [request],
  );
}

/**
 * The result of a request, made when the request changes and by `refetch`; undefined until the first result of this
 * request. `request` must keep its identity as long as its subject is the same, and must not reject.
 */
export function useResult<Result>(request: () => Promise<Result>) {
  const [loaded, setLoaded] = useState<{ readonly request: unknown; readonly result: Result }>();
  const refetch = useLatest(request, (result) => setLoaded({ request, result }));
  useEffect(() => void refetch(), [refetch]);
  return { result: loaded?.request === request ? loaded.result : undefined, refetch };
}

interface LoadedAnswer {
  readonly address: string;
  /** The last successful response; undefined before the first. */
  readonly body: Answer['body'] | undefined;
  /** Why the latest request failed; empty when it succeeded. */
  readonly error: string;
}

/**
 * The response at an address, fetched when the address changes and by `refetch`. A response of another address is
 * never returned. With an empty address nothing is fetched.
 */
export function useAnswer(address: string) {
  const { onEnded } = usePresence();
  const [loaded, setLoaded] = useState<LoadedAnswer>();
  const request = useCallback(() => callOperators(address), [address]);
  const fetchNow = useLatest(request, ({ status, body, error }) => {
    if (status === 401) return onEnded();
    setLoaded((present) =>
      error === undefined
        ? { address, body, error: '' }
        : { address, body: present?.address === address ? present.body : undefined, error },
    );
  });
  const refetch = useCallback(async () => {
    if (address !== '') await fetchNow();
  }, [address, fetchNow]);
  useEffect(() => void refetch(), [refetch]);
  const { body, error = '' } = loaded?.address === address ? loaded : ({} as Partial<LoadedAnswer>);
  return { body, error, refetch };
}
