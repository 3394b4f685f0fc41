import type { words } from './en-US/words.ts';

/** Type of the texts of a language, by namespace and key. The English texts define which keys exist. */
export type Words = typeof words;

/** Type of the texts of another language: the same namespaces and keys as `Source`, with any text. */
export type Translated<Source> = {
  readonly [Namespace in keyof Source]: Readonly<Record<keyof Source[Namespace], string>>;
};

/**
 * Returns the texts of a language by namespace; `files` are its JSON files by path, such as
 * `./coin-info.json`. A test compares namespaces, keys and placeholders with those of English.
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
