import { byNamespace } from '../resources.ts';

/** All Japanese texts by namespace, from every JSON file of this folder. */
export const words = byNamespace(
  import.meta.glob<Readonly<Record<string, string>>>('./*.json', { eager: true, import: 'default' }),
);
