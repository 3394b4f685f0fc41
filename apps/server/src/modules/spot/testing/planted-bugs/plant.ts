import { vi } from 'vitest';
import type { RealExchange } from '../real-exchange.ts';

/** Something a tired engineer could have written: some exports of one module, replaced while a test runs. */
export interface PlantedBug {
  readonly name: string;
  /** The module as an import names it, or its place from modules/spot. */
  readonly module: string;
  readonly change: (actual: never) => object;
}

/** Describes a bug by what the module exports instead; `actual` is the module as it is. */
export function planted<Module>(
  name: string,
  module: string,
  change: (actual: Module) => Partial<Record<keyof Module, unknown>>,
): PlantedBug {
  return { name, module, change };
}

/** What `tools/plantable.ts` adds to the modules of spot. */
interface Plantable extends Readonly<Record<string, unknown>> {
  plant(name: string, value: unknown): void;
}

/**
 * Loads the real exchange anew with the bug in it (none for null), for all that call what it changes. Types
 * keep it from outliving the code it distorts.
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
  // Other rooms are entered from outside only: what an import of theirs gives is changed.
  vi.doMock(path, async (importOriginal) => {
    const actual = await importOriginal<Record<string, unknown>>();
    return { ...actual, ...change(actual as never) };
  });
}

/** Puts the modules back as they are. */
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
