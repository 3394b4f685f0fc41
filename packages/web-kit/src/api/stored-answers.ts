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
 * Storage key of the public answers. The last answers of some requests are stored on the device for times
 * when the exchange cannot be reached: public answers for everyone, personal answers under the user's id
 * until that user signs out or another signs in.
 */

const PUBLIC_ANSWERS_KEY = 'Last-Answers';
/**
 * Interval in milliseconds at which answers are stored on the device; they are also stored whenever the page
 * is hidden.
 */
const STORE_EVERY_MS = 30_000;
/** Milliseconds to wait for the server's answer before the stored one is shown, unless the device is offline. */
const SLOW_MS = 3_000;
/**
 * Maximum number of stored public answers, and of stored personal ones (the oldest are dropped first), and maximum
 * characters of one answer.
 */
const MOST_ANSWERS = 40;
const MOST_CHARACTERS = 400_000;

/** An answer as stored on the device. */
export interface StoredAnswer {
  /** Time of the server's answer in milliseconds UTC by the device's clock. */
  readonly time: number;
  readonly data: unknown;
}

type Answers = Readonly<Record<string, StoredAnswer>>;

/** Query metadata that marks stored queries. */
const STORED_META = { isStored: true } as const;

/** Stored answers on screen: the time of each answer by name. */
const useShownTimes = create<{ readonly times: ReadonlyMap<string, number> }>(() => ({ times: new Map() }));

/**
 * Time of the oldest stored answer that is on screen, in milliseconds UTC; undefined while all displayed data
 * are fresh.
 */
export function useStoredSince(): number | undefined {
  return useShownTimes(({ times }) => (times.size === 0 ? undefined : Math.min(...times.values())));
}

/** Records that a stored answer of this time is on screen; undefined means that a fresh answer has replaced it. */
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
 * Like `useRead`, for an answer that is stored on the device. If the device is offline, or the call fails or takes
 * more than three seconds, the stored answer is shown until a fresh one arrives; `useStoredSince` returns its time.
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
    // Only a failed request falls back to the stored answer; a refusal makes it obsolete.
    if (error instanceof CallFailed) showStored(queryKey);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Shows the answer stored on the device for a query that has no data. */
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
 * The stored answer to a query, by its name; with `own` that of the signed-in user. Undefined when there is
 * none.
 */
export function storedAnswer(name: string, own = false): StoredAnswer | undefined {
  return answersIn(own ? OWN_ANSWERS_KEY : PUBLIC_ANSWERS_KEY, own ? storedUserId() : null)[name];
}

/**
 * Parses the answers under a storage key if this build of the app stored them for this user; other builds may
 * use another data format.
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

/** An answer in memory that is to be stored. */
interface FreshAnswer extends StoredAnswer {
  readonly name: string;
  /** Id of the user who received the answer; null for public answers. */
  readonly userId: unknown;
}

/**
 * Registers public data of the live feed, returned by `source`, to be stored under `name` with the queries' answers.
 */
export function registerStoredSource(name: string, source: Source): void {
  sources.set(name, source);
}

/** Stores all fresh answers in memory on the device; older stored ones stay. */
export function storeAnswers(): void {
  const { times } = useShownTimes.getState();
  const fresh = [...answersOfQueries(), ...answersOfSources()].filter(({ name }) => !times.has(name));
  storeUnder(PUBLIC_ANSWERS_KEY, null, fresh);
  // Another tab may have signed the user out, so the user id in the device's storage counts.
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

/** Stores the fresh answers of one user on the device, or the public ones for null. */
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

/** JSON key that marks a serialised decimal. */
const DECIMAL = '$decimal';

/** Converts data to JSON values, decimals to marked texts. */
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

/** Converts JSON values back that `toJsonValue` converted. */
function fromJsonValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromJsonValue);
  if (!isRecord(value)) return value;
  const decimal = value[DECIMAL];
  if (typeof decimal === 'string') return Decimal.parse(decimal);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, fromJsonValue(field)]));
}

/** Removes stored answers that no component uses; while online they are fetched when next used. */
function dropUnusedAnswers(): void {
  const { times } = useShownTimes.getState();
  for (const query of queryClient.getQueryCache().getAll()) {
    if (!times.has(query.queryHash) || query.getObserversCount() > 0) continue;
    setShownTime(query.queryHash, undefined);
    queryClient.removeQueries({ queryKey: query.queryKey, exact: true });
  }
}

/**
 * Stores answers on the device periodically and when the page is hidden. When the user changes, forgets which
 * personal answers are on screen. Returns a function that stops this.
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
