import type { Plugin } from 'vite';

/** Matches the source files in which tests replace functions with faulty ones. */
const PLANTABLE = /\/apps\/server\/src\/modules\/spot\/(domain\/)?[\w-]+(?<!\.test)\.ts$/;
const FUNCTION = /^export (async )?function (\w+)/gm;
const CLASS = /^export class (\w+)/gm;

/**
 * Vite plugin of the tests. Makes every exported function and class of the modules that match `PLANTABLE`
 * replaceable, also for callers in the same module. Each of them becomes a variable, and an added exported
 * function `plant(name, value)` assigns a value to this variable. `plant` throws for any other name.
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
      // The added function follows the last line, so that the numbers of all lines stay the same.
      return {
        code: `${variables}\nexport const plant = (name: string, value: any): void => { ${cases.join(' ')} throw new Error(name); };\n`,
        map: null,
      };
    },
  };
}
