import type { words } from './en-US/words.ts';

/** All sentences by namespace and key. English defines the keys. */
export type Words = typeof words;

/** Type of another locale's sentences: the same keys, any text. */
export type Translated<Source> = {
  readonly [Namespace in keyof Source]: Readonly<Record<keyof Source[Namespace], string>>;
};
