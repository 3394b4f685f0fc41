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
import { onPersonLeft, OWN } from '../session/own-key.ts';
import { OWN_ANSWERS_KEY, storedUserId } from '../session/session-store.ts';
import { isRecord, jsonIn, recall, remember } from '../storage.ts';
import { CallFailed } from './client.ts';
import { queryClient, useRead, type Read } from './query-client.ts';

/*
 * The last answers of some calls, stored on the device for when the exchange cannot be reached. Public ones are stored
 * for everybody; those of a person under their id, until they sign out or another person signs in.
 */

const PUBLIC_ANSWERS_KEY = 'Last-Answers';
/** How often what is on screen is stored, besides every time the page is left. */
const STORE_EVERY_MS = 30_000;
/** After so long without an answer the stored one is shown until it comes. */
const SLOW_MS = 3_000;
/** Answers stored at most per person, the oldest dropped first, and characters of one of them. */
const MOST_ANSWERS = 40;
const MOST_CHARACTERS = 400_000;

/** An answer as it is stored. */
export interface StoredAnswer {
  /** When it came, in milliseconds UTC by the device's clock. */
  readonly time: number;
  readonly data: unknown;
}

type Answers = Readonly<Record<string, StoredAnswer>>;

/** Marks queries whose answers are stored. */
const STORED_META = { isStored: true } as const;

/** Stored answers on screen: by name, when each came. */
const useShownTimes = create<{ readonly times: ReadonlyMap<string, number> }>(() => ({ times: new Map() }));

/** When the oldest stored answer on screen came (milliseconds UTC); undefined while everything is fresh. */
export function useStoredSince(): number | undefined {
  return useShownTimes(({ times }) => (times.size === 0 ? undefined : Math.min(...times.values())));
}

/** Notes that a stored answer of this time is on screen; undefined says that a fresh one has taken its place. */
export function noteShown(name: string, time: number | undefined): void {
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
 * As `useRead`, for an answer that is stored on the device: where the call gets no answer, or none within three seconds,
 * the stored one is shown until a fresh one comes, and `useStoredSince` says when it came.
 */
export function useStoredRead<Answer, Data = Answer>(options: StoredQueryOptions<Answer, Data>): Read<Data> {
  const { queryKey, queryFn } = options;
  return useRead<Answer, Data>({
    ...options,
    meta: STORED_META,
    queryFn: (context) => withStored(queryKey, () => queryFn(context)),
  });
}

async function withStored<Answer>(queryKey: QueryKey, load: () => Promise<Answer>): Promise<Answer> {
  const timer = setTimeout(() => showStored(queryKey), navigator.onLine ? SLOW_MS : 0);
  try {
    const answer = await load();
    noteShown(hashKey(queryKey), undefined);
    return answer;
  } catch (error) {
    // Reason: a refusal is an answer, and what was stored before it says nothing any more.
    if (error instanceof CallFailed) showStored(queryKey);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Shows the stored answer of a query that has none. */
function showStored(queryKey: QueryKey): void {
  if (queryClient.getQueryData(queryKey) !== undefined) return;
  const name = hashKey(queryKey);
  const answer = storedAnswer(name, isOwn(queryKey));
  if (answer === undefined) return;
  noteShown(name, answer.time);
  queryClient.setQueryData(queryKey, answer.data, { updatedAt: answer.time });
}

function isOwn([first]: QueryKey): boolean {
  return first === OWN;
}

/** The stored answer of a name, of the person who is signed in where it is one's own; undefined where there is none. */
export function storedAnswer(name: string, own = false): StoredAnswer | undefined {
  return answersIn(own ? OWN_ANSWERS_KEY : PUBLIC_ANSWERS_KEY, own ? storedUserId() : null)[name];
}

/** What is stored under a key, if it is this build's and this person's: another build may shape its data otherwise. */
function answersIn(key: string, userId: string | null): Answers {
  const stored = jsonIn(recall(key));
  if (!isRecord(stored) || stored['build'] !== buildName() || stored['userId'] !== userId) return {};
  const { answers } = stored;
  if (!isRecord(answers)) return {};
  const sound = Object.entries(answers).flatMap(([name, answer]) =>
    isRecord(answer) && typeof answer['time'] === 'number' && answer['data'] !== undefined
      ? [[name, { time: answer['time'], data: revived(answer['data']) }] as const]
      : [],
  );
  return Object.fromEntries(sound);
}

const buildName = (): string => ownBuild ?? '';

type Source = () => StoredAnswer | undefined;
const sources = new Map<string, Source>();

/** An answer that is fresh in memory. */
interface FreshAnswer extends StoredAnswer {
  readonly name: string;
  /** Whose it is; null for a public one. */
  readonly userId: unknown;
}

/** Stores under this name, with the queries' answers, what `source` gives; for public data that the live feed brings. */
export function storeBesides(name: string, source: Source): void {
  sources.set(name, source);
}

/** Stores the answers that are in memory and fresh, with what was stored of others before. */
export function storeAnswers(): void {
  const { times } = useShownTimes.getState();
  const fresh = [...answersOfQueries(), ...answersOfSources()].filter(({ name }) => !times.has(name));
  storeUnder(PUBLIC_ANSWERS_KEY, null, fresh);
  // Another tab may have signed this person out a moment ago: the device itself says who is signed in.
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
      userId: isOwn(queryKey) ? queryKey[1] : null,
    }));
}

function answersOfSources(): FreshAnswer[] {
  return [...sources].flatMap(([name, source]) => {
    const answer = source();
    return answer === undefined ? [] : [{ name, time: answer.time, data: answer.data, userId: null }];
  });
}

/** Stores the answers of this person, or of nobody, among the fresh ones. */
function storeUnder(key: string, userId: string | null, fresh: readonly FreshAnswer[]): void {
  const theirs = fresh.filter((answer) => answer.userId === userId);
  if (theirs.length === 0) return;
  const all = new Map(Object.entries(answersIn(key, userId)));
  for (const { name, time, data } of theirs) all.set(name, { time, data });
  const answers = [...all]
    .toSorted(([, one], [, other]) => other.time - one.time)
    .slice(0, MOST_ANSWERS)
    .map(([name, { time, data }]) => [name, { time, data: preserved(data) }] as const)
    .filter(([, { data }]) => JSON.stringify(data).length <= MOST_CHARACTERS);
  remember(key, JSON.stringify({ build: buildName(), userId, answers: Object.fromEntries(answers) }));
}

/** Under this name a decimal is stored, which is no value of JSON. */
const DECIMAL = '$decimal';

/** Data of an answer as JSON can hold it. */
function preserved(value: unknown): unknown {
  if (value instanceof Decimal) return { [DECIMAL]: value.toString() };
  if (Array.isArray(value)) return value.map(preserved);
  if (!isRecord(value)) return value ?? null;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => (field === undefined ? [] : [[name, preserved(field)]])),
  );
}

/** The data that `preserved` was given. */
function revived(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revived);
  if (!isRecord(value)) return value;
  const decimal = value[DECIMAL];
  if (typeof decimal === 'string') return Decimal.parse(decimal);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, revived(field)]));
}

/** Drops stored answers that no component shows: with a connection they are fetched when they are shown next. */
function dropUnseen(): void {
  const { times } = useShownTimes.getState();
  for (const query of queryClient.getQueryCache().getAll()) {
    if (!times.has(query.queryHash) || query.getObserversCount() > 0) continue;
    noteShown(query.queryHash, undefined);
    queryClient.removeQueries({ queryKey: query.queryKey, exact: true });
  }
}

/**
 * Stores answers now and then and whenever the page is left, and forgets with a person that theirs are on screen.
 * Returns the way to stop.
 */
export function startStoredAnswers(): () => void {
  const onHidden = (): void => {
    if (document.visibilityState === 'hidden') storeAnswers();
  };
  const timer = setInterval(storeAnswers, STORE_EVERY_MS);
  document.addEventListener('visibilitychange', onHidden);
  window.addEventListener('pagehide', storeAnswers);
  const stopDropping = onFeedLive(dropUnseen);
  const stop = onPersonLeft(() => {
    for (const name of useShownTimes.getState().times.keys())
      if (name.startsWith(`["${OWN}"`)) noteShown(name, undefined);
  });
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onHidden);
    window.removeEventListener('pagehide', storeAnswers);
    stopDropping();
    stop();
  };
}
