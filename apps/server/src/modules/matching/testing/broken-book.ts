import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformWithOxc } from 'vite';
import type { OrderBook } from '../domain/book/contract.ts';
import type { PlantedBug } from './planted-bugs.ts';

const SOURCES = fileURLToPath(new URL('../domain/book/', import.meta.url));
const CORE = fileURLToPath(new URL('../../../../../../packages/core/src/', import.meta.url));
/** The files of the core package that the book imports. */
const CORE_FILES = ['id-table.ts'];

/**
 * An order book class that was compiled from a copy of the real source. `remove` deletes the compiled
 * files.
 */
export interface BrokenBook {
  readonly create: () => OrderBook;
  readonly remove: () => Promise<void>;
}

/**
 * Compiles a copy of the real book into a temporary folder, with the line of `bug`, if given, changed, and loads it. A
 * changed copy, unlike a subclass, proves that the differential test covers the production lines.
 */
export async function buildBroken(bug: PlantedBug | null): Promise<BrokenBook> {
  const folder = await mkdtemp(join(tmpdir(), 'broken-book-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await translateSources(folder, bug);
    const loaded: unknown = await import(
      /* @vite-ignore */ pathToFileURL(join(folder, 'price-time-book.mjs')).href
    );
    const { PriceTimeBook } = loaded as { PriceTimeBook: new () => OrderBook };
    return { create: () => new PriceTimeBook(), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The names of planted bugs whose line does not occur exactly once in the source. */
export async function bugsWithoutSourceLine(bugs: readonly PlantedBug[]): Promise<readonly string[]> {
  const sources = new Map<string, string>();
  for (const { file } of bugs) sources.set(file, await readFile(join(SOURCES, file), 'utf8'));
  return bugs.filter((bug) => !fits(sources.get(bug.file)!, bug)).map(({ name }) => name);
}

async function translateSources(folder: string, bug: PlantedBug | null): Promise<void> {
  await mkdir(folder, { recursive: true });
  const files = (await readdir(SOURCES)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  for (const file of files) {
    let source = await readFile(join(SOURCES, file), 'utf8');
    if (bug?.file === file) source = plant(source, bug);
    await translate(source, folder, file);
  }
  for (const file of CORE_FILES) await translate(await readFile(join(CORE, file), 'utf8'), folder, file);
}

async function translate(source: string, folder: string, file: string): Promise<void> {
  const { code } = await transformWithOxc(source, file);
  const linked = code
    .replaceAll(/(from\s+["'])@exchange\/core\//g, '$1./')
    .replaceAll(/(from\s+["']\.[^"']+)\.ts/g, '$1.mjs');
  await writeFile(join(folder, file.replace('.ts', '.mjs')), linked);
}

/** Whether the source line of a planted bug occurs exactly once. */
function fits(source: string, { find }: PlantedBug): boolean {
  return source.split(find).length === 2;
}

function plant(source: string, bug: PlantedBug): string {
  if (!fits(source, bug)) throw new Error(`"${bug.name}" no longer fits ${bug.file}`);
  return source.replace(bug.find, () => bug.replace);
}
