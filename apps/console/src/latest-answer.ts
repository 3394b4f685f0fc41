import { type Answer, callOperators } from '@exchange/web-kit/console/calls.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { usePresence } from './session.ts';

/**
 * Hook that returns a function that makes a request and passes its result to `accept`. The result is
 * discarded if a newer request was made meanwhile, if `request` changed (it is about another record now), or
 * if the component was unmounted. Responses can arrive in another order than their requests; otherwise a late
 * response would replace a newer one or show another record. `request` must be the same function object as
 * long as it is about the same record.
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
 * Hook that returns the result of a request, which is made on mount, when `request` changes, and by
 * `refetch`; undefined until the first result of the present `request`. `request` must be the same function
 * object as long as it is about the same record, and it must not reject.
 */
export function useResult<Result>(request: () => Promise<Result>) {
  const [loaded, setLoaded] = useState<{ readonly request: unknown; readonly result: Result }>();
  const refetch = useLatest(request, (result) => setLoaded({ request, result }));
  useEffect(() => void refetch(), [refetch]);
  return { result: loaded?.request === request ? loaded.result : undefined, refetch };
}

interface LoadedAnswer {
  readonly address: string;
  /** The last successful response from the present address; undefined before the first. */
  readonly body: Answer['body'] | undefined;
  /** Why the latest request failed; empty when it succeeded. */
  readonly error: string;
}

/**
 * Hook that returns the response of a GET request to the address, made when the address changes and by
 * `refetch`. While the address is new, `body` is undefined; after a failed request the last response of the
 * same address stays, with the error. With an empty address no request is made. If the session has ended, the
 * sign-in dialog opens.
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
