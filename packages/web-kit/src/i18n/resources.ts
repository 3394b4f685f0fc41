import type { words } from './en-US/words.ts';

/** Every sentence by namespace and key; English is the source of the keys. */
export type Words = typeof words;

/** What another locale must have: the same keys, its own text. */
export type Translated<Source> = {
  readonly [Namespace in keyof Source]: Readonly<Record<keyof Source[Namespace], string>>;
};
