/** The bundler's information about a module. */
export interface BundledModule {
  readonly isEntry: boolean;
  readonly code: string | null;
  readonly importers: readonly string[];
  readonly dynamicImporters: readonly string[];
  readonly importedIds: readonly string[];
  readonly dynamicallyImportedIds: readonly string[];
}

export interface ModuleGraph {
  readonly getModuleInfo: (id: string) => BundledModule | null;
}

/**
 * Cost of one additional request, expressed as the number of characters of unnecessary source code whose loading costs
 * the same.
 */
const REQUEST_COST = 3_500;
/**
 * Weight of the parts of the first screen, relative to other parts, in the computed loading cost. It is high because
 * every visitor loads the first screen and the size of the first screen is limited.
 */
const FIRST_SCREEN_WEIGHT = 150;
/**
 * Matches the modules with the texts of one language. The bundler already writes them to one file per language, so they
 * are not planned here.
 */
const WORDS = /\/i18n\/[\w-]+\//;
/**
 * Number of characters that are added to the size of a module that imports a large library, because the
 * module graph does not show which part of the library the module needs.
 */
const LIBRARY_SIZE = 300_000;
const ICON_INDEX = /\/lucide-react\/dist\/esm\/lucide-react\.\w+$/;
const ICON_IMPORT = /import\s*\{([^}]*)\}\s*from\s*["']lucide-react["']/g;
const ICON_EXPORT = /export\s*\{([^}]*)\}\s*from\s*["']\.\/icons\/([\w-]+)\.\w+["']/g;
const LARGE_LIBRARY = /\/node_modules\/(?:@mantine|klinecharts)\//;

/** Modules that become one file, with the lazily loaded parts (screens, dialogs) that need the file. */
interface Chunk {
  readonly modules: string[];
  size: number;
  /** The lazy parts that load the chunk, as indexes into the list of all parts. */
  readonly parts: ReadonlySet<number>;
  /** True if the chunk must not be merged with others. */
  readonly isFixed: boolean;
}

/**
 * Returns a function that returns the name of the chunk of a module that several lazily loaded parts share. It returns
 * null for modules that have their own file or are not shared. By default the bundler creates a file for each set of
 * parts that share modules, which results in dozens of files of some hundred bytes. The returned names merge two such
 * files if the saved requests are worth more than the code that parts then load unnecessarily. `firstScreen` matches
 * the parts of the first screen.
 */
export function sharedChunks(firstScreen: RegExp): (id: string, graph: ModuleGraph) => string | null {
  let names: ReadonlyMap<string, string> | undefined;
  return (id, graph) => {
    names ??= planChunks(graph, entryAbove(graph, id), firstScreen);
    return names.get(id) ?? null;
  };
}

/** Returns, for each shared module whose chunk may be merged with others, the name of the module's chunk. */
export function planChunks(
  graph: ModuleGraph,
  entry: string,
  firstScreen: RegExp,
): ReadonlyMap<string, string> {
  const initial = staticClosure(graph, entry, new Set());
  const parts = lazyParts(graph, initial);
  const chunks = chunksBySharers(graph, parts, initial);
  const weights = parts.map((part) => (firstScreen.test(part) ? FIRST_SCREEN_WEIGHT : 1));
  mergeChunks(graph, chunks, weights);
  const names = new Map<string, string>();
  for (const [place, { modules }] of chunks.filter(({ isFixed }) => !isFixed).entries()) {
    for (const module of modules) names.set(module, `shared-${place}`);
  }
  return names;
}

/**
 * Returns a function that returns the name of the chunk of an icon. The icons of the first screen form one chunk and
 * all others a second chunk, because an icon only has a few hundred characters. All icons are imported from the
 * library's index, so the module graph does not show which icons a module needs. They are found by the names in the
 * module's import statements.
 */
export function iconChunks(firstScreen: RegExp): (id: string, graph: ModuleGraph) => string {
  let icons: ReadonlySet<string> | undefined;
  return (id, graph) => {
    icons ??= iconsOfFirstScreen(graph, entryAbove(graph, id), firstScreen);
    return icons.has(fileName(id)) ? 'icons-first' : 'icons';
  };
}

/** Returns the file names of all icons that the parts of the first screen import. */
function iconsOfFirstScreen(graph: ModuleGraph, entry: string, firstScreen: RegExp): ReadonlySet<string> {
  const initial = staticClosure(graph, entry, new Set());
  const parts = lazyParts(graph, initial).filter((part) => firstScreen.test(part));
  const files = new Set<string>();
  for (const id of parts.flatMap((part) => [...staticClosure(graph, part, initial)])) {
    const module = graph.getModuleInfo(id);
    const names = [...(module?.code ?? '').matchAll(ICON_IMPORT)].flatMap(([, list = '']) => namesIn(list));
    if (names.length === 0) continue;
    const index = module?.importedIds.find((imported) => ICON_INDEX.test(imported)) ?? '';
    const fileOfName = iconFiles(graph.getModuleInfo(index)?.code ?? '');
    for (const name of names) files.add(fileOfName.get(name) ?? name);
  }
  return files;
}

/** Returns the file names of the icons by the names of the icons, from the code of the library's index. */
function iconFiles(index: string): ReadonlyMap<string, string> {
  return new Map(
    [...index.matchAll(ICON_EXPORT)].flatMap(([, list = '', file = '']) =>
      list.split(',').map((item) => [item.replace(/^.* as /s, '').trim(), file] as const),
    ),
  );
}

/** Returns the names that a list imports, e.g. `Check` and `X` for `Check, X as Close`. */
function namesIn(list: string): readonly string[] {
  return list
    .split(',')
    .map((item) => item.replace(/ as .*$/s, '').trim())
    .filter((name) => name !== '');
}

function fileName(id: string): string {
  return id.replace(/^.*\//, '').replace(/\.\w+$/, '');
}

function entryAbove(graph: ModuleGraph, id: string): string {
  const seen = new Set([id]);
  for (const current of seen) {
    const module = graph.getModuleInfo(current);
    if (module?.isEntry === true) return current;
    for (const above of [...(module?.importers ?? []), ...(module?.dynamicImporters ?? [])]) seen.add(above);
  }
  throw new Error(`no entry leads to ${id}`);
}

/** Returns a module and all its direct and indirect static imports except those in `without`. */
function staticClosure(graph: ModuleGraph, id: string, without: ReadonlySet<string>): ReadonlySet<string> {
  const closure = new Set([id]);
  for (const current of closure) {
    for (const imported of graph.getModuleInfo(current)?.importedIds ?? []) {
      if (!without.has(imported)) closure.add(imported);
    }
  }
  return closure;
}

/**
 * Returns all modules outside `initial` that are imported dynamically by a module reachable from `initial`, through
 * static or dynamic imports. The page does not load them at its start.
 */
function lazyParts(graph: ModuleGraph, initial: ReadonlySet<string>): readonly string[] {
  const seen = new Set(initial);
  const parts = new Set<string>();
  for (const id of seen) {
    const module = graph.getModuleInfo(id);
    for (const part of module?.dynamicallyImportedIds ?? []) {
      seen.add(part);
      if (!initial.has(part)) parts.add(part);
    }
    for (const imported of module?.importedIds ?? []) seen.add(imported);
  }
  return [...parts];
}

/**
 * Creates a chunk for each set of parts that share modules. Modules that are parts themselves, contain translated texts
 * or need a large library get separate chunks.
 */
function chunksBySharers(
  graph: ModuleGraph,
  parts: readonly string[],
  initial: ReadonlySet<string>,
): Chunk[] {
  const sharers = new Map<string, number[]>();
  for (const [place, part] of parts.entries()) {
    for (const id of staticClosure(graph, part, initial)) {
      const places = sharers.get(id);
      if (places === undefined) sharers.set(id, [place]);
      else places.push(place);
    }
  }
  const partIds = new Set(parts);
  const chunks = new Map<string, Chunk>();
  for (const [id, places] of sharers) {
    if (places.length < 2) continue;
    const module = graph.getModuleInfo(id);
    const needsLibrary = module?.importedIds.some((imported) => LARGE_LIBRARY.test(imported)) === true;
    const isFixed = partIds.has(id) || WORDS.test(id) || needsLibrary;
    const key = isFixed ? id : places.join();
    const size = (module?.code?.length ?? 0) + (needsLibrary ? LIBRARY_SIZE : 0);
    const chunk = chunks.get(key);
    if (chunk === undefined) chunks.set(key, { modules: [id], size, parts: new Set(places), isFixed });
    else {
      chunk.modules.push(id);
      chunk.size += size;
    }
  }
  return [...chunks.values()];
}

/**
 * Repeatedly merges the pair of chunks with the greatest benefit, until no merge has a benefit. Fixed chunks, and
 * chunks whose merge would create an import cycle, are not merged.
 */
function mergeChunks(graph: ModuleGraph, chunks: Chunk[], weights: readonly number[]): void {
  const refused = new WeakMap<Chunk, WeakSet<Chunk>>();
  for (;;) {
    const needs = needsOf(graph, chunks);
    let best: { one: Chunk; other: Chunk; worth: number } | undefined;
    for (const [place, one] of chunks.entries()) {
      if (one.isFixed) continue;
      for (const other of chunks.slice(place + 1)) {
        if (other.isFixed || refused.get(one)?.has(other) === true) continue;
        const saved = savedRequests(one, other, weights);
        if (saved <= (best?.worth ?? 0)) continue;
        const worth =
          saved -
          loadedInVain(one, other.parts, needs, weights) -
          loadedInVain(other, one.parts, needs, weights);
        if (worth > (best?.worth ?? 0)) best = { one, other, worth };
      }
    }
    if (best === undefined) return;
    if (isCircular(needs, best.one, best.other)) {
      refused.set(best.one, (refused.get(best.one) ?? new WeakSet()).add(best.other));
    } else {
      merge(chunks, best.one, best.other, needs);
    }
  }
}

function merge(
  chunks: Chunk[],
  one: Chunk,
  other: Chunk,
  needs: ReadonlyMap<Chunk, ReadonlySet<Chunk>>,
): void {
  const parts = new Set([...one.parts, ...other.parts]);
  const merged: Chunk = {
    modules: [...one.modules, ...other.modules],
    size: one.size + other.size,
    parts,
    isFixed: false,
  };
  for (const needed of new Set([...needs.get(one)!, ...needs.get(other)!])) {
    if (needed === one || needed === other) continue;
    chunks[chunks.indexOf(needed)] = {
      modules: needed.modules,
      size: needed.size,
      parts: new Set([...needed.parts, ...parts]),
      isFixed: needed.isFixed,
    };
  }
  chunks.splice(chunks.indexOf(other), 1);
  chunks[chunks.indexOf(one)] = merged;
}

/**
 * Returns, for each chunk, all chunks that it needs: itself and the chunks that it imports, directly and indirectly.
 */
function needsOf(graph: ModuleGraph, chunks: readonly Chunk[]): ReadonlyMap<Chunk, ReadonlySet<Chunk>> {
  const chunkOf = new Map(chunks.flatMap((chunk) => chunk.modules.map((id) => [id, chunk] as const)));
  const imports = new Map(chunks.map((chunk) => [chunk, importsOf(graph, chunk, chunkOf)]));
  return new Map(
    chunks.map((chunk) => {
      const needed = new Set([chunk]);
      for (const current of needed) for (const imported of imports.get(current) ?? []) needed.add(imported);
      return [chunk, needed];
    }),
  );
}

function importsOf(
  graph: ModuleGraph,
  { modules }: Chunk,
  chunkOf: ReadonlyMap<string, Chunk>,
): ReadonlySet<Chunk> {
  const imports = new Set<Chunk>();
  for (const id of modules) {
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) {
      const chunk = chunkOf.get(imported);
      if (chunk !== undefined) imports.add(chunk);
    }
  }
  return imports;
}

/**
 * Returns the benefit of merging two chunks, in characters: each part that loads both saves a request, which
 * counts `REQUEST_COST` times the weight of the part.
 */
function savedRequests({ parts }: Chunk, other: Chunk, weights: readonly number[]): number {
  let saved = 0;
  for (const part of parts) if (other.parts.has(part)) saved += (weights[part] ?? 1) * REQUEST_COST;
  return saved;
}

/**
 * Returns the cost of merging `chunk` into a chunk that the parts `parts` load: for each of these parts that does not
 * load `chunk` yet, the weighted size of `chunk` and of the chunks it imports, as far as the part does not load them
 * yet.
 */
function loadedInVain(
  chunk: Chunk,
  parts: ReadonlySet<number>,
  needs: ReadonlyMap<Chunk, ReadonlySet<Chunk>>,
  weights: readonly number[],
): number {
  let loaded = 0;
  for (const part of parts) {
    if (chunk.parts.has(part)) continue;
    for (const needed of needs.get(chunk) ?? []) {
      if (!needed.parts.has(part)) loaded += (weights[part] ?? 1) * needed.size;
    }
  }
  return loaded;
}

/**
 * Returns whether merging two chunks would create an import cycle, because one of them imports the other through a
 * third chunk.
 */
function isCircular(needs: ReadonlyMap<Chunk, ReadonlySet<Chunk>>, one: Chunk, other: Chunk): boolean {
  const isBetween = (chunk: Chunk) => chunk !== one && chunk !== other;
  return [one, other].some((end) =>
    [...(needs.get(end) ?? [])].some(
      (chunk) => isBetween(chunk) && (needs.get(chunk)!.has(one) || needs.get(chunk)!.has(other)),
    ),
  );
}
