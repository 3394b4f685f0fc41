import { vi } from 'vitest';
import type { RealExchange } from '../real-exchange.ts';

/** A plausible programming error, made by replacing exports of one module while a test runs. */
export interface PlantedBug {
  readonly name: string;
  /** The path of the module relative to modules/spot, or for a package (`@…`) its import specifier. */
  readonly module: string;
  readonly change: (actual: never) => object;
}

/** Creates a planted bug. `change` receives the original module and returns the replaced exports. */
export function planted<Module>(
  name: string,
  module: string,
  change: (actual: Module) => Partial<Record<keyof Module, unknown>>,
): PlantedBug {
  return { name, module, change };
}

/** The test hook that `tools/plantable.ts` adds to the modules of spot. */
interface Plantable extends Readonly<Record<string, unknown>> {
  plant(name: string, value: unknown): void;
}

/**
 * Loads the real exchange with a bug planted, or without a bug for null, and returns a function that
 * creates an exchange. The bug affects all callers of the replaced exports.
 */
export async function realWith(bug: PlantedBug | null): Promise<() => Promise<RealExchange>> {
  vi.resetModules();
  if (bug !== null) await plant(bug);
  const loaded = await import('../real-exchange.ts');
  return () => loaded.RealExchange.create();
}

async function plant({ module, change }: PlantedBug): Promise<void> {
  const path = pathOf(module);
  if (isOfSpot(module)) {
    const actual = (await import(path)) as Plantable;
    for (const [name, value] of Object.entries(change({ ...actual } as never))) actual.plant(name, value);
    return;
  }
  // Modules of spot have a hook (`plant`) that replaces their exports. Modules outside of spot have none, so they are
  // mocked when they are imported.
  vi.doMock(path, async (importOriginal) => {
    const actual = await importOriginal<Record<string, unknown>>();
    return { ...actual, ...change(actual as never) };
  });
}

/** Restores the original modules after a planted bug. */
export function uproot(bug: PlantedBug | null): void {
  if (bug !== null && !isOfSpot(bug.module)) vi.doUnmock(pathOf(bug.module));
  vi.resetModules();
}

function isOfSpot(module: string): boolean {
  return !module.startsWith('@') && !module.startsWith('..');
}

function pathOf(module: string): string {
  return module.startsWith('@') ? module : new URL(`../../${module}`, import.meta.url).pathname;
}
