import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { machineText } from './machine.ts';

/** A measured ratio with a limit. `name` is its name in the table of bench/README.md. */
export interface Ratio {
  readonly name: string;
  readonly what: string;
  readonly value: number;
  /** Limit of the ratio: a minimum if `better` is `higher`, and a maximum if it is `lower`. */
  readonly floor: number;
  readonly better: 'higher' | 'lower';
}

/** Prints measured ratios and their limits, and marks each ratio that is outside its limit. */
export function printRatios(ratios: readonly Ratio[]): void {
  for (const { name, what, value, floor, better } of ratios) {
    const passes = better === 'higher' ? value >= floor : value <= floor;
    const bound = `${better === 'higher' ? 'at least' : 'at most'} ${floor}`;
    console.log(
      `${name.padEnd(4)} ${value.toFixed(2).padStart(8)}  ${bound}${passes ? '' : '  NOT HELD'}  ${what}`,
    );
  }
}

/** Writes `results` to `bench/results/<name>.json`, with a description of the machine and the current time. */
export async function writeResults(name: string, results: object): Promise<void> {
  const file = fileURLToPath(new URL(`../results/${name}.json`, import.meta.url));
  await mkdir(new URL('../results/', import.meta.url), { recursive: true });
  const described = { machine: machineText(), at: new Date().toISOString(), ...results };
  await writeFile(file, `${JSON.stringify(described, null, 2)}\n`);
}
