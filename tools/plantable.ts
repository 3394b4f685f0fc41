import type { Plugin } from 'vite';

/** The code into which tests plant bugs. */
const PLANTABLE = /\/apps\/server\/src\/modules\/spot\/(domain\/)?[\w-]+(?<!\.test)\.ts$/;
const FUNCTION = /^export (async )?function (\w+)/gm;
const CLASS = /^export class (\w+)/gm;

/**
 * Makes every exported function and class of some modules replaceable, also for callers of the same module:
 * each becomes a variable, and `plant(name, value)` is added, which sets it. Nothing else of them changes.
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
      // On the last line, so that every other line keeps its number.
      return {
        code: `${variables}\nexport const plant = (name: string, value: any): void => { ${cases.join(' ')} throw new Error(name); };\n`,
        map: null,
      };
    },
  };
}
