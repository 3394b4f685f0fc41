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

/**
 * Loads the real exchange anew with the bug in it (none for null): every module that imports the changed
 * one gets the changed exports, so a bug is where its callers meet it. Types keep it from outliving the
 * code it distorts.
 */
export async function realWith(bug: PlantedBug | null): Promise<() => Promise<RealExchange>> {
  vi.resetModules();
  if (bug !== null) {
    vi.doMock(pathOf(bug), async (importOriginal) => {
      const actual = await importOriginal<Record<string, unknown>>();
      return { ...actual, ...bug.change(actual as never) };
    });
  }
  const loaded = await import('../real-exchange.ts');
  return () => loaded.RealExchange.create();
}

/** Puts the modules back as they are. */
export function uproot(bug: PlantedBug | null): void {
  if (bug !== null) vi.doUnmock(pathOf(bug));
  vi.resetModules();
}

function pathOf({ module }: PlantedBug): string {
  return module.startsWith('@') ? module : new URL(`../../${module}`, import.meta.url).pathname;
}
