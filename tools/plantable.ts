import type { Plugin } from 'vite';

/** The source files in which tests replace functions by faulty ones. */
const PLANTABLE = /\/apps\/server\/src\/modules\/spot\/(domain\/)?[\w-]+(?<!\.test)\.ts$/;
const FUNCTION = /^export (async )?function (\w+)/gm;
const CLASS = /^export class (\w+)/gm;

/**
 * Makes every function and class that these modules declare with `export` replaceable, also for callers in
 * the same module. Each becomes a variable, and the added export `plant(name, value)` assigns it.
 */
export function plantable(): Plugin {
  return {
    name: 'plantable',
    enforce: 'pre',
    transform(code, id) {
      if (!PLANTABLE.test(id)) return undefined;
      const names = [...code.matchAll(FUNCTION)]
        .map(([, , name]) => name!)
        .concat([...code.matchAll(CLASS)].map(([, name]) => name!));
      const cases = names.map((name) => `if (name === '${name}') return void (${name} = value);`);
      const variables = code
        .replace(FUNCTION, 'export let $2 = $1function')
        .replace(CLASS, 'export let $1 = class');
      // The added export is after the last line, so that all line numbers stay the same.
      return {
        code: `${variables}\nexport const plant = (name: string, value: any): void => { ${cases.join(' ')} throw new Error(name); };\n`,
        map: null,
      };
    },
  };
}
