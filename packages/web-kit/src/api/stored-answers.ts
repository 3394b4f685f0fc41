import { Decimal } from '@exchange/core/decimal.ts';
import {
  hashKey,
  type QueryFunctionContext,
  type QueryKey,
  type UseQueryOptions,
} from '@tanstack/react-query';
import { create } from 'zustand';
import { onFeedLive } from '../feed/feed.ts';
import { ownBuild } from '../part/build.ts';
import { onUserLeft, USER_DATA } from '../session/user-keys.ts';
import { OWN_ANSWERS_KEY, storedUserId } from '../session/session-store.ts';
import { isRecord, parseJson, readStored, store } from '../storage.ts';
import { CallFailed } from './client.ts';
import { queryClient, useRead, type Read } from './query-client.ts';

/**
 * Storage key of the stored public responses. The last responses to some requests are stored on the device, so that
 * screens can show them while the server cannot be reached. Personal responses are stored under another key, together
 * with the user's ID, until this user signs out or another user signs in.
 */

const PUBLIC_ANSWERS_KEY = 'Last-Answers';
/**
 * Milliseconds after which the responses are stored on the device again. They are also stored whenever the page is
 * hidden.
 */
const STORE_EVERY_MS = 30_000;
/**
 * Milliseconds after which a query without a response from the server shows the stored response. If the device is
 * offline, the stored response is shown immediately.
 */
const SLOW_MS = 3_000;
/** Maximum number of stored public responses, and of stored personal ones; the oldest are removed first. */
const MOST_ANSWERS = 40;
const MOST_CHARACTERS = 400_000;

/** A server's response that is stored on the device. */
export interface StoredAnswer {
  /** Time at which the response arrived, in milliseconds UTC by the device's clock. */
  readonly time: number;
  readonly data: unknown;
}

type Answers = Readonly<Record<string, StoredAnswer>>;

/** Metadata of queries whose responses are stored on the device. */
const STORED_META = { isStored: true } as const;

/**
 * The times, in milliseconds UTC, at which the stored responses that the screen shows now arrived, by the
 * name of the response.
 */
const useShownTimes = create<{ readonly times: ReadonlyMap<string, number> }>(() => ({ times: new Map() }));

/**
 * Returns the time of the oldest stored response that is on the screen, in milliseconds UTC. Returns undefined if all
 * data on the screen are fresh.
 */
export function useStoredSince(): number | undefined {
  return useShownTimes(({ times }) => (times.size === 0 ? undefined : Math.min(...times.values())));
}

/**
 * Records that the stored response `name` with this time is on the screen. An undefined time means that a fresh
 * response has replaced it.
 */
export function setShownTime(name: string, time: number | undefined): void {
  const { times } = useShownTimes.getState();
  if (times.get(name) === time) return;
  const next = new Map(times);
  if (time === undefined) next.delete(name);
  else next.set(name, time);
  useShownTimes.setState({ times: next });
}

interface StoredQueryOptions<Answer, Data> extends UseQueryOptions<Answer, Error, Data> {
  readonly queryFn: (context: QueryFunctionContext) => Promise<Answer>;
}

/**
 * Runs a query like `useRead`, whose response is stored on the device. While the query has no data, the
 * stored response is shown if the device is offline, if the request gets no response, or if it takes more
 * than three seconds, until a fresh response arrives. While a stored response is shown, its time counts for
 * `useStoredSince`.
 */
export function useStoredRead<Answer, Data = Answer>(options: StoredQueryOptions<Answer, Data>): Read<Data> {
  const { queryKey, queryFn } = options;
  return useRead<Answer, Data>({
    ...options,
    meta: STORED_META,
    queryFn: (context) => loadOrShowStored(queryKey, () => queryFn(context)),
  });
}

async function loadOrShowStored<Answer>(queryKey: QueryKey, load: () => Promise<Answer>): Promise<Answer> {
  const timer = setTimeout(() => showStored(queryKey), navigator.onLine ? SLOW_MS : 0);
  try {
    const answer = await load();
    setShownTime(hashKey(queryKey), undefined);
    return answer;
  } catch (error) {
    // The stored response is shown only if the request got no response. After a refusal it is obsolete.
    if (error instanceof CallFailed) showStored(queryKey);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Shows the response that is stored on the device, if the query has no data. */
function showStored(queryKey: QueryKey): void {
  if (queryClient.getQueryData(queryKey) !== undefined) return;
  const name = hashKey(queryKey);
  const answer = storedAnswer(name, isPersonal(queryKey));
  if (answer === undefined) return;
  setShownTime(name, answer.time);
  queryClient.setQueryData(queryKey, answer.data, { updatedAt: answer.time });
}

function isPersonal([keyPrefix]: QueryKey): boolean {
  return keyPrefix === USER_DATA;
}

/**
 * Returns the stored response with this name; undefined if there is none. With `own` it is that of the signed-in user.
 */
export function storedAnswer(name: string, own = false): StoredAnswer | undefined {
  return answersIn(own ? OWN_ANSWERS_KEY : PUBLIC_ANSWERS_KEY, own ? storedUserId() : null)[name];
}

/**
 * Returns the responses under a storage key if this build of the app has stored them for this user (null: public
 * responses). Otherwise returns none, because another build may use another data format.
 */
function answersIn(key: string, userId: string | null): Answers {
  const stored = parseJson(readStored(key));
  if (!isRecord(stored) || stored['build'] !== buildName() || stored['userId'] !== userId) return {};
  const { answers } = stored;
  if (!isRecord(answers)) return {};
  const validAnswers = Object.entries(answers).flatMap(([name, answer]) =>
    isRecord(answer) && typeof answer['time'] === 'number' && answer['data'] !== undefined
      ? [[name, { time: answer['time'], data: fromJsonValue(answer['data']) }] as const]
      : [],
  );
  return Object.fromEntries(validAnswers);
}

const buildName = (): string => ownBuild ?? '';

type Source = () => StoredAnswer | undefined;
const sources = new Map<string, Source>();

/** A response in memory that is to be stored on the device. */
interface FreshAnswer extends StoredAnswer {
  readonly name: string;
  /** Id of the user who received the response; null for public responses. */
  readonly userId: unknown;
}

/**
 * Registers a function that returns public data of the live feed. They are stored on this device under
 * `name`, together with the responses of queries.
 */
export function registerStoredSource(name: string, source: Source): void {
  sources.set(name, source);
}

/**
 * Stores on the device all fresh responses that are in memory. Earlier stored responses without a fresh
 * version stay.
 */
export function storeAnswers(): void {
  const { times } = useShownTimes.getState();
  const fresh = [...answersOfQueries(), ...answersOfSources()].filter(({ name }) => !times.has(name));
  storeUnder(PUBLIC_ANSWERS_KEY, null, fresh);
  // The user's id is read from the device's storage, because another tab may have signed the user out.
  const userId = storedUserId();
  if (userId !== null) storeUnder(OWN_ANSWERS_KEY, userId, fresh);
}

function answersOfQueries(): FreshAnswer[] {
  return queryClient
    .getQueryCache()
    .getAll()
    .filter(({ meta, state }) => meta?.['isStored'] === true && state.data !== undefined)
    .map(({ queryHash, queryKey, state }) => ({
      name: queryHash,
      time: state.dataUpdatedAt,
      data: state.data,
      userId: isPersonal(queryKey) ? queryKey[1] : null,
    }));
}

function answersOfSources(): FreshAnswer[] {
  return [...sources].flatMap(([name, source]) => {
    const answer = source();
    return answer === undefined ? [] : [{ name, time: answer.time, data: answer.data, userId: null }];
  });
}

/**
 * Stores the fresh responses that belong to the user `userId` (null: the public responses) on the device,
 * together with those already stored. Only the newest `MOST_ANSWERS` responses are kept, and of these none
 * that is longer than `MOST_CHARACTERS`.
 */
function storeUnder(key: string, userId: string | null, fresh: readonly FreshAnswer[]): void {
  const ownAnswers = fresh.filter((answer) => answer.userId === userId);
  if (ownAnswers.length === 0) return;
  const answersByName = new Map(Object.entries(answersIn(key, userId)));
  for (const { name, time, data } of ownAnswers) answersByName.set(name, { time, data });
  const answers = [...answersByName]
    .toSorted(([, left], [, right]) => right.time - left.time)
    .slice(0, MOST_ANSWERS)
    .map(([name, { time, data }]) => [name, { time, data: toJsonValue(data) }] as const)
    .filter(([, { data }]) => JSON.stringify(data).length <= MOST_CHARACTERS);
  store(key, JSON.stringify({ build: buildName(), userId, answers: Object.fromEntries(answers) }));
}

/** Name of the JSON field by which a serialised decimal is recognised. */
const DECIMAL = '$decimal';

/** Converts data to JSON values. A decimal becomes an object with its text. */
function toJsonValue(value: unknown): unknown {
  if (value instanceof Decimal) return { [DECIMAL]: value.toString() };
  if (Array.isArray(value)) return value.map(toJsonValue);
  if (!isRecord(value)) return value ?? null;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) =>
      field === undefined ? [] : [[name, toJsonValue(field)]],
    ),
  );
}

/** Converts the JSON values that `toJsonValue` returns back to data. */
function fromJsonValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromJsonValue);
  if (!isRecord(value)) return value;
  const decimal = value[DECIMAL];
  if (typeof decimal === 'string') return Decimal.parse(decimal);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, fromJsonValue(field)]));
}

/**
 * Removes stored responses that no component uses from the query cache. When a component uses one again, it is
 * requested from the server.
 */
function dropUnusedAnswers(): void {
  const { times } = useShownTimes.getState();
  for (const query of queryClient.getQueryCache().getAll()) {
    if (!times.has(query.queryHash) || query.getObserversCount() > 0) continue;
    setShownTime(query.queryHash, undefined);
    queryClient.removeQueries({ queryKey: query.queryKey, exact: true });
  }
}

/**
 * Starts to store responses on the device, every 30 seconds and when the page is hidden. Also does the following: when
 * the signed-in user changes, the personal responses no longer count as shown on the screen; when the live feed
 * connects, stored responses that no component uses are removed from the query cache. Returns a function that stops all
 * of this.
 */
export function startStoredAnswers(): () => void {
  const onHidden = (): void => {
    if (document.visibilityState === 'hidden') storeAnswers();
  };
  const timer = setInterval(storeAnswers, STORE_EVERY_MS);
  document.addEventListener('visibilitychange', onHidden);
  window.addEventListener('pagehide', storeAnswers);
  const stopFollowingFeed = onFeedLive(dropUnusedAnswers);
  const stopFollowingUser = onUserLeft(() => {
    for (const name of useShownTimes.getState().times.keys())
      if (name.startsWith(`["${USER_DATA}"`)) setShownTime(name, undefined);
  });
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onHidden);
    window.removeEventListener('pagehide', storeAnswers);
    stopFollowingFeed();
    stopFollowingUser();
  };
}
