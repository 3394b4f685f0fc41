import type { words } from './en-US/words.ts';

/** All translated sentences by namespace and key. English defines the keys. */
export type Words = typeof words;

/** Type of another language's sentences: the same keys, any text. */
export type Translated<Source> = {
  readonly [Namespace in keyof Source]: Readonly<Record<keyof Source[Namespace], string>>;
};

/**
 * The sentences of a language by namespace, from its JSON files by path, e.g. `./coin-info.json`. A test compares the
 * namespaces, keys and placeholders with those of English.
 */
export function byNamespace(
  files: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Translated<Words> {
  const sentences = Object.entries(files).map(([path, words]) => [
    path.slice('./'.length, -'.json'.length),
    words,
  ]);
  return Object.fromEntries(sentences) as Translated<Words>;
}
